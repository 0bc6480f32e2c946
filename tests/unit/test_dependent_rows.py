"""Rows of the same subjects are noticed in any order, and independent rows are not."""

from types import SimpleNamespace

import advised
import dependent_rows as bench
import numpy as np
import pytest
from noise_tables import SCENARIOS, make_table
from shown import shown

from steadfast.advice.words.warnings import _about_dependent_rows
from steadfast.api.data import to_table
from steadfast.data.sources.scenario import scenario
from steadfast.data.table import make_table as checked_table
from steadfast.selectors.trust import dependent_rows
from steadfast.selectors.trust.dependent_rows import WhereSignalLies, locate_signal

OF = {one.name: one for one in SCENARIOS}
DOUBT = "only the most similar rows tell the class"

#: A table with trusted features, of which the other warnings about dependent rows say nothing.
FACTS = SimpleNamespace(
    trusted=SimpleNamespace(asked=True), trusted_columns=[0], q_values=SimpleNamespace()
)


def table_of_subjects(number, name="shuffled_alike"):
    """Noise; rows of a subject correlate by 0.5 and stand in random order; no column names them."""
    drawn = make_table(OF[name], 2 * number + 1, 1)
    return to_table(*drawn, name="t", title="t")[0]


def independent(kind, rows, features, **settings):
    found = scenario("t", {"kind": kind, "rows": rows, "features": features, **settings})
    return checked_table(found.X, found.labels, found.features, "t", found.levels)


def doubts(table, facts=FACTS):
    return [one.doubt for one in _about_dependent_rows(facts, table, [])]


def test_rows_of_the_same_subjects_are_noticed_in_random_order():
    """One of these ten tables is missed, and none of 200 others."""
    found = [doubts(table_of_subjects(number)) for number in range(10)]
    assert found.count([DOUBT]) >= 9
    first = locate_signal(table_of_subjects(0))
    assert first.nearest > 2 * first.others


def test_noise_of_unnamed_subjects_is_not_green(tmp_path):
    """Six to twelve of 20 noise features passed, and no warning could turn the answer."""
    table = table_of_subjects(0)
    lines = [",".join([*table.features, "class"])]
    lines += [
        ",".join([*map(str, row), table.classes[c]])
        for row, c in zip(table.X, table.y, strict=True)
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    found = advised.advise(tmp_path / "t.csv", 4, ("fisher", "random"), [3])
    assert advised.trusted_names(found)
    assert DOUBT in found["advice"]["doubts"]
    assert found["advice"]["verdict"] == "caution"
    (text,) = [one["text"] for one in found["advice"]["warnings"] if one["kind"] == "nearest"]
    assert "name groups (--groups COLUMN, in Python groups=)" in text


@pytest.mark.parametrize(
    "table",
    [
        independent("shift", 200, 30, relevant=10, effect=1),
        independent("blocks", 150, 60, relevant=40, effect=1.5, block=8, correlation=0.9),
        independent("pairs", 250, 10, relevant=4, effect=1),
        independent("spread", 200, 20, relevant=10, effect=2),
        independent("categories", 300, 20, relevant=8, effect=0.8),
        independent("means", 240, 30, relevant=10, effect=1, classes=4),
        independent("shift", 60, 600, relevant=20, effect=1.5),
    ],
    ids=["shift", "blocks", "pairs", "spread", "categories", "means", "wide"],
)
def test_independent_rows_with_signal_are_not_warned_about(table):
    assert doubts(table) == []
    found = locate_signal(table)
    assert found.others > 0.9 * found.nearest


def test_groups_that_are_named_and_tables_without_trusted_features_are_not_checked(monkeypatch):
    monkeypatch.setattr(dependent_rows, "describe_columns", None)  # nothing is computed
    named, _ = to_table(*make_table(OF["named_alike"], 0, 1), name="t", title="t")
    assert _about_dependent_rows(FACTS, named, []) == []


def test_no_trusted_feature_is_no_reason_to_look(monkeypatch):
    nothing = SimpleNamespace(**{**vars(FACTS), "trusted_columns": []})
    assert doubts(table_of_subjects(0), nothing) == []


def test_the_order_of_the_rows_and_of_the_columns_does_not_matter():
    table, draw = table_of_subjects(1), np.random.default_rng(0)
    found = locate_signal(table)
    rows, columns = draw.permutation(len(table.y)), draw.permutation(table.X.shape[1])
    names = [table.classes[c] for c in table.y[rows]]
    moved = checked_table(table.X[rows][:, columns], names, table.features, "t")
    assert locate_signal(moved) == pytest.approx(found, abs=1e-9)


def test_of_a_large_table_some_rows_are_looked_up_among_all(monkeypatch):
    table = table_of_subjects(2)
    every = locate_signal(table)
    monkeypatch.setattr(dependent_rows, "PAIRS_AT_ONCE", 1_000)
    assert locate_signal(table) == pytest.approx(every, abs=1e-9), "in parts"
    monkeypatch.setattr(dependent_rows, "MOST_ROWS", 100)
    monkeypatch.setattr(dependent_rows, "FEWEST_ROWS", 100)
    some = locate_signal(table)
    assert some != every
    assert some == pytest.approx(every, abs=0.25)
    assert some == locate_signal(table), "the same rows every time"


def test_what_the_nearest_and_all_other_rows_tell_is_counted_by_hand():
    """Two classes of six rows in pairs: the pairs tell the class, and without them nothing does."""
    X = np.array([[0.0], [0.1], [4], [4.1], [8], [8.1], [2], [2.1], [6], [6.1], [10], [10.1]])
    table = checked_table(X, ["a"] * 6 + ["b"] * 6, ["x"], "t")
    found = locate_signal(table)
    ranks = dependent_rows.column_ranks(X)[:, 0]
    z, y = ranks / ranks.std(), table.y
    evidence = []
    for row in range(12):
        close = z[row] * z - 0.25 * z**2
        mean = []
        for one in (0, 1):
            members = [other for other in range(12) if y[other] == one and other != row]
            mean.append(np.mean(sorted(close[members])[-5:]))
        evidence.append(mean[0] - mean[1])
    of_a, of_b = np.array(evidence)[:6], np.array(evidence)[6:]
    wins = np.mean(np.sign(of_a[:, None] - of_b[None, :]))
    assert found.nearest == pytest.approx(wins)


def test_tables_without_numbers_or_with_one_class_of_enough_rows_are_not_judged():
    X = np.arange(12.0)[:, None]
    assert locate_signal(checked_table(X, ["a"] * 8 + ["b"] * 4, ["x"], "t")) is None
    assert locate_signal(checked_table(np.ones((12, 1)), ["a", "b"] * 6, ["x"], "t")) is None


def test_the_nearest_rows_must_tell_more_than_a_little():
    assert WhereSignalLies(0.5, 0.3).rows_may_belong_together
    assert not WhereSignalLies(0.5, 0.34).rows_may_belong_together
    assert not WhereSignalLies(0.14, -0.2).rows_may_belong_together


def test_the_document_shows_how_often_rows_of_the_same_subjects_are_noticed():
    shares = [line.split(" | ") for line in shown("dependent-rows", bench.DOCUMENT).splitlines()]
    assert len(shares) == 2 + len(bench.FEATURES) * len(bench.CORRELATIONS)
    (counted,) = shown("independent-rows", bench.DOCUMENT).splitlines()[2:]
    scenarios = len(list(bench.independent_scenarios()))
    assert f"| {scenarios * bench.INDEPENDENT_TABLES} | 0 |" in counted


def test_the_shares_of_the_document_are_computed_from_tables(monkeypatch):
    monkeypatch.setattr(bench, "TABLES", 4)
    monkeypatch.setattr(bench, "INDEPENDENT_TABLES", 2)
    assert bench.share_of_subjects(features=20, correlation=0.7, rows_each=5) == 1
    label, settings = next(bench.independent_scenarios())
    assert bench.share_of_independent(label, settings) == 0

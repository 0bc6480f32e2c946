"""`make choice`: rules are judged by rows that they have not seen, and the document has the run."""

import copy
import csv
from pathlib import Path

import choice
import choice_data
import numpy as np
import pytest
from shown import as_markdown, shown

from steadfast.advice.words.answer import OPTIMISM
from steadfast.data.table import make_table

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs/choice.md"


def rows_of(name):
    with (ROOT / f"docs/choice/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.fixture(scope="module")
def halves():
    """Two features of eight tell the class; all selectors of the command on each half."""
    draw = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = draw.normal(size=(80, 8))
    X[:, :2] += 1.5 * y[:, None]
    table = make_table(X, [f"c{c}" for c in y], [f"f{i}" for i in range(8)], "t")
    return choice_data.halve("t", table, 0)


def test_every_rule_chooses_a_selection_that_is_judged_on_the_other_half(halves):
    own, other = halves
    found = choice.selections_of(own)
    for name, rule in choice.RULES.items():
        best = rule(found, own)
        assert best.size < 8, "all features are no selection"
        assert not best.witness.baseline
        judged = choice.judge(rule, own, other)
        assert -1 <= judged.lost <= 1, name
        again = next(one for one in other.witnesses if one.id == best.witness.id)
        assert judged.stability == pytest.approx(again.stability.at(best.size))
        outside = own.outside[best.witness.id][:, own.sizes.index(best.size)]
        assert judged.optimism == pytest.approx(best.accuracy("svm") - outside.mean())


def with_accuracies(half, by_size):
    """The half with the same accuracies, by size, of all selectors."""
    half = copy.deepcopy(half)
    for one in half.witnesses:
        curve = one.accuracy["svm"]
        curve.units[:] = [by_size(size) for size in curve.sizes]
        curve.values[:] = curve.units.mean(axis=0)
    return half


@pytest.mark.parametrize(
    ("by_size", "size"),
    [
        (lambda size: 0.9 if size == 6 else 0.5 + 0.01 * size, 6),  # so many are needed
        (lambda size: 0.9 if size in (4, 6) else 0.5 + 0.01 * size, 4),  # half of them are enough
    ],
)
def test_more_than_half_of_the_features_are_chosen_only_if_they_are_needed(halves, by_size, size):
    own = with_accuracies(halves[0], by_size)
    found = choice.selections_of(own)
    for rule in ("2 points", "2 points, by an interval", "1 standard error", choice.TAKEN):
        assert choice.RULES[rule](found, own).size == size, rule


def test_small_tables_are_halved_more_often():
    assert [choice_data.repeats(rows) for rows in (60, 208, 400, 600, 10**5)] == [5, 4, 2, 2, 2]


def test_the_loss_is_against_the_best_of_the_part_that_is_not_scored(halves):
    own, other = halves
    names = [one.id for one in own.witnesses if not one.baseline]
    best = choice.top_candidate(choice.selections_of(own), own)
    lost = []
    for look, part in ((0, 1), (1, 0)):
        places = range(len(own.sizes))
        cells = [(own.outside[n][look, p], -i, -p) for i, n in enumerate(names) for p in places]
        _, i, p = max(cells)
        mine = own.outside[best.witness.id][part, own.sizes.index(best.size)]
        lost.append(own.outside[names[-i]][part, -p] - mine)
    assert choice.judge(choice.top_candidate, own, other).lost == pytest.approx(np.mean(lost))


@pytest.mark.parametrize("name", ["rules", "datasets"])
def test_the_document_has_the_tables_of_the_kept_run(name):
    header, *rows = rows_of(name)
    assert shown(name, DOCUMENT) == as_markdown(header, rows)


def test_the_rule_in_use_misses_one_bar_on_tables_of_few_rows_and_the_document_says_by_how_much():
    header, *rows = rows_of("rules")
    found = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    before, now = found[choice.FORMER], found[choice.TAKEN]
    assert float(now["given up"]) <= 1.5 < float(before["given up"])
    assert float(now["stability"]) >= float(before["stability"]) - 0.05
    assert now["significantly below random"] == "0"
    document = DOCUMENT.read_text(encoding="utf-8")
    tables = len(rows_of("datasets")) - 1
    assert f"**no**: missed by {now['over 3 points']} of the {tables} tables" in document
    assert f"The worst loses {now['at most']} points" in document


def test_no_table_loses_significantly_more_than_3_points():
    header, *rows = rows_of("datasets")
    at = [header.index(name) for name in ("given up, now", choice.ERROR)]
    assert all(float(row[at[0]]) <= 3 + 2 * float(row[at[1]]) for row in rows)


def test_the_page_states_the_optimism_that_was_measured():
    told = shown("optimism", DOCUMENT).split()[2]
    assert f"by about {told} points on average" in OPTIMISM
    assert f"on {len(rows_of('datasets')) - 1} tables" in OPTIMISM


def test_what_the_document_says_of_tables_that_lose_much():
    header, *rows = rows_of("datasets")
    lost = [float(row[header.index("given up, now")]) for row in rows]
    much = [value for value in lost if value > 3]
    rest = sum(value for value in lost if value <= 3) / (len(lost) - len(much))
    said = f"The other {len(lost) - len(much)} lose {rest:.1f} points on average"
    assert said in DOCUMENT.read_text(encoding="utf-8")

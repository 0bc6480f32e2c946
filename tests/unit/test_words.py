"""The words of the advice where they went wrong before, and when more subsamples are drawn."""

from types import SimpleNamespace

import advised
import numpy as np
import page_cases
import pytest

from steadfast.advice.by_runs import half_width
from steadfast.advice.evidence import ACCURACY
from steadfast.advice.words.warnings import (
    _about_accuracy,
    likeness_of_neighbours,
    single_skills,
)
from steadfast.command.advising import more_runs
from steadfast.core.errors import UserError
from steadfast.data.table import make_table
from steadfast.page.document import study_page
from steadfast.page.features import tells, trust_in

SELECTORS = ("fisher", "relieff", "random")


def advise(tmp_path, X, y, **options):
    """The evidence on a table of numbers, with a few runs of two selectors."""
    names = [f"f{at}" for at in range(X.shape[1])]
    lines = [",".join([*names, "class"])]
    lines += [",".join([*(f"{x:.5f}" for x in row), f"c{c}"]) for row, c in zip(X, y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    return advised.advise(tmp_path / "t.csv", 6, SELECTORS, [1, 2, 3, 5], **options)


def said(found):
    warnings = [one["text"] for one in found["advice"]["warnings"]]
    return " ".join([*found["advice"]["answer"], *warnings])


def test_a_tenth_of_the_rows_in_one_class_is_no_reason_to_find_nothing(tmp_path):
    draw = np.random.default_rng(0)
    y = (np.arange(240) % 10 == 0).astype(int)
    X = draw.normal(size=(240, 10))
    X[:, :3] += 1.2 * y[:, None]
    found = advise(tmp_path, X, y)
    assert found["scoring"]["id"] == "auc"
    assert found["advice"]["verdict"] == "trust"
    assert advised.trusted_names(found) == {"f0", "f1", "f2"}
    assert "has an AUC of 0.87 on rows it has not seen, where guessing gives 0.50" in said(found)
    assert "tell no more about the class" not in said(found)


def test_features_that_tell_something_in_pairs_are_not_nothing(tmp_path):
    X = np.random.default_rng(0).normal(size=(250, 10))
    found = advise(tmp_path, X, (X[:, 0] * X[:, 1] > 0).astype(int))
    assert found["advice"]["verdict"] == "trust"
    assert found["advice"]["selector"] == "relieff"
    assert advised.trusted_names(found) == {"f0", "f1"}
    assert "only together with others: " in said(found)


def test_a_leak_with_a_little_noise_is_warned_about(tmp_path):
    draw = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = draw.normal(size=(200, 8))
    X[:, 1:4] += 0.5 * y[:, None]
    X[:, 0] = np.where(draw.random(200) < 0.05, 1 - y, y) + 0.01 * X[:, 0]
    found = advise(tmp_path, X, y)
    (warning,) = [one["text"] for one in found["advice"]["warnings"] if one["kind"] == "alone"]
    assert warning.startswith("f0 alone tells nearly as much as all features together")


def test_where_nearly_all_pass_groups_are_asked_for(tmp_path):
    draw = np.random.default_rng(0)
    subject = np.repeat(np.arange(30), 6)
    X = draw.normal(size=(30, 10))[subject] + 0.1 * draw.normal(size=(180, 10))
    found = advise(tmp_path, X, (draw.permutation(30) % 2)[subject])
    assert "All 10 features have q ≤ 0.05. If several rows come from one subject" in said(found)
    assert "name groups (--groups COLUMN, in Python groups=)" in said(found)


def test_where_nothing_passes_the_number_of_rows_is_named(tmp_path):
    draw = np.random.default_rng(2)
    found = advise(tmp_path, draw.normal(size=(80, 6)), np.arange(80) % 2)
    assert found["advice"]["verdict"] == "nothing"
    assert "No feature can be trusted (the smallest q-value is " in said(found)
    assert "does not prove that no feature is related to the class" in said(found)


def test_the_risk_and_its_assumption_are_stated(tmp_path):
    draw = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = draw.normal(size=(200, 6))
    X[:, :4] += y[:, None]
    X[:, 3] = X[:, 2] + 0.02 * draw.normal(size=200)
    found = advise(tmp_path, X, y)
    advice = found["advice"]
    assert "Fewer than one of them is expected to be noise (all have q ≤ " in said(found)
    assert "provided that the rows are independent samples" in said(found)
    assert (
        "You can trust these 2 features and one group of features: f1, one of {f2, f3}, f0"
        in said(found)
    )
    (group,) = advice["interchangeable"]
    assert group["one_of"]
    assert trust_in(group) == "one of them; the data cannot tell which"
    assert advice["group_stability"]["value"] >= 0
    runs = [one["runs"] for one in advice["by_runs"]]
    assert runs == [5, 6]
    stability = next(s for s in found["selectors"] if s["id"] == advice["selector"])["stability"]
    at = found["sizes"].index(advice["size"])
    assert advice["by_runs"][-1]["value"] == pytest.approx(stability["value"][at], abs=1e-6)


def test_groups_that_the_user_names_are_told_of(tmp_path):
    draw = np.random.default_rng(0)
    y = np.arange(150) % 2
    X = draw.normal(size=(150, 6))
    X[:, :2] += 1.5 * y[:, None]
    named = {"strong": ["f0", "f1"], "weak": ["f2", "f3"]}
    found = advise(tmp_path, X, y, feature_groups=named)
    strong = found["advice"]["named_groups"][0]
    assert strong["name"] == "strong"
    assert strong["frequency"] == 1
    assert found["advice"]["group_stability"]["of_named"]


def test_a_page_without_copies_or_q_values_does_not_speak_of_trust():
    found = page_cases.wrappers()
    page = study_page([found], page_cases.context(False)).decode()
    assert "Can be trusted" not in page
    assert "Use with caution: not significantly better than random features" in page


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"trusted": True, "how": "together", "beyond_others": "cannot tell"}, "only with others"),
        ({"trusted": True, "how": "itself", "beyond_others": "own"}, "own"),
        ({"trusted": True, "how": "itself", "beyond_others": "borrowed"}, "borrowed"),
        ({"trusted": False, "how": "", "beyond_others": ""}, "–"),
    ],
)
def test_what_a_feature_tells_in_words(row, words):
    assert tells(row).startswith(words)


def test_how_well_one_feature_tells_is_the_best_cut_counted_by_hand():
    draw = np.random.default_rng(0)
    X, y = np.round(draw.normal(size=(60, 4)), 1), draw.integers(0, 2, 60)
    table = make_table(X, [f"c{c}" for c in y], list("abcd"), "t")
    for column, found in enumerate(single_skills(table)):
        cuts = [
            abs(np.mean(X[y == 1, column] <= cut) - np.mean(X[y == 0, column] <= cut))
            for cut in X[:, column]
        ]
        assert found == pytest.approx(max(cuts))


@pytest.mark.parametrize(
    ("runs", "half", "spent", "last", "expected"),
    [
        (30, 0.08, 60, 60, (30, "met")),
        (30, None, 60, 60, (30, "unknown")),
        (30, 0.102, 60, 60, (30, "close")),  # a few more are not worth a round
        (30, 0.15, 60, 60, (75, "")),  # the interval narrows as the root of their number
        (30, 0.3, 1, 1, (90, "")),  # the round before may have found its results there already
        (30, 0.3, 480, 60, (60, "")),  # what the budget leaves
        (30, 0.3, 590, 60, (30, "spent")),
        (450, 0.2, 60, 60, (450, "enough")),
    ],
)
def test_subsamples_are_added_until_stability_is_known_or_time_is_up(
    runs, half, spent, last, expected
):
    assert more_runs.next_step(runs, half, more_runs.asked(None, None), spent, last) == expected


def test_the_command_says_what_ended_it():
    told = more_runs.asked("0.05", "2")
    assert more_runs.outcome(40, 0.04, told, "met").endswith("(asked for: ±0.05).")
    assert "the budget of 2 minutes allows no more" in more_runs.outcome(40, 0.2, told, "spent")
    assert "±0.051 after 40 subsamples (asked for: ±0.05, close enough)" in more_runs.outcome(
        40, 0.051, told, "close"
    )
    for option in ({"within": "much"}, {"within": "0"}, {"budget": "-1"}):
        with pytest.raises(UserError, match=f"--{next(iter(option))}"):
            more_runs.asked(option.get("within"), option.get("budget"))


def test_more_subsamples_are_drawn_where_they_are_too_few_to_choose():
    told = more_runs.asked(None, None)
    assert more_runs.next_step(30, 0.05, told, 10, 10, clear=True).why_not == more_runs.MET
    assert more_runs.next_step(30, 0.05, told, 10, 10, clear=False).runs == 90
    assert more_runs.next_step(90, 0.05, told, 40, 30, clear=False).why_not == more_runs.MET
    assert "too few to tell which selection" in more_runs.announcement(30, 0.05, 90, clear=False)
    assert more_runs.points("2") == 0.02
    with pytest.raises(UserError, match="--margin: 'two' is not a number of points"):
        more_runs.points("two")


def test_a_second_call_begins_with_the_subsamples_of_the_first():
    settings = {"data": "t.csv", "overrides": {"advise": {"sizes": [1]}}}
    study = SimpleNamespace(resample={"scheme": "subsample", "repeats": 30}, budget=10.0)
    changed = more_runs.with_runs(settings, study, 60)
    assert changed["overrides"]["advise"] == {
        "sizes": [1],
        "resample": {"scheme": "subsample", "repeats": 60},
        "budget": 20.0,
    }
    hurried = more_runs.with_changes(settings, {"budget": 5.0})
    assert more_runs.first_runs(hurried, study, changed) == 60, "whatever the budget"
    assert more_runs.first_runs(settings, study, changed) == 60
    typed = {**settings, "typed": {"data": "t.csv", "budget": "5"}}
    assert more_runs.first_runs(typed, study, changed) == 60, "however it was typed"
    assert more_runs.first_runs({**settings, "seed": 2}, study, changed) == 30
    assert more_runs.first_runs(settings, study, settings) == 30
    assert more_runs.first_runs(settings, study, None) == 30


def test_neighbouring_rows_that_resemble_each_other_are_warned_about(tmp_path):
    draw = np.random.default_rng(0)
    subject = np.repeat(np.arange(30), 5)
    X = draw.normal(size=(30, 8))[subject] + draw.normal(size=(150, 8))
    y = (draw.permutation(30) % 2)[subject]
    table = make_table(X, [f"c{c}" for c in y], list("abcdefgh"), "t")
    alike, limit = likeness_of_neighbours(table)
    assert alike > max(0.2, limit)
    mixed = draw.permutation(150)
    table = make_table(X[mixed], [f"c{c}" for c in y[mixed]], list("abcdefgh"), "t")
    alike, limit = likeness_of_neighbours(table)
    assert alike < limit
    assert "name groups (--groups COLUMN, in Python groups=)" in said(advise(tmp_path, X, y))


def test_features_that_are_needed_together_are_not_one_of_a_named_group(tmp_path):
    X = np.random.default_rng(0).normal(size=(250, 8))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    found = advise(tmp_path, X, y, feature_groups={"pair": ["f0", "f1"]})
    (group,) = [one for one in found["advice"]["named_groups"] if one["name"] == "pair"]
    assert group["trusted"] == [True, True]
    assert not group["one_of"]


def test_an_interval_cut_off_at_one_is_as_wide_as_its_other_half():
    assert half_width([{"runs": 5, "value": 0.9, "low": 0.7, "high": 1.0}]) == pytest.approx(0.2)
    assert half_width([{"runs": 5, "value": 0.9, "low": None, "high": None}]) is None
    assert half_width([]) is None


@pytest.mark.parametrize(
    ("loss", "top_size", "doubt"),
    [
        (0.02, 10, []),
        (0.052, 10, ["loses 5.2 points against all features"]),
        (0.052, 9, ["loses 5.2 points against the most accurate one"]),
    ],
)
def test_a_loss_beyond_the_margin_is_no_green_answer(loss, top_size, doubt):
    """Only all features were within the margin, and the badge was green."""
    top = SimpleNamespace(size=top_size)
    choice = SimpleNamespace(within_margin=loss <= 0.02, top=top, loss=loss, margin=0.02)
    facts = SimpleNamespace(
        best=SimpleNamespace(size=5),
        choice=choice,
        n_features=10,
        score=ACCURACY,
        score_of=lambda one: 0.8,
        beats_blind=True,
        random=SimpleNamespace(size=5),
        beats_random=True,
    )
    found = _about_accuracy(facts)
    assert [one.doubt for one in found] == doubt
    against = doubt[0].partition("against ")[2] if doubt else ""
    assert [one.text for one in found] == [
        f"Every smaller selection loses more than 2 points of accuracy against {against}; the "
        "recommended one loses 5.2 points."
    ] * len(doubt)

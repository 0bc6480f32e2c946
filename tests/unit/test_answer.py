"""The sentence that recommends a selection: its cost, its stability, ties, and the units of all."""

from types import SimpleNamespace

import numpy as np
import pytest

from steadfast.accuracy.scores import SCORES
from steadfast.advice.evidence import Witness
from steadfast.advice.recommendation import recommend
from steadfast.advice.words import answer as wording
from steadfast.advice.words.facts import listed
from steadfast.advice.words.scores import lost, margin_text
from steadfast.statistics.curve import Curve

N_FEATURES, N_RUNS = 10, 20


def curve(values):
    units = np.tile(np.asarray(values, dtype=float), (N_RUNS, 1))
    values = units.mean(axis=0)
    return Curve(np.arange(1, values.size + 1), values, low=values, high=values, units=units)


def selector(label, stability, accuracy, runs):
    """A selector with these curves over the sizes, and the rankings that are tested."""
    return Witness(
        *(label.lower(), label, False, "", runs, curve(stability)), {"svm": curve(accuracy)}
    )


def steady():
    return [np.arange(N_FEATURES)] * N_RUNS


def shaken(seed=0, from_place=0):
    """Rankings of which the first places are the same in each run, and the others at random."""
    draw = np.random.default_rng(seed)
    first, rest = np.arange(from_place), np.arange(from_place, N_FEATURES)
    return [np.r_[first, draw.permutation(rest)] for _ in range(N_RUNS)]


def facts(*selectors, score="accuracy", margin=0.02):
    choice = recommend(list(selectors), "svm", N_FEATURES, margin)
    return SimpleNamespace(
        choice=choice,
        best=choice.best,
        classifier="svm",
        score=SCORES[score],
        n_runs=N_RUNS,
        n_features=N_FEATURES,
    )


def use(*selectors, **options):
    return wording._use(facts(*selectors, **options))


def grid(**by_size):
    """0.5 at each size but those named: `grid(s3=0.9)`."""
    return [by_size.get(f"s{size}", 0.5) for size in range(1, N_FEATURES + 1)]


def all_but(last, **by_size):
    """Stability: 0.5 but where named, undefined for all features."""
    return [*grid(**by_size)[:-1], last]


def test_more_than_half_of_the_features_are_recommended_only_where_they_are_needed():
    """Vowel lost nine points, because at most five of its ten features could be recommended."""
    stability = all_but(np.nan, s2=0.9)
    found = selector("One", stability, grid(s2=0.8, s3=0.81, s7=0.9), steady())
    choice = recommend([found], "svm", N_FEATURES)
    assert (choice.best.size, choice.top.size, choice.smaller.size) == (7, 7, 3)
    assert choice.within_margin
    assert recommend([found], "svm", N_FEATURES, 0.1).best.size == 2, "two are enough"
    enough = selector("One", stability, grid(s3=0.89, s7=0.9), steady())
    assert recommend([enough], "svm", N_FEATURES).best.size == 3


def test_what_fewer_features_would_lose_is_stated():
    stability = all_but(np.nan, s8=0.9)
    found = selector("One", stability, grid(s3=0.81, s7=0.9, s8=0.89), steady())
    text = use(found)
    assert text.startswith("Use One with 8 features: 1.0 points less accurate than the most")
    assert "So many are needed: with at most half of the features, at least 9.0 points" in text
    reason = wording.why_size(facts(found), None)
    assert reason.startswith("No selection of at most half of the features loses at most 2 points")


def test_all_features_are_no_selection_but_what_others_are_compared_with():
    every = selector("One", all_but(np.nan), grid(s2=0.8, s7=0.9, s10=0.95), steady())
    choice = recommend([every], "svm", N_FEATURES)
    assert (choice.best.size, choice.top.size) == (7, 10)
    assert not choice.within_margin
    assert choice.loss == pytest.approx(0.05)
    assert choice.tied == []


def test_more_stable_is_said_only_where_the_stabilities_differ_significantly():
    steady_one = selector("Steady", grid(s2=1.0), grid(s2=0.88), steady())
    other = selector("Shaken", grid(s4=0.6), grid(s4=0.89), shaken())
    assert use(steady_one, other) == (
        "Use Steady with 2 features: 1.0 points less accurate than the most accurate selection "
        "(Shaken with 4 features), and more stable (1.00 instead of 0.60)."
    )
    similar = selector("Similar", grid(s2=0.9), grid(s2=0.88), shaken(1))
    text = use(similar, other)
    assert "(Shaken with 4 features); their stability cannot be told apart (0.90 and 0.60)." in text
    assert "more stable" not in text


def test_a_less_stable_selection_is_not_called_more_stable():
    """The most accurate one has eight of the ten features, and three are enough."""
    small = selector("Small", grid(s3=0.4), grid(s3=0.89), shaken())
    large = selector("Large", grid(s8=1.0), grid(s8=0.9), steady())
    text = use(small, large)
    assert "than the most accurate selection (Large with 8 of the 10 features)" in text
    assert text.endswith(", and less stable (0.40 instead of 1.00).")


def test_ties_are_named_with_their_sizes_where_they_differ():
    """ReliefF was less stable than the recommendation, and could not be told apart from it."""
    best = selector("Best", grid(s3=0.9), grid(s3=0.895), shaken(1, 3))
    tied = selector("Tied", grid(s2=0.8, s4=0.1), grid(s2=0.89, s4=0.9), shaken(2, 2))
    same = selector("Same", grid(s3=0.8), grid(s3=0.885), shaken(3, 3))
    text = use(best, tied, same)
    assert "most accurate selection (Tied with 4 features), and more stable (0.90 instead" in text
    assert text.endswith(
        "Its stability cannot be told apart from that of Same and Tied with 2 features."
    )


def test_a_selection_that_needs_more_than_half_of_the_features_is_no_tie_of_a_small_one():
    """Fisher score with 20 of 30 features was said to be as good as SVM-RFE with 5."""
    best = selector("Best", grid(s3=0.9), grid(s3=0.895), shaken(1, 3))
    large = selector("Large", grid(s8=0.9), grid(s8=0.9), shaken(2, 8))
    assert "cannot be told apart from that of" not in use(best, large)


def test_the_same_selector_and_all_features_are_called_what_they_are():
    one = selector("One", grid(s2=1.0, s4=0.9), grid(s2=0.89, s4=0.9), shaken(0, 2))
    assert "the most accurate selection (the same selector with 4 features)" in use(one)
    every = selector("One", [*grid(s2=1.0)[:-1], np.nan], grid(s2=0.89, s10=0.9), steady())
    assert use(every).endswith("than the most accurate selection (all 10 features).")


def test_a_loss_above_the_margin_is_stated_with_its_reason():
    one = selector("One", all_but(np.nan, s2=0.9), grid(s2=0.8, s10=0.9), steady())
    text = use(one)
    assert text.startswith("Use One with 2 features: 10.0 points less accurate than the most")
    assert "Every selection loses more than the margin of 2 points of accuracy against" in text
    reason = wording.why_size(facts(one), None)
    assert reason.startswith("No selection loses at most 2 points of accuracy against all features")
    assert wording.why_selector(facts(one)).startswith("One loses least against the most accurate")


@pytest.mark.parametrize(
    ("score", "cost", "margin", "one"),
    [
        ("accuracy", "1.2 points less accurate", "2 points of accuracy", "1 point of accuracy"),
        ("auc", "1.2 points worse in AUC", "2 points of AUC", "1 point of AUC"),
        ("log_loss", "0.012 worse in log-loss", "0.02 of log-loss", "0.01 of log-loss"),
    ],
)
def test_costs_and_margins_have_the_same_unit(score, cost, margin, one):
    assert lost(SCORES[score], 0.012) == cost
    assert margin_text(SCORES[score], 0.02) == margin
    assert margin_text(SCORES[score], 0.01) == one


def test_reasons_name_the_score_that_decides():
    found = facts(selector("One", grid(s2=0.9), grid(s2=0.9), steady()), score="auc")
    reason = wording.why_size(found, None)
    assert reason.startswith("Of all selections that lose at most 2 points of AUC")
    assert "0.05 of stability counts as much as 1 point of AUC." in reason
    assert "accuracy" not in reason
    assert "same runs that measured their AUC" in reason


@pytest.mark.parametrize(
    ("names", "text"),
    [("a", "a"), ("ab", "a and b"), ("abc", "a, b and 1 more"), ("abcd", "a, b and 2 more")],
)
def test_lists_have_commas_and_one_and(names, text):
    assert listed(list(names), 2) == text

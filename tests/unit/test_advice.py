"""Advice against plain references: sizes, selectors, consensus, intervals, directions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steadfast.advice.consensus import consensus, find_trusted
from steadfast.advice.deciding_score import baseline_units
from steadfast.advice.evidence import (
    ACCURACY,
    Witness,
    accuracy_curves,
    directions,
    resampled_half_width,
    shown_sizes,
    test_share,
)
from steadfast.advice.recommendation import (
    Best,
    best_size,
    is_better,
    knot_size,
    pareto,
    recommend,
    stability_test,
)
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.statistics.curve import Curve

test_share.__test__ = False  # a function of the library, whatever its name looks like
SHARE = 0.25


def curve(units, sizes=None):
    units = np.asarray(units, dtype=float)
    sizes = np.arange(1, units.shape[1] + 1) if sizes is None else np.asarray(sizes)
    values = units.mean(axis=0)
    return Curve(sizes, values, low=values - 0.1, high=values + 0.1, units=units)


def witness(name, stability, accuracy=None, *, baseline=False, note="", ahead=None, runs=()):
    return Witness(
        *(name, name.upper(), baseline, note, list(runs), curve(stability)),
        {} if accuracy is None else {"svm": curve(accuracy)},
        ahead=ahead,
    )


def grids(n_runs, n_sizes, steps=4):
    """Units on a coarse grid, so that means tie often."""
    row = st.lists(st.integers(0, steps), min_size=n_sizes, max_size=n_sizes)
    rows = st.lists(row, min_size=n_runs, max_size=n_runs)
    return rows.map(lambda found: np.array(found) / steps)


def allowed_loss(lost, share):
    """One-sided 5%: the t quantile, the sample's deviation, and √(1/J + ρ)."""
    n = len(lost)
    return stats.t.ppf(0.95, n - 1) * np.std(lost, ddof=1) * np.sqrt(1 / n + share)


def plain_best_size(stability, accuracy, share):
    """Smallest size that loses neither accuracy nor stability significantly, by loops."""
    sizes = list(range(1, stability.shape[1] + 1))
    if accuracy is not None:
        means = {k: accuracy[:, k - 1].mean() for k in sizes}
        top = max(sizes, key=lambda k: (round(means[k], 12), -k))
        sizes = [
            k
            for k in sizes
            if means[top] - means[k]
            <= allowed_loss(accuracy[:, top - 1] - accuracy[:, k - 1], share) + 1e-12
        ]
    means = {k: stability[:, k - 1].mean() for k in sizes}
    top = max(sizes, key=lambda k: (round(means[k], 12), -k))
    for k in sizes:
        allowed = max(0.05, allowed_loss(stability[:, top - 1] - stability[:, k - 1], 0))
        if means[top] - means[k] <= allowed + 1e-12:
            return k
    raise AssertionError("the best itself loses nothing")


@settings(max_examples=150, deadline=None)
@given(grids(6, 5), st.none() | grids(6, 5), st.sampled_from([0.0, 0.25, 1.0]))
def test_the_recommended_size_is_the_smallest_that_loses_nothing_significant(a, b, share):
    found = best_size(witness("x", a, b), None if b is None else "svm", share)
    assert found.size == plain_best_size(a, b, share)
    assert (found.most_accurate is None) == (b is None)


@pytest.mark.parametrize(("first", "size"), [(0.86, 1), (0.84, 2)])
def test_a_loss_of_stability_below_a_twentieth_does_not_count(first, size):
    """Every run has the same values, so that any loss would be significant."""
    assert best_size(witness("x", np.tile([first, 0.9], (4, 1))), None, SHARE).size == size


def test_a_size_without_stability_or_accuracy_is_not_recommended():
    one = witness("x", np.full((4, 3), 0.5), np.full((4, 3), 0.5))
    one.stability.values[:2] = np.nan
    assert best_size(one, "svm", SHARE).size == 3
    one.accuracy["svm"] = replace(one.accuracy["svm"], sizes=np.array([1, 2, 7]))
    assert best_size(one, "svm", SHARE) is None


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(grids(5, 1, 10), grids(5, 1, 10), st.booleans(), st.booleans()),
        min_size=1,
        max_size=6,
    ),
    st.booleans(),
)
def test_the_most_stable_of_the_selectors_as_accurate_as_the_best_is_recommended(drawn, scored):
    bests = []
    for at, (stability, accuracy, baseline, leaks) in enumerate(drawn):
        note = "x, learnt from all rows" if leaks else ""
        one = witness(
            f"s{at}", stability, accuracy if scored else None, baseline=baseline, note=note
        )
        bests.append(Best(one, 1, 1, 1))
    classifier = "svm" if scored else None
    chosen, as_accurate = recommend(bests, classifier, SHARE)

    real = [one for one in bests if not one.witness.baseline]
    pool = [one for one in real if not one.witness.note] or real or bests
    if scored:
        top = max(pool, key=lambda one: one.accuracy("svm"))
        pool = [
            one
            for one in pool
            if top.accuracy("svm") - one.accuracy("svm")
            <= allowed_loss(top.accuracy_units("svm") - one.accuracy_units("svm"), SHARE) + 1e-12
        ]
        # Where several are the most accurate, any of them may be the one others are held against.
        if sum(one.accuracy("svm") == top.accuracy("svm") for one in pool) > 1:
            return
    assert [one.witness.id for one in as_accurate] == [one.witness.id for one in pool]
    most = max(one.stability() for one in pool)
    assert chosen.stability() == pytest.approx(most, abs=1e-8)
    if scored and pool == real:
        assert chosen.witness.id in pareto(bests, "svm")


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), min_size=1, max_size=7)
)
def test_the_front_holds_selectors_that_no_other_beats_in_both(points):
    bests = [
        Best(witness(f"s{at}", [[stable / 3]] * 2, [[right / 3]] * 2, baseline=baseline), 1, 1, 1)
        for at, (stable, right, baseline) in enumerate(points)
    ]
    wanted = set()
    for at, (stable, right, baseline) in enumerate(points):
        others = [(s, r) for s, r, is_random in points if not is_random]
        beaten = any(s >= stable and r >= right and (s > stable or r > right) for s, r in others)
        if not baseline and not beaten:
            wanted.add(f"s{at}")
    assert pareto(bests, "svm") == wanted


@settings(max_examples=80, deadline=None)
@given(grids(8, 1, 6), grids(8, 1, 6), st.sampled_from([0.0, 0.25]))
def test_better_means_a_gain_beyond_its_interval(a, b, share):
    gain = (a - b)[:, 0]
    wanted = gain.mean() > allowed_loss(gain, share)
    if abs(gain.mean() - allowed_loss(gain, share)) > 1e-9:
        assert is_better(a[:, 0], b[:, 0], share) == wanted
    if not gain.any():
        assert not is_better(a[:, 0], b[:, 0], share)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, 100), min_size=1, max_size=12))
def test_the_knot_ends_the_plateau(percent):
    values = np.array(percent) / 100
    found = knot_size(witness("x", [values, values]))
    high = [k for k, value in enumerate(values, 1) if value >= values.max() - 0.01]
    falls = values[high[-1] - 1] >= values[-1] + 0.02
    if abs(values[high[-1] - 1] - values[-1] - 0.02) < 1e-9 or any(
        abs(value - values.max() + 0.01) < 1e-9 for value in values
    ):
        return  # on the edge, where rounding decides
    assert found == (high[-1] if len(values) >= 3 and high[-1] > 1 and falls else None)


@st.composite
def systems(draws):
    """Runs of one size, a recommended size, and what selectors vouch for."""
    m, n_runs = draws(st.integers(2, 7)), draws(st.integers(2, 5))
    runs = [np.array(draws(st.permutations(range(m)))) for _ in range(n_runs)]
    ahead = [
        np.array(draws(st.lists(st.sampled_from([0, 0.5, 0.75, 0.8, 1.0]), min_size=m, max_size=m)))
        for _ in range(draws(st.integers(0, 4)))
    ]
    return m, runs, draws(st.integers(1, m)), ahead


@settings(max_examples=120, deadline=None)
@given(systems())
def test_the_consensus_is_counted_by_hand(system):
    m, runs, size, ahead = system
    one = witness("x", np.zeros((len(runs), m)), runs=runs, ahead=ahead[0] if ahead else None)
    more = [witness(f"v{at}", np.zeros((2, m)), ahead=share) for at, share in enumerate(ahead[1:])]
    chance = witness("random", np.zeros((2, m)), baseline=True, ahead=np.ones(m))
    found = find_trusted([one, *more, chance], m)
    rows = consensus(Best(one, size, None, 1), found)
    wanted = {}
    for column in range(m):
        places = [run[:size].tolist().index(column) + 1 for run in runs if column in run[:size]]
        voted = sum(bool(share[column] >= 0.8) for share in ahead)
        trusted = bool(ahead) and voted >= min(3, len(ahead)) and voted >= len(ahead) / 2
        if places or trusted:
            wanted[column] = {
                "feature": column,
                "frequency": pytest.approx(len(places) / len(runs), abs=1e-6),
                "mean_rank": pytest.approx(np.mean(places), abs=1e-6) if places else None,
                "ahead": pytest.approx(ahead[0][column]) if ahead else None,
                "votes": voted if ahead else None,
                "trusted": trusted,
            }
    assert {row["feature"]: row for row in rows} == wanted
    order = [
        (not row["trusted"], -row["frequency"], -(row["votes"] or 0), row["mean_rank"] or m + 1)
        for row in rows
    ]
    assert order == sorted(order)
    assert found.asked == bool(ahead)
    assert found.voters == (len(ahead) or None)


def test_the_interval_of_resamples_is_the_formula_of_nadeau_and_bengio():
    units = np.random.default_rng(0).normal(size=(12, 3))
    wanted = stats.t.ppf(0.975, 11) * units.std(axis=0, ddof=1) * np.sqrt(1 / 12 + 0.2 / 0.8)
    assert resampled_half_width(units, 0.25) == pytest.approx(wanted)
    assert np.isnan(resampled_half_width(units[:1], 0.25)).all()
    folds = [
        Fold("a", 1, 1.0, np.array([0, 1, 1, 2]), np.array([3])),
        Fold("b", 1, 1.0, *[np.arange(2)] * 2),
    ]
    assert test_share(folds) == pytest.approx((1 / 3 + 1) / 2)


def test_the_interval_of_resamples_holds_what_it_should_where_the_plain_one_does_not():
    """Accuracy of the nearest mean on one feature, over 15 subsamples of 80% of 50 rows."""
    draw, held, plainly = np.random.default_rng(7), 0, 0
    n, trials, resamples, n_train = 50, 400, 15, 40

    def right(train, y, test, truth):
        middle = (train[y == 0].mean() + train[y == 1].mean()) / 2
        upper = train[y == 1].mean() > train[y == 0].mean()
        return np.mean(((test > middle) == upper) == (truth == 1))

    def rows(count):
        y = np.arange(count) % 2
        return draw.normal(size=count) + y, y

    large = rows(20_000)
    truth = np.mean([right(*rows(n_train), *large) for _ in range(200)])
    for _ in range(trials):
        x, y = rows(n)
        units = []
        for _ in range(resamples):
            order = draw.permutation(n)
            train, test = order[:n_train], order[n_train:]
            units.append(right(x[train], y[train], x[test], y[test]))
        units = np.array(units)[:, None]
        off = abs(units.mean() - truth)
        held += off <= resampled_half_width(units, 0.25)[0]
        plainly += off <= resampled_half_width(units, 0.0)[0]
    assert held / trials >= 0.93
    assert plainly / trials <= 0.85


def test_a_majority_is_that_of_the_training_rows():
    y = np.array([0, 0, 0, 1, 1, 2])
    folds = [
        Fold("a", 1, 1.0, np.array([3, 4, 0]), np.array([1, 2, 3, 5])),
        Fold("b", 1, 1.0, np.array([0, 1, 5]), np.array([2, 4])),
    ]
    assert baseline_units(folds, y, ACCURACY).tolist() == [0.25, 0.5]


def test_accuracy_is_the_mean_over_folds_at_sizes_that_all_of_them_have():
    folds = [Fold(name, 1, 1.0, np.arange(8), np.arange(8, 10)) for name in "ab"]
    rows = [("svm", 1, "a", 0.5), ("svm", 1, "b", 1.0), ("svm", 2, "a", 0.25), ("svm", 1, "z", 0.0)]
    columns = dict(zip(("classifier", "k", "fold", "value"), zip(*rows, strict=True), strict=True))
    found = accuracy_curves(columns, folds)["svm"]
    assert found.sizes.tolist() == [1]
    assert found.values.tolist() == [0.75]
    half = stats.t.ppf(0.975, 1) * np.std([0.5, 1], ddof=1) * np.sqrt(1 / 2 + 0.25)
    assert found.low[0] == max(0, 0.75 - half)
    assert found.high[0] == min(1, 0.75 + half)


def test_the_test_of_equal_stability_is_undefined_where_nothing_varies():
    runs = [np.array([0, 1, 2])] * 4
    best = Best(witness("x", np.ones((4, 3)), runs=runs), 2, None, 1)
    assert stability_test(best, best, 3) is None


# Directions


def direction_of(values, y, classes, levels=(), folds=None):
    table = Table(
        np.asarray(values, dtype=float)[:, None], np.asarray(y), ("f",), classes, (levels,)
    )
    folds = folds or [Fold("a", 1, 1.0, np.arange(len(y)), np.arange(1))]
    (found,) = directions(table, folds, [0])
    return found["direction"], found["agreement"]


def test_a_number_is_higher_in_the_class_of_the_higher_mean():
    assert direction_of([1, 2, 5, np.nan], [0, 0, 1, 1], ("no", "yes")) == ("higher in yes", 1.0)
    assert direction_of([9, 2, 5, 4], [0, 0, 1, 1], ("no", "yes")) == ("higher in no", 1.0)
    three = direction_of([1, 2, 8, 9, 5, 6], [0, 0, 1, 1, 2, 2], ("a", "b", "c"))
    assert three == ("highest in b", 1.0)
    gone = direction_of([1, 2, np.nan, np.nan, 5, 6], [0, 0, 1, 1, 2, 2], ("a", "b", "c"))
    assert gone == ("highest in c", 1.0)
    assert direction_of([1, 3, 3, 1], [0, 0, 1, 1], ("no", "yes")) == ("", None)
    assert direction_of([np.nan, np.nan, 3, 1], [0, 0, 1, 1], ("no", "yes")) == ("", None)


def test_agreement_is_the_share_of_folds_that_say_the_same():
    folds = [Fold(n, 1, 1.0, np.array(r), np.arange(1)) for n, r in (("a", [0, 3]), ("b", [1, 2]))]
    assert direction_of([1, 9, 5, 6], [0, 0, 1, 1], ("no", "yes"), folds=folds) == (
        "higher in yes",
        0.5,
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 2**31))
def test_a_category_goes_with_the_class_that_it_exceeds_expectation_in_most(a, b, seed):
    draw = np.random.default_rng(seed)
    counts = draw.integers(1, 9, size=(a, b))
    places = [(i, j) for i in range(a) for j in range(b) for _ in range(counts[i, j])]
    values, y = map(list, zip(*places, strict=True))
    direction, _ = direction_of(values, y, tuple("wxyz"[:b]), tuple("ABCD"[:a]))
    expected = stats.contingency.expected_freq(counts)
    excess = (counts - expected) / np.sqrt(expected)
    if excess.max() < 1e-9:
        assert direction == ""
        return
    level, _, label = direction.partition(": more often ")
    assert excess["ABCD".index(level), "wxyz".index(label)] == pytest.approx(excess.max())


def test_shown_sizes_begin_with_every_size_and_end_with_the_largest():
    for largest in (1, 2, 19, 100, 5000):
        sizes = shown_sizes(largest)
        assert sizes == sorted(set(sizes))
        assert sizes[: min(largest, 20)] == list(range(1, min(largest, 20) + 1))
        assert sizes[-1] == largest
    assert len(shown_sizes(5000)) < 150

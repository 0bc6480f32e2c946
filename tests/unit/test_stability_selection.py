"""Bounds of stability selection: against R's stabs, by brute force, and what they are told as."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine

import steadfast
from steadfast.measuring.error_bounds import bounded
from steadfast.page.error_bounds import error_bounds_section
from steadfast.resampling.schemes import create
from steadfast.selectors import ComplementaryPairs
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.stability_selection import (
    _largest_tails,
    bound_at,
    largest_size,
    mb_bound,
    r_concave_bound,
    selected_with_bound,
    unimodal_bound,
)

#: Printed by the tests of R's stabs 0.6: p = 100, cutoff 0.6, 50 pairs, q = 1, 2, …, 10.
STABS_R_CONCAVE = (0.006971364, 0.03342845, 0.08691176, 0.1637231, 0.2605329)
STABS_R_CONCAVE += (0.3820466, 0.5295188, 0.7042719, 0.9077127, 1.141338)
STABS_UNIMODAL = (0.02631579, 0.1052632, 0.2368421, 0.4210526, 0.6578947)
STABS_UNIMODAL += (0.9473684, 1.289474, 1.684211, 2.131579, 2.631579)
STABS_MB = (0.05, 0.2, 0.45, 0.8, 1.25, 1.8, 2.45, 3.2, 4.05, 5)


def test_the_bounds_are_those_that_stabs_prints():
    for q, values in enumerate(zip(STABS_MB, STABS_UNIMODAL, STABS_R_CONCAVE, strict=True), 1):
        assert mb_bound(q, 100, 0.6) == pytest.approx(values[0])
        assert unimodal_bound(q, 100, 0.6, 50) == pytest.approx(values[1], rel=1e-6)
        # Its search for the maximum leaves out the ends of intervals, and falls a little short.
        found = r_concave_bound(q, 100, 0.6, 50)
        assert values[2] - 1e-6 <= found <= values[2] + 3e-5
    assert unimodal_bound(3, 10, 0.96, 50) == pytest.approx(0.176, abs=5e-4)
    for q, threshold, value in ((6, 0.6, 0.174), (7, 0.6, 0.248), (7, 0.62, 0.196)):
        assert r_concave_bound(q, 200, threshold, 50) == pytest.approx(value, abs=5e-4)


def test_the_smallest_thresholds_and_largest_sizes_are_those_of_stabs():
    counts = np.array([100, 70])
    assert selected_with_bound(counts, 100, 7, 200, 0.2, "unimodal").threshold == 0.81
    assert selected_with_bound(counts, 100, 7, 200, 0.2, "r_concave").threshold == 0.62
    assert largest_size(200, 100, 0.2, "unimodal", 0.6) == 3
    assert largest_size(200, 100, 0.2, "r_concave", 0.6) == 6


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.integers(4, 12), st.sampled_from([2, 4]))
def test_no_r_concave_distribution_has_a_larger_tail(seed, n, power):
    """f is −1/power-concave where f^(−1/power) is convex: such masses are drawn."""
    draw = np.random.default_rng(seed)
    slopes = np.sort(draw.exponential(size=n)) * draw.exponential()
    if draw.random() < 0.5:
        slopes[:] = slopes[0]  # the most of a tail that there can be, at some of them
    convex = draw.exponential() + np.concatenate([[0], np.cumsum(slopes)])
    convex[draw.integers(2, n + 2) :] = np.inf
    mass = convex**-power / (convex**-power).sum()
    mean = (np.arange(n + 1) * mass).sum() / n
    tails = mass[::-1].cumsum()[::-1]
    assert (tails <= _largest_tails(mean, n, power) + 1e-6).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 500), st.floats(0.01, 1), st.sampled_from([10, 25, 50]), st.integers(0, 100))
def test_more_assumptions_give_a_lower_bound_and_a_higher_threshold_too(p, share, pairs, place):
    q, runs = max(1, int(share * p)), 2 * pairs
    needed = pairs + 2 + place % (pairs - 1)
    at = [bound_at(name, q, p, needed / runs, runs) for name in ("r_concave", "unimodal", "mb")]
    assert at[0] <= at[1] * (1 + 1e-9)
    assert at[1] <= at[2] * (1 + 1e-9) or at[1] == np.inf
    lower = [bound_at(name, q, p, (needed - 1) / runs, runs) for name in ("r_concave", "mb")]
    assert at[0] <= lower[0] * (1 + 1e-9)
    assert at[2] <= lower[1] * (1 + 1e-9)


def test_where_the_theorems_say_nothing_there_is_no_bound():
    assert mb_bound(1, 10, 0.5) == np.inf
    assert unimodal_bound(6, 10, 0.9, 50) == np.inf  # θ > 1/√3
    assert unimodal_bound(5, 10, 0.69, 50) == np.inf  # τ ≤ 1/2 + 1/(2B) + 3θ²/4
    assert unimodal_bound(1, 100, 0.51, 50) == np.inf  # τ < 1/2 + 1/B
    assert r_concave_bound(1, 100, 0.5, 50) == np.inf


def test_features_pass_by_count_and_ties_by_column():
    counts = np.array([81, 3, 100, 81, 80])
    passed = selected_with_bound(counts, 100, 7, 200, 0.2)
    assert passed.features.tolist() == [2, 0, 3]
    assert passed.bound == unimodal_bound(7, 200, 0.81, 50) <= 0.2
    assert passed.reason == ""


def test_the_reason_says_what_would_do():
    passed = selected_with_bound(np.array([100]), 100, 40, 200, 0.2, "mb")
    assert passed.threshold is None
    assert passed.reason == (
        "no threshold up to 1 has a bound of at most 0.2 (Meinshausen–Bühlmann): that needs at "
        "most 6 features per run; these runs select 40"
    )
    passed = selected_with_bound(np.array([60]), 100, 7, 200, 0.2)
    assert (passed.threshold, passed.features.size) == (0.81, 0)
    assert passed.reason.startswith("no feature is selected in 81 of the 100 runs")


def selections(sequences, weights=None):
    return [
        Selection(np.array(one), np.array(weights or range(len(one), 0, -1), dtype=float))
        for one in sequences
    ]


def test_features_that_are_tied_across_the_cut_do_not_pass_by_their_column():
    runs = selections([[3, 0, 1, 2]] * 10, weights=[5, 0, 0, 0])
    found = bounded(runs, 4, "pairs", pfer=2, size=2)
    assert found.counts.tolist() == [0, 0, 0, 10]
    assert found.passed.features.tolist() == [3]
    assert runs[0].first(4).tolist() == [3, 0, 1, 2]
    assert selections([[2, 0, 1]])[0].first(2).tolist() == [2, 0]


def test_own_sizes_count_by_their_mean_and_unfinished_runs_are_told():
    runs = [
        one._replace(n_chosen=1 + at % 2) for at, one in enumerate(selections([[0, 1, 2]] * 10))
    ]
    found = bounded(runs, 30, "random", pfer=1)
    assert found.per_run == 1.5
    assert set(found.bounds) == {"mb"}
    assert found.passed.features.tolist() == [0]
    none = runs[0]._replace(sequence=np.empty(0, dtype=int), n_chosen=0, note="too slow")
    found = bounded([none, *runs[1:]], 30, "random", pfer=1)
    assert found.passed.reason.startswith("1 of the 10 runs did not finish")


def test_schemes_say_which_halves_they_draw():
    assert create({"scheme": "pairs"}).halves == "pairs"
    for scheme in ({"scheme": "halves"}, {"scheme": "repeated_halves"}, {"share": 0.5}):
        assert create({"scheme": "subsample", **scheme}).halves == "random"
    assert not create({"scheme": "subsample"}).halves


def test_evidence_and_page_of_halves_have_the_bounds_and_others_do_not():
    X, y = load_wine(return_X_y=True)
    about = {"selector": ["fisher", "random"], "classifiers": [], "probes": False}
    report = steadfast.StabilityReport(**about, cv={"scheme": "pairs", "repeats": 10}).fit(X, y)
    found = report.evidence_["error_bounds"]
    fisher, random = found["selectors"]
    assert fisher["threshold"] > 0.5
    assert fisher["words"].startswith(f"At most {fisher['bounds']['unimodal']:.2g} ")
    assert min(fisher["frequencies"]) >= fisher["threshold"]
    assert random["words"].startswith("None: no feature is selected in")
    shown = "".join(error_bounds_section(report.evidence_, "h2"))
    assert fisher["words"] in shown
    assert all(name in shown for name in fisher["features"])
    other = steadfast.StabilityReport(**about, cv=5).fit(X, y)
    assert "error_bounds" not in other.evidence_
    assert list(error_bounds_section(other.evidence_, "h2")) == []


def noisy(seed, n=120, m=40, relevant=3):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = draw.normal(size=(n, m))
    X[:, :relevant] += 1.5 * y[:, None]
    return X, y


def test_stability_selection_finds_what_is_there_and_hardly_anything_else():
    false = 0
    for seed in range(5):
        fitted = ComplementaryPairs(pfer=0.5, n_pairs=20, random_state=seed).fit(*noisy(seed))
        assert fitted.support_[:3].all()
        assert fitted.bound_ <= 0.5 < fitted.threshold_
        assert (fitted.scores_[fitted.support_] >= fitted.threshold_).all()
        assert fitted.sequence_[: fitted.support_.sum()].tolist() == sorted(
            np.flatnonzero(fitted.support_), key=lambda f: (-fitted.scores_[f], rank_of(fitted, f))
        )
        false += fitted.support_[3:].sum()
    assert false <= 0.5 * 5


def rank_of(fitted, feature):
    place = fitted.sequence_.tolist().index(feature)
    return fitted.steps_["mean_rank"][place]


def test_stability_selection_by_another_base_size_and_bound():
    X, y = noisy(0)
    chosen = {
        bound: ComplementaryPairs(
            "svm_one", {"C": 1.0}, n_pairs=10, size=4, bound=bound, random_state=1
        ).fit(X, y)
        for bound in ("mb", "unimodal", "r_concave")
    }
    thresholds = [one.threshold_ for one in chosen.values()]
    assert thresholds == sorted(thresholds, reverse=True)
    nothing = ComplementaryPairs(size=30, n_pairs=10, random_state=1).fit(X, y)
    assert not nothing.get_support().any()
    assert "that needs at most" in nothing.reason_
    assert nothing.transform(X).shape == (120, 0)
    with pytest.raises(ValueError, match="bound must be one of mb, unimodal, r_concave"):
        ComplementaryPairs(bound="bonferroni").fit(X, y)

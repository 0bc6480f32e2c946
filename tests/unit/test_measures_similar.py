"""Measures after R's stabm against what it prints, plain computations, and all pairs of subsets."""

import numpy as np
import plain_measures as plain
import plain_similar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_measures_reference import as_sets, rankings, same, subsets

from steadfast.measures import intersection
from steadfast.measures.kernels.exchanges import COUNT, GREEDY, MATCHING, exchange_curve, find_links
from steadfast.measures.kinds import load
from steadfast.measures.related import Sechidis
from steadfast.measures.runs import Runs
from steadfast.measuring.expected import expected_subsets

CLASSES = {
    "intersection_count": intersection.IntersectionCount,
    "intersection_mean": intersection.IntersectionMean,
    "intersection_greedy": intersection.IntersectionGreedy,
    "intersection_mbm": intersection.IntersectionMatching,
}
STABM = [range(3), range(4), range(5)]
VIGNETTE = [range(3), range(4), [0, 1, 2, 4, 5, 6]]
DECAY = 0.92 ** np.abs(np.subtract.outer(np.arange(10), np.arange(10)))


def similar(m, seed):
    """Random similarities, about half of them at least 0.6."""
    values = np.random.default_rng(seed).random((m, m)) ** 0.7
    values = np.triu(values, 1)
    return values + values.T + np.eye(m)


def as_runs(lists, m):
    return Runs(m, [np.array(one, dtype=int) for one in lists], ranked=False)


def over_pairs(matrix):
    return matrix[np.triu_indices(len(matrix), 1)].mean()


@pytest.mark.parametrize(
    ("name", "lists", "printed"),
    [
        ("intersection_count", STABM, 0.5606498),
        ("intersection_mean", STABM, 0.5901527),
        ("intersection_greedy", STABM, 0.5689536),
        ("intersection_mbm", STABM, 0.5646009),
        ("intersection_count", VIGNETTE, 0.4138325),
    ],
)
def test_what_stabm_prints_after_a_thousand_draws(name, lists, printed):
    """Its E(I) has an error: 0.7 or less as spread of I, over 2 or more of room."""
    found = over_pairs(CLASSES[name](DECAY).matrix(as_runs(lists, 10)))
    assert found == pytest.approx(printed, abs=0.012)


@pytest.mark.parametrize(
    ("name", "printed"), [("davis", 0.8), ("novovicova", 0.855155), ("unadjusted", 0.7453833)]
)
def test_what_stabm_prints_of_subsets(name, printed):
    found = load(name).subsets(as_runs(STABM, 10)).values[0]
    assert found == pytest.approx(printed, abs=5e-7)


def test_what_stabm_prints_of_effective_stability():
    measure = Sechidis(DECAY)
    found = measure(measure.subset_system(as_runs(STABM, 10)).whole)
    assert found[0] == pytest.approx(0.5322911, abs=5e-8)


@pytest.mark.parametrize("name", CLASSES)
@settings(max_examples=25, deadline=None)
@given(runs=subsets(most=6), seed=st.integers(0, 9))
def test_intersections_of_subsets_of_any_size(name, runs, seed):
    m = runs.n_features
    S, sets = similar(m, seed), as_sets(runs)
    measure = CLASSES[name](S, 0.6)
    matrix = measure.matrix(runs)
    for i, A in enumerate(sets):
        for j, B in enumerate(sets[:i]):
            found = plain_similar.intersection(name, A, B, S.tolist(), 0.6)
            expected, most = measure.expectation(len(A), len(B)), np.sqrt(len(A) * len(B))
            wanted = (found - expected) / (most - expected) if most - expected > 1e-9 else np.nan
            assert same(matrix[i, j], wanted, 1e-9)
            assert same(matrix[j, i], wanted, 1e-9)


@pytest.mark.parametrize("name", CLASSES)
@settings(max_examples=15, deadline=None)
@given(runs=rankings(7), seed=st.integers(0, 9))
def test_curves_of_intersections_equal_those_of_the_subsets(name, runs, seed):
    measure = CLASSES[name](similar(runs.n_features, seed), 0.6)
    curve = measure.curve(runs.sequences[0], runs.sequences[1])
    for k in range(1, runs.n_features + 1):
        assert same(curve[k - 1], measure.matrix(runs.top(k))[0, 1], 1e-10)


@pytest.mark.parametrize("name", CLASSES)
def test_the_mean_intersection_is_that_over_all_subsets(name):
    m = 5
    for seed in range(2):
        S = similar(m, seed)
        measure = CLASSES[name](S, 0.6)
        assert not measure.exact
        for a in range(m + 1):
            for b in range(a, m + 1):
                wanted = plain.expected_pair(
                    lambda A, B, S=S: plain_similar.intersection(name, A, B, S.tolist(), 0.6),
                    a,
                    b,
                    m,
                )
                assert measure.expectation(a, b) == pytest.approx(wanted, abs=1e-10)


@pytest.mark.parametrize("name", CLASSES)
def test_a_simulated_mean_is_near_the_exact_one_and_the_same_from_every_depth(name, monkeypatch):
    S = similar(9, 4)
    exact = CLASSES[name](S, 0.6)
    monkeypatch.setattr(intersection, "MOST_PAIRS", 0)
    deep, shallow = CLASSES[name](S, 0.6), CLASSES[name](S, 0.6)
    deep.expectation(8, 8), deep.expectation(3, 8)
    for a, b in ((2, 2), (5, 5), (3, 4), (3, 7)):
        # Spread of the simulated part below 0.8, 2,000 draws: four standard errors.
        assert deep.expectation(a, b) == pytest.approx(exact.expectation(a, b), abs=0.07)
        assert deep.expectation(a, b) == shallow.expectation(b, a)
        assert deep._mean_rest(a, b) <= 0


@pytest.mark.parametrize(("credit", "name"), [(GREEDY, "greedy"), (MATCHING, "mbm")])
def test_pairs_are_kept_right_along_longer_walks(credit, name):
    """The incremental pairs of 40 features against pairing from nothing at each size."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    draw = np.random.default_rng(3)
    for seed in range(6):
        S = similar(40, seed)
        first, second = draw.permutation(40), draw.permutation(40)
        found = exchange_curve(find_links(S, 0.93), first, second, credit)
        for k in range(1, 41):
            A, B = set(first[:k].tolist()), set(second[:k].tolist())
            P, Q = sorted(A - B), sorted(B - A)
            if credit == GREEDY:
                pairs = plain_similar.greedy(set(P), set(Q), S.tolist(), 0.93)
            else:
                graph = csr_array((S[np.ix_(P, Q)] >= 0.93).reshape(len(P), len(Q)).astype(int))
                pairs = (maximum_bipartite_matching(graph) >= 0).sum() if P else 0
            assert found[k - 1] == len(A & B) + pairs


def test_greedy_pairs_may_be_fewer_and_counts_more():
    """The two of the most similar pair have one more each: greedily one pair, at best two."""
    S = np.eye(4)
    S[0, 2] = S[2, 0] = 0.99
    S[0, 3] = S[3, 0] = S[1, 2] = S[2, 1] = 0.95
    links = find_links(S, 0.9)
    A, B = np.array([0, 1]), np.array([2, 3])
    assert exchange_curve(links, A, B, GREEDY).tolist() == [1, 1]
    assert exchange_curve(links, A, B, MATCHING).tolist() == [1, 2]
    assert exchange_curve(links, A, B, COUNT).tolist() == [1, 2]


@settings(max_examples=30, deadline=None)
@given(runs=subsets(proper=True))
def test_without_similar_features_they_are_the_plain_measures(runs):
    alone = np.eye(runs.n_features)
    unadjusted = load("unadjusted").matrix(runs)
    apart = ~np.eye(len(runs), dtype=bool)
    for measure in CLASSES.values():
        assert measure(alone).matrix(runs)[apart] == pytest.approx(unadjusted[apart], abs=1e-12)
    effective = Sechidis(alone)
    found = effective(effective.subset_system(runs).whole)
    assert found == pytest.approx(load("nogueira").subsets(runs).values, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(runs=subsets(), seed=st.integers(0, 9))
def test_effective_stability_of_subsets(runs, seed):
    m, measure = runs.n_features, Sechidis(similar(runs.n_features, seed), 0.6)
    if len(runs) > 1 and m > 1:
        wanted = plain_similar.sechidis(as_sets(runs), m, similar(m, seed).tolist(), 0.6)
        assert same(float(measure(measure.subset_system(runs).whole)[0]), wanted, 1e-8)


@pytest.mark.parametrize("name", ["novovicova", "sechidis"])
@settings(max_examples=20, deadline=None)
@given(runs=rankings(7), seed=st.integers(0, 9))
def test_a_prefix_system_is_the_system_of_the_prefixes_and_so_without_each_run(name, runs, seed):
    function = load(name).function if name == "novovicova" else Sechidis(similar(7, seed), 0.6)
    runs = Runs(7, runs.sequences)
    prefixes = function.prefix_systems(runs, runs.depth)
    for k in range(1, runs.depth + 1):
        whole = function.subset_system(runs.top(k))
        for found, wanted in (
            (prefixes.whole, whole.whole),
            (prefixes.without_each(), whole.without_each()),
        ):
            assert same(np.ravel(function(found)[..., k - 1])[0], np.ravel(function(wanted))[0])
        left = function.subset_system(runs.top(k).take(range(1, len(runs)))).whole
        if len(runs) > 2:
            first = function(whole.without_each())[0]
            assert first == pytest.approx(function(left), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("sizes", [(2, 2, 2), (1, 3, 4)])
def test_the_mean_of_whole_systems_over_all_subsets(sizes):
    """Exact values by chance, by enumeration of three subsets of five features."""
    from itertools import combinations, product

    S, m = similar(5, 2), 5
    systems = [
        [set(one) for one in chosen]
        for chosen in product(*(combinations(range(m), k) for k in sizes))
    ]
    runs = as_runs([range(k) for k in sizes], m)
    wanted = np.mean([plain_similar.novovicova(system, m) for system in systems])
    assert expected_subsets(load("novovicova"), runs, seed=1) == pytest.approx(wanted, abs=1e-10)
    measure = Sechidis(S, 0.6)
    found = measure(measure.expected_system(np.array(sizes)[:, None], m))[0]
    members = [as_runs([sorted(one) for one in system], m) for system in systems]
    wanted = np.mean([measure(measure.subset_system(system).whole)[0] for system in members])
    assert found == pytest.approx(wanted, abs=1e-10)
    assert len(set(sizes)) > 1 or found == pytest.approx(0, abs=1e-12)

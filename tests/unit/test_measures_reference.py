"""Every measure against a plain computation from sets and lists."""

import math

import numpy as np
import plain_measures as plain
import plain_similar
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from steadfast.measures import declarations
from steadfast.measures.kinds import load
from steadfast.measures.rank import expected_canberra
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.measuring.expected import expected_curve, expected_subsets

PAIRS = {
    "jaccard": plain.jaccard,
    "dice": plain.dice,
    "ochiai": plain.ochiai,
    "anhd": plain.anhd,
    "relative_hamming": plain.relative_hamming,
    "kuncheva": plain.kuncheva,
    "kuncheva_unequal": plain.wald,
    "kappa": plain.kappa,
    "phi": plain.phi,
    "lustgarten": plain.lustgarten,
    "pog": plain.pog,
    "npog": plain.npog,
    "unadjusted": plain_similar.unadjusted,
}
SYSTEMS = {
    "c": plain.consistency,
    "cw": plain.cw,
    "cw_min": plain.cw_min,
    "cw_max": plain.cw_max,
    "cw_rel": plain.cw_rel,
    "nogueira": plain.nogueira,
    "davis": plain_similar.davis,
    "novovicova": plain_similar.novovicova,
}
RANKS = {
    "spearman": plain.spearman_top,
    "spearman_random_ties": plain.spearman_top,
    "kendall": plain.kendall_top,
    "weighted_canberra": plain.canberra_top,
    "canberra": lambda first, second, m, k: plain.canberra_top(first, second, m, m),
    "average_overlap": lambda first, second, m, k: plain.average_overlap(first, second, k),
    "rbo": lambda first, second, m, k: plain.rbo(first, second, k),
}


@st.composite
def rankings(draw, most=8):
    m, n_runs = draw(st.integers(2, most)), draw(st.integers(2, 5))
    return Runs(m, [np.array(draw(st.permutations(range(m)))) for _ in range(n_runs)])


@st.composite
def subsets(draw, most=8, proper=False):
    """Any, or two and more that are neither empty nor full."""
    m, n_runs = draw(st.integers(1 + proper, most)), draw(st.integers(1 + proper, 5))
    one = st.sets(st.integers(0, m - 1), min_size=int(proper), max_size=m - proper)
    chosen = [draw(one) for _ in range(n_runs)]
    return Runs(m, [np.array(sorted(one), dtype=int) for one in chosen], ranked=False)


def as_sets(runs, k=None):
    return [set(sequence[:k].tolist()) for sequence in runs.sequences]


def same(found, wanted, tolerance=1e-12):
    return (math.isnan(found) and math.isnan(wanted)) or abs(found - wanted) <= tolerance


def plain_value(name, sets, m):
    if name in PAIRS:
        return plain.mean_over_pairs(PAIRS[name], sets, m)
    return SYSTEMS[name](sets, m)


def test_every_measure_is_checked_here():
    similar = {name for name, about in declarations().items() if about.similarity}
    aliases = {name for name, about in declarations().items() if about.same_as}
    assert {*PAIRS, *SYSTEMS, *RANKS, "pearson"} == set(declarations()) - similar - aliases


@pytest.mark.parametrize("name", [*PAIRS, *SYSTEMS])
@settings(max_examples=40, deadline=None)
@given(runs=subsets())
def test_subsets_of_any_size(name, runs):
    wanted = plain_value(name, as_sets(runs), runs.n_features) if len(runs) > 1 else math.nan
    assert same(float(load(name).subsets(runs).values[0]), wanted)


@pytest.mark.parametrize("name", [*PAIRS, *SYSTEMS])
@settings(max_examples=25, deadline=None)
@given(runs=rankings())
def test_curves_equal_the_plain_computation_at_each_size(name, runs):
    m = runs.n_features
    curve = load(name).curves(runs, m).values
    for k in range(1, m + 1):
        assert same(curve[k - 1], plain_value(name, as_sets(runs, k), m), 1e-15 * 4)


@pytest.mark.parametrize("name", ["jaccard", "dice", "kuncheva", "pog", "npog", "anhd"])
@settings(max_examples=25, deadline=None)
@given(runs=rankings())
def test_a_curve_of_two_runs_is_exact_to_the_last_bit(name, runs):
    m = runs.n_features
    curve = load(name).curves(runs.take([0, 1]), m).values
    for k in range(1, m + 1):
        wanted = PAIRS[name](*as_sets(runs, k)[:2], m)
        assert curve[k - 1] == wanted or (math.isnan(curve[k - 1]) and math.isnan(wanted))


@pytest.mark.parametrize("name", RANKS)
@settings(max_examples=25, deadline=None)
@given(runs=rankings())
def test_rankings_cut_at_every_size(name, runs):
    m, lists = runs.n_features, [sequence.tolist() for sequence in runs.sequences]
    curve = load(name).curves(runs, m).values
    for k in range(1, m + 1):
        values = [
            RANKS[name](lists[i], lists[j], m, k)
            for i in range(len(lists))
            for j in range(i + 1, len(lists))
        ]
        assert same(curve[k - 1], sum(values) / len(values))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_ties_and_weights_as_scipy_has_them(data):
    m = data.draw(st.integers(2, 9))
    row = st.lists(st.integers(0, 4), min_size=m, max_size=m).filter(
        lambda keys: len(set(keys)) > 1
    )
    keys = np.array([data.draw(row), data.draw(row)], dtype=float)
    sequences = [np.argsort(-one, kind="stable") for one in keys]
    runs = Runs(m, sequences, keys=keys, weights=keys)
    for name, peer in (("spearman", spearmanr), ("kendall", kendalltau), ("pearson", pearsonr)):
        found = load(name).curves(runs, m).values
        assert found[-1] == pytest.approx(peer(*keys)[0], abs=1e-12)
    lists = [sequence.tolist() for sequence in sequences]
    curve = load("pearson").curves(runs, m).values
    for k in range(1, m + 1):
        wanted = plain.pooled_correlation(*keys.tolist(), *lists, k)
        assert same(curve[k - 1], wanted)


@pytest.mark.parametrize("name", ["spearman", "spearman_random_ties", "kendall", "pearson"])
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_cut_through_ties_leaves_them_tied(name, data):
    """The curve at k is the value of the runs cut at k, whatever is tied across the cut."""
    m = data.draw(st.integers(2, 9))
    row = st.lists(st.integers(0, 2), min_size=m, max_size=m).filter(
        lambda keys: len(set(keys)) > 1
    )
    keys = np.array([data.draw(row) for _ in range(3)], dtype=float)
    sequences = [np.argsort(-one, kind="stable") for one in keys]
    runs = Runs(m, sequences, keys=keys, weights=keys)
    curve = load(name).curves(runs, m).values
    for k in range(1, m + 1):
        assert same(curve[k - 1], float(load(name).subsets(runs.top(k)).values[0]))


def test_pearson_of_weights_with_a_common_offset():
    draw = np.random.default_rng(0)
    weights = 1e6 + draw.normal(0, 0.05, (2, 40))
    runs = Runs(40, [np.argsort(-row) for row in weights], weights=weights)
    wanted = np.corrcoef(weights)[0, 1]
    assert float(load("pearson").subsets(runs).values[0]) == pytest.approx(wanted, abs=1e-6)


def test_random_ties_take_the_agreement_of_zero_weights_away():
    """Two runs that agree on nothing but which hundred features have no weight."""
    weights = np.zeros((2, 104))
    weights[0, :4], weights[1, :4] = [4, 3, 2, 1], [1, 2, 3, 4]
    sequences = [np.argsort(-row, kind="stable") for row in weights]
    runs = Runs(104, sequences, keys=weights, weights=weights, names=["a", "b"])
    average = float(load("spearman").subsets(runs).values[0])
    random = float(load("spearman_random_ties").subsets(runs).values[0])
    assert average > 0.9
    assert random < 0.4


def similarities(m, seed, n=25):
    draw = np.random.default_rng(seed)
    numbers = draw.normal(size=(m, n))
    for copy in range(1, m, 2):
        numbers[copy] = numbers[copy - 1] * draw.choice([-1, 1]) + 0.3 * draw.normal(size=n)
    bins = draw.integers(0, 3, (m, n)).astype(np.uint8)
    return Similarities(lambda: bins, lambda: numbers)


@settings(max_examples=40, deadline=None)
@given(subsets(), st.integers(0, 9))
def test_similar_features_in_subsets_of_any_size(runs, seed):
    m, about = runs.n_features, similarities(runs.n_features, seed)
    S, linked = about.correlation.tolist(), about.linked.tolist()
    names = ("zucknick", "yu", "pogr", "npogr", "mean_su")
    found = {name: load(name, about) for name in names}
    su = about.su.tolist()
    sets = as_sets(runs)
    matrices = {name: measure.function.matrix(runs) for name, measure in found.items()}
    for i, A in enumerate(sets):
        for j, B in enumerate(sets):
            if i == j:
                continue
            a, b = len(A), len(B)
            wanted = {"zucknick": plain.zucknick(A, B, S, 0.9), "pogr": plain.pogr(A, B, linked)}
            wanted["mean_su"] = plain.mean_similarity(A, B, su)
            room = found["yu"].function.expectation(a, b)
            if (a + b) / 2 - room > 1e-9:
                wanted["yu"] = plain.yu(A, B, S, 0.9, room)
            related = found["npogr"].function.expectation(a, b)
            if a and b and a - related > 1e-9:
                wanted["npogr"] = plain.npogr(A, B, linked, a * b / m, related - a * b / m)
            for name, value in wanted.items():
                assert same(matrices[name][i, j], value, 1e-9), (name, A, B)


@pytest.mark.parametrize("name", ["zucknick", "yu", "pogr", "npogr", "su_matching", "mean_su"])
@settings(max_examples=20, deadline=None)
@given(runs=rankings(6), seed=st.integers(0, 9))
def test_curves_of_similar_features_equal_those_of_the_subsets(name, runs, seed):
    measure = load(name, similarities(runs.n_features, seed))
    curve = measure.curves(runs, runs.n_features).values
    for k in range(1, runs.n_features + 1):
        assert same(curve[k - 1], float(measure.subsets(runs.top(k)).values[0]), 1e-10)


@settings(max_examples=15, deadline=None)
@given(rankings(5), st.integers(0, 9))
def test_matching_is_the_best_of_all_matchings(runs, seed):
    about = similarities(runs.n_features, seed)
    for name, matrix in (("su_matching", about.su), ("correlation_matching", about.correlation)):
        curve = load(name, about).curves(runs.take([0, 1]), runs.n_features).values
        for k in range(1, runs.n_features + 1):
            first, second = as_sets(runs, k)[:2]
            assert same(curve[k - 1], plain.matching(first, second, matrix.tolist()))


@pytest.mark.parametrize("m", [3, 5, 6])
def test_expectations_equal_the_mean_over_all_subsets(m):
    about = similarities(m, 3)
    S, linked = about.correlation.tolist(), about.linked.tolist()
    yu, pogr, zucknick = (load(name, about).function for name in ("yu", "pogr", "zucknick"))
    mean_su, su = load("mean_su", about).function, about.su.tolist()
    for a in range(1, m + 1):
        for b in range(1, m + 1):
            wanted = plain.expected_pair(lambda A, B: plain.yu_overlap(A, B, S, 0.9), a, b, m)
            assert yu.expectation(a, b) == pytest.approx(wanted, abs=1e-10)
            wanted = plain.expected_pair(
                lambda A, B: len(set(A) & set(B)) + plain.count_related(A, B, linked), a, b, m
            )
            assert pogr.expectation(a, b) == pytest.approx(wanted, abs=1e-10)
            wanted = plain.expected_pair(lambda A, B: plain.zucknick(A, B, S, 0.9), a, b, m)
            assert zucknick.expected_value(a, b) == pytest.approx(wanted, abs=1e-10)
            wanted = plain.expected_pair(lambda A, B: plain.mean_similarity(A, B, su), a, b, m)
            assert mean_su.expected_value(a, b) == pytest.approx(wanted, abs=1e-10)
    for name, function in PAIRS.items():
        curve = expected_curve(load(name), m, m, 2, seed=1)
        for k in range(1, m + 1):
            wanted = plain.expected_pair(lambda A, B, f=function: f(A, B, m), k, k, m)
            assert same(curve[k - 1], wanted)


def test_the_expected_canberra_distance_is_the_mean_over_all_rankings():
    for k in range(1, 6):
        wanted = plain.expected_canberra_top(5, k)
        assert expected_canberra(5, 5)[k - 1] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("name", [n for n, d in declarations().items() if not d.same_as])
def test_the_value_by_chance_is_the_mean_over_random_runs(name):
    """Exact or simulated, within four standard errors of a simulation of its own."""
    m, depth, draw = 12, 6, np.random.default_rng(5)
    measure = load(name, similarities(m, 4))
    expected = expected_curve(measure, m, depth, 4, seed=2)
    found = []
    for _ in range(300):
        weights = draw.permuted(np.tile(np.linspace(0, 1, m), (4, 1)), axis=1)
        runs = Runs(m, [np.argsort(-row) for row in weights], weights=weights)
        found.append(measure.curves(runs, depth).values)
    # A simulated value has an error of its own, of a hundred pairs.
    room = 4 * np.std(found, axis=0) * np.sqrt(1 / 300 + (measure.about.chance == "simulated") / 33)
    assert (np.abs(np.mean(found, axis=0) - expected) <= room + 1e-12).all()
    subset_runs = Runs(m, [draw.permutation(m)[:depth] for _ in range(4)], weights=weights)
    if measure.about.takes.startswith("subsets"):
        whole = expected_subsets(measure, subset_runs, seed=2)
        assert abs(whole - expected[-1]) <= room[-1] + 1e-9

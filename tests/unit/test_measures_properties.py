"""What every measure promises, on random systems of subsets and rankings."""

import math

import numpy as np
import plain_measures as plain
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_measures_reference import as_sets, rankings, similarities, subsets

from steadfast.measures import declarations
from steadfast.measures.kinds import interval, load
from steadfast.measures.policy import NEEDS, why_undefined
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities

EVERY = [name for name, about in declarations().items() if not about.same_as]
OF_SUBSETS = [name for name in EVERY if declarations()[name].takes.startswith("subsets")]
OF_RANKINGS = [name for name in EVERY if not declarations()[name].takes.startswith("subsets")]

#: Lustgarten's index of identical subsets depends on their size; CWmin and CWmax are bounds.
NO_MAXIMUM = {"mean_su", "lustgarten", "cw_min", "cw_max"}


def load_measure(name, m):
    return load(name, similarities(m, 1))


def permute(runs, order):
    """Runs with the features renumbered."""
    new = np.argsort(order)
    keys = None if runs.keys is None else runs.keys[:, order]
    weights = None if runs.weights is None else runs.weights[:, order]
    return Runs(runs.n_features, [new[s] for s in runs.sequences], runs.ranked, keys, weights)


def add_weights(runs):
    """Rankings with weights that fall along them."""
    weights = -runs.positions.astype(float)
    return Runs(runs.n_features, runs.sequences, True, None, weights)


@pytest.mark.parametrize("name", OF_SUBSETS)
@settings(max_examples=40, deadline=None)
@given(runs=subsets())
def test_a_value_is_missing_exactly_where_there_is_a_reason(name, runs):
    about, measure = declarations()[name], load_measure(name, runs.n_features)
    reason = measure.why_undefined(runs)
    if about.kind == "similar" and not about.unequal_sizes and reason:
        return  # matchings of lists of different lengths are not computed at all
    assert math.isnan(float(measure.subsets(runs).values[0])) == (reason is not None), reason


@pytest.mark.parametrize("name", EVERY)
@settings(max_examples=30, deadline=None)
@given(runs=rankings())
def test_values_lie_within_the_bounds(name, runs):
    low, high = declarations()[name].bounds
    m = runs.n_features
    values = load_measure(name, m).curves(add_weights(runs), m).values
    values = values[~np.isnan(values)]
    assert (values >= (-math.inf if low is None else low) - 1e-12).all()
    assert (values <= (math.inf if high is None else high) + 1e-12).all()


@pytest.mark.parametrize("name", [n for n in OF_SUBSETS if declarations()[n].unequal_sizes])
@settings(max_examples=30, deadline=None)
@given(runs=subsets(proper=True))
def test_subsets_of_any_size_keep_the_bounds(name, runs):
    low, high = declarations()[name].bounds
    value = float(load_measure(name, runs.n_features).subsets(runs).values[0])
    assume(not hasattr(load_measure(name, 2).function, "why_undefined") or not math.isnan(value))
    assert (-math.inf if low is None else low) - 1e-12 <= value
    assert value <= (math.inf if high is None else high) + 1e-12


@pytest.mark.parametrize("name", [name for name in EVERY if name != "spearman_random_ties"])
@settings(max_examples=15, deadline=None)
@given(runs=rankings(), data=st.data())
def test_the_order_of_runs_and_the_numbers_of_features_do_not_matter(name, runs, data):
    m, runs = runs.n_features, add_weights(runs)
    values = load_measure(name, m).curves(runs, m).values
    order = data.draw(st.permutations(range(len(runs))))
    assert load_measure(name, m).curves(runs.take(order), m).values == pytest.approx(
        values, abs=1e-12, nan_ok=True
    )
    order = np.array(data.draw(st.permutations(range(m))))
    about = similarities(m, 1)
    moved = Similarities(lambda: about._bins()[order], lambda: about.numbers[order])
    assert load(name, moved).curves(permute(runs, order), m).values == pytest.approx(
        values, abs=1e-9, nan_ok=True
    )


@pytest.mark.parametrize("name", [n for n in OF_SUBSETS if declarations()[n].kind == "counts"])
@settings(max_examples=30, deadline=None)
@given(runs=subsets())
def test_symmetry_is_as_declared(name, runs):
    assume(len(runs) > 1)
    matrix = load(name).matrix(runs)
    symmetric = np.array_equal(matrix, matrix.T, equal_nan=True)
    assert symmetric or not declarations()[name].symmetric


@pytest.mark.parametrize("name", ["pog", "npog", "pogr", "npogr"])
def test_what_is_declared_asymmetric_is(name):
    runs = Runs(8, [np.array([0]), np.array([0, 2, 4, 6])], ranked=False)
    matrix = load_measure(name, 8).matrix(runs)
    assert matrix[0, 1] != matrix[1, 0]


@pytest.mark.parametrize("name", sorted(set(EVERY) - NO_MAXIMUM))
@settings(max_examples=20, deadline=None)
@given(runs=rankings(), n_runs=st.integers(2, 4))
def test_identical_runs_are_as_stable_as_can_be(name, runs, n_runs):
    about, m = declarations()[name], runs.n_features
    same = add_weights(runs).take([0] * n_runs)
    values = load_measure(name, m).curves(same, m).values
    best = 0 if about.distance else 1
    assert values[~np.isnan(values)] == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize(
    "name", ["kuncheva", "kuncheva_unequal", "kappa", "phi", "npog", "lustgarten"]
)
def test_kunchevas_first_requirement_more_overlap_is_more(name):
    shared = np.arange(0, 6)
    values = load(name).function(np.full(6, 5), np.full(6, 5), shared, 20)
    assert (np.diff(values) > 0).all()


@pytest.mark.parametrize("name", ["kuncheva", "kappa", "phi"])
def test_kunchevas_second_requirement_limits_that_no_size_shifts(name):
    for m in (6, 20, 101):
        for k in range(1, m):
            most, least = load(name).function(
                np.array([k, k]), np.array([k, k]), np.array([k, max(0, 2 * k - m)]), m
            )
            assert most == pytest.approx(1, abs=1e-12)
            assert least >= -1 - 1e-12


@pytest.mark.parametrize("name", [n for n in OF_SUBSETS if declarations()[n].corrected])
@pytest.mark.parametrize("k", [2, 10, 17])
def test_kunchevas_third_requirement_no_stability_by_chance(name, k):
    """The mean over random subsets is within three standard errors of 0."""
    draw, m = np.random.default_rng(11), 20
    measure = load_measure(name, m)
    pairs = [Runs(m, [draw.permutation(m)[:k] for _ in "ab"]) for _ in range(600)]
    values = np.array([float(measure.subsets(pair).values[0]) for pair in pairs])
    assert abs(values.mean()) <= 3 * values.std() / math.sqrt(values.size)


@settings(max_examples=60, deadline=None)
@given(subsets(proper=True))
def test_the_consistency_measures_of_somol(runs):
    sets = as_sets(runs)
    m = runs.n_features
    found = {n: float(load(n).subsets(runs).values[0]) for n in ("c", "cw", "cw_rel")}
    bounds = [float(load(n).subsets(runs).values[0]) for n in ("cw_min", "cw_max")]
    assert found["c"] == pytest.approx(plain.consistency(sets, m), abs=1e-12)
    assert found["c"] == pytest.approx(plain.consistency_rewritten(sets, m), abs=1e-12)
    assert bounds[0] - 1e-12 <= found["cw"] <= bounds[1] + 1e-12
    assert -1e-9 <= found["cw_rel"] <= 1 + 1e-9


@settings(max_examples=40, deadline=None)
@given(rankings())
def test_nogueiras_is_kunchevas_mean_where_sizes_are_equal(runs):
    m = runs.n_features
    nogueira = load("nogueira").curves(runs, m).values
    assert nogueira == pytest.approx(load("kuncheva").curves(runs, m).values, abs=1e-9, nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(subsets(proper=True))
def test_nogueiras_variance_is_the_papers(runs):
    """But for two runs, whose variance it has as 0 wherever they are of one size."""
    value = load("nogueira").subsets(runs)
    expected = plain.nogueira_variance(as_sets(runs), runs.n_features)
    if len(runs) == 2:
        expected = float("nan")
    assert value.variance[0] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_nogueiras_interval_holds_the_true_value_as_often_as_it_says():
    """Features selected independently with probability .9 or .1: Φ = 1 − .09/.25."""
    draw, probabilities = np.random.default_rng(2), np.tile([0.9, 0.1], 20)
    truth, held = 1 - 0.09 / 0.25, 0
    for _ in range(300):
        members = draw.random((60, 40)) < probabilities
        runs = Runs(40, [np.flatnonzero(row) for row in members], ranked=False)
        low, high = interval(load("nogueira").subsets(runs))
        held += low[0] <= truth <= high[0]
    assert 0.90 <= held / 300 <= 0.99


def test_the_jackknife_interval_of_jaccard_holds_its_mean():
    draw, probabilities = np.random.default_rng(3), np.tile([0.9, 0.1], 20)

    def system(n):
        members = draw.random((n, 40)) < probabilities
        return Runs(40, [np.flatnonzero(row) for row in members], ranked=False)

    truth = float(load("jaccard").subsets(system(2000)).values[0])
    ends = [interval(load("jaccard").subsets(system(15))) for _ in range(300)]
    held = np.mean([low[0] <= truth <= high[0] for low, high in ends])
    assert 0.90 <= held <= 0.99


@settings(max_examples=40, deadline=None)
@given(subsets())
def test_zucknicks_is_jaccards_where_nothing_correlates(runs):
    assume(len(runs) > 1)
    alone = Similarities(None, lambda: np.eye(runs.n_features, 100))
    found = load("zucknick", alone).subsets(runs).values[0]
    assert found == pytest.approx(load("jaccard").subsets(runs).values[0], abs=1e-12, nan_ok=True)


def test_where_everything_is_similar_chance_leaves_no_room():
    numbers = np.tile(np.arange(9.0), (4, 1))
    runs = Runs(4, [np.array([0]), np.array([1])], ranked=False)
    for name in ("yu", "npogr", "intersection_count", "intersection_mbm", "sechidis"):
        measure = load(name, Similarities(None, lambda: numbers))
        assert "agree as much as any can" in measure.why_undefined(runs)
        assert np.isnan(measure.subsets(runs).values[0])


def test_linked_features_correlate_positively_and_significantly():
    draw = np.random.default_rng(0)
    base = draw.normal(size=200)
    numbers = np.array([base, base + 0.5 * draw.normal(size=200), -base, np.ones(200)])
    linked = Similarities(None, lambda: numbers).linked
    assert linked.tolist() == [
        [False, True, False, False],
        [True, False, False, False],
        [False, False, False, False],
        [False, False, False, False],
    ]


def test_a_constant_feature_is_similar_to_nothing():
    numbers = np.array([[1.0, 2, 3], [5, 5, 5], [3, 2, 1]])
    correlation = Similarities(None, lambda: numbers).correlation
    assert correlation.tolist() == pytest.approx(np.array([[1, 0, 1], [0, 0, 0], [1, 0, 1]]))


@pytest.mark.parametrize(
    ("runs", "name", "reason"),
    [
        (Runs(5, [np.array([1])], False), "jaccard", "one run has nothing to be compared with"),
        (
            Runs(5, [np.array([], int), np.array([], int)], False),
            "jaccard",
            "runs 1 and 2 both select nothing",
        ),
        (
            Runs(5, [np.array([1]), np.array([], int)], False, names=["x", "y"]),
            "ochiai",
            "run y selects nothing",
        ),
        (
            Runs(2, [np.arange(2), np.arange(2)], False),
            "nogueira",
            "every run selects every feature",
        ),
        (Runs(2, [np.arange(2), np.arange(1)], False), "phi", "run 1 selects every feature"),
        (
            Runs(5, [np.arange(3), np.arange(2)], False),
            "kuncheva",
            "runs 1 and 2 list 3 and 2 features; it compares lists of one length",
        ),
        (Runs(5, [np.arange(2)] * 2, False), "spearman", "the runs state subsets, no ranks"),
        (
            Runs(2, [np.arange(2)] * 2, keys=np.zeros((2, 2))),
            "spearman",
            "all ranks of run 1 are equal",
        ),
        (Runs(2, [np.arange(2)] * 2), "pearson", "the runs state no weights"),
        (
            Runs(2, [np.arange(1)] * 2, weights=np.array([[1, np.nan]] * 2)),
            "pearson",
            "run 1 gives weights of 1 of 2 features",
        ),
        (
            Runs(2, [np.arange(2)] * 2, weights=np.ones((2, 2))),
            "pearson",
            "all weights of run 1 are equal",
        ),
    ],
)
def test_the_reason_is_given_in_words(runs, name, reason):
    assert why_undefined(declarations()[name].needs, runs) == reason


def test_every_declared_need_exists_and_every_measure_cites_its_source():
    for name, about in declarations().items():
        assert set(about.needs) <= set(NEEDS), name
        assert "References" in (load_documentation(about) or ""), name
        assert about.formula, name
        assert about.source, name


def load_documentation(about):
    from steadfast.core.registry import load_class

    return load_class(f"{about.module}.{about.function}").__doc__

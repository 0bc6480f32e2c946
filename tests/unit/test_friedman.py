"""Friedman's test and Nemenyi's critical difference: published values, scipy, brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare, rankdata

from steadfast.core.errors import UserError
from steadfast.page.statistics import statistics_section
from steadfast.statistics.friedman import average_ranks, critical_difference, friedman

# Demšar (2006), table 6: ranks by AUC of C4.5, with m, cf or both tuned, on 14 data sets.
DEMSAR = np.array(
    [
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [4, 1, 2, 3],
        [4, 1, 3, 2],
        [4, 2, 3, 1],
        [1, 2.5, 4, 2.5],
        [3, 2, 4, 1],
        [2.5, 2.5, 4, 1],
        [4, 3, 2, 1],
        [2.5, 2.5, 2.5, 2.5],
        [4, 2.5, 1, 2.5],
        [3, 2, 4, 1],
        [4, 1, 2, 3],
        [3, 1, 4, 2],
    ]
)
CLASSIFIERS = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]

#: Demšar (2006), table 5: q at 0.05 for 2 to 10 classifiers.
Q = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]


def compare(values, **direction):
    rows, columns = np.shape(values)
    return friedman(
        np.asarray(values, dtype=float),
        [f"d{i}" for i in range(rows)],
        [f"s{j}" for j in range(columns)],
        **direction,
    )


def test_the_worked_example_of_demsar():
    found = friedman(DEMSAR, [f"set {i}" for i in range(14)], CLASSIFIERS, larger_is_better=False)
    assert [*found.mean_ranks.values()] == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    assert found.critical_difference == pytest.approx(1.25, abs=5e-3)
    # The paper's χ² = 9.28 and F = 3.69 have no correction for ties: three pairs and one four.
    ties = 1 - (3 * (2**3 - 2) + 4**3 - 4) / (14 * (4**3 - 4))
    uncorrected = found.statistic * ties
    assert uncorrected == pytest.approx(9.28, abs=5e-3)
    assert 13 * uncorrected / (14 * 3 - uncorrected) == pytest.approx(3.69, abs=5e-3)
    assert found.f_statistic == pytest.approx(
        13 * found.statistic / (14 * 3 - found.statistic), rel=1e-12
    )
    # Nemenyi's test is not powerful enough to part them, as the paper says: 3.143 − 1.964 < 1.25.
    assert found.rejected
    assert found.cliques == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]


@pytest.mark.parametrize(("k", "q"), [*zip(range(2, 11), Q, strict=True)])
def test_the_critical_difference_is_that_of_the_published_table(k, q):
    for n in (3, 14, 30):
        assert critical_difference(k, n) == pytest.approx(
            q * np.sqrt(k * (k + 1) / (6 * n)), rel=5e-4
        )


values = st.integers(3, 9).flatmap(
    lambda n: st.integers(3, 7).flatmap(
        lambda k: arrays(np.float64, (n, k), elements=st.integers(0, 4).map(float))
    )
)


@settings(max_examples=60, deadline=None)
@given(values)
def test_ranks_and_statistic_are_those_of_scipy(matrix):
    found = compare(matrix)
    assert np.array_equal(found.ranks, rankdata(-matrix, axis=1))
    if np.ptp(matrix, axis=1).any():
        expected = friedmanchisquare(*matrix.T)
        assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
        assert found.p == pytest.approx(expected.pvalue, abs=1e-9)
    else:
        assert (found.statistic, found.p) == (0, 1)
    mirrored = compare(-matrix, larger_is_better=False)
    assert np.array_equal(mirrored.ranks, found.ranks)


def two_way_anova(ranks):
    """F of the columns, in the analysis of variance of ranks by row and column."""
    n, k = ranks.shape
    middle = ranks.mean()
    between = n * ((ranks.mean(axis=0) - middle) ** 2).sum()
    rest = ((ranks - ranks.mean(axis=0) - ranks.mean(axis=1, keepdims=True) + middle) ** 2).sum()
    return between / (k - 1) / (rest / ((n - 1) * (k - 1)))


@settings(max_examples=40, deadline=None)
@given(values)
def test_iman_and_davenports_f_is_the_analysis_of_variance_of_the_ranks(matrix):
    found = compare(matrix)
    if np.isfinite(found.f_statistic) and found.statistic > 0:
        assert found.f_statistic == pytest.approx(two_way_anova(found.ranks), rel=1e-6)
    assert 0 <= found.f_p <= 1


def brute_force(found):
    """All sets of two selectors or more no two of which differ, and that no larger one holds."""
    means = found.mean_ranks
    cliques = [
        frozenset(group)
        for size in range(2, len(means) + 1)
        for group in combinations(means, size)
        if all(
            abs(means[a] - means[b]) <= found.critical_difference + 1e-10
            for a, b in combinations(group, 2)
        )
    ]
    return {group for group in cliques if not any(group < other for other in cliques)}


# Many data sets that mostly agree: mean ranks farther apart than the critical difference.
agreeing = st.tuples(st.integers(8, 30), st.integers(2, 7), st.integers(0, 2**32 - 1))


def draw_values(n, k, seed):
    random = np.random.default_rng(seed)
    return np.round(random.normal(size=(n, k)) + random.uniform(0, 3) * np.arange(k), 1)


@settings(max_examples=60, deadline=None)
@given(agreeing)
def test_cliques_are_the_maximal_groups_that_do_not_differ(sizes):
    found = compare(draw_values(*sizes))
    assert {frozenset(clique) for clique in found.cliques} == brute_force(found)
    assert len(found.cliques) == len(brute_force(found))
    starts = [found.order.index(clique[0]) for clique in found.cliques]
    assert starts == sorted(starts)


@settings(max_examples=40, deadline=None)
@given(agreeing)
def test_pairwise_p_values_agree_with_the_critical_difference(sizes):
    found = compare(draw_values(*sizes))
    means = np.array(list(found.mean_ranks.values()))
    for i, j in combinations(range(len(means)), 2):
        beyond = abs(means[i] - means[j]) - found.critical_difference
        assert found.pairwise_p[i, j] == found.pairwise_p[j, i]
        if abs(beyond) > 1e-6:
            assert (found.pairwise_p[i, j] < 0.05) == (beyond > 0)


def test_values_that_differ_by_rounding_alone_are_ties():
    assert average_ranks(np.array([[0.1 + 0.2, 0.3, 0.1]])).tolist() == [[1.5, 1.5, 3]]


def test_data_sets_with_an_undefined_value_are_left_out_and_named():
    found = compare([[3, 2, 1], [3, np.nan, 1], [2, 1, 3], [3, 1, 2]])
    assert (found.datasets, found.left_out) == (["d0", "d2", "d3"], ["d1"])
    assert found.ranks.shape == (3, 3)


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        ([[1, 2], [2, 1]], "2 data sets with a value of every selector; name at least 3"),
        ([[1, 2], [2, 1], [np.nan, 1]], r"\(undefined on d2\); name at least 3"),
        ([[1], [2], [3]], "1 selector; name at least 2"),
    ],
)
def test_too_few_data_sets_or_selectors_are_refused(matrix, says):
    with pytest.raises(UserError, match=says):
        compare(matrix)


def test_the_page_gets_names_in_print():
    found = compare(np.tile([3.0, 2.0, 1.0], (20, 1)))
    shown = found.as_json("Stability", {"s0": "MID", "s1": "MIQ", "s2": "MIQ"})
    assert shown == {
        "title": "Stability",
        "n_datasets": 20,
        "mean_ranks": {"MID": 1.0, "MIQ (s1)": 2.0, "MIQ (s2)": 3.0},
        "statistic": pytest.approx(40),
        "p": pytest.approx(found.p),
        "cd": pytest.approx(2.3437 * np.sqrt(0.1), rel=1e-4),
        "cliques": [],
    }
    assert (found.f_statistic, found.f_p) == (float("inf"), 0)


def test_with_few_data_sets_the_page_joins_and_parts_no_selectors():
    few, enough = (compare(np.tile([3.0, 2.0, 1.0], (n, 1))) for n in (5, 6))
    labels = {f"s{at}": f"S{at}" for at in range(3)}
    assert (few.as_json("T", labels)["cd"], few.as_json("T", labels)["cliques"]) == (None, [])
    assert enough.as_json("T", labels)["cd"] == pytest.approx(enough.critical_difference)
    assert enough.as_json("T", labels)["cliques"] == [["S0", "S1"], ["S1", "S2"]]


def test_a_page_of_few_data_sets_says_why_no_bar_joins_selectors():
    values, labels = [3.0, 2.0, 1.0], {f"s{at}": f"S{at}" for at in range(3)}
    few, enough = (
        statistics_section([compare(np.tile(values, (n, 1))).as_json("T", labels)]) for n in (5, 6)
    )
    for bar in ('class="cd"', 'class="clique"'):
        assert bar in enough
        assert bar not in few
    assert "not tested with fewer than 6 data sets" in few
    assert "not asked" not in enough

"""What docs/reproduce/alelyani2013-errata.md says of formulas and numbers, computed."""

import csv
from itertools import combinations, permutations
from math import comb, log2
from pathlib import Path

import numpy as np
import plain_measures as plain
import pytest
from scipy.optimize import linear_sum_assignment

from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.statistics.information import symmetrical_uncertainty

ROOT = Path(__file__).parents[2]


def test_equation_2_18_needs_the_number_of_subsets():
    subsets = [{0, 1}] * 9 + [{0, 2}]
    total, union = sum(map(len, subsets)), len(set().union(*subsets))
    k, runs = 2, len(subsets)
    wanted = plain.consistency(subsets, 3)  # (2.13)
    assert (total - union) / ((runs - 1) * union) == pytest.approx(wanted)
    assert (total - union) / ((k - 1) * union) == pytest.approx(9 * wanted)


def test_the_missing_minus_of_entropies_cancels_in_symmetrical_uncertainty():
    x, y = [0, 0, 1, 1, 2, 2, 0, 1], [0, 0, 1, 1, 1, 1, 0, 0]

    def printed_entropy(values):  # (2.21), without the minus
        shares = [values.count(value) / len(values) for value in set(values)]
        return sum(share * log2(share) for share in shares)

    joint = printed_entropy(list(zip(x, y)))
    gain = printed_entropy(x) - (joint - printed_entropy(y))  # (2.20), (2.22)
    assert printed_entropy(x) < 0
    assert gain < 0
    found = symmetrical_uncertainty(np.array([x, y], dtype=np.uint8))[0, 1]
    assert 2 * gain / (printed_entropy(x) + printed_entropy(y)) == pytest.approx(found)


@pytest.mark.parametrize(("m", "k"), [(4, 1), (6, 2), (7, 3), (6, 4)])
def test_equation_4_3_is_one_as_printed_and_what_it_should_be(m, k):
    assert comb(m, m - k) / comb(m, k) == 1
    sets = [set(chosen) for chosen in combinations(range(m), k)]
    meeting = sum(bool(first & second) for first in sets for second in sets) / len(sets) ** 2
    assert 1 - comb(m - k, k) / comb(m, k) == pytest.approx(meeting)


def test_the_probability_of_a_common_feature_as_the_page_has_it():
    right = [1 - comb(m - 10, 10) / comb(m, 10) for m in (100, 1000)]
    assert [round(value, 2) for value in right] == [0.67, 0.10]


def test_equal_sets_by_chance_are_rarest_at_half_of_the_features():
    chances = [1 / comb(20, k) for k in range(1, 21)]
    assert np.argmin(chances) + 1 == 10
    assert chances[0] > chances[4]


def test_anhd_takes_any_sizes_and_reaches_one_at_half_of_the_features_alone():
    m = 6
    assert plain.anhd({0}, {1, 2, 3}, m) == pytest.approx(4 / 6)
    for k in range(1, m):
        sets = [set(chosen) for chosen in combinations(range(m), k)]
        most = max(plain.anhd(first, second, m) for first in sets for second in sets)
        assert most == pytest.approx(2 * min(k, m - k) / m)


def test_npog_is_kunchevas_for_equal_sizes_and_has_no_lower_bound_otherwise():
    npog, kuncheva = load("npog").function, load("kuncheva").function
    for m in range(2, 9):
        for k in range(1, m):
            for shared in range(max(0, 2 * k - m), k + 1):
                given = [np.array([number]) for number in (k, k, shared)]
                assert npog(*given, m) == pytest.approx(kuncheva(*given, m))
    alone = [np.array([number]) for number in (1, 11, 0)]
    assert npog(*alone, 12) == pytest.approx(-11)


def test_the_mean_of_symmetrical_uncertainty_is_bounded_and_not_one_for_equal_subsets():
    rows = np.array([[a, b, c, d] for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)])
    independent = Similarities(lambda: rows.T.astype(np.uint8))
    su = independent.matrix("su")
    assert su.min() >= 0
    assert su.max() == pytest.approx(1)
    for k in range(1, 5):
        twice = Runs(4, [np.arange(k), np.arange(k)])
        assert load("mean_su", independent).subsets(twice).values[0] == pytest.approx(1 / k)


def canberra_limit(m, k=None):
    """The largest sum of (2.25), or of (2.26), over all pairs of rankings of m features."""
    ranks = np.arange(1, m + 1) if k is None else np.minimum(np.arange(1, m + 1), k + 1)
    terms = np.abs(ranks[:, None] - ranks) / (ranks[:, None] + ranks)
    rows, columns = linear_sum_assignment(-terms)
    return terms[rows, columns].sum()


def test_the_limits_of_canberra_distances():
    def distance(ranking):
        return sum(abs(i - r) / (i + r) for i, r in enumerate(ranking, start=1))

    for m in (3, 5):
        most = max(distance(ranking) for ranking in permutations(range(1, m + 1)))
        assert canberra_limit(m) == pytest.approx(most)
    assert round(canberra_limit(10) / 10, 2) == 0.49
    assert round(canberra_limit(1000) / 1000, 2) == 0.55
    assert round(distance(range(1000, 0, -1)) / 1000, 2) == 0.50
    for m in (100, 1000):
        assert round(canberra_limit(m, 10), 2) == 7.52
    assert round(canberra_limit(1000, 10) / 1000, 4) == 0.0075


def test_numbers_that_contradict_each_other():
    assert 1464 - 100 == 1364
    assert round(1464 / 5748, 2) == 0.25
    assert round(2 * 0.73 / 1.73, 2) == 0.84
    assert round(8 / 9, 2) == 0.89


def test_single_treatments_lose_where_the_best_of_four_wins():
    with (ROOT / "config/published/alelyani2013_slrma.csv").open() as file:
        printed = [row for row in csv.DictReader(file) if row["table"] == "table5_2"]
    rows = {}
    for cell in printed:
        rows.setdefault(cell["row"], []).append(float(cell["value"]))
    values = np.array(list(rows.values()))
    assert values.shape == (20, 5)
    original, treated = values[:, :1], values[:, 1:]
    assert (treated < original).sum(axis=0).tolist() == [3, 3, 4, 4]
    worse = np.flatnonzero(treated.max(axis=1) < original[:, 0])
    assert [list(rows)[row] for row in worse] == ["relieff warppie10p"]
    assert original[worse[0], 0] - treated[worse[0]].max() == pytest.approx(0.009)
    gains = treated.mean(axis=0) / original.mean() - 1
    assert gains.min() == pytest.approx(0.4579, abs=5e-5)
    assert gains.max() == pytest.approx(0.6154, abs=1e-4)

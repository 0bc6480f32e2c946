"""Values that papers and other packages print."""

import numpy as np
import pytest

from steadfast.measures.frequency import nogueira_test
from steadfast.measures.kinds import interval, load
from steadfast.measures.runs import Runs
from steadfast.measures.similar_features import Yu, Zucknick

FIGURE_2A = [{1, 2, 3, 4}, {5, 6, 1, 2}, {3, 4, 5}, {6, 1, 2}, {3, 4, 5}, {6, 1, 2}, {3, 4, 5}]
FIGURE_2B = [{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}]
FIGURE_3 = [*[{1}] * 5, {1, 2}, *[{1}] * 6, {3}, {1}, {1}]
FIGURE_4 = [set(range(1, size + 1)) for size in range(7, 0, -1)]
FIGURE_4B = [*[{1, 2, 3, 4}] * 4, {1, 2, 3, 5}, {1, 2, 6, 5}, {1, 7, 6, 5}]
STABM = [{1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 4, 5}]


def runs(subsets, m):
    return Runs(m, [np.array(sorted(subset)) - 1 for subset in subsets], ranked=False)


def value(name, subsets, m):
    return float(load(name).subsets(runs(subsets, m)).values[0])


def test_somol_2008_smallest_and_largest_consistency():
    assert value("cw", FIGURE_2A, 6) == pytest.approx(11 / 23, abs=1e-15)
    assert value("cw_min", FIGURE_2A, 6) == pytest.approx(11 / 23, abs=1e-15)
    assert value("cw_rel", FIGURE_2A, 6) == pytest.approx(0, abs=1e-15)
    assert value("cw", FIGURE_2B, 6) == pytest.approx(64 / 69, abs=1e-15)
    assert value("cw_max", FIGURE_2B, 6) == pytest.approx(64 / 69, abs=1e-15)
    assert value("cw_rel", FIGURE_2B, 6) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("subsets", "m", "name", "printed", "digits"),
    [
        (FIGURE_3, 3, "c", 0.31, 2),
        (FIGURE_3, 3, "cw", 0.813, 3),
        (FIGURE_3, 3, "gk", 0.805, 3),
        (FIGURE_3, 3, "cw_rel", 0.800, 3),
        (FIGURE_4, 7, "c", 0.5, 6),
        (FIGURE_4, 7, "cw", 2 / 3, 6),
        (FIGURE_4, 7, "cw_rel", 1 / 3, 6),
        (FIGURE_4, 7, "gk", 0.5, 6),
        (FIGURE_4B, 7, "c", 0.5, 6),
        (FIGURE_4B, 7, "cw", 2 / 3, 6),
        (FIGURE_4B, 7, "cw_rel", 1 / 3, 6),
        (FIGURE_4B, 7, "gk", 0.564, 3),
    ],
)
def test_somol_2008_figures_3_and_4(subsets, m, name, printed, digits):
    assert value(name, subsets, m) == pytest.approx(printed, abs=0.51 * 10**-digits)


def test_alelyani_2013_five_of_ten_features_shared():
    halves = [set(range(1, 11)), set(range(6, 16))]
    assert value("dice", halves, 100) == 0.5
    assert value("tanimoto", halves, 100) == pytest.approx(1 / 3, abs=1e-15)


def test_kuncheva_at_its_bounds():
    assert value("kuncheva", [{1, 2, 3}, {1, 2, 3}], 10) == 1
    assert value("kuncheva", [{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}], 10) == -1


@pytest.mark.parametrize(
    ("tanimoto", "printed"), [(0.7295, 8.43), (0.5529, 7.12), (0.3410, 5.08), (0.0293, 0.56)]
)
def test_kalousis_2005_expected_overlaps(tanimoto, printed):
    """2NS/(1 + S) features of N = 10 in common; the overlap that has this Tanimoto."""
    overlap = 2 * 10 * tanimoto / (1 + tanimoto)
    assert overlap == pytest.approx(printed, abs=0.011)
    first = np.array([overlap])
    assert load("tanimoto").function(10, 10, first, 100) == pytest.approx(tanimoto, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "printed"), [("lustgarten", 0.5333333), ("cw_rel", 0.8), ("phi", 0.7576447)]
)
def test_stabm_documentation(name, printed):
    """Examples in the documentation of R's stabm 1.1.3."""
    assert value(name, STABM, 10) == pytest.approx(printed, abs=5e-8)


def test_stabm_documentation_of_similar_features():
    """The documentation simulates E of Yu's measure, so that only two digits are given."""
    distance = np.abs(np.subtract.outer(np.arange(10), np.arange(10)))
    above = np.triu_indices(3, 1)
    given = runs(STABM, 10)
    found = Zucknick(0.92**distance).matrix(given)[above].mean()
    assert found == pytest.approx(0.7603667, abs=5e-8)
    assert Yu(0.92**distance).matrix(given)[above].mean() == pytest.approx(0.5223179, abs=0.01)


def test_nogueiras_interval_and_two_sample_test():
    """By hand for two groups of subsets of one size, where the variance is 4/L² Σ (φ_i − φ̄)²."""
    first = runs([{1, 2}, {1, 2}, {1, 3}, {1, 2}], 5)
    second = runs([{1, 2}, {3, 4}, {1, 5}, {2, 3}], 5)
    estimates = [load("nogueira").subsets(group) for group in (first, second)]
    kuncheva = [float(load("kuncheva").subsets(group).values[0]) for group in (first, second)]
    assert [float(e.values[0]) for e in estimates] == pytest.approx(kuncheva, abs=1e-12)
    halves = [float(np.diff(interval(e), axis=0)[0, 0]) / 2 for e in estimates]
    errors = [half / 1.959963984540054 for half in halves]
    statistic, p = nogueira_test(first, second)
    assert statistic == pytest.approx((kuncheva[0] - kuncheva[1]) / np.hypot(*errors), abs=1e-12)
    assert 0 < p < 1
    assert nogueira_test(first, first) == (0, 1)

"""Directions and effect sizes: against slow references, worked examples and simulation."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steadfast.advice.consensus import Trusted, consensus
from steadfast.advice.effects import STEADY, Peak, effect_json, find_peak
from steadfast.advice.evidence import directions
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.statistics.effects import (
    FEWEST,
    auc,
    auc_score_interval,
    mean_by_group,
    median_by_group,
    median_difference,
    median_variance,
    share_difference,
    wilson,
)

Z = NormalDist().inv_cdf(0.975)


# Medians


#: The examples of `ci.median2` of the R package statpsych, by Bonett.
PUBLISHED = [
    (
        (32, 39, 26, 35, 43, 27, 40, 37, 34, 29),
        (36, 44, 47, 42, 49, 39, 46, 31, 33, 48),
        (-8.5, -16.95977, -0.04022524),
    ),
    (
        (70, 394, 43, 95, 62, 128, 2, 203, 81, 436, 85, 35, 156, 1, 3, 27, 63, 181, 184, 18),
        (
            *(102, 120, 78, 78, 417, 124, 86, 171, 176, 129),
            *(230, 194, 100, 157, 306, 411, 164, 103, 193, 312),
        ),
        (-85, -157.7441, -12.25589),
    ),
]


@pytest.mark.parametrize(("x", "y", "wanted"), PUBLISHED)
def test_the_difference_of_medians_is_that_of_price_and_bonett(x, y, wanted):
    found = median_difference(np.array(x, dtype=float), np.array(y, dtype=float))
    assert tuple(found) == pytest.approx(wanted, rel=1e-5)


def slow_median_variance(values):
    """By counting: how likely fewer than c of n values are below the median."""
    n, ordered = len(values), sorted(values)
    c = max(1, round((n + 1) / 2 - n**0.5))
    p = stats.binom.cdf(c - 1, n, 0.5)
    return ((ordered[n - c] - ordered[c - 1]) / (2 * NormalDist().inv_cdf(1 - p))) ** 2


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=60))
def test_the_variance_of_a_median_is_that_of_two_order_statistics(values):
    found = median_variance(np.array(values, dtype=float))
    assert found == pytest.approx(slow_median_variance(values))


@pytest.mark.parametrize("sizes", [(FEWEST, FEWEST), (12, 40), (60, 45)])
@pytest.mark.parametrize("shape", ["normal", "exponential"])
def test_intervals_hold_the_difference_and_the_auc_as_often_as_they_say(sizes, shape):
    draw = np.random.default_rng(1)
    held, trials = np.zeros(2), 400
    for _ in range(trials):
        x, y = (getattr(draw, shape)(size=size) for size in sizes)
        medians, ranked = median_difference(x, y), auc(x, y)
        held += medians.low <= 0 <= medians.high, ranked.low <= 0.5 <= ranked.high
    assert (held / trials >= 0.92).all()
    assert held[0] / trials <= 0.98


def test_few_values_have_a_difference_without_an_interval():
    found = median_difference(np.arange(4.0), np.arange(10.0))
    assert found.value == -3
    assert np.isnan([found.low, found.high]).all()
    assert np.isnan(median_difference(np.empty(0), np.arange(3.0))).all()


# AUC


def slow_auc(x, y):
    """DeLong's estimate and interval, pair by pair."""
    kernel = np.array([[(a > b) + (a == b) / 2 for b in y] for a in x])
    value = kernel.mean()
    m, n = kernel.shape
    rows, columns = kernel.mean(axis=1), kernel.mean(axis=0)
    variance = sum((rows - value) ** 2) / (m - 1) / m + sum((columns - value) ** 2) / (n - 1) / n
    half = Z * np.sqrt(variance) / (value * (1 - value)) if 0 < value < 1 else np.nan
    ends = [1 / (1 + np.exp(-(np.log(value / (1 - value)) + s * half))) for s in (-1, 1)]
    return value, variance, ends


values = st.lists(st.integers(-4, 4), min_size=FEWEST, max_size=25)


@settings(deadline=None)
@given(values, values)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_the_auc_is_that_of_delong(x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    value, variance, ends = slow_auc(x, y)
    found = auc(x, y)
    assert found.value == pytest.approx(value)
    if variance > 1e-12:
        assert found[1:] == pytest.approx(ends)
    else:
        assert found[1:] == pytest.approx(auc_score_interval(found.value, x.size, y.size))
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(values, values)
def test_swapped_samples_turn_differences_round(x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    there, back = auc(x, y), auc(y, x)
    assert (there.value, there.low, there.high) == pytest.approx(
        (1 - back.value, 1 - back.high, 1 - back.low)
    )
    there, back = median_difference(x, y), median_difference(y, x)
    assert tuple(there) == pytest.approx((-back.value, -back.high, -back.low))


@pytest.mark.parametrize(("m", "n"), [(1, 1), (4, 9), (10, 10), (50, 200)])
@pytest.mark.parametrize("value", [0.0, 0.3, 0.5, 1.0])
def test_the_score_interval_ends_where_the_score_does(value, m, n):
    low, high = auc_score_interval(value, m, n)
    assert 0 <= low <= value <= high <= 1
    assert high - low > 0.01
    for end in (low, high):
        if end in (0, 1):
            assert end == value
            continue
        q_1, q_2 = end / (2 - end), 2 * end**2 / (1 + end)
        more = (m + n) / 2 - 1  # Hanley and McNeil's variance, with equal sizes in the numerator
        spread = end * (1 - end) + more * (q_1 - end**2) + more * (q_2 - end**2)
        assert abs(value - end) == pytest.approx(Z * np.sqrt(spread / (m * n)), rel=1e-6)


def test_separated_samples_have_an_interval_that_narrows_with_their_size():
    found = [auc(np.arange(n) + 100.0, np.arange(n) + 0.0) for n in (5, 20, 80)]
    assert [one.value for one in found] == [one.high for one in found] == [1, 1, 1]
    lows = [one.low for one in found]
    assert lows == sorted(lows)
    assert lows[0] < 0.75
    assert lows[-1] > 0.95


# Shares


def test_the_difference_of_shares_is_that_of_newcombe():
    """The examples of Newcombe (1998), table II, method 10."""
    for (a, m, b, n), wanted in (
        ((56, 70, 48, 80), (0.2, 0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.6, 0.1705, 0.8090)),
        ((10, 10, 0, 10), (1.0, 0.6075, 1.0)),
    ):
        found = share_difference(a / m, m, b / n, n)
        assert tuple(found) == pytest.approx(wanted, abs=5e-5)
        back = share_difference(b / n, n, a / m, m)
        assert tuple(back) == pytest.approx((-found.value, -found.high, -found.low))


@given(st.integers(0, 30), st.integers(1, 30))
def test_wilsons_interval_is_that_of_scipy(chosen, count):
    chosen = min(chosen, count)
    wanted = stats.binomtest(chosen, count).proportion_ci(method="wilson")
    assert wilson(chosen / count, count) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


# Groups


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), min_size=1, max_size=40))
def test_a_group_is_reduced_to_its_median_or_mean(rows):
    groups, numbers = (np.array(column) for column in zip(*rows, strict=True))
    parts = [numbers[groups == group] for group in np.unique(groups)]
    assert median_by_group(numbers, groups).tolist() == [np.median(part) for part in parts]
    assert mean_by_group(numbers, groups) == pytest.approx([part.mean() for part in parts])


# The effect of a feature


def table_of(values, y, classes, levels=(), groups=None):
    y, values = np.asarray(y), np.asarray(values, dtype=float)[:, None]
    groups = None if groups is None else np.asarray(groups)
    return Table(values, y, ("f",), classes, (tuple(levels),), groups)


def one_feature(table, folds=None):
    every = Fold("a", 1, 1.0, np.arange(len(table.y)), np.arange(1))
    (found,) = directions(table, folds or [every], [0])
    return found


KEYS = ["class", "against", "difference", "low", "high", "unit", "level"]
KEYS += ["auc", "auc_low", "auc_high"]


def test_of_two_classes_the_second_is_compared_with_the_first():
    draw = np.random.default_rng(0)
    values, y = draw.normal(size=60), np.arange(60) % 2
    values[y == 0] += 5
    values[:4] = np.nan
    effect = one_feature(table_of(values, y, ("no", "yes")))["effect"]
    assert list(effect) == KEYS
    assert (effect["class"], effect["against"], effect["unit"]) == ("yes", "no", "units")
    x, z = (values[(y == label) & ~np.isnan(values)] for label in (1, 0))
    wanted = [*median_difference(x, z), *auc(x, z)]
    names = ("difference", "low", "high", "auc", "auc_low", "auc_high")
    assert [effect[name] for name in names] == pytest.approx(wanted, rel=1e-5)
    assert effect["difference"] < 0
    swapped = one_feature(table_of(values, 1 - y, ("yes", "no")))["effect"]
    assert swapped["difference"] == pytest.approx(-effect["difference"])
    assert swapped["auc"] == pytest.approx(1 - effect["auc"], abs=1e-5)


def test_of_several_classes_the_highest_is_compared_with_all_others():
    values, y = np.arange(30.0) % 7, np.arange(30) % 3
    values[y == 1] += 20
    found = one_feature(table_of(values, y, ("a", "b", "c")))
    assert found["direction"] == "highest in b"
    assert (found["effect"]["class"], found["effect"]["against"]) == ("b", None)
    medians = np.median(values[y == 1]) - np.median(values[y != 1])
    assert found["effect"]["difference"] == medians
    assert found["effect"]["auc"] == 1
    assert 0.5 < found["effect"]["auc_low"] < 1


def test_of_a_category_shares_are_compared_in_percentage_points():
    y = np.repeat([0, 1], [80, 70])
    smokes = np.concatenate([np.arange(80) < 48, np.arange(70) < 56])
    found = one_feature(table_of(smokes, y, ("well", "ill"), ("no", "yes")))
    assert found["direction"] in ("yes: more often ill", "no: more often well")
    sign = 1 if found["effect"]["level"] == "yes" else -1
    ends = [found["effect"][end] for end in ("difference", "low", "high")]
    wanted = [20.0, 5.24315, 33.3873][::sign] if sign > 0 else [-20.0, -33.3873, -5.24315]
    assert ends == pytest.approx(wanted, rel=1e-5)
    assert (found["effect"]["unit"], found["effect"]["auc"]) == ("points", None)


def test_small_units_keep_their_digits():
    values = np.concatenate([np.arange(20.0), np.arange(20.0) + 3]) * 1e-9
    effect = one_feature(table_of(values, np.repeat([0, 1], 20), ("a", "b")))["effect"]
    assert effect["difference"] == pytest.approx(3e-9)


def test_what_is_undefined_is_none():
    constant = one_feature(table_of(np.ones(9), np.arange(9) % 3, ("a", "b", "c")))
    assert constant["direction"] == ""
    assert constant["agreement"] is None
    assert {constant["effect"][key] for key in KEYS} == {None, "units"}
    gone = one_feature(table_of([1, 2, np.nan, np.nan], [0, 0, 1, 1], ("a", "b")))["effect"]
    assert (gone["difference"], gone["auc"], gone["low"]) == (None, None, None)
    table = table_of(np.zeros(6), np.arange(6) % 2, ("a", "b"), ("red", "blue"))
    assert effect_json(table, 0, None)["difference"] is None


def test_rows_of_a_group_count_once_per_class():
    """Rows repeated within their groups change neither the effect nor its interval."""
    draw = np.random.default_rng(3)
    y = np.arange(24) % 2
    for values, levels in ((draw.normal(size=24), ()), (draw.integers(2, size=24), ("no", "yes"))):
        plain = table_of(values, y, ("a", "b"), levels)
        again = np.repeat(np.arange(24), 7)
        grouped = table_of(np.asarray(values)[again], y[again], ("a", "b"), levels, again)
        peak = Peak(1, 1 if levels else None)
        assert effect_json(grouped, 0, peak) == effect_json(plain, 0, peak)
        apart = table_of(np.asarray(values)[again], y[again], ("a", "b"), levels)
        wide, narrow = (effect_json(table, 0, peak) for table in (grouped, apart))
        assert narrow["high"] - narrow["low"] < wide["high"] - wide["low"]


def grouped_table(levels=()):
    """Groups of 9 rows that are low in class b, single rows that are high there; a is between.

    By rows b is lower than a, by groups higher.
    """
    draw = np.random.default_rng(2)
    sizes = np.r_[np.full(6, 9), np.full(14, 1), np.full(20, 2)]
    groups = np.repeat(np.arange(40), sizes)
    y = (groups < 20).astype(int)
    low = groups < 6
    values = np.where(y == 0, 5.0, np.where(low, 1.0, 9.0)) + 0.1 * draw.normal(size=y.size)
    if levels:
        values = np.where(y == 0, groups % 2, ~low).astype(float)
    return table_of(values, y, ("a", "b"), levels, groups)


@pytest.mark.parametrize("levels", [(), ("no", "yes")])
def test_directions_count_a_group_once_as_effects_do(levels):
    """By rows the direction was that of a few large groups, against the effect beside it."""
    grouped = grouped_table(levels)
    apart = table_of(grouped.X[:, 0], grouped.y, ("a", "b"), levels)
    by_rows, by_groups = one_feature(apart), one_feature(grouped)
    if levels:
        assert by_groups["direction"] in ("yes: more often b", "no: more often a")
        assert by_rows["direction"] in ("yes: more often a", "no: more often b")
    else:
        assert (by_groups["direction"], by_rows["direction"]) == ("higher in b", "higher in a")
        assert by_groups["effect"]["auc"] > 0.5
        assert by_groups["effect"]["difference"] > 0


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 1), st.integers(-9, 9) | st.none()),
        min_size=4,
        max_size=40,
    )
)
def test_the_direction_of_two_classes_is_that_of_the_auc(rows):
    groups, y, values = zip(*rows, strict=True)
    values = [np.nan if value is None else value for value in values]
    for table in (table_of(values, y, "ab", (), groups), table_of(values, y, "ab")):
        found = one_feature(table)
        area = found["effect"]["auc"]
        if area is None or abs(area - 0.5) < 1e-9:
            assert found["agreement"] is None
        else:
            assert found["direction"] == ("higher in b" if area > 0.5 else "higher in a")


def test_the_direction_of_a_category_is_that_of_its_shares_by_group():
    draw = np.random.default_rng(4)
    for _ in range(30):
        groups, y, values = (
            draw.integers(8, size=40),
            draw.integers(2, size=40),
            draw.integers(3, size=40),
        )
        found = one_feature(table_of(values, y, ("a", "b"), ("x", "y", "z"), groups))
        level, label = found["direction"].split(": more often ")
        assert found["effect"]["level"] == level
        assert (found["effect"]["difference"] > 0) == (label == "b")


# Directions


def test_a_direction_is_named_where_nine_of_ten_runs_agree():
    y, values = np.array([0, 0, 1, 1]), np.array([1.0, 8, 5, 9])
    agrees, differs = np.array([0, 3]), np.array([1, 2])
    for against in range(11):
        rows = [differs] * against + [agrees] * (10 - against)
        folds = [Fold(f"s{i}", i, 1.0, train, np.arange(1)) for i, train in enumerate(rows)]
        found = one_feature(table_of(values, y, ("no", "yes")), folds)
        assert found["agreement"] == pytest.approx(1 - against / 10)
        assert found["direction"] == ("higher in yes" if against <= 1 else "")
        assert found["effect"]["class"] == "yes"
    assert STEADY == 0.9


def test_a_category_is_steady_though_two_of_its_cells_take_turns():
    """Of 90 runs, 72 had "no: more often well" and 18 "yes: more often ill": no direction."""
    y = np.repeat([0, 1], 100)
    smokes = np.r_[np.arange(100) < 10, np.arange(100) < 90].astype(float)
    table = table_of(smokes, y, ("well", "ill"), ("no", "yes"))
    draw = np.random.default_rng(0)
    folds = [Fold(f"s{i}", i, 1.0, draw.permutation(200)[:160], np.arange(1)) for i in range(90)]
    peaks = {find_peak(smokes[f.train], y[f.train], 2, 2) for f in folds}
    assert len(peaks) > 1, "cells that exceed expectation alike"
    found = one_feature(table, folds)
    assert found["direction"] in ("no: more often well", "yes: more often ill")
    assert found["agreement"] == 1


def test_a_category_that_turns_round_has_no_direction():
    """In half of the runs the peak's class is not more frequent among the rows of its level."""
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    values = np.array([0, 0, 1, 1, 0, 1, 1, 1.0])
    there, back = np.arange(8), np.array([2, 3, 0, 4, 5])
    folds = [Fold(n, 1, 1.0, rows, np.arange(1)) for n, rows in (("a", there), ("b", back))]
    assert one_feature(table_of(values, y, ("a", "b"), ("x", "y")), folds)["agreement"] == 0.5
    gone = [Fold("a", 1, 1.0, np.array([2, 3, 5, 6]), np.arange(1))]
    assert one_feature(table_of(values, y, ("a", "b"), ("x", "y")), gone)["agreement"] == 0


def test_without_a_recommended_selector_only_trusted_features_are_listed():
    columns = np.array([False, True, False, True])
    rows = consensus(None, Trusted(columns, np.array([0, 2, 1, 3]), 3, None))
    assert [row["feature"] for row in rows] == [3, 1]
    assert {(row["frequency"], row["mean_rank"], row["ahead"]) for row in rows} == {(None,) * 3}

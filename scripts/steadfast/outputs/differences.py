"""Differences of two selectors' stability, with intervals, in print."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steadfast.outputs.intervals import Interval
from steadfast.statistics.intervals import resampled_half_width, t_half_width

#: How selections are compared, in print.
COMPARED = {"reference": "with reference", "all_pairs": "all pairs", "chosen": "chosen subsets"}

#: What marks an interval that does not hold 0.
SIGNS = "▲ where the interval lies on the side of the first, ▼ where on the side of the second"


def single_value(value: float) -> Interval:
    """A value that has no interval."""
    return Interval(value, float("nan"), float("nan"))


def turn(interval: Interval, distance: bool) -> Interval:
    """The interval with large values better: that of a distance, the other way round."""
    mean, low, high = interval
    return Interval(-mean, -high, -low) if distance else interval


def measure_name(info: Mapping[str, Any]) -> str:
    """A measure and how it compares selections, in print."""
    return f"{info['label']}, {COMPARED[info['compare']]}"


def mean_interval(units: np.ndarray, level: float = 0.95) -> Interval:
    """Mean of the units and the ends of its interval, mean ± t · sd / √n; NaN without a spread.

    Units without a value do not count.
    """
    units = units[~np.isnan(units)]
    if not units.size:
        return Interval(float("nan"), float("nan"), float("nan"))
    mean, half = float(units.mean()), float(t_half_width(units, level))
    return Interval(mean, mean - half, mean + half)


def resampled_interval(units: np.ndarray, share: float) -> Interval:
    """Of a mean over folds that share rows; see `statistics.intervals.resampled_half_width`."""
    mean, half = float(units.mean()), float(resampled_half_width(units, share))
    return Interval(mean, mean - half, mean + half)


def side(interval: Interval, distance: bool) -> int:
    """1 where the interval says that the first is more stable, −1 the second, 0 neither."""
    above = 1 if interval.low > 0 else -1 if interval.high < 0 else 0
    return -above if distance else above


def marked_interval(interval: Interval, distance: bool) -> str:
    """The difference in print."""
    mean, low, high = interval
    if np.isnan(mean):
        return "–"
    if np.isnan(low):
        return f"{mean:+.3f}"
    mark = {1: " ▲", -1: " ▼", 0: ""}[side(interval, distance)]
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]{mark}"

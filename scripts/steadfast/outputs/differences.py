"""Differences of two selectors' stability, with intervals."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.curves import read_units
from steadfast.statistics.intervals import t_half_width

#: How selections are compared, in print.
COMPARED = {"reference": "with reference", "all_pairs": "all pairs", "chosen": "chosen subsets"}

#: What marks an interval that does not hold 0.
SIGNS = "▲ where the interval lies on the side of the first, ▼ where on the side of the second"


def measure_name(info: Mapping[str, Any]) -> str:
    """A measure and how it compares selections, in print."""
    return f"{info['label']}, {COMPARED[info['compare']]}"


def mean_interval(units: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
    """Mean of the units and the ends of its interval, mean ± t · sd / √n; NaN without a spread.

    Units without a value do not count.
    """
    units = units[~np.isnan(units)]
    if not units.size:
        return float("nan"), float("nan"), float("nan")
    mean, half = float(units.mean()), float(t_half_width(units, level))
    return mean, mean - half, mean + half


def difference(
    folder: Path, asked: Mapping[str, Any], first: str, second: str
) -> tuple[float, float, float]:
    """Mean over sizes of the stability of `first` minus that of `second`, with its interval.

    Units are paired: both selectors saw the same folds.
    """
    units = (read_units(folder, asked, selector) for selector in (first, second))
    return mean_interval(np.subtract(*units))


def verdict(found: tuple[float, float, float], distance: bool) -> int:
    """1 where the interval says that the first is more stable, −1 the second, 0 neither."""
    _, low, high = found
    side = 1 if low > 0 else -1 if high < 0 else 0
    return -side if distance else side


def marked_interval(found: tuple[float, float, float], distance: bool) -> str:
    """The difference in print."""
    mean, low, high = found
    if np.isnan(mean):
        return "–"
    if np.isnan(low):
        return f"{mean:+.3f}"
    mark = {1: " ▲", -1: " ▼", 0: ""}[verdict(found, distance)]
    return f"{mean:+.3f} [{low:+.3f}, {high:+.3f}]{mark}"

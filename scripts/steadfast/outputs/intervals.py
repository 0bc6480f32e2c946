"""Values with the ends of their 95% intervals."""

from typing import NamedTuple

import numpy as np

from steadfast.statistics.intervals import resampled_half_width, t_half_width

_NAN = float("nan")


class Interval(NamedTuple):
    """A mean and the ends of its 95% interval; NaN where it is undefined."""

    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half of the width."""
        return (self.high - self.low) / 2

    def turned(self, direction: int) -> "Interval":
        """The interval with large values better; `direction` is −1 where small ones are."""
        if direction == 1:
            return self
        return Interval(-self.mean, -self.high, -self.low)


UNDEFINED = Interval(_NAN, _NAN, _NAN)


def single_value(value: float) -> Interval:
    """A value without an interval."""
    return Interval(value, _NAN, _NAN)


def mean_interval(units: np.ndarray, level: float = 0.95) -> Interval:
    """Mean of the units and the ends of its interval, mean ± t · sd / √n; NaN without a spread.

    Units without a value do not count.
    """
    units = units[~np.isnan(units)]
    if not units.size:
        return UNDEFINED
    mean, half = float(units.mean()), float(t_half_width(units, level))
    return Interval(mean, mean - half, mean + half)


def resampled_interval(units: np.ndarray, share: float) -> Interval:
    """Of a mean over folds that share rows; see `statistics.intervals.resampled_half_width`."""
    mean, half = float(units.mean()), float(resampled_half_width(units, share))
    return Interval(mean, mean - half, mean + half)


def mark(interval: Interval, direction: int = 1) -> str:
    """▲ where an interval lies on the better side of 0, ▼ on the worse side, with a blank."""
    turned = interval.turned(direction)
    return " ▲" if turned.low > 0 else " ▼" if turned.high < 0 else ""

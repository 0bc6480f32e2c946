"""Values by subset size."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

_NAN = float("nan")


@dataclass(frozen=True)
class Curve:
    """Values by size.

    Attributes
    ----------
    sizes, values
        Subset sizes and the value at each.
    sd
        Spread over the folds.
    low, high
        Ends of the 95% interval; None where there is none.
    units
        One row per run, whose mean over the runs is the value; None where they are not kept.
    """

    sizes: np.ndarray
    values: np.ndarray
    sd: np.ndarray | None = None
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    units: np.ndarray | None = None

    @property
    def half(self) -> np.ndarray | None:
        """Half of the width of the interval."""
        return None if self.low is None else (self.high - self.low) / 2

    def place(self, k: int, *, defined: bool = False) -> int | None:
        """Where the curve has a size, or (`defined`) a value at it; None where it has not."""
        found = np.flatnonzero(self.sizes == k)
        if not found.size or (defined and np.isnan(self.values[found[0]])):
            return None
        return int(found[0])

    def at(self, k: int) -> float:
        """The value at a size; NaN where the curve has none."""
        place = self.place(k)
        return _NAN if place is None else float(self.values[place])

    def up_to(self, largest: int | None) -> "Curve":
        """The curve at sizes up to a largest one."""
        return self if largest is None else self.take(self.sizes <= largest)

    def take(self, kept: np.ndarray) -> "Curve":
        """The curve at some of its sizes."""
        return Curve(*(_part(getattr(self, each.name), kept) for each in fields(self)))


def _part(values: np.ndarray | None, kept: np.ndarray) -> np.ndarray | None:
    return None if values is None else values[..., kept]


def common_sizes(curves: Sequence[Curve]) -> list[Curve]:
    """The curves at the sizes that all of them have."""
    shared = curves[0].sizes
    for curve in curves[1:]:
        shared = np.intersect1d(shared, curve.sizes)
    return [curve.take(np.isin(curve.sizes, shared)) for curve in curves]

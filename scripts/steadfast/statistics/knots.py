"""Sizes that stand out on a curve of stability: its knot, and its peaks."""

from typing import NamedTuple

import numpy as np

from steadfast.statistics.curve import Curve

#: A knot must stand out by this much above the end of its curve.
PROMINENCE = 0.02

#: A peak must stand out by this much above the lower ground on both sides.
PEAK = 0.05

#: Within this much of the largest excess, a curve is on its plateau.
PLATEAU = 0.01

#: Where chance alone reaches this, no knot is looked for.
CLOSE_TO_ALL = 0.9


class Knot(NamedTuple):
    """The size at the end of the plateau, stability and excess there, and where it begins."""

    size: int
    stability: float
    excess: float
    begins: int


class Peak(NamedTuple):
    """A size at which stability is higher than around it, and by how much."""

    size: int
    stability: float
    prominence: float


def peaks(curve: Curve) -> list[Peak]:
    """Local maxima that stand out by `PEAK` at least on both sides; of a flat one, its middle."""
    from scipy.signal import find_peaks

    found, about = find_peaks(curve.values, prominence=PEAK)
    return [
        Peak(int(curve.sizes[at]), float(curve.values[at]), float(rise))
        for at, rise in zip(found, about["prominences"], strict=True)
    ]


def find_knot(sizes: np.ndarray, value: np.ndarray, expected: np.ndarray) -> Knot | None:
    """The end of the plateau of stability beyond chance.

    The excess is (S − E) / (1 − E), E being the value of random selection. The knot is the end of
    its plateau: features that come later are added more or less at random. None where the excess
    falls from the first size on, or does not fall. Sizes at which chance alone reaches 0.9 are left
    out: there the excess is a ratio of two small numbers.
    """
    room = expected < CLOSE_TO_ALL
    shared, value, expected = sizes[room], value[room], expected[room]
    if shared.size < 3:
        return None
    excess = (value - expected) / (1 - expected)
    high = excess >= excess.max() - PLATEAU
    at = int(np.flatnonzero(high)[-1])
    if at == 0 or excess[at] < excess[-1] + PROMINENCE:
        return None
    below = np.flatnonzero(~high[:at])
    begins = int(below[-1]) + 1 if below.size else 0
    return Knot(int(shared[at]), float(value[at]), float(excess[at]), int(shared[begins]))

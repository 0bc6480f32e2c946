"""Stability profiles: weights, ranks and subsets side by side, errors beside them, and knots."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadfast.outputs.curves import Curve, find_curve, read_chance, read_outcomes, read_units
from steadfast.outputs.differences import mean_interval
from steadfast.selectors.running.fold_file import ZERO_WEIGHTS

#: Measures of a profile: weights, ranks with either treatment of ties, subsets.
PROFILE = {
    "pearson": "S_W",
    "spearman": "S_R",
    "spearman_random_ties": "S_R, random ties",
    "jaccard": "S_S",
}

#: Measures of whole subsets that their selectors chose, under the names that Somol and Novovicova
#: (2008) print.
CONSISTENCY = {
    "c": "C",
    "cw": "CW",
    "cw_rel": "CWrel",
    "jaccard": "GK",
    "cw_min": "CWmin",
    "cw_max": "CWmax",
}

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


def value_at(
    folder: Path, asked: Mapping[str, Any], selector: str, k: int | None
) -> tuple[float, float]:
    """Stability at a size, or of the whole ranking (None), and half of its 95% interval.

    NaN where it is undefined.
    """
    curve = find_curve(folder, {**asked, "of": "stability"}, selector)
    if curve is None or not curve.sizes.size:
        return float("nan"), float("nan")
    at = len(curve.sizes) - 1 if k is None else curve.place(k)
    if at is None:
        return float("nan"), float("nan")
    return float(curve.values[at]), float(curve.half[at])


def zero_weights(folder: Path, dataset: str, ratio: float, selector: str) -> float:
    """Mean share of the features that have no weight; NaN for a selector that states ranks."""
    asked = {"measure": ZERO_WEIGHTS, "compare": "", "ratio": ratio, "dataset": dataset}
    return mean_interval(read_units(folder, asked, selector))[0]


def expected_overlap(tanimoto: float, k: int) -> float:
    """Features in common of two subsets of k: S = r / (2k − r), so r = 2kS / (1 + S)."""
    return 2 * k * tanimoto / (1 + tanimoto)


def mcnemar(first_only: int, second_only: int) -> float:
    """Exact two-sided p-value of McNemar's test: rows that one is wrong on and the other is not.

    References
    ----------
    McNemar, Note on the sampling error of the difference between correlated proportions (1947).
    """
    n, low = first_only + second_only, min(first_only, second_only)
    tail = sum(math.comb(n, i) for i in range(low + 1)) / 2**n
    return min(1.0, 2 * tail)


def errors(
    folder: Path, asked: Mapping[str, Any], selectors: Sequence[str], k: int, level: float = 0.05
) -> tuple[dict[str, float], set[str]]:
    """Error of each selector at a size, and those that do not differ from the lowest one."""
    outcomes = {name: read_outcomes(folder, asked, name, k) for name in selectors}
    found = {name: len(wrong) / tested for name, (wrong, tested) in outcomes.items() if tested}
    if not found:
        return {}, set()
    best = min(found, key=found.get)
    wrong = {name: outcomes[name][0] for name in found}
    same = {
        name
        for name in found
        if mcnemar(len(wrong[name] - wrong[best]), len(wrong[best] - wrong[name])) >= level
    }
    return found, same


def knot(folder: Path, asked: Mapping[str, Any], selector: str, smallest: int) -> Knot | None:
    """Where stability exceeds chance most, by the files of a study; see `find_knot`."""
    curve = find_curve(folder, {**asked, "of": "stability"}, selector)
    if curve is None:
        return None
    chance = read_chance(folder, asked)
    shared = np.intersect1d(curve.sizes, chance.sizes)
    shared = shared[shared >= smallest]
    value = curve.values[np.isin(curve.sizes, shared)]
    return find_knot(shared, value, chance.values[np.isin(chance.sizes, shared)])


def find_knot(sizes: np.ndarray, value: np.ndarray, expected: np.ndarray) -> Knot | None:
    """Where stability exceeds chance most.

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

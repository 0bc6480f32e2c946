"""From what selectors show on a data set to advice: which one, how many features, which to trust.

Accuracies are compared fold by fold, with the interval for resamples of one data set
(`evidence.resampled_half_width`); stabilities run by run, with the jackknife.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steadfast.advice.evidence import Witness
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.runs import Runs
from steadfast.selectors.running.fold_file import OWN_SIZE
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width, t_half_width
from steadfast.statistics.knots import find_knot

#: One-sided tests at 5% have the ends of this interval.
ONE_SIDED = 0.9

#: Nobody would take more features for so little more stability, significant or not.
NEGLIGIBLE = 0.05


class Best(NamedTuple):
    """A selector at its recommended size (`OWN_SIZE` where it chooses sizes itself)."""

    witness: Witness
    size: int
    most_accurate: int | None
    most_stable: int

    def stability(self) -> float:
        """Its stability at that size."""
        return float(self.witness.stability.at(self.size))

    def accuracy(self, classifier: str | None) -> float:
        """Its accuracy there; NaN where none is measured."""
        units = self.accuracy_units(classifier)
        return float("nan") if units is None else float(units.mean())

    def accuracy_units(self, classifier: str | None) -> np.ndarray | None:
        """Its accuracy there, fold by fold; None where none is measured."""
        curve = self.witness.accuracy.get(classifier)
        place = None if curve is None else curve.place(self.size, defined=True)
        return None if place is None else curve.units[:, place]

    def subsets(self) -> list[np.ndarray]:
        """What its runs select."""
        if self.size == OWN_SIZE:
            return self.witness.runs
        return [run[: self.size] for run in self.witness.runs]


def best_size(
    witness: Witness, classifier: str | None, share: float, largest: int | None = None
) -> Best | None:
    """The smallest size at which neither accuracy nor stability is significantly below its best.

    Sizes whose accuracy is not significantly below the highest come first; among these, the
    smallest whose stability is not significantly, or only negligibly, below the highest that they
    reach. None of them is above `largest`. `share` is that of test rows; see
    `evidence.resampled_half_width`.
    """
    stability = witness.stability
    sizes = stability.sizes[~np.isnan(stability.values)]
    sizes = sizes if largest is None else sizes[sizes <= largest]
    curve = witness.accuracy.get(classifier)
    most_accurate = None
    if curve is not None:
        sizes = np.intersect1d(sizes, curve.sizes)
        if sizes.size:
            most_accurate, sizes = _sizes_not_below(curve, sizes, share)
    if not sizes.size:
        return None
    most_stable, sizes = _sizes_not_below(stability, sizes)
    return Best(witness, int(sizes[0]), most_accurate, most_stable)


def _sizes_not_below(
    curve: Curve, sizes: np.ndarray, share: float | None = None
) -> tuple[int, np.ndarray]:
    """Of some sizes, that of the highest value, and those not significantly below it.

    Stability has no units where there are two runs only: then the values alone count.
    """
    wanted = np.isin(curve.sizes, sizes)
    values, units = curve.values[wanted], curve.units[:, wanted]
    top = int(np.argmax(values))
    lost = units[:, top : top + 1] - units
    if share is None:
        allowed = np.fmax(t_half_width(lost, ONE_SIDED), NEGLIGIBLE)
    else:
        allowed = np.nan_to_num(resampled_half_width(lost, share, ONE_SIDED))
    kept = values[top] - values <= allowed + 1e-12
    return int(sizes[top]), sizes[kept]


def recommend(
    bests: Sequence[Best], classifier: str | None, share: float
) -> tuple[Best, list[Best]]:
    """The most stable of the selectors that are as accurate as the best, and all of these.

    Of equally stable ones it is the more accurate, so that no other one beats it in both.
    Selectors that chose at random, or that learnt from test rows, are only taken where there is no
    other.
    """
    fair = [one for one in bests if not one.witness.baseline and "all rows" not in one.witness.note]
    fair = fair or [one for one in bests if not one.witness.baseline] or list(bests)
    scored = [one for one in fair if one.accuracy_units(classifier) is not None]
    if scored:
        top = max(scored, key=lambda one: one.accuracy(classifier))
        fair = [one for one in scored if _is_as_accurate(one, top, classifier, share)]

    def worth(one: Best) -> tuple[float, float, int]:
        return (
            round(one.stability(), 9),
            np.nan_to_num(one.accuracy(classifier), nan=-np.inf),
            -one.size,
        )

    return max(fair, key=worth), fair


def _is_as_accurate(one: Best, top: Best, classifier: str | None, share: float) -> bool:
    units, best = one.accuracy_units(classifier), top.accuracy_units(classifier)
    if units.size != best.size:  # a selector that did not finish on every fold
        return bool(units.mean() >= best.mean())
    lost = (best - units)[:, None]
    return bool(lost.mean() <= resampled_half_width(lost, share, ONE_SIDED)[0] + 1e-12)


def is_better(units: np.ndarray, others: np.ndarray, share: float) -> bool:
    """Whether accuracies exceed others significantly, fold by fold."""
    gain = (units - others)[:, None]
    return bool(gain.mean() > np.nan_to_num(resampled_half_width(gain, share, ONE_SIDED)[0]))


def pareto(bests: Sequence[Best], classifier: str | None) -> set[str]:
    """Selectors than which none is both more stable and more accurate; random ones do not count."""
    points = {
        one.witness.id: (one.stability(), np.nan_to_num(one.accuracy(classifier), nan=-np.inf))
        for one in bests
        if not one.witness.baseline
    }
    return {
        name
        for name, (stable, accurate) in points.items()
        if not any(
            s >= stable and a >= accurate and (s, a) != (stable, accurate)
            for s, a in points.values()
        )
    }


def knot_size(witness: Witness) -> int | None:
    """The end of the plateau of stability, if there is one; chance is 0 under this measure."""
    curve = witness.stability
    kept = ~np.isnan(curve.values)
    found = find_knot(curve.sizes[kept], curve.values[kept], np.zeros(int(kept.sum())))
    return None if found is None else found.size


def stability_test(one: Best, other: Best, n_features: int) -> dict[str, float] | None:
    """Two-sample test of equal stability (Nogueira, Sechidis, Brown 2018); None where undefined."""
    runs = [Runs(n_features, best.subsets(), ranked=False) for best in (one, other)]
    statistic, p = nogueira_test(*runs)
    if np.isnan(statistic):
        return None
    return {"statistic": round(statistic, 6), "p": float(f"{p:.6g}")}

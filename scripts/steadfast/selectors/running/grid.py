"""What was tried to choose parameters and a subset size: stability and accuracy of each."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from steadfast.statistics.intervals import resampled_half_width, t_half_width

#: What is looked at to choose.
BY = ("stability_and_accuracy", "stability", "accuracy")

#: One-sided tests at 5% have the ends of an interval of 1 − 2 · 0.05.
LEVEL = 0.05

#: Stabilities that differ by less are equal: rounding.
_ROUNDING = 1e-12


def require_rule(by: Any, weight: Any, prefer: Any, tried: Mapping[str, Any]) -> None:
    """Refuse what is no way to choose."""
    if by not in BY:
        raise ValueError(f"by must be one of {BY}, got {by!r}")
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if weight is not None and not (number and 0 <= weight <= 1):
        raise ValueError(f"weight must be None or lie between 0 and 1, got {weight!r}")
    if weight is not None and by != BY[0]:
        raise ValueError(f"weight: goes with by: {BY[0]}, not with {by}")
    if prefer is None:
        return
    if not isinstance(prefer, Mapping):
        raise ValueError(f"prefer: must be parameters with a value, got {prefer!r}")
    if weight is not None or by != BY[0]:
        raise ValueError(f"prefer: goes with by: {BY[0]} and without weight")
    for name, value in prefer.items():
        if value not in tried.get(name, ()):
            raise ValueError(f"prefer: {name}: {value!r} is not among the values that are tried")


class Grid(NamedTuple):
    """What was tried.

    Attributes
    ----------
    points
        Parameters, one set for each row of the arrays.
    stability
        By point and size.
    accuracy
        By sample, point and size.
    share
        Test rows over training rows, as the interval of a mean over resamples needs.
    parts
        Each sample's part in the stability, by sample, point and size (jackknife); None where
        nothing is preferred.
    """

    points: list[dict[str, Any]]
    stability: np.ndarray
    accuracy: np.ndarray
    share: float
    parts: np.ndarray | None = None

    def over_sizes(self) -> "Grid":
        """Means over the sizes at which stability is defined."""
        kept = ~np.isnan(self.stability).all(axis=0)
        kept |= not kept.any()
        parts = self.parts
        return self._replace(
            stability=self.stability[:, kept].mean(axis=1, keepdims=True),
            accuracy=self.accuracy[:, :, kept].mean(axis=2, keepdims=True),
            parts=None if parts is None else parts[:, :, kept].mean(axis=2, keepdims=True),
        )

    def as_accurate(self, tests: int = 1) -> np.ndarray:
        """Where accuracy is not significantly below the highest, by point and size.

        `tests` is by how many the level is divided.
        """
        lost = _lost(self.accuracy, self.accuracy.mean(axis=0))
        width = resampled_half_width(lost, self.share, 1 - 2 * LEVEL / tests)
        return lost.mean(axis=0) <= np.nan_to_num(width) + _ROUNDING

    def as_good(self) -> np.ndarray:
        """Neither less accurate than the best, nor less stable than the most stable of those.

        Significantly, with the level divided by the number of comparisons (Bonferroni). Of
        stability, as far as so few samples let it be known: the jackknife over them.
        """
        tests = max(1, self.stability.size - 1)
        accurate = self.as_accurate(tests)
        parts = np.nan_to_num(self.parts)
        lost = _lost(parts, np.where(accurate, parts.mean(axis=0), -np.inf))
        width = t_half_width(lost, 1 - 2 * LEVEL / tests)
        return accurate & (lost.mean(axis=0) <= np.nan_to_num(width) + _ROUNDING)

    def _nearest(self, prefer: Mapping[str, Any]) -> tuple[int, int]:
        """Of the good ones that nearest to what is preferred, by places in the lists of values."""
        far = np.zeros(len(self.points))
        for name, value in prefer.items():
            values = list(dict.fromkeys(point[name] for point in self.points))
            places = np.array([values.index(point[name]) for point in self.points])
            far += np.abs(places - values.index(value))
        far = np.where(self.as_good(), far[:, None], np.inf)
        size, point = np.argwhere(far.min() == far.T)[0]
        return int(point), int(size)

    def choice(
        self, by: str, weight: float | None, prefer: Mapping[str, Any] | None = None
    ) -> tuple[int, int]:
        """The point and the size, from 0, that are chosen; see `Tuned`."""
        if prefer is not None:
            return self._nearest(prefer)
        mean = self.accuracy.mean(axis=0)
        # Undefined where all features are selected, which is no better than chance.
        stability = np.nan_to_num(self.stability)
        if weight is not None:
            value = _weighted(stability, mean, weight)
        elif by == "accuracy":
            value = mean
        elif by == "stability":
            value = stability
        else:
            value = np.where(self.as_accurate(), stability, -np.inf)
        # The first size, and of that the first point, of the equal ones.
        size, point = np.argwhere(value.max() - _ROUNDING <= value.T)[0]
        return int(point), int(size)

    def columns(
        self,
        chosen: tuple[int, int],
        weight: float | None,
        *,
        sizes: bool,
        settled: bool = False,
    ) -> dict[str, list[Any]]:
        """One value for each row of the grid, for the file of a fold.

        `settled` says whether something was preferred among equally good ones.
        """
        shape = self.stability.shape
        mean, spread = self.accuracy.mean(axis=0), self.accuracy.std(axis=0, ddof=1)
        words = np.where(self.as_accurate(), "as accurate", "").astype(object)
        if settled:
            words[self.as_good()] = "as good"
        words[chosen] = "chosen"
        of_point = [point for point in self.points for _ in range(shape[1])]
        found = {name: [point[name] for point in of_point] for name in self.points[0]}
        if sizes:
            found["size"] = [k for _ in self.points for k in range(1, shape[1] + 1)]
        found["stability"] = list(self.stability.ravel())
        found["accuracy"], found["accuracy_sd"] = list(mean.ravel()), list(spread.ravel())
        if weight is not None:
            value = _weighted(np.nan_to_num(self.stability), mean, weight)
            found["value"] = list(value.ravel())
        return {**found, "choice": list(words.ravel())}


def _lost(values: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """What each point and size has less than that of the highest mean, by sample."""
    best = np.unravel_index(np.argmax(mean), mean.shape)
    return values[:, best[0], best[1], None, None] - values


def _weighted(stability: np.ndarray, accuracy: np.ndarray, weight: float) -> np.ndarray:
    return weight * stability + (1 - weight) * accuracy

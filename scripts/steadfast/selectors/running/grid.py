"""What was tried to choose parameters and a subset size: stability and accuracy of each."""

from typing import Any, NamedTuple

import numpy as np

from steadfast.statistics.intervals import resampled_half_width

#: What is looked at to choose.
BY = ("stability_and_accuracy", "stability", "accuracy")

#: One-sided tests at 5% have the ends of this interval.
ONE_SIDED = 0.9

#: Stabilities that differ by less are equal: rounding.
_ROUNDING = 1e-12


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
    """

    points: list[dict[str, Any]]
    stability: np.ndarray
    accuracy: np.ndarray
    share: float

    def over_sizes(self) -> "Grid":
        """Means over the sizes at which stability is defined."""
        kept = ~np.isnan(self.stability).all(axis=0)
        kept |= not kept.any()
        return self._replace(
            stability=self.stability[:, kept].mean(axis=1, keepdims=True),
            accuracy=self.accuracy[:, :, kept].mean(axis=2, keepdims=True),
        )

    def as_accurate(self) -> np.ndarray:
        """Where accuracy is not significantly below the highest, by point and size."""
        mean = self.accuracy.mean(axis=0)
        best = np.unravel_index(np.argmax(mean), mean.shape)
        lost = self.accuracy[:, best[0], best[1], None, None] - self.accuracy
        allowed = np.nan_to_num(resampled_half_width(lost, self.share, ONE_SIDED))
        return lost.mean(axis=0) <= allowed + _ROUNDING

    def choice(self, by: str, weight: float | None) -> tuple[int, int]:
        """The point and the size, from 0, that are chosen; see `Tuned`."""
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
        self, chosen: tuple[int, int], weight: float | None, *, sizes: bool
    ) -> dict[str, list[Any]]:
        """One value for each row of the grid, for the file of a fold."""
        shape = self.stability.shape
        mean, spread = self.accuracy.mean(axis=0), self.accuracy.std(axis=0, ddof=1)
        words = np.where(self.as_accurate(), "as accurate", "").astype(object)
        words[chosen] = "chosen"
        of_point = [point for point in self.points for _ in range(shape[1])]
        found = {name: [point[name] for point in of_point] for name in self.points[0]}
        if sizes:
            found["size"] = [k for _ in self.points for k in range(1, shape[1] + 1)]
        found["stability"] = list(self.stability.ravel())
        found["accuracy"], found["accuracy_sd"] = list(mean.ravel()), list(spread.ravel())
        if weight is not None:
            found["value"] = list(_weighted(self.stability, mean, weight).ravel())
        return {**found, "choice": list(words.ravel())}


def _weighted(stability: np.ndarray, accuracy: np.ndarray, weight: float) -> np.ndarray:
    return weight * stability + (1 - weight) * accuracy

"""Samples of the rows: eleven, the last of which shares no row with the others; their distance."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.core.errors import UserError
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.outputs.curves import Selections
from steadfast.outputs.results import Entry
from steadfast.resampling.sample_similarity import READINGS, training_distance
from steadfast.resampling.schemes.cross_validation import DISJOINT

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class Samples(Selections):
    """What was selected on the eleven samples of `resample.disjoint`."""

    reads = ("selections",)

    @classmethod
    def check(cls, study: "Study", entry: Entry, where: str) -> None:
        """Refuse a study whose scheme draws no such samples."""
        if not study.resample.get("disjoint"):
            raise UserError(
                f"{where}: needs samples without a common row; set resample.disjoint: 0.4"
            )

    def size_of(self, dataset: str, size: float | str) -> int:
        """The number of features that a size is; rankings are cut here, so any will do."""
        return size_of(size, len(self.features(dataset)))

    def overlaps(self, dataset: str, selector: str, size: float | str) -> np.ndarray:
        """Jaccard's index of the first features of every pair of samples."""
        every, k = self.selections(dataset, selector, ties=self.ties), self.size_of(dataset, size)
        subsets = [every[name].sequence[:k] for name in DISJOINT]
        return jaccard_matrix(subsets, len(self.features(dataset)))


def without_each(overlaps: np.ndarray) -> list[float]:
    """Mean overlap of the samples but one, for each of them."""
    every = np.arange(len(overlaps))
    kept = [np.delete(every, left_out) for left_out in every]
    return [mean_of_pairs(overlaps[np.ix_(rows, rows)]) for rows in kept]


def sample_distance(
    selections: Selections,
    dataset: str,
    ratio: float,
    reading: str = "distance",
    same_row: bool = True,
) -> float:
    """S_X: the mean distance of training rows of one class in two samples.

    Parameters
    ----------
    reading
        What is averaged; see `resampling.sample_similarity.READINGS`.
    same_row
        Whether a row that is in both samples is paired with itself.
    """
    from steadfast.data.encoding import complete_numbers

    table = selections.table(dataset)
    samples = [fold.train for fold in selections.compared_folds(dataset, ratio)]
    _, pairs = READINGS[reading]
    matrix = pairs(complete_numbers(table, "distance of rows"))
    return training_distance(matrix, table.y, samples, own=same_row)

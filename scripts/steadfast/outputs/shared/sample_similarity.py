"""Stability beside the similarity of the training samples that it is measured over."""

from typing import NamedTuple

import numpy as np

from steadfast.outputs.view import View


class SampleSimilarity(NamedTuple):
    """How far the training samples of a data set are apart, and how stable the selectors are.

    Attributes
    ----------
    size
        Number of selected features.
    distance
        S_X as printed: the mean distance of training rows of one class in two samples.
    stability
        Of each selector at that size, and half of its 95% interval.
    """

    size: int
    distance: float
    stability: dict[str, tuple[float, float]]

    @property
    def similarity(self) -> float:
        """S_X as the text reads it."""
        return 1 - self.distance


def compare_samples(view: View, dataset: str) -> SampleSimilarity:
    """The samples of a data set, at the ratio (share of perturbation) and size of the entry."""
    from steadfast.resampling.sample_similarity import row_distances, training_distance

    X, y, samples = samples_of(view, dataset)
    distance = training_distance(row_distances(X), y, samples)
    return SampleSimilarity(view.size(dataset), distance, stabilities(view, dataset))


def samples_of(view: View, dataset: str) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Rows and classes of a data set, and the rows of each training sample."""
    from steadfast.data.encoding import complete_numbers

    table = view.table(dataset)
    samples = [fold.train for fold in view.compared_folds(dataset)]
    return complete_numbers(table, "distance of rows"), table.y, samples


def stabilities(view: View, dataset: str) -> dict[str, tuple[float, float]]:
    """Stability of each selector at the entry's size, and half of its 95% interval."""
    k, query = view.size(dataset), {**view.entry, "dataset": dataset}
    return {name: view.stability_at(query, name, k) for name in view.selectors}

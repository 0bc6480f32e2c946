"""Stability beside the similarity of the training samples that it is measured over."""

from typing import NamedTuple

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
    from steadfast.data.encoding import complete_numbers
    from steadfast.resampling.sample_similarity import row_distances, training_distance

    entry, table, k = view.entry, view.table(dataset), view.size(dataset)
    samples = [fold.train for fold in view.compared_folds(dataset)]
    distance = training_distance(
        row_distances(complete_numbers(table, "distance of rows")), table.y, samples
    )
    query = {**entry, "dataset": dataset}
    stability = {name: view.stability_at(query, name, k) for name in view.selectors}
    return SampleSimilarity(k, distance, stability)

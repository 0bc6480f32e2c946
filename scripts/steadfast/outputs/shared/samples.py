"""What tables and figures of eleven samples share; the last shares no row with the others."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.outputs.keys import ALL_SELECTORS, SIZE, THE_DATASET
from steadfast.outputs.kind import Entry, Kind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class OfSamples(Kind):
    """A kind of table or figure about the samples of `resample.disjoint`."""

    keys: ClassVar[Keys] = {"dataset": THE_DATASET, "size": SIZE, "selectors": ALL_SELECTORS}
    any_size = True
    reads = Reads(selections=True)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """The scheme must draw such samples."""
        super().check(study, entry, where)
        if not study.resample.get("disjoint"):
            raise UserError(
                f"{where}: needs samples without a common row; set resample.disjoint: 0.4"
            )


def sample_subsets(view: View, selector: str) -> list[np.ndarray]:
    """The first features of each of the eleven samples, as many as the entry asks for."""
    from steadfast.resampling.schemes.cross_validation import DISJOINT

    dataset = view.entry["dataset"]
    every = view.selections(dataset, selector, shuffle_ties=True)
    k = size_of(view.entry["size"], len(view.features(dataset)))
    return [every[name].sequence[:k] for name in DISJOINT]


def sample_overlaps(view: View, selector: str) -> np.ndarray:
    """Jaccard's index of every pair of the eleven samples."""
    return jaccard_matrix(sample_subsets(view, selector), len(view.features(view.entry["dataset"])))


def ten_and_last(overlaps: np.ndarray) -> tuple[float, float]:
    """Mean overlap among the ten samples, and of the last one with them."""
    return mean_of_pairs(overlaps[:-1, :-1]), float(overlaps[-1, :-1].mean())


def without_each(overlaps: np.ndarray) -> list[float]:
    """Mean overlap of the samples but one, for each of them."""
    every = np.arange(len(overlaps))
    kept = [np.delete(every, left_out) for left_out in every]
    return [mean_of_pairs(overlaps[np.ix_(rows, rows)]) for rows in kept]

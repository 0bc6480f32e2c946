"""What figures of eleven samples share; the last shares no row with the others."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.outputs.keys import ALL_SELECTORS, SIZE, THE_DATASET
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.view import View
from steadfast.stability.overlaps import size_of

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


class OfSamples(FigureKind):
    """A kind of figure about the samples of `resample.disjoint`."""

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

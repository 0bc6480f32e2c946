"""Tables of what the order of tied features does to stability."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, RATIO, SEVERAL_SELECTORS, SIZE
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View
from steadfast.stability.overlaps import jaccard_matrix, mean_of_pairs, size_of

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("ties")
class Ties(TableKind):
    """Stability with tied features in the study's order, and in the order of their columns."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "size": SIZE,
        "selectors": SEVERAL_SELECTORS,
    }
    any_size = True
    reads = Reads(selections=True)

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        """None: Jaccard's index is computed here."""
        return []

    def build(self, view: View) -> Result:
        names = view.selectors
        header = [f"{name}{end}" for name in names for end in ("", " by column")]
        result = Result(["dataset", "size", *header], [], ["Dataset", "k", *names.values()])
        for dataset in view.datasets:
            k = size_of(view.entry["size"], len(view.features(dataset)))
            pairs = [self._both(view, dataset, name, k) for name in names]
            result.rows.append([dataset, k, *np.ravel(pairs).tolist()])
            shown = [" → ".join(map(plus_minus, pair)) for pair in pairs]
            result.printed.append([view.title(dataset), str(k), *shown])
        order = "drawn anew for each fold" if view.context["ties"] == "random" else "as elsewhere"
        result.notes.append(
            f"Jaccard's index of the first k features, mean over pairs: features of equal weight "
            f"in an order {order} → in the order of their columns, which is the same in every fold "
            "and so makes features without any weight look stable."
        )
        return result

    def _both(self, view: View, dataset: str, selector: str, k: int) -> tuple[float, float]:
        """Stability with ties in the study's order, and by column."""
        folds = [fold.name for fold in view.compared_folds(dataset)]
        values = []
        for shuffled in (True, False):
            every = view.selections(dataset, selector, shuffle_ties=shuffled)
            subsets = [every[name].sequence[:k] for name in folds]
            values.append(mean_of_pairs(jaccard_matrix(subsets, len(view.features(dataset)))))
        return values[0], values[1]

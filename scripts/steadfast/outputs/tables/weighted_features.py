"""Tables of how many features have a weight."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, RATIO, SEVERAL_SELECTORS
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View


@table("weighted_features")
class WeightedFeatures(TableKind):
    """The share of the features that have a weight other than 0, mean over the folds."""

    keys: ClassVar[Keys] = {"dataset": ONE_DATASET, "ratio": RATIO, "selectors": SEVERAL_SELECTORS}
    reads = Reads(stability=True)

    def build(self, view: View) -> Result:
        names = view.selectors
        result = Result(["dataset", "features", *names], [], ["Dataset", "m", *names.values()])
        for dataset in view.datasets:
            m, ratio = view.about(dataset)["features"], view.entry["ratio"]
            shares = [1 - view.zero_weights(dataset, ratio, name) for name in names]
            result.rows.append([dataset, m, *shares])
            shown = ["–" if np.isnan(share) else f"{share:.1%}" for share in shares]
            result.printed.append([view.title(dataset), str(m), *shown])
        result.notes.append(
            "Share of the features whose weight is not 0 in the training rows of a fold, mean over "
            "the folds."
        )
        return result

"""Tables of how far a sample without a common row differs from the others."""

import numpy as np

from steadfast.core.registry import table
from steadfast.measuring.overlaps import mean_of_pairs
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.samples import OfSamples, sample_overlaps, ten_and_last, without_each
from steadfast.outputs.view import View

_COLUMNS = {
    "ten": "Among the ten",
    "last": "Of the last with them",
    "eleven": "All eleven",
    "without last": "Without the last",
    "without another": "Without another, at most",
}


@table("disjoint")
class Disjoint(OfSamples, TableKind):
    """Overlap of eleven samples' selections, the last sample sharing no row with the others."""

    def build(self, view: View) -> Result:
        result = Result(["selector", *_COLUMNS], [], ["Selector", *_COLUMNS.values()])
        for selector, label in view.selectors.items():
            overlaps = sample_overlaps(view, selector)
            without = without_each(overlaps)
            values = [
                *ten_and_last(overlaps),
                mean_of_pairs(overlaps),
                without[-1],
                max(without[:-1]),
            ]
            result.rows.append([selector, *values])
            result.printed.append([label, *map(plus_minus, values)])
        values = np.array([row[1:] for row in result.rows])
        result.notes += [
            f"As measured, of {len(values)} selectors: the last sample is further from the ten "
            f"than they are from each other for {(values[:, 1] < values[:, 0]).sum()}; stability "
            "rises most when the last is left out for "
            f"{(values[:, 3] > np.maximum(values[:, 4], values[:, 2])).sum()}.",
            f"Jaccard's index of the first features of the samples of "
            f"{view.title(view.entry['dataset'])}, mean over pairs.",
        ]
        return result

"""Tables of stability beside the similarity of the training samples."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, SEVERAL_SELECTORS, SIZE, STABILITY
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.sample_similarity import compare_samples
from steadfast.outputs.view import View

#: Marks of selectors that are stable, and that are not.
_YES, _NO = "✓", "✗"


@table("sample_similarity")
class SampleSimilarityTable(TableKind):
    """Stability beside the similarity of the training samples, and who is stable by it."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True, rows=True)
    mean_columns = ("stability",)
    has_published_cells = True

    def build(self, view: View) -> Result:
        selectors = view.selectors
        header = ["dataset", "size", "distance", "similarity"]
        header += [f"{name} stability" for name in selectors]
        printed = ["Dataset", "Features k", "S_X, distance", "S_X, similarity"]
        result = Result(header, [], [*printed, *selectors.values()])
        for dataset in view.datasets:
            samples = compare_samples(view, dataset)
            thresholds = [samples.distance, samples.similarity]
            values = [value for value, _ in samples.stability.values()]
            result.rows.append([dataset, samples.size, *thresholds, *values])
            cells = [
                f"{plus_minus(value, half)} {''.join(_mark(value, each) for each in thresholds)}"
                for value, half in samples.stability.values()
            ]
            key = [view.title(dataset), str(samples.size)]
            result.printed.append([*key, *map(plus_minus, thresholds), *cells])
        result.notes += _notes(view)
        return result


def _mark(value: float, threshold: float) -> str:
    return _YES if value >= threshold else _NO


def _notes(view: View) -> list[str]:
    ratio = view.entry["ratio"]
    shares = []
    for name, label in view.selectors.items():
        own = [view.zero_weights(dataset, ratio, name) for dataset in view.datasets]
        shares.append(f"{label} {float(np.mean(own)):.0%}")
    return [
        f"{view.measure()['label']} of the samples' selections ± half of the 95% "
        f"interval, at perturbation {ratio:g}. First mark: {_YES} stable by the formula "
        "as printed, stability at least S_X as the mean distance of training rows of one class; "
        "second mark: by the text's reading, S_X as 1 minus that distance. Distances are "
        "Euclidean, features from 0 to 1, divided by √m.",
        f"Features without any weight, mean over samples and data sets: {', '.join(shares)}. Where "
        "fewer than k have one, the rest of the k is drawn at random.",
    ]

"""Tables of accuracy at equal stability."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import table
from steadfast.outputs.differences import measure_name
from steadfast.outputs.keys import ONE_DATASET, SEVERAL_SELECTORS, STABILITY_AND_ACCURACY
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View

_NAN = float("nan")


@table("at_stability")
class AtStability(TableKind):
    """The highest accuracy at sizes that reach a level of stability."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": ONE_DATASET,
        "levels": list_of(
            "Levels of stability.", {"type": "number"}, default=[0.5, 0.6, 0.7, 0.8, 0.9]
        ),
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True, accuracy=True)

    def build(self, view: View) -> Result:
        entry, selectors = view.entry, view.selectors
        header = ["dataset", "level"]
        header += [column for name in selectors for column in (name, f"{name} size")]
        result = Result(header, [], ["Dataset", "Stability of at least", *selectors.values()])
        for dataset in view.datasets:
            for level in entry["levels"]:
                pairs = [self._best(view, dataset, name, level) for name in selectors]
                result.rows.append([dataset, level, *(value for pair in pairs for value in pair)])
                cells = ["–" if np.isnan(best) else f"{best:.3f} ({k:g})" for best, k in pairs]
                result.printed.append([view.title(dataset), f"{level:g}", *cells])
        result.notes.append(
            f"{view.score.label} of {view.classifiers[entry['classifier']]}, mean over the folds, "
            "and in brackets the smallest size that has it, among the sizes scored whose "
            f"stability ({measure_name(view.measure())}) reaches the level. – : no such size."
        )
        return result

    def _best(self, view: View, dataset: str, selector: str, level: float) -> tuple[float, float]:
        """The best accuracy and the smallest size that has it; NaN where there is none."""
        query = {**view.entry, "dataset": dataset, "of": "stability"}
        stability = view.curves.find(query, selector)
        accuracy = view.curves.find({**query, "of": "accuracy"}, selector)
        if stability is None or accuracy is None:
            return _NAN, _NAN
        sign, better = view.direction(query), view.score.direction
        enough = set(stability.sizes[sign * stability.values >= sign * level].tolist())
        scored = [
            (better * value, -int(k))
            for k, value in zip(accuracy.sizes, accuracy.values, strict=True)
            if int(k) in enough
        ]
        if not scored:
            return _NAN, _NAN
        best, size = max(scored)
        return float(better * best), float(-size)

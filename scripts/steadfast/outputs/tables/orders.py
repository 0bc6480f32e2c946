"""Tables of several selectors' stability under several measures."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.differences import mean_interval, measure_name
from steadfast.outputs.keys import ONE_DATASET, RATIO, SEVERAL_SELECTORS
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View
from steadfast.statistics.correlation import spearman

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("orders")
class Orders(TableKind):
    """The stability of several selectors under each measure, and how far their order agrees.

    Stability has intervals; the order is compared with that under the first measure.
    """

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "selectors": SEVERAL_SELECTORS.but(
            description="Selectors that are compared.", required=True
        ),
    }
    reads = Reads(stability=True)

    def measures(self, study: "Study", entry: Entry) -> None:
        return None

    def build(self, view: View) -> Result:
        selectors = view.selectors
        header = ["dataset", "measure", "compare"]
        header += [f"{name}{end}" for name in selectors for end in ("", " low", " high")]
        printed = ["Dataset", "Measure", *selectors.values()]
        printed += ["Highest mean", "Rank correlation with first"]
        result = Result([*header, "best", "correlation"], [], printed)
        for dataset in view.datasets:
            self._add(view, dataset, result)
        result.notes.append(
            f"Stability at r = {view.entry['ratio']:g}, mean over all subset sizes ± half of the "
            "95% interval. Rank correlation with first: Spearman's, of the selectors' stability "
            "with that under the first measure. (Ranks at each size, then averaged, may order "
            "them otherwise.)"
        )
        return result

    def _add(self, view: View, dataset: str, result: Result) -> None:
        """One row per measure."""
        selectors, order = view.selectors, None
        for info in view.context["measures"]:
            query = {**info, "dataset": dataset, "ratio": view.entry["ratio"]}
            intervals = [mean_interval(view.curves.units(query, name)) for name in selectors]
            means = np.array([each.mean for each in intervals]) * (-1 if info["distance"] else 1)
            order = means if order is None else order
            defined = not np.isnan(means).any()
            best = list(selectors)[int(np.argmax(means))] if defined else ""
            agreement = spearman(order, means) if defined else float("nan")
            key = [dataset, info["measure"], info["compare"]]
            numbers = [value for interval in intervals for value in interval]
            result.rows.append([*key, *numbers, best, agreement])
            cells = [plus_minus(mean, (high - low) / 2) for mean, low, high in intervals]
            last = [selectors.get(best, "–"), plus_minus(agreement)]
            result.printed.append([view.title(dataset), measure_name(info), *cells, *last])

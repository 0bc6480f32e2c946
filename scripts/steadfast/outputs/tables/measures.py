"""Tables of two selectors' stability under several measures."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.differences import SIGNS, marked_interval, measure_name
from steadfast.outputs.keys import ONE_DATASET, RATIOS, TWO_SELECTORS
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("measures")
class Measures(TableKind):
    """The difference of two selectors' stability under each measure, with intervals."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratios": RATIOS,
        "selectors": TWO_SELECTORS,
    }
    reads = Reads(stability=True)

    def measures(self, study: "Study", entry: Entry) -> None:
        return None

    def build(self, view: View) -> Result:
        entry, infos = view.entry, view.context["measures"]
        first, second = entry["selectors"]
        header = ["dataset", "ratio", "measure", "compare", "difference", "low", "high"]
        result = Result(header, [], ["Dataset", "r", *map(measure_name, infos)])
        for dataset in view.datasets:
            for ratio in entry["ratios"]:
                cells = []
                for info in infos:
                    query = {**info, "dataset": dataset, "ratio": ratio}
                    interval = view.difference(query, first, second)
                    key = [dataset, ratio, info["measure"], info["compare"]]
                    result.rows.append([*key, *interval])
                    cells.append(marked_interval(interval, info["distance"]))
                result.printed.append([view.title(dataset), f"{ratio:g}", *cells])
        labels = [view.selectors[selector] for selector in (first, second)]
        result.notes.append(
            f"Stability of {labels[0]} minus that of {labels[1]}, mean over all subset sizes, with "
            f"the 95% interval; {SIGNS}. Both selectors see the same resamples, so the interval is "
            "that of paired differences: over the resamples (reference), or over the jackknife's "
            "pseudo-values of the resamples (all pairs). It is about resamples of this data set, "
            "not other data sets."
        )
        return result

"""Tables of stability at a subset size under every measure of a study."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, RATIO, SEVERAL_SELECTORS, SIZE
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("measures_at")
class MeasuresAt(TableKind):
    """Stability at a subset size under every measure of the study, beside chance."""

    keys: ClassVar[Keys] = {
        "dataset": ONE_DATASET,
        "ratio": RATIO,
        "size": SIZE,
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True, chance=True)

    def measures(self, study: "Study", entry: Entry) -> None:
        return None

    def build(self, view: View) -> Result:
        names = view.selectors
        header = ["dataset", "measure", "size", "chance"]
        header += [f"{name}{end}" for name in names for end in ("", " half")]
        result = Result(header, [], ["Dataset", "Measure", "k", "Chance", *names.values()])
        for dataset in view.datasets:
            k = view.size(dataset)
            for info in view.context["measures"]:
                query = {**view.entry, **info, "dataset": dataset}
                chance = view.chance_at(query, k)
                values = [view.stability_at(query, name, k) for name in names]
                flat = [number for value in values for number in value]
                result.rows.append([dataset, info["measure"], k, chance, *flat])
                label = f"{info['label']}{' (distance)' if info['distance'] else ''}"
                cells = [plus_minus(chance), *(plus_minus(*value) for value in values)]
                result.printed.append([view.title(dataset), label, str(k), *cells])
        result.notes.append(
            "Mean over the pairs of folds ± half of the 95% interval, of the first k features; "
            "chance is the value of random selection, where it is known. Measures of ranks and "
            "weights take all features after the k-th as tied."
        )
        return result

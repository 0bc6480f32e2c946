"""Tables of what selections cost."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import SEVERAL_SELECTORS, THE_DATASET
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("cost")
class Cost(TableKind):
    """How many rankings a selection computes, and on how many rows in all."""

    keys: ClassVar[Keys] = {"dataset": THE_DATASET, "selectors": SEVERAL_SELECTORS}
    reads = Reads(selections=True)
    is_timed = True

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        names = self.selectors(study, entry)
        return {"passes": {name: study.selectors[name].passes for name in names}}

    def build(self, view: View) -> Result:
        dataset = view.entry["dataset"]
        header = ["selector", "rankings", "fewest", "most", "training_sets_read"]
        printed = ["Selector", "Rankings a selection", "Fewest", "Most", "Training sets read"]
        result = Result(header, [], printed)
        for selector, label in view.selectors.items():
            passes = view.context["passes"][selector]
            every = view.selections(dataset, selector).values()
            counts = np.array(
                [one.iterations or passes["rankings"] for one in every if not one.note]
            )
            if not counts.size:
                continue
            numbers = [counts.mean(), counts.min(), counts.max(), counts.mean() * passes["share"]]
            result.rows.append([selector, *map(float, numbers)])
            result.printed.append([label, *(f"{value:.3g}" for value in numbers)])
        result.notes.append(
            f"{view.title(dataset)}. Training sets read: rankings times the share of the training "
            "rows that each sees. Times are in `benchmarks/STUDY/times.md` of the results."
        )
        return result

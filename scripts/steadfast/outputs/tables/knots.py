"""Tables of knots."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, SEVERAL_SELECTORS, SMALLEST, STABILITY
from steadfast.outputs.kind import Entry, Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.knots import Knot

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@table("knots")
class Knots(TableKind):
    """Knots: the size at the end of the plateau of stability beyond chance."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset": ONE_DATASET,
        "smallest": SMALLEST,
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True, chance=True)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        (info,) = study.measure_infos([entry])
        if info["distance"]:
            raise UserError(
                f"{where}: {entry['measure']} is a distance; knots are those of a similarity"
            )

    def build(self, view: View) -> Result:
        entry = view.entry
        header = ["dataset", "selector", *Knot._fields]
        printed = ["Dataset", "Selector", "Size", "Plateau from", "Stability", "(S − E)/(1 − E)"]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            for selector, label in view.selectors.items():
                knot = view.knot({**entry, "dataset": dataset}, selector, entry["smallest"])
                result.rows.append([dataset, selector, *(knot or [""] * len(Knot._fields))])
                cells = ["–"] * 4
                if knot:
                    cells = [str(knot.size), str(knot.begins)]
                    cells += [f"{knot.stability:.3f}", f"{knot.excess:.3f}"]
                result.printed.append([view.title(dataset), label, *cells])
        result.notes.append(
            f"The knot of a curve, for N from {entry['smallest']} on and E below 0.9: the end of "
            "the plateau (within 0.01 of the largest value) of (S − E)/(1 − E), S being the "
            "stability and E its value for random selection; – where that falls from the first "
            "size on, or never. A long plateau says that no one size stands out."
        )
        return result

"""Tables of sizes at which stability peaks."""

from typing import ClassVar

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import table
from steadfast.outputs.keys import ONE_DATASET, SEVERAL_SELECTORS, STABILITY
from steadfast.outputs.kind import Reads, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.knots import PEAK, peaks


@table("peaks")
class Peaks(TableKind):
    """Sizes at which stability peaks, as candidates for the number of features."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset": ONE_DATASET,
        "largest": whole("Largest size at which a peak is looked for.", least=3, default=100),
        "selectors": SEVERAL_SELECTORS,
    }
    reads = Reads(stability=True)

    def build(self, view: View) -> Result:
        largest = view.entry["largest"]
        header = ["dataset", "selector", "size", "stability", "prominence"]
        result = Result(header, [], ["Dataset", "Selector", "Peaks: size (stability)"])
        for dataset in view.datasets:
            query = {**view.entry, "of": "stability", "dataset": dataset}
            for selector, label in view.selectors.items():
                curve = view.curves.find(query, selector)
                own = peaks(curve.up_to(largest)) if curve else []
                result.rows += [[dataset, selector, *peak] for peak in own]
                shown = ", ".join(f"{peak.size} ({peak.stability:.2f})" for peak in own)
                result.printed.append([view.title(dataset), label, shown or "none"])
        result.notes.append(
            f"Local maxima of the {view.measure()['label']} stability up to {largest} features "
            f"that stand out by at least {PEAK:g} on both sides. A peak is where the folds agree "
            "better than on more and on fewer features; it is no test of relevance."
        )
        return result

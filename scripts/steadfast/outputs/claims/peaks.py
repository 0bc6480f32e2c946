"""Claims that stability peaks at a small number of features."""

from typing import ClassVar

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.keys import SELECTORS, STABILITY
from steadfast.outputs.kind import Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import AGAINST, FOR, Case
from steadfast.outputs.view import View
from steadfast.statistics.knots import PEAK, peaks


@claim("peaks")
class Peaks(ClaimKind):
    """Whether stability has a peak among the first features."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "first": whole("Largest size at which a peak counts.", least=3, required=True),
        "largest": whole("Largest size at which a peak is looked for.", least=3, default=100),
        "selectors": SELECTORS,
    }
    reads = Reads(stability=True)
    all_selectors = True

    def build(self, view: View, published: ByTable) -> Outcome:
        entry, cases, rows = view.entry, [], []
        selectors = entry.get("selectors", view.selectors)
        for dataset in view.datasets:
            query = {**entry, "of": "stability", "dataset": dataset}
            for selector in selectors:
                curve = view.curves.find(query, selector)
                if curve is None or not curve.sizes.size:
                    continue
                found = peaks(curve.up_to(entry["largest"]))
                named = [view.title(dataset), view.selectors[selector]]
                early = any(peak.size <= entry["first"] for peak in found)
                cases.append(Case(", ".join(reversed(named)), FOR if early else AGAINST))
                shown = ", ".join(f"{peak.size} ({peak.stability:.2f})" for peak in found)
                rows.append([*named, shown or "none"])
        return Outcome(
            cases=cases,
            statement=f"Stability has a peak among the first {entry['first']} features",
            unit="a selector and a data set",
            rule=(
                "A case is a selector and a data set. It speaks for the claim where stability has "
                f"a local maximum up to {entry['first']} features that stands out by at least "
                f"{PEAK:g} on both sides, and against it else (single values)."
            ),
            details=markdown_rows(["Dataset", "Selector", "Peaks: size (stability)"], rows),
        )

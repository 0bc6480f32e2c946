"""Claims that some measures of one selector are higher than others."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.result import markdown_rows, plus_minus
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.shared.profiles import MEASURES, OfProfile, profile_of
from steadfast.outputs.view import View

#: Smaller steps are rounding.
_EQUAL = 1e-9


@claim("measure_order")
class MeasureOrder(OfProfile, ClaimKind):
    """Whether the measures of one selector stand in a stated order, the highest first."""

    keys: ClassVar[Keys] = {
        **OfProfile.keys,
        "measures": MEASURES.but(
            description="Measures of a profile, the one said to be highest first.",
            schema={"minItems": 2},
        ),
        "selectors": ALL_SELECTORS.but(required=True),
    }

    def build(self, view: View, published: ByTable) -> list[str]:
        """Per selector, on how many data sets each stands above the next."""
        entry = view.entry
        rows, lines = [], []
        for selector in entry["selectors"]:
            found = []
            for dataset in view.datasets:
                pairs = profile_of(view, dataset, selector, entry, entry["measures"])
                steps = _falls([value for value, _ in pairs])
                found.append(steps)
                cells = [plus_minus(value, half, 3) for value, half in pairs]
                named = [view.title(dataset), view.selectors[selector]]
                rows.append([*named, *cells, _verdict(steps)])
            lines.append(f"- {view.selectors[selector]}: {_count(found)}")
        header = ["Dataset", "Selector", *(PROFILE[name] for name in entry["measures"])]
        note = (
            f"S_S of the first {entry['size']} features. " if "jaccard" in entry["measures"] else ""
        )
        return [
            "As measured:",
            "",
            *lines,
            "",
            *markdown_rows([*header, "As claimed"], rows),
            "",
            f"{note}± half of the 95% interval over the outer folds; – : undefined, and left out.",
            "",
        ]


def _falls(values: Sequence[float]) -> np.ndarray:
    """By how much each defined value exceeds the next one; steps of rounding are 0."""
    steps = -np.diff([value for value in values if not np.isnan(value)])
    return np.where(np.abs(steps) < _EQUAL, 0.0, steps)


def _verdict(steps: np.ndarray) -> str:
    if not steps.size:
        return "–"
    return "equal" if not steps.any() else "yes" if (steps > 0).all() else "no"


def _count(found: Sequence[np.ndarray]) -> str:
    verdicts = [_verdict(steps) for steps in found]
    smallest = [steps.min() for steps in found if steps.size]
    text = f"in this order on {verdicts.count('yes')} of {len(verdicts)} data sets"
    if verdicts.count("equal"):
        text += f", equal on {verdicts.count('equal')}"
    if smallest:
        text += f"; the smallest step is {min(smallest):+.3f}"
    return text + "."

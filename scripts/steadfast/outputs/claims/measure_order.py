"""Claims that some measures of one selector are higher than others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows, plus_minus
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.shared.profiles import profile_of, require_profile
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Smaller steps are rounding.
_EQUAL = 1e-9


@claim("measure_order")
class MeasureOrder(ClaimKind):
    """Whether the measures of one selector stand in a stated order, the highest first."""

    keys: ClassVar[Keys] = {
        "measures": list_of(
            "Measures of a profile, the one said to be highest first.",
            {"enum": list(PROFILE)},
            least=2,
            required=True,
        ),
        "selectors": keys.ALL_SELECTORS.but(required=True),
        "ratio": keys.RATIO,
        "size": keys.WHOLE_SIZE,
    }
    any_size = True
    reads = Reads(stability=True)

    def measures(self, study: "Study", entry: Entry) -> list[Entry]:
        return [{"measure": name, "compare": "all_pairs"} for name in entry["measures"]]

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        require_profile(study, entry["measures"], where)

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

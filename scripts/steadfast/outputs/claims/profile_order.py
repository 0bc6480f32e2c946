"""Claims that a selector is more stable than others in its weights, ranks or subsets."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.shared.profiles import OfProfile, profile_of
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("profile_order")
class ProfileOrder(OfProfile, ClaimKind):
    """Whether one selector is above others by measures of a profile."""

    keys: ClassVar[Keys] = {
        "better": keys.BETTER,
        "than": keys.ALL_SELECTORS.but(description="Selectors it is compared with.", required=True),
        **OfProfile.keys,
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], *entry["than"]]

    def build(self, view: View, published: ByTable) -> list[str]:
        """Per measure and other selector, on how many data sets the first one is above it."""
        entry, rows, lines = view.entry, [], []
        label = view.selectors[entry["better"]]
        for measure in entry["measures"]:
            for other in entry["than"]:
                apart = [self._apart(view, dataset, measure, other) for dataset in view.datasets]
                known = [each for each in apart if not np.isnan(each)]
                if not known:
                    continue
                rows += [
                    [PROFILE[measure], view.selectors[other], view.title(dataset), f"{each:+.3f}"]
                    for dataset, each in zip(view.datasets, apart, strict=True)
                    if not np.isnan(each)
                ]
                above = sum(each > 0 for each in known)
                lines.append(
                    f"- {PROFILE[measure]}: {label} is above {view.selectors[other]} on {above} of "
                    f"{len(known)} data sets; mean difference {np.mean(known):+.3f}."
                )
        header = ["Measure", "Against", "Dataset", f"{label} minus that"]
        return ["As measured:", "", *lines, "", *markdown_rows(header, rows), ""]

    def _apart(self, view: View, dataset: str, measure: str, other: str) -> float:
        entry = view.entry
        pair = (
            profile_of(view, dataset, selector, entry, [measure])[0][0]
            for selector in (entry["better"], other)
        )
        return float(np.subtract(*pair))

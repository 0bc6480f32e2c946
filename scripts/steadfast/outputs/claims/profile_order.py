"""Claims that a selector is more stable than others in its weights, ranks or subsets."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import single_value
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.named_measures import PROFILE
from steadfast.outputs.shared.profiles import OfProfile, profile_of
from steadfast.outputs.verdict import EXPECT, STABLE, Case, judge, listed, rule_of_cases, state
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


#: What may differ between cases, beside the data set.
_PARTS = {"measures": "a measure", "than": "another selector"}


@claim("profile_order")
class ProfileOrder(OfProfile, ClaimKind):
    """Whether one selector is above others by measures of a profile."""

    keys: ClassVar[Keys] = {
        "better": keys.BETTER,
        "than": keys.ALL_SELECTORS.but(description="Selectors it is compared with.", required=True),
        **OfProfile.keys,
        "expect": EXPECT,
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], *entry["than"]]

    def build(self, view: View, published: ByTable) -> Outcome:
        """Per measure, other selector and data set, whether the first one is above it."""
        entry, rows, cases = view.entry, [], []
        label = view.selectors[entry["better"]]
        for measure in entry["measures"]:
            for other in entry["than"]:
                for dataset in view.datasets:
                    apart = self._apart(view, dataset, measure, other)
                    if np.isnan(apart):
                        continue
                    named = [PROFILE[measure], view.selectors[other], view.title(dataset)]
                    side = judge(entry["expect"], single_value(apart))
                    told = [named[at] for at, key in enumerate(_PARTS) if len(entry[key]) > 1]
                    cases.append(Case(", ".join([*told, named[-1]]), side, apart))
                    rows.append([*named, f"{apart:+.3f}"])
        others = " and ".join(view.selectors[name] for name in entry["than"])
        several = [word for key, word in _PARTS.items() if len(entry[key]) > 1]
        unit = listed([*several, "a data set"])
        names = " and ".join(PROFILE[name] for name in entry["measures"])
        return Outcome(
            cases=cases,
            statement=f"By {names}, {state(entry['expect'], label, others, STABLE)}",
            unit=unit,
            rule=rule_of_cases(unit, "the difference", entry["expect"], by_value=True),
            details=markdown_rows(["Measure", "Against", "Dataset", f"{label} minus that"], rows),
        )

    def _apart(self, view: View, dataset: str, measure: str, other: str) -> float:
        entry = view.entry
        pair = (
            profile_of(view, dataset, selector, entry, [measure])[0][0]
            for selector in (entry["better"], other)
        )
        return float(np.subtract(*pair))

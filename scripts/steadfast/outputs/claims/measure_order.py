"""Claims that some measures of one selector are higher than others."""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import single_value
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.result import markdown_rows, plus_minus
from steadfast.outputs.shared.named_measures import PROFILE, PROFILE_IN_WORDS
from steadfast.outputs.shared.profiles import MEASURES, OfProfile, profile_of
from steadfast.outputs.verdict import (
    EXPECT,
    FOR,
    HIGH,
    Case,
    Expect,
    capital,
    judge,
    listed,
    rule_of_cases,
    signed,
    state,
)
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
        "expect": EXPECT.but(
            description="What is claimed of each measure minus the next: `above: x`, `below: x` or "
            "`within: m`."
        ),
    }

    def build(self, view: View, published: ByTable) -> Outcome:
        """Per selector and data set, whether each stands above the next."""
        entry, expect = view.entry, view.entry["expect"]
        rows, cases, smallest = [], [], []
        for selector in entry["selectors"]:
            for dataset in view.datasets:
                pairs = profile_of(view, dataset, selector, entry, entry["measures"])
                steps = _falls([value for value, _ in pairs])
                named = [view.title(dataset), view.selectors[selector]]
                cells = [plus_minus(value, half, 3) for value, half in pairs]
                if steps.size:
                    cases.append(Case(", ".join(reversed(named)), _side(steps, expect)))
                    smallest.append(steps[np.abs(steps).argmax()] if _equal(expect) else min(steps))
                    cells.append("yes" if cases[-1].side == FOR else "no")
                else:
                    cells.append("–")
                rows.append([*named, *cells])
        labels = [PROFILE[name] for name in entry["measures"]]
        note = f"S_S of the first {entry['size']} features. " if "S_S" in labels else ""
        note += "± half of the 95% interval over the outer folds; – : undefined, and left out."
        several = len(entry["selectors"]) > 1
        unit = "a selector and a data set" if several else "a data set"
        of = "" if several else f" of {view.selectors[entry['selectors'][0]]}"
        number = listed([f"{one} minus {next_}" for one, next_ in pairwise(labels)])
        steps = " Every step must be so." if len(labels) > 2 else ""
        return Outcome(
            cases=cases,
            statement=_statement(
                [PROFILE_IN_WORDS[name] for name in entry["measures"]], expect, of
            ),
            unit=unit,
            rule=rule_of_cases(unit, number, expect, by_value=True) + steps,
            more=_extreme(smallest, expect),
            details=[
                *markdown_rows(["Dataset", "Selector", *labels, "As claimed"], rows),
                "",
                note,
            ],
        )


def _statement(names: Sequence[str], expect: Expect, of: str) -> str:
    """Each of the measures against the next."""
    steps = [
        state(expect, f"the {one}{of}", f"the {next_}", HIGH) for one, next_ in pairwise(names)
    ]
    return capital(listed(steps))


def _falls(values: Sequence[float]) -> np.ndarray:
    """By how much each defined value exceeds the next one; steps of rounding are 0."""
    steps = -np.diff([value for value in values if not np.isnan(value)])
    return np.where(np.abs(steps) < _EQUAL, 0.0, steps)


def _side(steps: np.ndarray, expect: Expect) -> int:
    """The side of the step that says least for the claim."""
    return min(judge(expect, single_value(step)) for step in steps)


def _equal(expect: Expect) -> bool:
    return "within" in expect


def _extreme(steps: Sequence[float], expect: Expect) -> str:
    """The step that says least for the claim."""
    if not steps:
        return ""
    if _equal(expect):
        return f"The largest difference is {signed(max(steps, key=abs))}."
    return f"The smallest step is {signed(min(steps))}."

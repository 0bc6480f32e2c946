"""Claims that one selector is more stable than another, whatever the measure."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import measure_name, turn
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import (
    AGAINST,
    FOR,
    OPEN,
    STABLE,
    Case,
    count,
    judge,
    rule_of_cases,
    state,
)
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_MORE_STABLE = {"above": 0}


@claim("measures")
class Measures(ClaimKind):
    """Whether one selector is more stable than another under every measure of the study."""

    keys: ClassVar[Keys] = {"better": keys.BETTER, "than": keys.THAN, "ratios": keys.RATIOS}
    reads = Reads(stability=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], entry["than"]]

    def measures(self, study: "Study", entry: Entry) -> None:
        return None

    def build(self, view: View, published: ByTable) -> Outcome:
        """In how many cases the interval of the difference lies on either side, per measure."""
        better, than = (view.selectors[view.entry[key]] for key in ("better", "than"))
        rows, every = [], []
        for info in view.context["measures"]:
            own = _cases(view, info)
            every += own
            counts = (f"{count(own, side)} of {len(own)}" for side in (FOR, OPEN, AGAINST))
            mean = f"{np.mean([case.value for case in own]):+.3f}" if own else "–"
            rows.append([measure_name(info), *counts, mean])
        unit = "a measure and a data set"
        if len(view.entry["ratios"]) > 1:
            unit = "a measure, a data set and a share of rows"
        header = ["Measure", f"{better} more stable", "Open", f"{than} more stable"]
        number = "the difference of stability, mean over all subset sizes,"
        return Outcome(
            # Measures have scales of their own: there is no mean over them.
            cases=[case._replace(value=float("nan")) for case in every],
            statement=state(_MORE_STABLE, better, than, STABLE),
            unit=unit,
            rule=rule_of_cases(unit, number, _MORE_STABLE),
            details=markdown_rows([*header, "Mean difference"], rows),
        )


def _cases(view: View, info: dict[str, Any]) -> list[Case]:
    """Data sets and ratios under one measure, with the difference as the measure has it."""
    entry, found = view.entry, []
    for dataset in view.datasets:
        for ratio in entry["ratios"]:
            query = {**info, "dataset": dataset, "ratio": ratio}
            interval = view.difference(query, entry["better"], entry["than"])
            if np.isnan(interval.mean):
                continue
            name = f"{measure_name(info)}, {view.title(dataset)}"
            name += f", r = {ratio:g}" if len(entry["ratios"]) > 1 else ""
            side = judge(_MORE_STABLE, turn(interval, info["distance"]))
            found.append(Case(name, side, interval.mean))
    return found

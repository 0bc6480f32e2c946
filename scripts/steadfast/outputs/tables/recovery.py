"""Tables of what selectors find on scenarios of known truth, and what of it is false."""

from typing import ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.recovery import (
    SCENARIOS,
    OfRecovery,
    Recovery,
    recoveries,
    standard_error,
)
from steadfast.outputs.view import View

_NUMBERS = ("recall", "false_share", "any_false", "chosen")


@table("recovery")
class RecoveryTable(OfRecovery, TableKind):
    """Recall and share of false features of each selector on scenarios of known truth."""

    keys: ClassVar[Keys] = {"scenarios": SCENARIOS, "selectors": ALL_SELECTORS}

    def build(self, view: View) -> Result:
        errors = [f"{name}_se" for name in _NUMBERS]
        header = ["scenario", "selector", "sets"]
        header += [name for pair in zip(_NUMBERS, errors, strict=True) for name in pair]
        result = Result(header, [], ["Scenario", *view.selectors.values()])
        cells: dict[str, list[str]] = {}
        with_signal = set()
        for scenario, selector, found in recoveries(view):
            numbers = []
            for name in _NUMBERS:
                values = getattr(found, name)
                numbers += [float(values.mean()), standard_error(values)]
            result.rows.append([scenario, selector, found.chosen.size, *numbers])
            cells.setdefault(scenario, []).append(_cell(found))
            with_signal.add(found.has_signal)
        titles = view.context["scenarios"]
        result.printed = [[titles[name], *row] for name, row in cells.items()]
        result.notes.append(" ".join(_NOTES[kind] for kind in sorted(with_signal, reverse=True)))
        return result


def _cell(found: Recovery) -> str:
    if not found.has_signal:
        return f"{found.any_false.mean():.2f}"
    return f"{plus_minus(found.recall.mean())} / {found.false_share.mean():.2f}"


#: By whether a scenario has relevant features.
_NOTES = {
    True: "Recall / share of noise among the chosen features, means over data sets. Of features in "
    "blocks, recall is the share of blocks of which one is chosen.",
    False: "A single number: no feature is relevant, and it is the share of data sets in which any "
    "is chosen.",
}

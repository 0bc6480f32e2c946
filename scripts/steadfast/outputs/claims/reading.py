"""Claims about what a paper computed: which of several readings gives the printed numbers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, text
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import NOT_PUBLISHED, ByTable, ClaimKind, Outcome, no_case
from steadfast.outputs.differences import single_value
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.published import Pair
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import Case, judge, rule_of_cases
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("reading")
class Reading(ClaimKind):
    """How close selectors come to the stability that the paper prints for one of them."""

    keys: ClassVar[Keys] = {
        **keys.STABILITY,
        "table": text(
            "Table with the printed numbers, by data set and size.", names="table", required=True
        ),
        "printed": keys.SELECTOR.but(description="Selector that the paper prints them for."),
        "selectors": keys.SEVERAL_SELECTORS.but(
            description="Selectors that may be what it ran.", required=True
        ),
        "claimed": text("The one that is said to be.", names="selector", required=True),
        "within": Key(
            "How far from the printed number it may lie.", {"type": "number"}, default=0.05
        ),
    }
    reads = Reads(stability=True)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        if entry["claimed"] not in entry["selectors"]:
            raise UserError(f"{where}.claimed: {entry['claimed']} must be among its selectors")

    def build(self, view: View, published: ByTable) -> Outcome:
        """Mean difference and ratio to the printed numbers, per data set and reading."""
        entry = view.entry
        column = f"{entry['printed']} stability"
        pairs = [pair for pair in published.get(entry["table"], []) if pair.column == column]
        rows, cases, apart = [], [], {name: [] for name in entry["selectors"]}
        for dataset in view.datasets:
            own = [pair for pair in pairs if pair.row.partition(" ")[0] == dataset]
            if not own:
                continue
            rows.append(_printed_row(view.title(dataset), own))
            printed = np.array([pair.published for pair in own])
            for name, found in apart.items():
                values = np.array([self._value(view, dataset, name, pair) for pair in own])
                found += list(values - printed)
                rows.append(_row(view, dataset, name, values, printed))
            cases += [
                Case(f"{view.title(dataset)}, N = {_size(pair)}", *_judged(entry, difference))
                for pair, difference in zip(own, apart[entry["claimed"]][-len(own) :], strict=True)
            ]
        if not cases:
            return no_case(NOT_PUBLISHED)
        lines = [
            f"- {view.selectors[name]}: mean absolute difference {np.mean(np.abs(found)):.3f}."
            for name, found in apart.items()
        ]
        header = ["Dataset", "Reading", "Stability", "Mean difference", "Times the printed"]
        unit, claimed = "a data set and a size", view.selectors[entry["claimed"]]
        number, expect = "the difference to the printed number", {"within": entry["within"]}
        return Outcome(
            cases=cases,
            statement=f"The printed number is that of {claimed} to within {entry['within']:g}",
            unit=unit,
            rule=rule_of_cases(unit, number, expect, by_value=True),
            details=[*lines, "", *markdown_rows(header, rows)],
        )

    def _value(self, view: View, dataset: str, selector: str, pair: Pair) -> float:
        query = {**view.entry, "dataset": dataset}
        return view.stability_at(query, selector, int(_size(pair)))[0]


def _judged(entry: Entry, difference: float) -> tuple[int, float]:
    return judge({"within": entry["within"]}, single_value(difference)), difference


def _size(pair: Pair) -> str:
    return pair.row.partition(" ")[2]


def _printed_row(title: str, pairs: Sequence[Pair]) -> list[str]:
    sizes = ", ".join(map(_size, pairs))
    cells = ", ".join(f"{pair.published:.2f}" for pair in pairs)
    return [title, f"as printed, N = {sizes}", cells, "", ""]


def _row(
    view: View, dataset: str, selector: str, values: np.ndarray, printed: np.ndarray
) -> list[str]:
    """A reading beside the printed numbers."""
    mean = f"{np.mean(np.abs(values - printed)):.3f}"
    shown = ", ".join(f"{value:.3f}" for value in values)
    ratio = float(np.median(values / printed))
    return [view.title(dataset), view.selectors[selector], shown, mean, f"{ratio:.2g}"]

"""Claims about what a paper computed: which of several readings gives the printed numbers."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, text
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import NOT_TESTED, ByTable, ClaimKind
from steadfast.outputs.kind import Reads
from steadfast.outputs.published import Pair
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.view import View


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
    }
    reads = Reads(stability=True)

    def build(self, view: View, published: ByTable) -> list[str]:
        """Mean difference and ratio to the printed numbers, per data set and reading."""
        entry = view.entry
        column = f"{entry['printed']} stability"
        pairs = [pair for pair in published.get(entry["table"], []) if pair.column == column]
        if not pairs:
            return [NOT_TESTED, ""]
        rows, apart = [], {name: [] for name in entry["selectors"]}
        for dataset in view.datasets:
            own = [pair for pair in pairs if pair.row.partition(" ")[0] == dataset]
            if not own:
                continue
            sizes = ", ".join(pair.row.partition(" ")[2] for pair in own)
            cells = [f"{pair.published:.2f}" for pair in own]
            rows.append([view.title(dataset), f"as printed, N = {sizes}", ", ".join(cells), "", ""])
            for name in entry["selectors"]:
                values = np.array([self._value(view, dataset, name, pair) for pair in own])
                printed = np.array([pair.published for pair in own])
                apart[name] += list(np.abs(values - printed))
                ratio = float(np.median(values / printed))
                mean = f"{np.mean(np.abs(values - printed)):.3f}"
                shown = ", ".join(f"{value:.3f}" for value in values)
                rows.append(
                    [view.title(dataset), view.selectors[name], shown, mean, f"{ratio:.2g}"]
                )
        lines = [
            f"- {view.selectors[name]}: mean absolute difference {np.mean(found):.3f}."
            for name, found in apart.items()
        ]
        header = ["Dataset", "Reading", "Stability", "Mean difference", "Times the printed"]
        return ["As measured:", "", *lines, "", *markdown_rows(header, rows), ""]

    def _value(self, view: View, dataset: str, selector: str, pair: Pair) -> float:
        k = int(pair.row.partition(" ")[2])
        return view.stability_at({**view.entry, "dataset": dataset}, selector, k)[0]

"""Figures of stability by the amount of perturbation."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import (
    CHANCE,
    COMPARE,
    MEASURE,
    ONE_DATASET,
    RATIOS,
    SELECTORS_BESIDE_CHANCE,
    SIZE,
)
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: How far marks of two selectors are apart: beside each other at a named ratio, or hardly where a
#: line joins them.
_APART, _SHIFTED = 0.14, 0.009


@figure("perturbation")
class Perturbation(FigureKind):
    """Stability by the share of rows in which samples differ, one panel per data set."""

    keys: ClassVar[Keys] = {
        "measure": MEASURE,
        "compare": COMPARE,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "smallest": whole("Smallest size, taken where `size` is fewer features.", default=1),
        "ratios": RATIOS.but(
            description="Shares of perturbation, side by side; lines over all if left out.",
            required=False,
        ),
        "chance": CHANCE.but(description="Whether random selection is shown too."),
        "selectors": SELECTORS_BESIDE_CHANCE,
    }
    reads = Reads(stability=True)

    def reads_of(self, entry: Entry) -> Reads:
        return Reads(stability=True, chance=entry["chance"])

    def build(self, view: View) -> "Figure":
        entry, columns = view.entry, min(3, len(view.datasets))
        figure, axes = panels.page_grid(len(view.datasets), entry["title"], columns, 2.7)
        for dataset, ax in zip(view.datasets, axes, strict=True):
            k = view.size(dataset, entry["smallest"])
            for number in range(len(view.selectors)):
                _draw_selector(ax, view, dataset, k, number)
            if entry["chance"]:
                level = view.chance_at({**entry, "dataset": dataset}, k)
                ax.axhline(level, label="Random selection", **panels.CHANCE)
            if "ratios" in entry:
                ratios = entry["ratios"]
                ax.set_xticks(range(len(ratios)), [f"{ratio:g}" for ratio in ratios])
                ax.set_xlim(-0.5, len(ratios) - 0.5)
            ax.set_ylim(-0.02, 1.04)
            ax.set_title(f"{view.title(dataset)}\nk = {k}")
        stability = f"Stability ({view.measure()['label']})"
        panels.explain_intervals(axes[0])
        panels.label_outside(axes, columns, "Perturbation α (share of rows drawn anew)", stability)
        panels.share_legend(figure, axes[0])
        return figure


def _draw_selector(ax: "Axes", view: View, dataset: str, k: int, number: int) -> None:
    """Marks beside each other at the ratios that the entry names, or a line over all of them."""
    entry = view.entry
    selector, label = list(view.selectors.items())[number]
    ratios = entry.get("ratios", view.ratios)
    found = [
        view.interval_at({**entry, "dataset": dataset, "ratio": ratio}, selector, k)
        for ratio in ratios
    ]
    middle = number - (len(view.selectors) - 1) / 2
    look = {"label": label, "markersize": 4, **panels.marks(view, selector)}
    if "ratios" in entry:
        places, look["linestyle"] = np.arange(len(ratios)) + middle * _APART, "none"
    else:
        places, look["linewidth"] = np.array(ratios) + middle * _SHIFTED, 1
    panels.draw_intervals(ax, places, found, **look)

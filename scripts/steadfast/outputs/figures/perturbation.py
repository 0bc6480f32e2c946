"""Figures of stability by the amount of perturbation."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
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


@figure("perturbation")
class Perturbation(FigureKind):
    """Stability by the share of rows in which samples differ, one panel per data set."""

    keys: ClassVar[Keys] = {
        "measure": MEASURE,
        "compare": COMPARE,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "ratios": RATIOS.but(
            description="Shares of perturbation, drawn as bars; a line over all if left out.",
            required=False,
        ),
        "chance": CHANCE.but(description="Whether random selection is shown too."),
        "selectors": SELECTORS_BESIDE_CHANCE,
    }
    reads = Reads(stability=True)

    def reads_of(self, entry: Entry) -> Reads:
        return Reads(stability=True, chance=entry["chance"])

    def build(self, view: View) -> "Figure":
        entry = view.entry
        figure, axes = panels.panel_grid(len(view.datasets), entry["title"])
        for dataset, ax in zip(view.datasets, axes, strict=True):
            k = view.size(dataset)
            for number in range(len(view.selectors)):
                _draw_selector(ax, view, dataset, k, number)
            if entry["chance"]:
                level = view.chance_at({**entry, "dataset": dataset}, k)
                ax.axhline(level, label="Random selection", **panels.CHANCE)
            if "ratios" in entry:
                ratios = entry["ratios"]
                ax.set_xticks(range(len(ratios)), [f"{ratio:g}" for ratio in ratios])
            ax.set_ylim(0, 1.03)
            ax.set_title(f"{view.title(dataset)} (k = {k})")
            ax.set_xlabel("Perturbation α (share of rows drawn anew)")
            ax.set_ylabel(f"Stability ({view.measure()['label']})")
        panels.share_legend(figure, axes[0])
        return figure


def _draw_selector(ax: "Axes", view: View, dataset: str, k: int, number: int) -> None:
    """Bars at the ratios that the entry names, or a line over all of them."""
    entry, n = view.entry, len(view.selectors)
    selector, label = list(view.selectors.items())[number]
    ratios = entry.get("ratios", view.ratios)
    found = [
        view.stability_at({**entry, "dataset": dataset, "ratio": ratio}, selector, k)[0]
        for ratio in ratios
    ]
    look = panels.marks(view, selector)
    if "ratios" in entry:
        places = np.arange(len(ratios)) + (number - (n - 1) / 2) * 0.8 / n
        ax.bar(places, found, 0.8 / n, color=look["color"], label=label)
    else:
        ax.plot(ratios, found, label=label, markersize=4, **look)

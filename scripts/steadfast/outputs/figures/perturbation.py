"""Figures of stability by the amount of perturbation."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.rows import draw_rows
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

#: How far marks of two selectors are apart, so that their intervals do not hide each other.
_SHIFTED = 0.015


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
            description="Shares of perturbation, one mark each beside a selector's name; lines "
            "over all if left out.",
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
        draw = _draw_rows if "ratios" in entry else _draw_lines
        for at, (dataset, ax) in enumerate(zip(view.datasets, axes, strict=True)):
            k = view.size(dataset, entry["smallest"])
            draw(ax, view, dataset, k)
            ax.set_title(f"({chr(ord('a') + at)}) {view.title(dataset)}, k = {k}")
            if entry["chance"]:
                level = view.chance_at({**entry, "dataset": dataset}, k)
                along = ax.axvline if "ratios" in entry else ax.axhline
                along(level, label="random selection", **panels.CHANCE)
        names = axes[0].get_xlabel(), axes[0].get_ylabel()
        panels.label_outside(axes, columns, *names, same_x=False)
        panels.share_legend(figure, axes[0])
        return figure


def _draw_rows(ax: "Axes", view: View, dataset: str, k: int) -> None:
    """A row per selector, with a mark per ratio."""
    series = {}
    for number, ratio in enumerate(view.entry["ratios"]):
        query = {**view.entry, "dataset": dataset, "ratio": ratio}
        look = {"color": panels.COLOURS[number], "marker": panels.MARKS[number]}
        found = [view.interval_at(query, selector, k) for selector in view.selectors]
        series[f"{ratio:.0%} of the rows drawn anew"] = look, found
    draw_rows(ax, list(view.selectors.values()), series)
    ax.set(xlim=(-0.02, 1.02), xlabel=f"Stability ({view.measure()['label']})")


def _draw_lines(ax: "Axes", view: View, dataset: str, k: int) -> None:
    """A line per selector over all ratios, with intervals that do not hide each other."""
    for number, (selector, label) in enumerate(view.selectors.items()):
        queries = [{**view.entry, "dataset": dataset, "ratio": ratio} for ratio in view.ratios]
        found = [view.interval_at(query, selector, k) for query in queries]
        places = np.array(view.ratios) + (number - (len(view.selectors) - 1) / 2) * _SHIFTED
        look = {"label": label, "markersize": 4, "linewidth": 1, **panels.marks(view, selector)}
        panels.draw_intervals(ax, places, found, **look)
    panels.explain_intervals(ax)
    ax.set(xlim=(-0.06, 1.06), ylim=(-0.02, 1.04))
    ax.set_xlabel("Share α of the rows drawn anew")
    ax.set_ylabel(f"Stability ({view.measure()['label']})")

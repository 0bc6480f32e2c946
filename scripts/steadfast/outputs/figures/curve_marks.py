"""Sizes that stand out, marked on a curve of stability."""

from typing import TYPE_CHECKING

from steadfast.outputs.curve_files import Query
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve
from steadfast.statistics.knots import peaks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def mark_knots(ax: "Axes", view: View, query: Query) -> None:
    """A ring at the knot of every selector, and its size."""
    labels = []
    for selector in view.selectors:
        knot = view.knot(query, selector, view.entry["smallest"])
        if knot is not None:
            colour = panels.colour(view, selector)
            place = knot.size, knot.stability
            look = {"markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.4}
            ax.plot(*place, "o", color=colour, zorder=4, **look)
            labels.append(PointLabel(*place, f"{knot.size}", colour))
    place_labels(ax, labels)


def mark_peaks(ax: "Axes", curve: Curve, colour: str) -> None:
    """An arrow at every peak, and its size."""
    for peak in peaks(curve):
        ax.annotate(
            f"{peak.size}",
            (peak.size, peak.stability),
            (0, 14),
            color=colour,
            horizontalalignment="center",
            arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 0.8},
            textcoords="offset points",
        )

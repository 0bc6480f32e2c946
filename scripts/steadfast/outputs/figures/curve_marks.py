"""Sizes that stand out, marked on a curve of stability."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from steadfast.outputs.curve_files import Query
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.view import View
from steadfast.statistics.knots import peaks

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def mark_sizes(ax: "Axes", view: View, query: Query) -> None:
    """A ring and its size at every knot and peak, where the entry asks for them."""
    labels = []
    for selector in view.selectors:
        colour = panels.colour(view, selector)
        for size, stability in _places(view, query, selector):
            look = {"markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.4}
            ax.plot(size, stability, "o", color=colour, zorder=4, **look)
            labels.append(PointLabel(size, stability, f"{size}", colour))
    place_labels(ax, labels)


def mark_clipped(ax: "Axes") -> None:
    """Arrows at the edge for marks of a curve beyond it, and the value that is farthest out."""
    labels = []
    for curve in [line for line in ax.get_lines() if line.get_markevery()]:
        x, y = curve.get_data()
        look = {"color": curve.get_color(), "clip_on": False, "linestyle": "none", "zorder": 4}
        for edge, sign, arrow in zip(ax.get_ylim(), (-1, 1), (7, 6), strict=True):
            beyond = sign * (y - edge)
            farthest = beyond.argmax()
            if beyond[farthest] > 0:
                places = [at for at in {*curve.get_markevery(), farthest} if beyond[at] > 0]
                ax.plot(x[places], [edge] * len(places), marker=arrow, **look)
                text = f"{y[farthest]:.2f}".replace("-", "−")
                labels.append(PointLabel(x[farthest], edge, text, look["color"]))
    place_labels(ax, labels)


def _places(view: View, query: Query, selector: str) -> Iterator[tuple[int, float]]:
    """Size and stability of a selector's knot and peaks."""
    entry = view.entry
    if entry["knots"]:
        knot = view.knot(query, selector, entry["smallest"])
        if knot is not None:
            yield knot.size, knot.stability
    if entry["peaks"]:
        for peak in peaks(view.curves.read(query, selector).up_to(entry.get("largest"))):
            yield peak.size, peak.stability

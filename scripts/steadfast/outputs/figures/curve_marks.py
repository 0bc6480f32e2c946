"""Sizes that stand out, marked on a curve of stability."""

from typing import TYPE_CHECKING

from steadfast.statistics.curve import Curve
from steadfast.statistics.knots import Knot, peaks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: How sizes are written beside a curve.
_SMALL = {"textcoords": "offset points", "fontsize": 7}


def mark_knot(ax: "Axes", knot: Knot | None, colour: str, number: int) -> None:
    """A dot at the knot and its size, one below the other where knots lie close."""
    if knot is None:
        return
    ax.plot(knot.size, knot.stability, "o", color=colour, markersize=4)
    ax.annotate(
        f"{knot.size}",
        (knot.size, knot.stability),
        (-6, 8 - 8 * number),
        color=colour,
        horizontalalignment="right",
        bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        zorder=5,
        **_SMALL,
    )


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
            **_SMALL,
        )

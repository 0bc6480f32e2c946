"""Stability and accuracy at a size with their intervals, beside what they are compared with."""

from typing import TYPE_CHECKING, Any

from steadfast.outputs.curve_files import Query
from steadfast.outputs.differences import Interval, resampled_interval
from steadfast.outputs.figures import panels
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def value_at(view: View, query: Query, selector: str, k: int) -> Interval:
    """Stability or accuracy at a size, with the ends of its 95% interval.

    That of accuracy is over folds that share rows: it needs the folds (`Reads.rows`), and ends at
    the largest value of a score.
    """
    if query["of"] == "stability":
        return view.interval_at(query, selector, k)
    view.curves.value(query, selector, k)  # refuses a size that is not scored
    curve = view.curves.read(query, selector)
    share = view.test_share(query["dataset"], query["ratio"])
    mean, low, high = resampled_interval(curve.units[:, curve.place(k)], share)
    return Interval(mean, low, min(high, 1) if view.direction(query) > 0 else high)


def draw_baseline(ax: "Axes", start: float, end: float, found: Interval, **look: Any) -> None:
    """An open mark with its interval, and its level as a dashed line from there on."""
    mark = {**look, "markerfacecolor": "white", "linestyle": "", "label": ""}
    panels.draw_intervals(ax, [start], [found], **mark)
    ax.plot([start, end], [found.mean] * 2, "--", color=look["color"], linewidth=0.9, zorder=1)


def explain_baseline(ax: "Axes", label: str) -> None:
    """Entries of the legend for a baseline, if there is any, and for intervals."""
    if label:
        look = {"color": "#555555", "markerfacecolor": "white", "linewidth": 0.9}
        ax.plot([], [], "o--", label=label, **look)
    panels.explain_intervals(ax)

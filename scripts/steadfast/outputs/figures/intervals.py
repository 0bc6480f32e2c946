"""Stability and accuracy with their intervals, and baselines that they are compared with."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.outputs.curve_files import Query
from steadfast.outputs.differences import Interval
from steadfast.outputs.figures import panels
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def with_interval(view: View, query: Query, curve: Curve) -> Curve:
    """A curve of accuracy with its 95% interval over folds that share rows.

    It needs the folds (`Reads.rows`), and ends at the largest value that the score can have.
    """
    half = resampled_half_width(curve.units, view.test_share(query["dataset"], query["ratio"]))
    high = np.minimum(curve.values + half, view.score.largest)
    return replace(curve, low=curve.values - half, high=high)


def value_at(view: View, query: Query, selector: str, k: int) -> Interval:
    """Stability or accuracy at a size, with the ends of its 95% interval."""
    if query["of"] == "stability":
        return view.interval_at(query, selector, k)
    view.curves.value(query, selector, k)  # refuses a size that is not scored
    curve = with_interval(view, query, view.curves.read(query, selector))
    at = curve.place(k)
    return Interval(*(float(ends[at]) for ends in (curve.values, curve.low, curve.high)))


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

"""Values with their intervals, as figures draw them: in rows, and as lines."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.intervals import UNDEFINED, Interval
from steadfast.outputs.results import Measure, Score

#: Series by label: the looks of its marks, and its value and interval in each row or at each x.
Series = Mapping[str, tuple[Mapping[str, Any], Sequence[Interval]]]

#: How intervals are explained, and baselines.
_GREY = "#555555"


def draw_intervals(
    ax: "panels.Axes", places: Sequence[float], intervals: Sequence[Interval], **look: Any
) -> None:
    """Values with their intervals, from the low to the high end of each."""
    values, low, high = zip(*intervals, strict=True)
    ax.vlines(places, low, high, color=look["color"], linewidth=0.8)
    ax.plot(places, values, **look)


def explain_intervals(ax: "panels.Axes", band: bool = False) -> None:
    """An entry of the legend for the lines, or bands, that intervals are drawn as."""
    look = {"color": _GREY, "label": "95% interval"}
    if band:
        ax.fill_between([], [], [], alpha=0.25, linewidth=0, **look)
    else:
        ax.plot([], [], "|", markersize=9, **look)


def draw_rows(
    ax: "panels.Axes", names: Sequence[str], series: Series, ends: str = "95% interval"
) -> None:
    """In each row one mark per series below the other, with its interval.

    `ends` is what intervals are called in the legend.
    """
    rows = np.arange(len(names))
    for number, (label, (look, found)) in enumerate(series.items()):
        values, low, high = np.transpose(found)
        across = rows + 0.8 * ((number + 0.5) / len(series) - 0.5)
        ax.hlines(across, low, high, color=look["color"], linewidth=1)
        look = {"linestyle": "none", "markersize": 4, "clip_on": False, "label": label, **look}
        ax.plot(values, across, **look)
    if ends:
        ax.plot([], [], color=_GREY, linewidth=1, label=ends)
    for row in rows[1:]:
        ax.axhline(row - 0.5, color="#dddddd", linewidth=0.5, zorder=0)
    ax.grid(False, axis="y")
    ax.set(yticks=rows, yticklabels=names, ylim=(len(names) - 0.5, -0.5))


def draw_levels(ax: "panels.Axes", levels: Sequence[float], label: str, **look: Any) -> None:
    """A level in each row."""
    rows = np.arange(len(levels))
    look = {"color": "black", "linewidth": 2, "zorder": 1.5, **look}
    ax.vlines(levels, rows - 0.45, rows + 0.45, label=label, **look)


def draw_lines(
    ax: "panels.Axes",
    x: Sequence[float],
    series: Series,
    apart: float = 0,
    baseline: bool = False,
) -> None:
    """A line per series with intervals, so far aside that none hides another.

    The first value may be that of a baseline: an open mark, and its level as a dashed line.
    """
    for number, (label, (look, found)) in enumerate(series.items()):
        places = np.array(x) + (number - (len(series) - 1) / 2) * apart
        look = {"linewidth": 1, "markersize": 5, "label": label, **look}
        start = int(baseline)
        draw_intervals(ax, places[start:], found[start:], **look)
        if baseline and not np.isnan(found[0].mean):
            mark = {**look, "markerfacecolor": "white", "linestyle": "", "label": ""}
            draw_intervals(ax, places[:1], found[:1], **mark)
            level = {"color": look["color"], "linewidth": 0.9, "zorder": 1}
            ax.plot(places[[0, -1]], [found[0].mean] * 2, "--", **level)


#: A point of a line: data set, subset size and selector, if there is one.
Point = tuple[str, int, str | None]


def draw_parameters(
    curves: Curves,
    ratio: float,
    quantities: Mapping[str, Measure | Score],
    lines: Sequence[Mapping[str, Sequence[Point]]],
    baseline: str,
    **settings: Any,
) -> tuple["panels.Figure", list["panels.Axes"]]:
    """Values by a parameter of selectors, evenly spaced, after those of a baseline.

    Parameters
    ----------
    quantities
        A row of panels each, by the name of its axis.
    lines
        A column of panels each, with the points of its lines by their labels; the first point of
        each is of the baseline.
    baseline
        The baselines in the legend; empty if there are none.
    settings
        Of `panels.grid`.
    """
    n = len(quantities) * len(lines)
    settings = {"sharex": "col", "sharey": "row", "columns": len(lines), **settings}
    drawn, axes = panels.grid(n, curves.heading, **settings)
    for ax, (what, own) in zip(axes, product(quantities.values(), lines)):
        series = {}
        for number, (label, points) in enumerate(own.items()):
            values = [
                curves.interval(what, dataset, ratio, name, k) if name else UNDEFINED
                for dataset, k, name in points
            ]
            series[label] = panels.numbered(number), values
        draw_lines(ax, range(-1, len(values) - 1), series, apart=0.12, baseline=True)
    look = {"color": _GREY, "markerfacecolor": "white", "linewidth": 0.9}
    if baseline:
        axes[0].plot([], [], "o--", label=baseline, **look)
    explain_intervals(axes[0])
    return drawn, axes

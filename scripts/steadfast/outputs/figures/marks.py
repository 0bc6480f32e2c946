"""Values with their intervals, as figures draw them: in rows, and as baselines."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.intervals import Interval
from steadfast.outputs.results import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The looks of a series' marks, and its value and interval in each row.
Series = tuple[Mapping[str, Any], Sequence[Interval]]


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


def draw_rows(ax: "Axes", names: Sequence[str], series: Mapping[str, Series]) -> None:
    """In each row one mark per series below the other, with its interval; series by label."""
    rows = np.arange(len(names))
    for number, (label, (look, found)) in enumerate(series.items()):
        values, low, high = np.transpose(found)
        across = rows + 0.8 * ((number + 0.5) / len(series) - 0.5)
        ax.hlines(across, low, high, color=look["color"], linewidth=1)
        look = {"linestyle": "none", "markersize": 4, "clip_on": False, **look}
        ax.plot(values, across, label=label, **look)
    ax.plot([], [], color="#555555", linewidth=1, label="95% interval")
    for row in rows[1:]:
        ax.axhline(row - 0.5, color="#dddddd", linewidth=0.5, zorder=0)
    ax.grid(False, axis="y")
    ax.set(yticks=rows, yticklabels=names, ylim=(len(names) - 0.5, -0.5))


def draw_selectors(
    ax: "Axes",
    curves: Curves,
    measure: Measure,
    ratio: float,
    sizes: Mapping[str, int],
    selectors: Sequence[str],
) -> np.ndarray:
    """In the row of a data set one mark per selector; returns stability by selector and row.

    `sizes` is the size at which each data set is shown.
    """
    series = {}
    for name in selectors:
        values = [curves.interval(measure, key, ratio, name, k) for key, k in sizes.items()]
        series[curves.selectors[name]] = panels.marks(curves, name), values
    draw_rows(ax, [_describe(curves, *pair) for pair in sizes.items()], series)
    return np.array([[one.mean for one in values] for _, values in series.values()])


def _describe(curves: Curves, dataset: str, k: int) -> str:
    """A data set's name, its rows and features, and the size at which stability is shown."""
    about, name = curves.about(dataset), curves.title(dataset)
    shape = f"{about['rows']} × {about['features']}"
    return f"{name}, k = {k}" if shape in name else f"{name}\n{shape}, k = {k}"

"""Values with their intervals in rows, each with a name of its own."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.outputs.figures import panels
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from steadfast.outputs.differences import Interval

#: The looks of a series' marks, and its value and interval in each row.
Series = tuple[Mapping[str, Any], Sequence["Interval"]]


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


def draw_selectors(ax: "Axes", view: View, sizes: Mapping[str, int]) -> np.ndarray:
    """In the row of a data set one mark per selector; returns stability by selector and row."""
    series = {}
    for selector, label in view.selectors.items():
        found = [
            view.interval_at({**view.entry, "dataset": dataset}, selector, k)
            for dataset, k in sizes.items()
        ]
        series[label] = panels.marks(view, selector), found
    draw_rows(ax, [_describe(view, name, k) for name, k in sizes.items()], series)
    return np.array([[value for value, *_ in found] for _, found in series.values()])


def _describe(view: View, dataset: str, k: int) -> str:
    """A data set's name, its rows and features, and the size at which stability is shown."""
    about, name = view.about(dataset), view.title(dataset)
    shape = f"{about['rows']} × {about['features']}"
    return f"{name}, k = {k}" if shape in name else f"{name}\n{shape}, k = {k}"

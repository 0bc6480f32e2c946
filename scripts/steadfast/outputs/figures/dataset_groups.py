"""Figures of stability over groups of data sets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.shared.dataset_groups import OfDatasetGroups
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches of a data set's row, and what stands between two groups in rows.
_ROW, _BETWEEN = 0.42, 0.9


@figure("dataset_groups")
class DatasetGroups(OfDatasetGroups, FigureKind):
    """Stability over groups of data sets, one panel per group, one row per data set."""

    keys: ClassVar[Keys] = {**OfDatasetGroups.keys, "selectors": ALL_SELECTORS}
    reads = Reads(stability=True, chance=True)

    def build(self, view: View) -> "Figure":
        named = view.entry["dataset_groups"]
        heights = [len(names) for names in named.values()]
        size = (panels.TWO_COLUMNS, _ROW * (sum(heights) + _BETWEEN * len(heights)) + 1)
        figure, axes = panels.subplots(
            len(named), 1, view.entry["title"], size, sharex=True, height_ratios=heights
        )
        for (group, names), ax in zip(named.items(), axes[:, 0], strict=True):
            _draw_group(ax, view, group, names)
        axes[0, 0].set_xlim(min(-0.02, axes[0, 0].get_xlim()[0]), 1)
        axes[0, 0].plot([], [], color="#555555", linewidth=0.7, label="95% interval")
        axes[-1, 0].set_xlabel(f"Stability ({view.measure()['label']})")
        panels.share_legend(figure, axes[0, 0], 7)
        return figure


def _draw_group(ax: "Axes", view: View, group: str, names: Sequence[str]) -> None:
    """In each row one mark per selector below the other, their mean, and chance."""
    rows, n = np.arange(len(names)), len(view.selectors)
    queries, sizes = [{**view.entry, "dataset": name} for name in names], map(view.size, names)
    places = list(zip(queries, sizes, strict=True))
    means = []
    for number, (selector, label) in enumerate(view.selectors.items()):
        found = [view.interval_at(query, selector, k) for query, k in places]
        values, low, high = zip(*found, strict=True)
        means.append(values)
        look = {"label": label, "markersize": 4, **panels.marks(view, selector)}
        across = rows + (number - (n - 1) / 2) * 0.8 / n
        ax.hlines(across, low, high, color=look["color"], linewidth=0.7)
        ax.plot(values, across, linestyle="none", clip_on=False, **look)
    mean = np.mean(means, axis=0)
    ax.vlines(mean, rows - 0.45, rows + 0.45, color=panels.RED, label="Mean")
    level = [view.chance_at(query, k) for query, k in places]
    ax.vlines(level, rows - 0.45, rows + 0.45, label="Random selection", **panels.CHANCE)
    ax.hlines(rows[1:] - 0.5, 0, 1, color="#dddddd", linewidth=0.5, zorder=0)
    ax.grid(False, axis="y")
    ax.set_yticks(rows, [_describe(view, name, k) for name, (_, k) in zip(names, places)])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_title(f"{group}: mean {mean.mean():.2f}", loc="left")


def _describe(view: View, dataset: str, k: int) -> str:
    """A data set's name, its rows and features, and the size at which stability is shown."""
    about, name = view.about(dataset), view.title(dataset)
    shape = f"{about['rows']} × {about['features']}"
    return f"{name}, k = {k}" if shape in name else f"{name}\n{shape}, k = {k}"

"""Figures of stability over groups of data sets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.rows import draw_selectors
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.shared.dataset_groups import OfDatasetGroups
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches of a data set's row, and what stands between two groups in rows.
_ROW, _BETWEEN = 0.48, 0.8


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
        for at, (group, names) in enumerate(named.items()):
            _draw_group(axes[at, 0], view, f"({chr(ord('a') + at)}) {group}", names)
        axes[0, 0].set_xlim(min(-0.02, axes[0, 0].get_xlim()[0]), 1.02)
        axes[-1, 0].set_xlabel(
            f"Stability ({view.measure()['label']}); no interval where all runs agree"
        )
        panels.share_legend(figure, axes[0, 0], 7)
        return figure


def _draw_group(ax: "Axes", view: View, group: str, names: Sequence[str]) -> None:
    """A row per data set, with the mean of the selectors, and chance."""
    rows, sizes = np.arange(len(names)), {name: view.size(name) for name in names}
    mean = draw_selectors(ax, view, sizes).mean(axis=0)
    look = {"color": "black", "linewidth": 2, "label": "mean of the selectors"}
    ax.vlines(mean, rows - 0.45, rows + 0.45, zorder=1.5, **look)
    level = [view.chance_at({**view.entry, "dataset": name}, k) for name, k in sizes.items()]
    ax.vlines(level, rows - 0.45, rows + 0.45, label="random selection", **panels.CHANCE)
    ax.set_title(f"{group}: mean {mean.mean():.2f}", loc="left")

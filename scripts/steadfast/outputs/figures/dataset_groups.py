"""Figures of stability over groups of data sets."""

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.shared.dataset_groups import OfDatasetGroups, stability_of_each
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("dataset_groups")
class DatasetGroups(OfDatasetGroups, FigureKind):
    """Stability over groups of data sets, one panel per group; the line is the mean."""

    keys: ClassVar[Keys] = {**OfDatasetGroups.keys, "selectors": ALL_SELECTORS}
    reads = Reads(stability=True, chance=True)

    def build(self, view: View) -> "Figure":
        named = view.entry["dataset_groups"]
        widths = [len(names) + 0.6 for names in named.values()]
        size = (max(8.0, 0.75 * sum(widths) + 1), 4.2)
        shares = {"sharey": True, "width_ratios": widths}
        figure, axes = panels.subplots(1, len(named), view.entry["title"], size, **shares)
        for (group, names), ax in zip(named.items(), axes[0], strict=True):
            _draw_group(ax, view, group, names)
        axes[0, 0].set_ylabel(f"Stability ({view.measure()['label']})")
        panels.share_legend(figure, axes[0, 0], 7)
        return figure


def _draw_group(ax: "Axes", view: View, group: str, names: Sequence[str]) -> None:
    """One mark per selector and data set, their mean, and chance."""
    sizes = [view.size(name) for name in names]
    queries = [{**view.entry, "dataset": name} for name in names]
    values = np.transpose([stability_of_each(view, name) for name in names])
    places = np.arange(len(names))
    for (selector, label), row in zip(view.selectors.items(), values, strict=True):
        look = panels.marks(view, selector)
        ax.plot(places, row, linestyle="none", label=label, markersize=5, **look)
    ax.plot(places, values.mean(axis=0), color=panels.RED, marker="_", markersize=12, label="Mean")
    level = [view.chance_at(query, k) for query, k in zip(queries, sizes)]
    ax.plot(places, level, label="Random selection", **panels.CHANCE)
    shown = [_describe(view, name, k) for name, k in zip(names, sizes)]
    ax.set_xticks(places, shown, rotation=60, ha="right", fontsize=7)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.set_title(f"{group}\nmean {values.mean():.2f}")


def _describe(view: View, dataset: str, k: int) -> str:
    """A data set's name, rows and features, and the size at which stability is shown."""
    about = view.about(dataset)
    name = fill(view.title(dataset), 18)
    return f"{name}\n{about['rows']} × {about['features']}, k = {k}"

"""Figures of the features that samples without a common row select."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from steadfast.core.registry import figure
from steadfast.measures.runs import Runs
from steadfast.measuring.overlaps import jaccard_matrix
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.samples import OfSamples, sample_subsets, ten_and_last
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("disjoint")
class Disjoint(OfSamples, FigureKind):
    """Features that eleven samples select, the last sample sharing no row with the others."""

    def build(self, view: View) -> "Figure":
        title, n_features = view.entry["title"], len(view.features(view.entry["dataset"]))
        size = panels.TWO_COLUMNS, 1.35 * len(view.selectors) + 0.8
        figure, axes = panels.subplots(len(view.selectors), 1, title, size, sharex=True)
        longest = 0
        for at, (selector, label) in enumerate(view.selectors.items()):
            ax, subsets = axes[at, 0], sample_subsets(view, selector)
            n_shown = _draw_samples(ax, subsets, n_features)
            longest = max(longest, n_shown)
            ten, last = ten_and_last(jaccard_matrix(subsets, n_features))
            ax.set_title(
                f"({chr(ord('a') + at)}) {label}: {n_shown} features, Jaccard {ten:.2f} among the "
                f"ten samples, {last:.2f} between the last and the ten",
                loc="left",
            )
            ax.set(ylabel="Sample", yticks=[1, 4, 8, len(subsets)], ylim=(len(subsets) + 0.6, 0.4))
            ax.grid(False)
        ax.set_xlim(0, longest + 1)
        ax.set_xlabel(
            "Features selected at least once, most frequent first\n"
            f"(sample {len(subsets)}, red, shares no row with the others)"
        )
        return figure


def _draw_samples(ax: "Axes", subsets: Sequence[np.ndarray], n_features: int) -> int:
    """One row per sample, features by how often the ten select them; how many are shown."""
    members = Runs(n_features, subsets).members
    frequency = members[:-1].sum(axis=0)
    once = np.flatnonzero(members.any(axis=0))
    order = once[np.lexsort((once, -frequency[once]))]
    for row, one in enumerate(members):
        chosen = np.flatnonzero(one[order])
        colour = panels.RED if row == len(members) - 1 else "black"
        ax.vlines(chosen + 1, row + 0.55, row + 1.45, color=colour, linewidth=1.2)
    return order.size

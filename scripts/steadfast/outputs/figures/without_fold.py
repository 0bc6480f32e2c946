"""Figures of stability with one of eleven samples left out."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.core.registry import figure
from steadfast.measuring.overlaps import mean_of_pairs, size_of
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.samples import OfSamples, sample_overlaps, without_each
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("without_fold")
class WithoutFold(OfSamples, FigureKind):
    """Stability of eleven samples with each of them left out; the last shares no row."""

    def build(self, view: View) -> "Figure":
        entry, n = view.entry, len(view.selectors)
        figure, (ax,) = panels.page_grid(1, entry["title"], 1, 0.7 + 0.36 * n)
        rows, overlaps = np.arange(n), [sample_overlaps(view, name) for name in view.selectors]
        without = np.array([without_each(one) for one in overlaps])
        last = without.shape[1]
        look = {"linestyle": "none", "color": panels.COLOURS[0]}
        apart = np.linspace(-0.28, 0.28, last - 1)
        for number, shift in enumerate(apart):
            label = "" if number else f"without one of the samples 1 to {last - 1}"
            ax.plot(without[:, number], rows + shift, marker="o", markersize=4, label=label, **look)
        look |= {"color": panels.RED, "marker": "D", "markersize": 6}
        label = f"without sample {last}, which shares no row with the others"
        ax.plot(without[:, -1], rows, label=label, **look)
        look |= {"color": "black", "marker": "|", "markersize": 20, "markeredgewidth": 1.6}
        whole = [mean_of_pairs(one) for one in overlaps]
        ax.plot(whole, rows, label="no sample left out", zorder=1.5, **look)
        ax.set(yticks=rows, yticklabels=list(view.selectors.values()), ylim=(n - 0.5, -0.5))
        ax.grid(axis="y", visible=False)
        ax.set_xlim(0)
        k = size_of(entry["size"], len(view.features(entry["dataset"])))
        ax.set_xlabel(f"Stability (Jaccard), {view.title(entry['dataset'])}, k = {k}")
        panels.share_legend(figure, ax)
        return figure

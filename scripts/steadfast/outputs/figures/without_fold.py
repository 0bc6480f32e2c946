"""Figures of stability with one of eleven samples left out."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.samples import OfSamples, sample_subsets
from steadfast.outputs.view import View
from steadfast.stability.overlaps import jaccard_matrix, mean_of_pairs

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("without_fold")
class WithoutFold(OfSamples):
    """Stability of eleven samples with each of them left out; the last shares no row."""

    def build(self, view: View) -> "Figure":
        entry = view.entry
        n_features = len(view.features(entry["dataset"]))
        figure, (ax,) = panels.panel_grid(1, entry["title"], 7.2, 3.6)
        for selector, label in view.selectors.items():
            subsets = sample_subsets(view, selector)
            overlap = jaccard_matrix(subsets, n_features)
            places = np.arange(1, len(subsets) + 1)
            look = panels.marks(view, selector)
            ax.plot(places, _without_each(overlap), label=label, markersize=5, **look)
            ax.axhline(mean_of_pairs(overlap), color=look["color"], linewidth=0.8, linestyle="--")
        ax.axvspan(10.5, 11.5, color=panels.RED, alpha=0.08, linewidth=0)
        ax.set_xlim(0.5, 11.5)
        ax.set_xticks(places)
        ax.set_xlabel("Sample left out (11 shares no row with the others; dashed: none left out)")
        ax.set_ylabel("Stability (Jaccard)")
        ax.set_title(f"{view.title(entry['dataset'])}, k = {subsets[0].size}")
        panels.share_legend(figure, ax)
        return figure


def _without_each(overlap: np.ndarray) -> list[float]:
    """Mean overlap of the samples but one, for each of them."""
    every = np.arange(len(overlap))
    kept = [np.delete(every, left_out) for left_out in every]
    return [mean_of_pairs(overlap[np.ix_(rows, rows)]) for rows in kept]

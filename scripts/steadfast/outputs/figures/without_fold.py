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
        entry = view.entry
        n_features = len(view.features(entry["dataset"]))
        figure, (ax,) = panels.page_grid(1, entry["title"], 1, 3.4)
        for number, (selector, label) in enumerate(view.selectors.items()):
            overlaps = sample_overlaps(view, selector)
            places = np.arange(1, len(overlaps) + 1)
            look = {"label": label, "markersize": 4, **panels.marks(view, selector)}
            shift = (number - (len(view.selectors) - 1) / 2) * 0.08
            ax.plot(places + shift, without_each(overlaps), linewidth=0.8, **look)
            ax.axhline(mean_of_pairs(overlaps), color=look["color"], linewidth=0.8, linestyle="--")
        last = len(places)
        ax.axvspan(last - 0.5, last + 0.5, color=panels.RED, alpha=0.08, linewidth=0)
        ax.plot([], [], color="#555555", linewidth=0.8, linestyle="--", label="No sample left out")
        ax.set_xlim(0.5, last + 0.5)
        ax.set_xticks(places)
        ax.set_xlabel(f"Sample left out (sample {last}, shaded, shares no row with the others)")
        ax.set_ylabel("Stability (Jaccard)")
        ax.set_title(f"{view.title(entry['dataset'])}, k = {size_of(entry['size'], n_features)}")
        panels.share_legend(figure, ax)
        return figure

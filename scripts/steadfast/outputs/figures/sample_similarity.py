"""Figures of stability beside the similarity of the training samples."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.rows import draw_selectors
from steadfast.outputs.keys import ALL_SELECTORS, ONE_DATASET, SIZE, STABILITY
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.shared.sample_similarity import compare_samples
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Both readings of the similarity of the samples, and how they are drawn.
_READINGS = {
    "distance": ("S$_X$ as printed: mean distance", "-"),
    "similarity": ("S$_X$ as the text reads it: 1 − mean distance", (0, (2, 1))),
}


@figure("sample_similarity")
class SampleSimilarityFigure(FigureKind):
    """Stability beside the similarity of the training samples, one row per data set."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "smallest": whole("Smallest size, taken where `size` is fewer features.", default=1),
        "selectors": ALL_SELECTORS,
    }
    reads = Reads(stability=True, rows=True)

    def build(self, view: View) -> "Figure":
        names, rows = view.datasets, np.arange(len(view.datasets))
        figure, (ax,) = panels.page_grid(1, view.entry["title"], 1, 0.6 + 0.8 * rows.size)
        draw_selectors(ax, view, {name: view.size(name, view.entry["smallest"]) for name in names})
        samples = [compare_samples(view, name) for name in names]
        for reading, (label, style) in _READINGS.items():
            levels = [getattr(one, reading) for one in samples]
            look = {"color": "black", "linewidth": 1.4, "linestyle": style, "zorder": 1.5}
            ax.vlines(levels, rows - 0.45, rows + 0.45, label=label, **look)
        ax.set_xlim(-0.02, 1.02)
        ax.set_xlabel(f"Stability ({view.measure()['label']}), or similarity of the samples")
        panels.share_legend(figure, ax)
        return figure

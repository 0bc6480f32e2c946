"""Figures of the weights that selectors give."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS, THE_DATASET
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("weights")
class Weights(FigureKind):
    """Weights from the largest to the smallest, of every fold and their mean."""

    keys: ClassVar[Keys] = {"dataset": THE_DATASET, "selectors": ALL_SELECTORS}
    reads = Reads(selections=True)

    def build(self, view: View) -> "Figure":
        figure, axes = panels.panel_grid(len(view.selectors), view.entry["title"])
        for (selector, label), ax in zip(view.selectors.items(), axes, strict=True):
            matrix = _falling_weights(view, selector)
            depth = matrix.shape[1]
            ranks = np.arange(1, depth + 1)
            colour = panels.colour(view, selector)
            for row in matrix:
                ax.plot(ranks, row, color=colour, alpha=0.25, linewidth=0.6)
            ax.plot(ranks, matrix.mean(axis=0), color=colour, linewidth=1.6)
            nonzero = int(np.mean(np.count_nonzero(matrix, axis=1)))
            zeros = "no weight is 0" if nonzero == depth else f"0 after rank {nonzero} (mean)"
            ax.set_title(f"{label}: {zeros}")
            ax.set_xscale("log")
            ax.set_xlabel("Rank of the feature")
            ax.set_ylabel("Weight")
        return figure


def _falling_weights(view: View, selector: str) -> np.ndarray:
    """One row per fold; samples without a common row are no folds."""
    from steadfast.resampling.schemes.cross_validation import DISJOINT

    every = view.selections(view.entry["dataset"], selector, shuffle_ties=True)
    drawn = [one.weights for name, one in every.items() if name not in DISJOINT and not one.note]
    depth = min(map(len, drawn))
    return np.array([-np.sort(-one)[:depth] for one in drawn])

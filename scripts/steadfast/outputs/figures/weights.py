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
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("weights")
class Weights(FigureKind):
    """Weights from the largest to the smallest, of every fold and their mean."""

    keys: ClassVar[Keys] = {"dataset": THE_DATASET, "selectors": ALL_SELECTORS}
    reads = Reads(selections=True)

    def build(self, view: View) -> "Figure":
        columns = min(3, len(view.selectors))
        figure, axes = panels.page_grid(len(view.selectors), view.entry["title"], columns, 2.3)
        for at, (selector, label) in enumerate(view.selectors.items()):
            label = f"({chr(ord('a') + at)}) {label}"
            _draw_weights(axes[at], _falling_weights(view, selector), label)
        for ax in axes[::columns]:
            ax.set_ylabel("Weight, on the\nselector's own scale")
        panels.share_legend(figure, axes[0])
        return figure


def _draw_weights(ax: "Axes", matrix: np.ndarray, label: str) -> None:
    """A thin line per fold, and their mean."""
    depth = matrix.shape[1]
    ranks = np.arange(1, depth + 1)
    folds = ax.plot(ranks, matrix.T, color=panels.COLOURS[0], alpha=0.4, linewidth=0.6)
    folds[0].set_label("one fold")
    ax.plot(ranks, matrix.mean(axis=0), color="black", linewidth=1.4, label="mean of the folds")
    nonzero = int(np.mean(np.count_nonzero(matrix, axis=1)))
    zeros = "no weight is 0" if nonzero == depth else f"0 from rank {nonzero + 1} on"
    ax.set_title(f"{label}: {zeros}")
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set_xlabel("Rank of the feature")


def _falling_weights(view: View, selector: str) -> np.ndarray:
    """One row per fold; samples without a common row are no folds."""
    from steadfast.resampling.schemes.cross_validation import DISJOINT

    every = view.selections(view.entry["dataset"], selector, shuffle_ties=True)
    drawn = [one.weights for name, one in every.items() if name not in DISJOINT and not one.note]
    depth = min(map(len, drawn))
    return np.array([-np.sort(-one)[:depth] for one in drawn])

"""Figures of the weights that selectors give."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.outputs.arguments import Dataset, Selectors
from steadfast.outputs.figures import panels
from steadfast.outputs.kinds import figure
from steadfast.outputs.results import Selections
from steadfast.resampling.schemes.cross_validation import DISJOINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure
def weights(selections: Selections, *, dataset: Dataset, selectors: Selectors) -> "Figure":
    """Weights from the largest to the smallest, of every fold and their mean."""
    drawn, axes = panels.page_grid(len(selectors), selections.heading, min(3, len(selectors)), 2.3)
    for letter, name, ax in zip(panels.LETTERS, selectors, axes):
        every = selections.selections(dataset, name, ties=selections.ties)
        folds = [x.weights for fold, x in every.items() if fold not in DISJOINT and not x.note]
        depth = min(map(len, folds))
        falling = np.array([-np.sort(-one)[:depth] for one in folds])
        _draw_weights(ax, falling, f"({letter}) {selections.selectors[name]}")
    for ax in axes[:: min(3, len(selectors))]:
        ax.set_ylabel("Weight, on the\nselector's own scale")
    panels.share_legend(drawn, axes[0])
    return drawn


def _draw_weights(ax: "Axes", matrix: np.ndarray, label: str) -> None:
    """A thin line per fold, and their mean."""
    depth = matrix.shape[1]
    ranks = np.arange(1, depth + 1)
    folds = ax.plot(ranks, matrix.T, color=panels.COLOURS[0], alpha=0.4, linewidth=0.6)
    folds[0].set_label("one fold")
    ax.plot(ranks, matrix.mean(axis=0), color="black", linewidth=1.4, label="mean of the folds")
    nonzero = int(np.mean(np.count_nonzero(matrix, axis=1)))
    zeros = "no weight is 0" if nonzero == depth else f"0 from rank {nonzero + 1} on"
    ax.set(title=f"{label}: {zeros}", xscale="log", xlabel="Rank of the feature")
    ax.xaxis.set_major_formatter("{x:g}")

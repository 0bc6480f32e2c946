"""Figures of the features that every fold selects."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.measures.runs import Runs
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS, RATIO, THE_DATASET, WHOLE_SIZE
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("picture")
class Picture(FigureKind):
    """Which features each fold selects, one row per fold, groups of folds parted by lines.

    Columns are the features that any fold selects, most frequent first, on one axis for all
    selectors.
    """

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "size": WHOLE_SIZE,
        "ratio": RATIO,
        "selectors": ALL_SELECTORS,
    }
    any_size = True
    reads = Reads(selections=True)

    def build(self, view: View) -> "Figure":
        rows = len(view.selectors)
        size = panels.TWO_COLUMNS, 1.5 * rows + 0.9
        figure, axes = panels.subplots(rows, 1, view.entry["title"], size, sharex=True)
        for at, (selector, label) in enumerate(view.selectors.items()):
            members, borders = _selected(view, selector)
            n_folds, n_features = members.shape
            ends = (0.5, n_features + 0.5, n_folds + 0.5, 0.5)
            look = {"cmap": "binary", "aspect": "auto", "interpolation": "none"}
            ax = axes[at, 0]
            ax.imshow(members, extent=ends, **look)
            ax.vlines(np.arange(1, n_features) + 0.5, *ends[2:], color="white", linewidth=1.5)
            for border in borders:
                ax.axhline(border, color=panels.RED, linewidth=0.6)
            ax.grid(False)
            ax.set_title(f"({chr(ord('a') + at)}) {label}: {n_features} features", loc="left")
            ax.set_ylabel("Fold")
        widest = max(ax.get_images()[0].get_extent()[1] for ax in axes[:, 0])
        ax.set_xlim(0.5, widest)
        ax.set_xlabel("Features selected by at least one fold, most frequent first")
        return figure


def _selected(view: View, selector: str) -> tuple[np.ndarray, list[float]]:
    """Which features (columns) each fold (row) selects, and where other folds are compared."""
    entry, folds = view.entry, view.compared_folds(view.entry["dataset"])
    found = view.selections(entry["dataset"], selector, shuffle_ties=True)
    folds = [fold for fold in folds if fold.name in found]
    subsets = [found[fold.name].sequence[: entry["size"]] for fold in folds]
    members = Runs(len(view.features(entry["dataset"])), subsets).members
    often = members.sum(axis=0)
    order = np.argsort(-often, kind="stable")[: np.count_nonzero(often)]
    groups = [fold.comparison for fold in folds]
    borders = [at + 0.5 for at in range(1, len(groups)) if groups[at] != groups[at - 1]]
    return members[:, order], borders

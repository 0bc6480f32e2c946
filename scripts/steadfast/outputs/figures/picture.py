"""Figures of the features that every fold selects."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS, RATIO, THE_DATASET, WHOLE_SIZE
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("picture")
class Picture(FigureKind):
    """Which features each fold selects, one row per fold, groups of folds parted by lines."""

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "size": WHOLE_SIZE,
        "ratio": RATIO,
        "selectors": ALL_SELECTORS,
    }
    any_size = True
    reads = Reads(selections=True)

    def build(self, view: View) -> "Figure":
        entry = view.entry
        n_features = len(view.features(entry["dataset"]))
        folds = view.compared_folds(entry["dataset"])
        numbers = range(1, len(folds))
        borders = [at for at in numbers if folds[at].comparison != folds[at - 1].comparison]
        rows = len(view.selectors)
        size = panels.TWO_COLUMNS, 1.5 * rows + 0.9
        figure, axes = panels.subplots(rows, 1, entry["title"], size, sharex=True)
        for at, (selector, label) in enumerate(view.selectors.items()):
            ax = axes[at, 0]
            found = view.selections(entry["dataset"], selector, shuffle_ties=True)
            for row, fold in enumerate(folds):
                if fold.name in found:
                    chosen = found[fold.name].sequence[: entry["size"]]
                    ax.vlines(chosen + 1, row, row + 1, color="black", linewidth=1.0)
            ax.hlines(borders, 0, n_features + 1, color="#bbbbbb", linewidth=0.4, zorder=0)
            ax.set_ylim(len(folds), 0)
            ax.set_xlim(0, n_features + 1)
            ax.grid(False)
            ax.set_title(f"({chr(ord('a') + at)}) {label}")
            ax.set_ylabel("Fold")
        axes[-1, 0].set_xlabel("Feature (column of the data set)")
        return figure

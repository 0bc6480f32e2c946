"""Figures of the plane of stability and accuracy."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS, MARKED, ONE_DATASET, STABILITY_AND_ACCURACY
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve, common_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("plane")
class Plane(FigureKind):
    """Accuracy against stability along the sizes, one panel per data set."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": ONE_DATASET,
        "selectors": ALL_SELECTORS,
        "marked": MARKED,
    }
    reads = Reads(stability=True, accuracy=True)

    def build(self, view: View) -> "Figure":
        entry, n = view.entry, len(view.datasets)
        figure, axes = panels.subplots(1, n, entry["title"], (5.6 * n, 4.6))
        for dataset, ax in zip(view.datasets, axes[0], strict=True):
            for selector, label in view.selectors.items():
                stability, accuracy = common_sizes(
                    [
                        view.curves.read({**entry, "dataset": dataset, "of": of}, selector)
                        for of in ("stability", "accuracy")
                    ]
                )
                colour = panels.colour(view, selector)
                ax.plot(stability.values, accuracy.values, color=colour, label=label)
                _mark_sizes(ax, stability, accuracy, entry["marked"], colour)
            ax.set_title(view.title(dataset))
            ax.set_xlabel(f"Stability ({view.measure()['label']})")
            ax.set_ylabel(f"Accuracy ({view.classifiers[entry['classifier']]})")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        columns = 3 if n == 1 else min(len(labels), 6)
        figure.legend(handles, labels, loc="outside lower center", ncols=columns)
        return figure


def _mark_sizes(ax: "Axes", x: Curve, y: Curve, sizes: Sequence[int], colour: str) -> None:
    for k in sizes:
        at = x.place(k)
        if at is not None:
            place = x.values[at], y.values[at]
            ax.plot(*place, "o", color=colour, markersize=4)
            ax.annotate(
                f"{k}", place, (3, -8), textcoords="offset points", fontsize=7, color=colour
            )

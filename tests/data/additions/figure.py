"""A kind of figure of the tests' own: the number of classes."""

from typing import TYPE_CHECKING

from steadfast.core.registry import figure
from steadfast.outputs.figures.panels import grid
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("classes")
class Classes(FigureKind):
    """Rows of every class, one panel per data set."""

    def build(self, view: View) -> "Figure":
        drawn, axes = grid(len(view.datasets), view.entry["title"], 1, 4.0, 3.0, 0.5)
        for dataset, ax in zip(view.datasets, axes, strict=True):
            counts = view.about(dataset)["classes"]
            ax.bar(list(counts), list(counts.values()))
            ax.set_title(view.title(dataset))
        return drawn

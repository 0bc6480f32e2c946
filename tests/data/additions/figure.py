"""A kind of figure of the tests' own: the number of classes."""

from typing import TYPE_CHECKING

from steadfast.outputs.figures.panels import grid
from steadfast.outputs.kinds import figure
from steadfast.outputs.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure
def classes(results: Results) -> "Figure":
    """Rows of every class, one panel per data set."""
    drawn, axes = grid(len(results.datasets), results.heading, 1, 4.0, 3.0, 0.5)
    for dataset, ax in zip(results.datasets, axes, strict=True):
        counts = results.about(dataset)["classes"]
        ax.bar(list(counts), list(counts.values()))
        ax.set_title(results.title(dataset))
    return drawn

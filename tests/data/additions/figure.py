"""A kind of figure of the tests' own: the number of classes."""

from steadfast.outputs.figures import panels
from steadfast.outputs.kinds import figure
from steadfast.outputs.results import Results


@figure
def classes(results: Results) -> "panels.Figure":
    """Rows of every class, one panel per data set."""
    drawn, axes = panels.grid(len(results.datasets), results.heading, 3.0, 1, 4.0)
    for dataset, ax in zip(results.datasets, axes, strict=True):
        counts = results.about(dataset)["classes"]
        ax.bar(list(counts), list(counts.values()))
        ax.set_title(results.title(dataset))
    return drawn

"""What all figures share: colours, grids of panels, and one legend below them."""

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

#: Okabe and Ito's colours, told apart by colour-blind readers and in grey by their line styles.
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#000000",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#999999",
    "#7F4F24",
    "#5E3C99",
)
#: How random selection is drawn.
CHANCE = {"color": "#777777", "linestyle": (0, (1, 2))}

#: How thresholds and the sample that shares no row are drawn.
RED = "#B2182B"


def grid(
    n: int, title: str, columns: int, width: float, height: float, around: float
) -> tuple[Figure, list[Axes]]:
    """Axes in reading order, of this size each, and room for title and legend around them."""
    rows = -(-n // columns)
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(width * columns, height * rows + around),
        layout="constrained",
        squeeze=False,
    )
    figure.suptitle(title, fontsize=10)
    for ax in axes.ravel()[n:]:
        ax.remove()
    return figure, list(axes.ravel()[:n])


def share_legend(figure: Figure, ax: Axes, most: int = 6) -> None:
    """The legend of one panel below all of them, at most so many entries a row, in even rows."""
    handles, labels = ax.get_legend_handles_labels()
    rows = -(-len(labels) // most)
    figure.legend(handles, labels, loc="outside lower center", ncols=-(-len(labels) // rows))

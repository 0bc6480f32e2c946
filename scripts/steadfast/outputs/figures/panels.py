"""What all figures share: style, colours, grids of panels, and one legend below them.

matplotlib is imported where something is drawn: the workflow reads the kinds of figures without
drawing any.
"""

import io
import re
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING, Any

from steadfast.core import cli
from steadfast.core.errors import plain

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.outputs.differences import Interval
    from steadfast.outputs.view import View
    from steadfast.statistics.curve import Curve

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
LINES = ("-", "-", (0, (1, 1)), (0, (4, 1)), (0, (4, 3)), (0, (6, 2)), (0, (8, 1, 1, 1)))

#: One mark per selector, so that they can be told apart without colours.
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<")

#: From one mark on a curve to the next, as a share of the diagonal of its panel.
_MARK_SPACING = 0.16

#: Inches across one and two columns of a page. A journal prints them 3.5 and 7.2 inches wide, where
#: the style's letters are 7 points high: nothing is to be wider, no text smaller.
ONE_COLUMN, TWO_COLUMNS = 4.5, 9.0

#: Widths in a legend, of a mark with what is around it and of a letter; of a letter in a title.
_MARK_INCHES, _LETTER_INCHES, _TITLE_LETTER_INCHES = 0.6, 0.066, 0.077

#: Height of a line of a title, and of what is free above and below a row of panels.
_TITLE_LINE_INCHES, _ROW_GAP_INCHES = 0.17, 0.07

#: More panels than these are drawn low, three in a row, so that they fit a page.
MANY = 6

#: How random selection is drawn.
CHANCE = {"color": "#777777", "linestyle": (0, (1, 2))}

#: How thresholds and the sample that shares no row are drawn.
RED = "#B2182B"

STYLE = {
    "svg.hashsalt": "steadfast",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "figure.dpi": 100,
}


def pyplot() -> ModuleType:
    """matplotlib's `pyplot`, drawing into files."""
    with cli.count_start_up():
        import matplotlib

        matplotlib.use("agg")
        from matplotlib import pyplot
    return pyplot


def style() -> AbstractContextManager[None]:
    """The style that figures are built and written in."""
    return pyplot().rc_context(STYLE)


def to_bytes(figure: "Figure", kind: str) -> bytes:
    """SVG or PNG; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with style():
        figure.savefig(buffer, format=kind, dpi=200, metadata=metadata)
    return buffer.getvalue()


def as_text(given: Any) -> Any:
    """Names as matplotlib shows them, in whatever they stand in: a $ in one begins no formula."""
    if isinstance(given, str):
        return re.sub(r"(?<!\\)\$", r"\\$", plain(given))
    if isinstance(given, Mapping):
        return {key: as_text(value) for key, value in given.items()}
    if isinstance(given, list):
        return [as_text(value) for value in given]
    return given


# Selectors


def colour(view: "View", selector: str) -> str:
    """The colour that a selector has in all figures of its study."""
    return COLOURS[view.context["colours"][selector] % len(COLOURS)]


def line(view: "View", selector: str) -> dict[str, Any]:
    """How a selector's curve is drawn.

    The first one is wide, so that it shows under another that coincides with it.
    """
    number = view.context["colours"][selector]
    return {
        "color": colour(view, selector),
        "linestyle": LINES[number % len(LINES)],
        "linewidth": 1.2 if number else 2.6,
    }


def spaced_marks(view: "View", selector: str) -> dict[str, Any]:
    """The selector's mark along its curve, at places of its own, told apart without colours."""
    number = view.context["colours"][selector]
    start = _MARK_SPACING * (number % len(MARKS)) / len(MARKS)
    look = {"markersize": 4.5, "markeredgecolor": "white", "markeredgewidth": 0.4}
    return {"marker": MARKS[number % len(MARKS)], "markevery": (start, _MARK_SPACING), **look}


def marks(view: "View", selector: str) -> dict[str, Any]:
    """How a selector's single values are drawn."""
    number = view.context["colours"][selector]
    return {"color": colour(view, selector), "marker": MARKS[number % len(MARKS)]}


def draw_band(ax: "Axes", curve: "Curve", colour: str) -> None:
    """The interval of a curve from its low to its high end, where it has one.

    An interval that ends at a bound of the measure reaches less far on that side of the curve.
    """
    if curve.low is not None:
        ax.fill_between(curve.sizes, curve.low, curve.high, color=colour, alpha=0.15, linewidth=0)


def draw_intervals(
    ax: "Axes", places: Sequence[float], found: Sequence["Interval"], **look: Any
) -> None:
    """Values with their intervals, from the low to the high end of each."""
    values, low, high = zip(*found, strict=True)
    ax.vlines(places, low, high, color=look["color"], linewidth=0.8)
    ax.plot(places, values, **look)


def explain_intervals(ax: "Axes") -> None:
    """An entry of the legend for the lines that intervals are drawn as."""
    ax.plot([], [], "|", color="#555555", markersize=9, label="95% interval")


# Panels


def subplots(
    rows: int, columns: int, title: str, size: tuple[float, float], **settings: Any
) -> tuple["Figure", "np.ndarray"]:
    """A figure of this size in inches, under its title, and its axes in rows and columns.

    A title of several lines makes it higher.
    """
    width, height = size
    lines = textwrap.wrap(title, int(width / _TITLE_LETTER_INCHES))
    size = width, height + _TITLE_LINE_INCHES * (len(lines) - 1)
    figure, axes = pyplot().subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False, **settings
    )
    figure.get_layout_engine().set(h_pad=_ROW_GAP_INCHES)
    figure.suptitle("\n".join(map(_with_subscripts, lines)), fontsize=10)
    return figure, axes


def _with_subscripts(title: str) -> str:
    """A title in which the last letter of S_S, S_X, MID_α and their like stands lower."""
    return re.sub(r"\b(S|MID)_(\w)\b", r"\1$_{\\mathrm{\2}}$", as_text(title))


def axis_label(of: str, by: str) -> str:
    """What an axis shows, and the measure or classifier behind it."""
    return f"{of}: {by}" if "(" in by else f"{of} ({by})"


def grid(
    n: int, title: str, columns: int, width: float, height: float, around: float
) -> tuple["Figure", list["Axes"]]:
    """Axes in reading order, of this size each, and room for title and legend around them."""
    rows = -(-n // columns)
    figure, axes = subplots(rows, columns, title, (width * columns, height * rows + around))
    for ax in axes.ravel()[n:]:
        ax.remove()
    return figure, list(axes.ravel()[:n])


def curve_grid(n: int, title: str) -> tuple["Figure", list["Axes"]]:
    """A grid of wide panels, two in a row unless there are one or three; low ones for many."""
    if n > MANY:
        return grid(n, title, 3, TWO_COLUMNS / 3, 1.9, 0.6)
    columns = 1 if n == 1 else 2 if n != 3 else 3
    return grid(n, title, columns, *((ONE_COLUMN, 3.1) if columns < 3 else (3.0, 2.8)), 0.6)


def panel_grid(
    n: int, title: str, width: float = 3.0, height: float = 2.8, columns: int = 3
) -> tuple["Figure", list["Axes"]]:
    """A grid of at most so many columns, wide enough for its title and legend."""
    columns = min(n, columns)
    return grid(n, title, columns, max(width, ONE_COLUMN / columns), height, 0.8)


def page_grid(n: int, title: str, columns: int, height: float) -> tuple["Figure", list["Axes"]]:
    """A grid across two columns of a page, of panels of this height."""
    return grid(n, title, columns, TWO_COLUMNS / columns, height, 0.8)


def label_outside(
    axes: Sequence["Axes"], columns: int, x: str, y: str, same_x: bool = True
) -> None:
    """Name the axes of a grid in its first column and last row; ticks too, where all have the same.

    Panels above a free place keep their ticks.
    """
    last_row = (len(axes) - 1) // columns * columns
    for at, ax in enumerate(axes):
        first, lowest = at % columns == 0, at + columns >= len(axes)
        ax.set(xlabel=x if at >= last_row else "", ylabel=y if first else "")
        ax.tick_params(labelbottom=lowest or not same_x, labelleft=first)


def share_limits(axes: Sequence["Axes"]) -> None:
    """Give vertical axes that show one thing the range of all of them."""
    lowest = min(ax.get_ylim()[0] for ax in axes)
    highest = max(ax.get_ylim()[1] for ax in axes)
    for ax in axes:
        ax.set_ylim(lowest, highest)


def share_legend(
    figure: "Figure",
    ax: "Axes",
    most: int = 6,
    more: Mapping[str, "Artist"] | None = None,
    **settings: Any,
) -> None:
    """The legend of one panel below all of them, in even rows of at most so many entries.

    Fewer where their labels are too long for the figure. `more` entries, by label, come last.
    """
    more = more or {}
    handles, labels = ax.get_legend_handles_labels()
    handles, labels = [*handles, *more.values()], [*labels, *more]
    rows = -(-len(labels) // most)
    while rows < len(labels) and _legend_width(labels, rows) > figure.get_figwidth():
        rows += 1
    columns = -(-len(labels) // rows)
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, **settings)


def _legend_width(labels: Sequence[str], rows: int) -> float:
    """About how many inches a legend of so many rows is wide."""
    columns = [labels[at : at + rows] for at in range(0, len(labels), rows)]
    return sum(_MARK_INCHES + _LETTER_INCHES * max(map(len, column)) for column in columns)

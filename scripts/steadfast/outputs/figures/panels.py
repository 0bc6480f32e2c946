"""What all figures share: style, colours, grids of panels, and one legend below them.

matplotlib is imported where something is drawn: the workflow reads the kinds of figures without
drawing any.
"""

import io
import re
import textwrap
import zlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from string import ascii_lowercase
from types import ModuleType
from typing import TYPE_CHECKING, Any

from steadfast import __version__
from steadfast.core import cli
from steadfast.core.errors import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from steadfast.outputs.results import Results

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

#: Methods by their colour in all studies, each with the number of its mark; others take theirs from
#: their name.
METHODS = {
    "#000000": {"mid": 0},
    "#D55E00": {"miq": 1, "relieff": 1, "significant": 1},
    "#CC79A7": {"mid_alpha": 6, "l1_svm": 4, "complementary_pairs": 4},
    "#0072B2": {"mrsmr": 3, "info_gain": 0, "sfs": 1, "trusted": 0},
    "#009E73": {"ensemble_mid": 4, "fisher": 3, "knockoffs": 3},
    "#7F4F24": {"chi2": 2, "sklearn.ensemble.RandomForestClassifier": 4, "boruta": 2},
    "#E69F00": {"svm_one": 5, "sffs": 3},
    "#5E3C99": {"svm_rfe": 6, "votes": 6},
    "#56B4E9": {"sklearn.feature_selection.f_classif": 7},
    "#777777": {"random": 7},
}

#: How much light further settings of one method keep: they are darker, the mark and line differ.
_SHADES = (1, 0.8, 0.62, 0.48, 0.36)

#: Colours that are weak on white, and drawn wider.
_WEAK = {"#E69F00", "#56B4E9", "#CC79A7", "#999999"}
_STRONG = [colour for colour in COLOURS if colour not in _WEAK]

#: How marks along a curve look.
MARK = {"markersize": 5.5, "markeredgecolor": "white", "markeredgewidth": 0.4}

#: Up to so many times the smallest size, a logarithmic axis has labels between powers of ten.
_DECADES = 300

#: Inches across one and two columns of a page. A journal prints them 3.5 and 7.2 inches wide, where
#: the style's letters are 7 points high: nothing is to be wider, no text smaller.
ONE_COLUMN, TWO_COLUMNS = 4.5, 9.0

#: Widths in a legend, of a mark with what is around it and of a letter; of a letter in a title.
_MARK_INCHES, _LETTER_INCHES, _TITLE_LETTER_INCHES = 0.6, 0.066, 0.077

#: Height of a line of a title, and of what is free above and below a row of panels.
_TITLE_LINE_INCHES, _ROW_GAP_INCHES = 0.17, 0.07

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


def to_bytes(figure: "Figure", kind: str, title: str = "") -> bytes:
    """SVG or PNG that says what it shows and what drew it; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    program = f"steadfast {__version__}"
    more = {"Creator": program, "Date": None} if kind == "svg" else {"Software": program}
    metadata = {"Title": title, **more}
    with style():
        figure.savefig(buffer, format=kind, dpi=200, metadata=metadata)
    return buffer.getvalue()


def as_text(names: Any) -> Any:
    """Names as matplotlib shows them, in lists and mappings too: a $ in one begins no formula."""
    if isinstance(names, str):
        return re.sub(r"(?<!\\)\$", r"\\$", plain(names))
    if isinstance(names, Mapping):
        return {key: as_text(value) for key, value in names.items()}
    if isinstance(names, list):
        return [as_text(value) for value in names]
    return names


# Selectors


def look(results: "Results", selector: str) -> dict[str, Any]:
    """How a selector is drawn: its method in all studies alike, further settings of it darker."""
    method, setting = results.context["selectors"][selector]["method"]
    mark = zlib.crc32(method.encode())
    full = COLOURS[mark % len(COLOURS)]
    for shade, methods in METHODS.items():
        if method in methods:
            full, mark = shade, methods[method]
    share = _SHADES[setting % len(_SHADES)]
    parts = [round(int(full[at : at + 2], 16) * share) for at in (1, 3, 5)]
    found = {
        "color": "#{:02X}{:02X}{:02X}".format(*parts),
        "marker": MARKS[(mark - setting) % len(MARKS)],
        "linestyle": LINES[1 + setting % (len(LINES) - 1)],
        "linewidth": 1.8 if full in _WEAK and not setting else 1.2,
    }
    return found | CHANCE if method == "random" else found


def marks(results: "Results", selector: str) -> dict[str, Any]:
    """How a selector's single values are drawn."""
    both = look(results, selector)
    return {name: both[name] for name in ("color", "marker")}


def numbered(number: int) -> dict[str, Any]:
    """Colour and mark of a series that is no selector."""
    return {"color": _STRONG[number % len(_STRONG)], "marker": MARKS[number % len(MARKS)]}


def label_log(axis: "Axis") -> None:
    """Numbers at a logarithmic axis, between powers of ten too where these are few."""
    low, high = axis.get_view_interval()
    subs = (1, 2, 5) if high < _DECADES * low else (1,)
    axis.get_major_locator().set_params(subs=subs)
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")


def scale_sizes(ax: "Axes", log: bool) -> None:
    """An axis of subset sizes, with whole numbers as its labels."""
    if log:
        ax.set_xscale("log")
        label_log(ax.xaxis)
    else:
        ax.xaxis.get_major_locator().set_params(integer=True)


# Panels


def grid(
    n: int,
    title: str,
    height: float,
    columns: int | None = None,
    width: float = TWO_COLUMNS,
    around: float = 0.8,
    **settings: Any,
) -> tuple["Figure", list["Axes"]]:
    """A figure under its title, and its axes in reading order; all sizes are in inches.

    Panels have a height, `around` is left for title and legend; a title of several lines makes the
    figure higher. Two panels stand in a row where there are two or four, else three.
    """
    columns = min(columns or {4: 2}.get(n, 3), n)
    rows = -(-n // columns)
    lines = textwrap.wrap(title, int(width / _TITLE_LETTER_INCHES))
    size = width, height * rows + around + _TITLE_LINE_INCHES * (len(lines) - 1)
    figure, axes = pyplot().subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False, **settings
    )
    figure.get_layout_engine().set(h_pad=_ROW_GAP_INCHES)
    figure.suptitle("\n".join(map(_with_subscripts, lines)), fontsize=10)
    for ax in axes.flat[n:]:
        ax.set_axis_off()
    return figure, list(axes.flat[:n])


def _with_subscripts(title: str) -> str:
    """A title in which the last letter of S_S, S_X, MID_α and their like stands lower."""
    return re.sub(r"\b(S|MID)_(\w)\b", r"\1$_{\\mathrm{\2}}$", as_text(title))


def axis_label(of: str, by: str) -> str:
    """What an axis shows, and the measure or classifier behind it."""
    return f"{of}: {by}" if "(" in by else f"{of} ({by})"


def label_outside(
    axes: Sequence["Axes"], x: str | Sequence[str], y: str | Sequence[str], same_x: bool = True
) -> None:
    """Name the axes of a grid in its first column and last row; ticks too, where all have the same.

    There may be a name for each column and row. Panels above a free place keep both.
    """
    columns = axes[0].get_gridspec().ncols
    for at, ax in enumerate(axes):
        row, column = divmod(at, columns)
        lowest = at + columns >= len(axes)
        names = x if isinstance(x, str) else x[column], y if isinstance(y, str) else y[row]
        ax.set(xlabel=names[0] if lowest else "", ylabel="" if column else names[1])
        ax.tick_params(labelbottom=lowest or not same_x, labelleft=not column)


def title_panels(
    axes: Sequence["Axes"],
    titles: Sequence[str],
    numbers: Sequence[str] | None = None,
    **settings: Any,
) -> None:
    """Titles of panels in reading order, after their letters if they are several: `(a) first`.

    A paper's numbers of them may stand for letters.
    """
    letters = [f"({letter})" for letter in ascii_lowercase] if len(axes) > 1 else [""]
    for ax, title, number in zip(axes, titles, numbers or letters):
        ax.set_title(f"{number} {title}".strip(), **settings)


def share_limits(axes: Sequence["Axes"]) -> None:
    """Give vertical axes that show one thing the range of all of them."""
    lowest = min(ax.get_ylim()[0] for ax in axes)
    highest = max(ax.get_ylim()[1] for ax in axes)
    for ax in axes:
        ax.set_ylim(lowest, highest)


def share_legend(figure: "Figure", ax: "Axes", most: int = 6, **settings: Any) -> None:
    """The legend of one panel below all of them, in even rows of at most so many entries.

    Fewer where their labels are too long for the figure. In a grid with a free place, the legend is
    there.
    """
    handles, labels = ax.get_legend_handles_labels()
    free, width = [each for each in figure.axes if not each.axison], figure.get_figwidth()
    if free and _legend_width(labels, len(labels)) < width / ax.get_gridspec().ncols:
        free[0].legend(handles, labels, loc="center", **settings)
        return
    rows = -(-len(labels) // most)
    while rows < len(labels) and _legend_width(labels, rows) > width:
        rows += 1
    columns = -(-len(labels) // rows)
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, **settings)


def _legend_width(labels: Sequence[str], rows: int) -> float:
    """About how many inches a legend of so many rows is wide."""
    columns = [labels[at : at + rows] for at in range(0, len(labels), rows)]
    return sum(_MARK_INCHES + _LETTER_INCHES * max(map(len, column)) for column in columns)

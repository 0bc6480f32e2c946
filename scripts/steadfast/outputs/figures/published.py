"""Figures of published ranks beside reproduced ones."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.registry import figure
from steadfast.outputs.captions import caption
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.published import Pair, group_by, read_pairs
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Inches of a row of a table.
_ROW = 0.42


@figure("published")
class Published(FigureKind):
    """Published ranks beside reproduced ones, one panel per table, rows as in the table."""

    reads = Reads(published=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """All that a table may name."""
        return list(study.selectors)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """The paper must have ranked selectors on these data sets."""
        super().check(study, entry, where)
        if study.published_means:
            raise UserError(f"{where}: draws ranks of the paper's data sets, which are not these")

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        """There must be published numbers."""
        return "" if has_published else "no published numbers"

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """What each table is about."""
        keys = ("of", "dataset", "ratio")
        about = {name: [table.get(key) for key in keys] for name, table in study.tables.items()}
        return {"tables": about}

    def build(self, view: View) -> "Figure":
        title, pairs = view.entry["title"], read_pairs(Path(view.paths("published")))
        if not pairs:
            figure, (ax,) = panels.curve_grid(1, title)
            ax.axis("off")
            ax.text(0.5, 0.5, "Nothing was published for the data sets of this run", ha="center")
            return figure
        tables = group_by(pairs, "table")
        most = max(len(group_by(cells, "row")) for cells in tables.values())
        figure, axes = panels.panel_grid(len(tables), title, height=_ROW * most + 1)
        for at, (name, cells) in enumerate(tables.items()):
            _draw_table(axes[at], cells, view)
            axes[at].set_title(f"({chr(ord('a') + at)}) {_table_title(name, view)}")
        look = {"color": "#555555", "marker": "o", "linestyle": "none"}
        axes[0].plot([], [], markerfacecolor="white", label="published", **look)
        axes[0].plot([], [], label="reproduced", **look)
        if any("stands in" in pair.note for pair in pairs):
            axes[0].plot([], [], " ", label="* stands in for the paper's")
        panels.share_legend(figure, axes[0], 7)
        return figure


def _draw_table(ax: "Axes", pairs: Sequence[Pair], view: View) -> None:
    """In each row of a table a line per selector, from the published rank to the reproduced one."""
    rows, columns = group_by(pairs, "row"), group_by(pairs, "column")
    places = {row: at for at, row in enumerate(rows)}
    for number, (column, cells) in enumerate(columns.items()):
        at = [places[pair.row] + 0.76 * ((number + 0.5) / len(columns) - 0.5) for pair in cells]
        ends = np.array([(pair.published, pair.ours) for pair in cells])
        look = {"markersize": 4, "linestyle": "none", **panels.marks(view, column)}
        ax.hlines(at, *ends.T, color=look["color"], linewidth=0.9)
        ax.plot(ends[:, 0], at, markerfacecolor="white", **look)
        ax.plot(ends[:, 1], at, label=view.selectors[column], **look)
    ax.hlines(np.arange(1, len(rows)) - 0.5, 1, len(columns), color="#dddddd", linewidth=0.5)
    ax.set_yticks(range(len(rows)), [_row_label(cells[0], view) for cells in rows.values()])
    ax.set(ylim=(len(rows) - 0.5, -0.5), xticks=range(1, len(columns) + 1))
    ax.set_xlabel("Mean rank (1 is best)")
    ax.grid(axis="y", visible=False)


def _table_title(name: str, view: View) -> str:
    """A table's number in print, what it ranks by, and the data set or ratio it is about."""
    of, dataset, ratio = view.context["tables"][name]
    of = f": {view.quantity(of)}" if of else ""
    about = (
        [view.title(dataset)]
        if dataset
        else [f"r = {ratio:g}"]
        if ratio and view.ratios[1:]
        else []
    )
    return "\n".join([f"{caption(name)}{of}", *about])


def _row_label(pair: Pair, view: View) -> str:
    """The data set, which may stand in for the paper's, or else the ratio."""
    if pair.row not in view.datasets:
        return f"r = {pair.row}"
    return fill(view.title(pair.row) + (" *" if "stands in" in pair.note else ""), 18)

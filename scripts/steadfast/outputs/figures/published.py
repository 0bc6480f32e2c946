"""Figures of published ranks beside reproduced ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.outputs.captions import caption
from steadfast.outputs.figures import panels
from steadfast.outputs.kinds import figure
from steadfast.outputs.published import Pair, group_by, read_pairs
from steadfast.outputs.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study


class PublishedRanks(Results):
    """Published ranks beside those of the run, and what each table is about."""

    reads = ("published",)

    @classmethod
    def check(cls, study: "Study", entry: Mapping[str, Any], where: str) -> None:
        if study.published_means:
            raise UserError(f"{where}: draws ranks of the paper's data sets, which are not these")

    @classmethod
    def context_of(cls, study: "Study", entry: Mapping[str, Any]) -> dict[str, Any]:
        keys = ("of", "dataset", "ratio")
        about = {name: [table.get(key) for key in keys] for name, table in study.tables.items()}
        return {"tables": about}


def _why_absent(study: "Study", entry: Mapping[str, Any], has_published: bool) -> str:
    return "" if has_published else "no published numbers"


@figure(missing=_why_absent)
def published(ranks: PublishedRanks) -> "Figure":
    """Published ranks beside reproduced ones, one panel per table, rows as in the table."""
    pairs = read_pairs(Path(ranks.paths("published")))
    if not pairs:
        drawn, (ax,) = panels.curve_grid(1, ranks.heading)
        ax.axis("off")
        ax.text(0.5, 0.5, "Nothing was published for the data sets of this run", ha="center")
        return drawn
    tables = group_by(pairs, "table")
    most = max(len(group_by(cells, "row")) for cells in tables.values())
    columns = min(3, len(tables))
    width, height = max(3.0, panels.ONE_COLUMN / columns), 0.42 * most + 1
    drawn, axes = panels.grid(len(tables), ranks.heading, columns, width, height)
    for letter, ax, (name, cells) in zip(panels.LETTERS, axes, tables.items()):
        _draw_table(ax, cells, ranks)
        ax.set_title(f"({letter}) {_table_title(name, ranks)}")
    look = {"color": "#555555", "marker": "o", "linestyle": "none"}
    axes[0].plot([], [], markerfacecolor="white", label="published", **look)
    axes[0].plot([], [], label="reproduced", **look)
    if any("stands in" in pair.note for pair in pairs):
        axes[0].plot([], [], " ", label="* stands in for the paper's")
    panels.share_legend(drawn, axes[0], 7)
    return drawn


def _draw_table(ax: "Axes", pairs: Sequence[Pair], ranks: PublishedRanks) -> None:
    """In each row of a table a line per selector, from the published rank to the reproduced one."""
    rows, columns = group_by(pairs, "row"), group_by(pairs, "column")
    places = {row: at for at, row in enumerate(rows)}
    for number, (column, cells) in enumerate(columns.items()):
        at = [places[pair.row] + 0.76 * ((number + 0.5) / len(columns) - 0.5) for pair in cells]
        ends = np.array([(pair.published, pair.ours) for pair in cells])
        look = {"markersize": 4, "linestyle": "none", **panels.marks(ranks, column)}
        ax.hlines(at, *ends.T, color=look["color"], linewidth=0.9)
        ax.plot(ends[:, 0], at, markerfacecolor="white", **look)
        ax.plot(ends[:, 1], at, label=ranks.selectors[column], **look)
    ax.hlines(np.arange(1, len(rows)) - 0.5, 1, len(columns), color="#dddddd", linewidth=0.5)
    ax.set_yticks(range(len(rows)), [_row_label(cells[0], ranks) for cells in rows.values()])
    ax.set(ylim=(len(rows) - 0.5, -0.5), xticks=range(1, len(columns) + 1))
    ax.set_xlabel("Mean rank (1 is best)")
    ax.grid(axis="y", visible=False)


def _table_title(name: str, ranks: PublishedRanks) -> str:
    """A table's number in print, what it ranks by, and the data set or ratio it is about."""
    of, dataset, ratio = ranks.context["tables"][name]
    title = caption(name)
    if of:
        title += f": {ranks.score.noun if of == 'accuracy' else of}"
    if dataset:
        return f"{title}\n{ranks.title(dataset)}"
    return f"{title}\nr = {ratio:g}" if ratio and ranks.ratios[1:] else title


def _row_label(pair: Pair, ranks: PublishedRanks) -> str:
    """The data set, with a star if it stands in for the paper's, or else the ratio."""
    if pair.row not in ranks.datasets:
        return f"r = {pair.row}"
    return fill(ranks.title(pair.row) + (" *" if "stands in" in pair.note else ""), 18)

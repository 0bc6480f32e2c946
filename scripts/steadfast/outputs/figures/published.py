"""Figures of published ranks against reproduced ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steadfast.core.errors import UserError
from steadfast.core.registry import figure
from steadfast.outputs.captions import caption
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.published import Pair, read_pairs
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study


@figure("published")
class Published(FigureKind):
    """Published ranks against reproduced ones, one panel per table."""

    reads = Reads(published=True)

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """None: all of it stands beside the published numbers."""
        return []

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

    def build(self, view: View) -> "Figure":
        title, pairs = view.entry["title"], read_pairs(Path(view.paths("published")))
        if not pairs:
            figure, (ax,) = panels.curve_grid(1, title)
            ax.axis("off")
            ax.text(0.5, 0.5, "Nothing was published for the data sets of this run", ha="center")
            return figure
        names = list(dict.fromkeys(pair.table for pair in pairs))
        figure, axes = panels.panel_grid(len(names), title, height=3.0)
        ends = [1, max(max(pair.published, pair.ours) for pair in pairs)]
        for at, (name, ax) in enumerate(zip(names, axes, strict=True)):
            _scatter(ax, [pair for pair in pairs if pair.table == name], view, ends)
            ax.set_title(f"({chr(ord('a') + at)}) {caption(name)}")
        more = {"equal": axes[0].lines[0]}
        if any(pair.note for pair in pairs):
            hollow = axes[0].scatter([], [], s=26, color="none", edgecolors="black")
            more["hollow: stand-in data set"] = hollow
        panels.share_legend(figure, axes[0], 7, more=more)
        return figure


def _scatter(ax: "Axes", pairs: Sequence[Pair], view: View, ends: list[float]) -> None:
    """One point per value of a table, with the mark of its selector; stand-ins are hollow."""
    ax.plot(ends, ends, color="#999999", linewidth=0.8, zorder=0)
    for column in dict.fromkeys(pair.column for pair in pairs):
        for stand_in in (False, True):
            own = [p for p in pairs if p.column == column and bool(p.note) == stand_in]
            look = panels.marks(view, column)
            ax.scatter(
                [pair.published for pair in own],
                [pair.ours for pair in own],
                s=26,
                color="none" if stand_in else look["color"],
                edgecolors=look["color"],
                marker=look["marker"],
                label=None if stand_in else view.selectors[column],
            )
    ax.set_aspect("equal")
    ax.set_xlim(0.8, ends[1] + 0.2)
    ax.set_ylim(0.8, ends[1] + 0.2)
    ticks = range(1, round(ends[1]) + 1)
    ax.set_xticks(ticks)
    ax.set_yticks(ticks)
    ax.set_xlabel("Published mean rank")
    ax.set_ylabel("Reproduced mean rank")

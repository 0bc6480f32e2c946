"""Figures of ranks: of selectors on each data set with their test, and published ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.outputs.arguments import Quantity, Ratio, SelectorsToTest, Size
from steadfast.outputs.captions import caption
from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.marks import draw_levels, draw_rows
from steadfast.outputs.intervals import UNDEFINED, Interval, single_value
from steadfast.outputs.kinds import figure
from steadfast.outputs.published import Pair, group_by, read_pairs
from steadfast.outputs.results import Results
from steadfast.outputs.sources import ranks
from steadfast.statistics.friedman import FEWEST_DATASETS, LEVEL, Friedman

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Inches of a selector's row.
_ROW = 0.44


@figure(refuse=ranks.refuse_size_of_chosen, missing=ranks.why_too_few)
def critical_difference(
    curves: Curves, *, of: Quantity, ratio: Ratio, size: Size = None, selectors: SelectorsToTest
) -> "panels.Figure":
    """Ranks on every data set and their means; bars join means that do not differ (Nemenyi).

    Bars and the critical difference are drawn where Friedman's test rejects.

    Parameters
    ----------
    size
        Number of features; below 1, a share of them; "sqrt", the square root of their number. Ranks
        are over all sizes if left out.

    References
    ----------
    Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), figure 1.
    """
    _, test = ranks.rank_datasets(curves, of, ratio, size, selectors)
    height = 1.5 + _ROW * (len(selectors) if test else 2)
    drawn, (ax,) = panels.grid(1, curves.heading, height, around=0)
    if test is None:
        ax.set_axis_off()
        ax.set_title(f"No test: fewer than {FEWEST_DATASETS} data sets are ranked")
        return drawn
    _draw_ranks(ax, test, curves)
    if test.compares_pairs and test.rejected:
        _draw_differences(ax, test)
    without = ", ".join(map(curves.title, test.left_out))
    ax.set_title(_outcome(test) + (f" (some value is missing: {without})" if without else ""))
    at = f", r = {ratio:g}" if len(curves.ratios) > 1 else ""
    ax.set_xlabel(f"Rank by {ranks.printed_quantity(of)}{at}, {_in_words(size)} (1 is best)")
    drawn.legend(loc="outside right center")
    return drawn


def _draw_ranks(ax: "panels.Axes", test: Friedman, curves: Curves) -> None:
    """A row per selector, best first: a mark per data set, and the mean rank."""
    n = len(test.datasets)
    columns = [test.selectors.index(name) for name in test.order]
    series = {}
    for at, dataset in enumerate(test.datasets):
        look = {"color": "#777777", "marker": "o", "label": "" if at else f"{n} data sets"}
        if n <= len(panels.MARKS):
            look = {**panels.numbered(at), "label": curves.title(dataset)}
        series[dataset] = look, list(map(single_value, test.ranks[at, columns]))
    labels = [f"{curves.selectors[name]}  {test.mean_ranks[name]:.2f}" for name in test.order]
    draw_rows(ax, labels, series, ends="")
    draw_levels(ax, [test.mean_ranks[name] for name in test.order], "")
    ax.plot([], [], "k|", markersize=10, markeredgewidth=2, label="mean rank")
    ax.set(xticks=range(1, len(labels) + 1), xlim=(0.8, len(labels) + 0.2))


def _draw_differences(ax: "panels.Axes", test: Friedman) -> None:
    """A bar next to the selectors of each clique, and the critical difference from rank 1 on."""
    k, width = len(test.selectors), test.critical_difference
    for number, clique in enumerate(test.cliques):
        ends = [test.order.index(name) for name in (clique[0], clique[-1])]
        look = {"color": "black", "linewidth": 3, "solid_capstyle": "butt"}
        label = "" if number else f"no difference (Nemenyi, {LEVEL:g})"
        ax.plot([k + 0.4 + 0.15 * number] * 2, np.add(ends, [-0.3, 0.3]), label=label, **look)
    look = {"marker": "|", "color": panels.RED, "label": f"critical difference {width:.2f}"}
    ax.plot([1, 1 + width], [-0.75, -0.75], linewidth=1.6, **look)
    ax.set(xlim=(0.8, k + 0.5 + 0.15 * len(test.cliques)), ylim=(k - 0.4, -1))


def _outcome(test: Friedman) -> str:
    """What Friedman's test says, and whether pairs are compared."""
    p = f"Friedman's test, {len(test.datasets)} data sets: p {ranks.equals_p(test.p)}"
    if not test.rejected:
        return f"{p}, no selectors differ significantly"
    return p if test.compares_pairs else f"{p}; too few data sets to tell which selectors differ"


def _in_words(size: float | str | None) -> str:
    """The size at which values are ranked."""
    if size is None:
        return "mean over all subset sizes"
    if size == "sqrt":
        return "√m features"
    return f"{size:.0%} of the features" if size < 1 else f"{size} features"


# Published ranks


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


@figure(missing=ranks.why_unpublished)
def published(results: PublishedRanks) -> "panels.Figure":
    """Published ranks beside reproduced ones, one panel per table, rows as in the table."""
    pairs = read_pairs(Path(results.paths("published")))
    tables = group_by(pairs, "table")
    most = max((len(group_by(cells, "row")) for cells in tables.values()), default=4)
    drawn, axes = panels.grid(len(tables) or 1, results.heading, 0.42 * most + 1)
    if not pairs:
        axes[0].axis("off")
        axes[0].text(0.5, 0.5, "Nothing was published for the data sets of this run", ha="center")
    for ax, cells in zip(axes, tables.values()):
        _draw_table(ax, cells, results)
    panels.title_panels(axes, [_table_title(name, results) for name in tables])
    look = {"color": "#555555", "marker": "o", "linestyle": "none"}
    axes[0].plot([], [], markerfacecolor="white", label="published", **look)
    axes[0].plot([], [], label="reproduced", **look)
    if any("stands in" in pair.note for pair in pairs):
        axes[0].plot([], [], " ", label="* stands in for the paper's")
    panels.share_legend(drawn, axes[0], 7)
    return drawn


def _draw_table(ax: "panels.Axes", pairs: Sequence[Pair], results: PublishedRanks) -> None:
    """In each row of a table a line per selector, from the published rank to the reproduced one."""
    rows, series, theirs = group_by(pairs, "row"), {}, {}
    for column, cells in group_by(pairs, "column").items():
        own, look = {pair.row: pair for pair in cells}, panels.marks(results, column)
        found = [own.get(row) for row in rows]
        values = [
            Interval(pair.ours, pair.published, pair.ours) if pair else UNDEFINED for pair in found
        ]
        series[results.selectors[column]] = look, values
        published = {**look, "markerfacecolor": "white", "label": ""}
        theirs[column] = published, [single_value(value.low) for value in values]
    names = [_row_label(cells[0], results) for cells in rows.values()]
    draw_rows(ax, names, theirs, ends="")
    draw_rows(ax, names, series, ends="")
    ax.set(xticks=range(1, len(series) + 1), xlabel="Mean rank (1 is best)")


def _table_title(name: str, results: PublishedRanks) -> str:
    """A table's number in print, what it ranks by, and the data set or ratio it is about."""
    of, dataset, ratio = results.context["tables"][name]
    title = caption(name)
    if of:
        title += f": {results.score.noun if of == 'accuracy' else of}"
    if dataset:
        return f"{title}\n{results.title(dataset)}"
    return f"{title}\nr = {ratio:g}" if ratio and results.ratios[1:] else title


def _row_label(pair: Pair, results: PublishedRanks) -> str:
    """The data set, with a star if it stands in for the paper's, or else the ratio."""
    if pair.row not in results.datasets:
        return f"r = {pair.row}"
    return fill(results.title(pair.row) + (" *" if "stands in" in pair.note else ""), 18)

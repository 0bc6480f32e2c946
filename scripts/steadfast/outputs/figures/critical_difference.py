"""Mean ranks of selectors over data sets, and the critical difference between them."""

import textwrap
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ANY_SIZE, EITHER, OF, SELECTORS
from steadfast.outputs.kind import Entry, FigureKind
from steadfast.outputs.shared.ranked_datasets import (
    check_ranked,
    outcome,
    rank_datasets,
    ranked_quantity,
    why_no_pairs,
    why_too_few,
)
from steadfast.outputs.shared.tested_selectors import tested_selectors
from steadfast.outputs.view import View
from steadfast.statistics.friedman import FEWEST_DATASETS, LEVEL, Friedman

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Ranks between two mean ranks that are tied, so that their lines have one order everywhere.
_APART = 1e-9

#: Characters of a note in one line.
_WIDTH = 132

#: Inches of a line of a note.
_LINE = 0.16


@figure("critical_difference")
class CriticalDifference(FigureKind):
    """Mean ranks over the data sets, and who differs (Nemenyi); the ranks, of few data sets.

    References
    ----------
    Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006), figure 1.
    """

    keys: ClassVar[Keys] = {
        **EITHER,
        "of": OF.but(description="What is ranked."),
        "size": ANY_SIZE.but(
            description=f"{ANY_SIZE.description} Ranks are over all sizes if left out."
        ),
        "selectors": SELECTORS,
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """Those that are tested."""
        return tested_selectors(study, entry)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """There must be something to test."""
        super().check(study, entry, where)
        check_ranked(study, entry, where)

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        """There must be enough data sets for a test."""
        return why_too_few(study)

    def build(self, view: View) -> "Figure":
        ranked = rank_datasets(view)
        test = ranked.test
        notes = [f"Ranked on each data set: {_ranking_note(view)}. Rank 1 is best."]
        if ranked.left_out:
            names = ", ".join(view.title(name) for name in ranked.left_out)
            notes.append(f"Without {names}: some selector has no value there.")
        if test is not None and test.compares_pairs:
            rows = -(-len(test.selectors) // 2) + len(test.cliques)
            figure, ax = _figure(view, 1.65 + 0.22 * rows)
            _draw_diagram(ax, test, view)
            read = f". A bar joins those that do not differ (Nemenyi, {LEVEL:g})."
            unread = ": no two are to be read as different."
            notes.append(outcome(test) + (read if test.rejected else unread))
        elif test is not None:
            figure, ax = _figure(view, 1.3 + 0.36 * len(test.selectors))
            _draw_ranks(ax, test, view)
            figure.legend(loc="outside right center")
            notes += [f"{outcome(test)}.", why_no_pairs(test)]
        else:
            figure, ax = _figure(view, 1.65)
            ax.axis("off")
            message = f"No test: fewer than {FEWEST_DATASETS} data sets are ranked"
            ax.text(0.5, 0.5, message, ha="center", transform=ax.transAxes)
        lines = [line for note in notes for line in textwrap.wrap(note, _WIDTH)]
        figure.set_figheight(figure.get_figheight() + _LINE * len(lines))
        figure.supxlabel("\n".join(lines), fontsize=9)
        return figure


def _figure(view: View, height: float) -> tuple["Figure", "Axes"]:
    size = panels.TWO_COLUMNS, height
    figure, axes = panels.subplots(1, 1, view.entry["title"], size)
    return figure, axes[0, 0]


def _draw_ranks(ax: "Axes", test: Friedman, view: View) -> None:
    """The rank on every data set as a mark, and the mean rank as a line across them."""
    k, n = len(test.selectors), len(test.datasets)
    places = np.arange(k)
    columns = [test.selectors.index(name) for name in test.order]
    for at, dataset in enumerate(test.datasets):
        look = {"color": panels.COLOURS[at], "marker": panels.MARKS[at], "s": 32, "zorder": 3}
        # Marks of data sets that agree stand below each other.
        beside = 0.72 * (at - (n - 1) / 2) / n
        ax.scatter(test.ranks[at, columns], places + beside, label=view.title(dataset), **look)
    means = [test.mean_ranks[name] for name in test.order]
    ax.vlines(means, places - 0.36, places + 0.36, color="black", linewidth=1.8, label="mean rank")
    labels = [panels.as_text(view.selectors[name]) for name in test.order]
    shown = [f"{label}  {mean:.2f}" for label, mean in zip(labels, means, strict=True)]
    ax.set_yticks(places, shown)
    ax.set_ylim(k - 0.4, -0.6)
    ax.set_xticks(range(1, k + 1))
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("Rank")
    ax.set_title(
        "Ranks on each data set and their mean; too few data sets for a critical difference"
    )


def _ranking_note(view: View) -> str:
    entry, by = view.entry, ranked_quantity(view)
    at = f", r = {entry['ratio']:g}" if len(view.ratios) > 1 else ""
    if "size" not in entry:
        return f"{by}{at}, mean rank over all subset sizes"
    size = entry["size"]
    shown = {"sqrt": "√m features"}.get(size)
    if shown is None:
        shown = f"{size:.0%} of the features" if size < 1 else f"{size} features"
    return f"{by}{at}, {shown}"


def _draw_diagram(ax: "Axes", test: Friedman, view: View) -> None:
    """The diagram of scikit-posthocs, in this project's colours and on an axis of all ranks.

    Selectors go by number, because sets of text have no fixed order, and the file must be the same
    twice; who differs is taken from the critical difference, as in the table.
    """
    from pandas import DataFrame
    from scikit_posthocs import critical_difference_diagram

    order, k = test.order, len(test.selectors)
    means = np.array([test.mean_ranks[name] for name in order])
    same = [[any({a, b} <= {*clique} for clique in test.cliques) for b in order] for a in order]
    drawn = critical_difference_diagram(
        dict(enumerate(means + _APART * np.arange(k))),
        DataFrame(np.where(same, 1.0, 0.0)),
        ax=ax,
        label_fmt_left="{label}",
        label_fmt_right="{label}",
        marker_props={"s": 14},
        elbow_props={"linewidth": 1},
        crossbar_props={"linewidth": 3, "solid_capstyle": "butt"},
        color_palette={at: panels.colour(view, name) for at, name in enumerate(order)},
    )
    # Labels stand beyond the ends of the axis, on both sides.
    beyond = 0.03 * (k - 1)
    for text, elbow in zip(drawn["labels"], drawn["elbows"], strict=True):
        name = order[int(text.get_text())]
        label, rank = panels.as_text(view.selectors[name]), test.mean_ranks[name]
        left = text.get_horizontalalignment() == "right"
        text.set_text(f"{label}  {rank:.2f} " if left else f" {rank:.2f}  {label}")
        end = 1 - beyond if left else k + beyond
        text.set(x=end, color="black")
        elbow.set_xdata([end, rank, rank])
    ax.relim()
    ax.spines["top"].set_visible(True)
    ax.spines["top"].set_bounds(1, k)
    ax.set_xticks(range(1, k + 1))
    ax.grid(False)
    _draw_critical_difference(ax, test.critical_difference)


def _draw_critical_difference(ax: "Axes", width: float) -> None:
    """How far apart mean ranks must be, above the axis from its first rank on."""
    height, cap = 1.5, 0.15
    ends = [1, 1, 1 + width, 1 + width]
    caps = [height - cap, height + cap]
    ax.plot(ends[:2], caps, ends[2:], caps, ends[1:3], [height] * 2, color="black", linewidth=1.2)
    ax.text(
        1 + width / 2, height + cap, f"critical difference {width:.2f}", ha="center", va="bottom"
    )

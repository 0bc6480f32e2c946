"""Ranks of selectors on each data set, and the critical difference between their means."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.outputs.arguments import Quantity, Ratio, SelectorsToTest, Size
from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.kinds import figure
from steadfast.outputs.sources import ranks
from steadfast.statistics.friedman import FEWEST_DATASETS, LEVEL, Friedman

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches of a selector's row.
_ROW = 0.44


@figure(refuse=ranks.refuse_size_of_chosen, missing=ranks.why_too_few)
def critical_difference(
    curves: Curves, *, of: Quantity, ratio: Ratio, size: Size = None, selectors: SelectorsToTest
) -> "Figure":
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
    drawn, axes = panels.subplots(1, 1, curves.heading, (panels.TWO_COLUMNS, height))
    ax = axes[0, 0]
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


def _draw_ranks(ax: "Axes", test: Friedman, curves: Curves) -> None:
    """A row per selector, best first: a mark per data set, and a tick at the mean rank."""
    n, places = len(test.datasets), np.arange(len(test.selectors))
    columns = [test.selectors.index(name) for name in test.order]
    for at, dataset in enumerate(test.datasets):
        look = {"color": "#777777", "marker": "o", "label": "" if at else f"{n} data sets"}
        if n <= len(panels.MARKS):
            look = {"color": panels.COLOURS[at], "marker": panels.MARKS[at]}
            look["label"] = curves.title(dataset)
        # Marks of data sets that agree stand below each other.
        lower = 0.8 * (at - (n - 1) / 2) / n
        ax.plot(test.ranks[at, columns], places + lower, linestyle="", markersize=4, **look)
    means = [test.mean_ranks[name] for name in test.order]
    look = {"color": "black", "markeredgewidth": 2, "zorder": 1.5}
    ax.plot(means, places, "|", markersize=23, **look)
    ax.plot([], [], "|", markersize=10, label="mean rank", **look)
    labels = [f"{curves.selectors[name]}  {test.mean_ranks[name]:.2f}" for name in test.order]
    ax.set(yticks=places, yticklabels=labels, ylim=(places[-1] + 0.6, -0.6))
    ax.set(xticks=places + 1, xlim=(0.8, places[-1] + 1.2))
    ax.set_yticks(places[1:] - 0.5, minor=True)
    ax.tick_params(which="minor", length=0)
    ax.grid(axis="y", visible=False)
    ax.grid(axis="y", which="minor")


def _draw_differences(ax: "Axes", test: Friedman) -> None:
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

"""Ranks of selectors on each data set, and the critical difference between their means."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ANY_SIZE, EITHER, OF, SELECTORS
from steadfast.outputs.kind import Entry, FigureKind
from steadfast.outputs.shared.ranked_datasets import (
    check_ranked,
    equals_p,
    rank_datasets,
    ranked_quantity,
    why_too_few,
)
from steadfast.outputs.shared.tested_selectors import tested_selectors
from steadfast.outputs.view import View
from steadfast.statistics.friedman import FEWEST_DATASETS, LEVEL, Friedman

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Inches of a selector's row.
_ROW = 0.44


@figure("critical_difference")
class CriticalDifference(FigureKind):
    """Ranks on every data set and their means; bars join means that do not differ (Nemenyi).

    Bars and the critical difference are drawn where Friedman's test rejects.

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
        rows = len(test.selectors) if test else 2
        size = (panels.TWO_COLUMNS, 1.5 + _ROW * rows)
        figure, axes = panels.subplots(1, 1, view.entry["title"], size)
        ax = axes[0, 0]
        if test is None:
            ax.axis("off")
            message = f"No test: fewer than {FEWEST_DATASETS} data sets are ranked"
            ax.text(0.5, 0.5, message, ha="center", transform=ax.transAxes)
            return figure
        _draw_ranks(ax, test, view)
        if test.compares_pairs and test.rejected:
            _draw_differences(ax, test)
        without = ", ".join(view.title(name) for name in ranked.left_out)
        ax.set_title(_outcome(test) + (f" (some value is missing: {without})" if without else ""))
        ax.set_xlabel(f"Rank by {_ranked_by(view)} (1 is best)")
        figure.legend(loc="outside right center")
        return figure


def _draw_ranks(ax: "Axes", test: Friedman, view: View) -> None:
    """A row per selector, best first: a mark per data set, and a tick at the mean rank."""
    n, places = len(test.datasets), np.arange(len(test.selectors))
    columns = [test.selectors.index(name) for name in test.order]
    few = n <= len(panels.MARKS)
    for at, dataset in enumerate(test.datasets):
        look = {"color": "#777777", "marker": "o", "label": "" if at else f"{n} data sets"}
        if few:
            look = {"color": panels.COLOURS[at], "marker": panels.MARKS[at]}
            look["label"] = view.title(dataset)
        # Marks of data sets that agree stand below each other.
        beside = 0.8 * (at - (n - 1) / 2) / n
        ax.plot(test.ranks[at, columns], places + beside, linestyle="", markersize=4, **look)
    means = [test.mean_ranks[name] for name in test.order]
    look = {"color": "black", "markeredgewidth": 2, "zorder": 1.5}
    ax.plot(means, places, "|", markersize=23, **look)
    ax.plot([], [], "|", markersize=10, label="mean rank", **look)
    labels = [panels.as_text(view.selectors[name]) for name in test.order]
    shown = [f"{label}  {mean:.2f}" for label, mean in zip(labels, means, strict=True)]
    ax.set(yticks=places, yticklabels=shown, ylim=(places[-1] + 0.6, -0.6))
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
    p = f"Friedman's test, {len(test.datasets)} data sets: p {equals_p(test.p)}"
    if not test.rejected:
        return f"{p}, no selectors differ significantly"
    return p if test.compares_pairs else f"{p}; too few data sets to tell which selectors differ"


def _ranked_by(view: View) -> str:
    """The measure or the classifier, the ratio and the size."""
    entry, by = view.entry, ranked_quantity(view)
    at = f", r = {entry['ratio']:g}" if len(view.ratios) > 1 else ""
    size = entry.get("size")
    if size is None:
        return f"{by}{at}, mean over all subset sizes"
    share = f"{size:.0%} of the features" if size != "sqrt" and size < 1 else f"{size} features"
    return f"{by}{at}, {'√m features' if size == 'sqrt' else share}"

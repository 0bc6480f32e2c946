"""Figures of how samples of the rows change what is selected, and of the weights behind it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.measures.runs import Runs
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs
from steadfast.outputs.arguments import (
    Count,
    Dataset,
    DatasetGroups,
    Datasets,
    MeasureUsed,
    Ratio,
    Ratios,
    Selectors,
    Size,
)
from steadfast.outputs.curves import Curves, Selections
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.marks import draw_rows, draw_selectors
from steadfast.outputs.intervals import Interval
from steadfast.outputs.kinds import figure
from steadfast.outputs.sources.samples import Samples, sample_distance, ten_and_last, without_each
from steadfast.resampling.schemes.cross_validation import DISJOINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure
def disjoint(
    samples: Samples, *, dataset: Dataset, size: Size = 10, selectors: Selectors
) -> "Figure":
    """Features that eleven samples select, the last sample sharing no row with the others."""
    n_features = len(samples.features(dataset))
    inches = panels.TWO_COLUMNS, 1.35 * len(selectors) + 0.8
    drawn, axes = panels.subplots(len(selectors), 1, samples.heading, inches, sharex=True)
    longest = 0
    for letter, name, ax in zip(panels.LETTERS, selectors, axes[:, 0]):
        subsets = samples.subsets(dataset, name, size)
        n_shown = _draw_samples(ax, subsets, n_features)
        longest = max(longest, n_shown)
        ten, last = ten_and_last(jaccard_matrix(subsets, n_features))
        ax.set_title(
            f"({letter}) {samples.selectors[name]}: {n_shown} features, Jaccard {ten:.2f} among "
            f"the ten samples, {last:.2f} between the last and the ten",
            loc="left",
        )
        ax.set(ylabel="Sample", yticks=[1, 4, 8, len(DISJOINT)], ylim=(len(DISJOINT) + 0.6, 0.4))
        ax.grid(False)
    axes[-1, 0].set_xlim(0, longest + 1)
    axes[-1, 0].set_xlabel(
        "Features selected at least once, most frequent first\n"
        f"(sample {len(DISJOINT)}, red, shares no row with the others)"
    )
    return drawn


def _draw_samples(ax: "Axes", subsets: Sequence[np.ndarray], n_features: int) -> int:
    """One row per sample, features by how often the ten select them; how many are shown."""
    members = Runs(n_features, subsets).members
    frequency = members[:-1].sum(axis=0)
    once = np.flatnonzero(members.any(axis=0))
    order = once[np.lexsort((once, -frequency[once]))]
    for row, one in enumerate(members):
        chosen = np.flatnonzero(one[order])
        colour = panels.RED if row == len(members) - 1 else "black"
        ax.vlines(chosen + 1, row + 0.55, row + 1.45, color=colour, linewidth=1.2)
    return order.size


@figure
def without_fold(
    samples: Samples, *, dataset: Dataset, size: Size = 10, selectors: Selectors
) -> "Figure":
    """Stability of eleven samples with each of them left out; the last shares no row."""
    n = len(selectors)
    drawn, (ax,) = panels.page_grid(1, samples.heading, 1, 0.7 + 0.36 * n)
    rows, overlaps = np.arange(n), [samples.overlaps(dataset, name, size) for name in selectors]
    without = np.array([without_each(one) for one in overlaps])
    last = without.shape[1]
    look = {"linestyle": "none", "color": panels.COLOURS[0]}
    for number, shift in enumerate(np.linspace(-0.28, 0.28, last - 1)):
        label = "" if number else f"without one of the samples 1 to {last - 1}"
        ax.plot(without[:, number], rows + shift, marker="o", markersize=4, label=label, **look)
    look |= {"color": panels.RED, "marker": "D", "markersize": 6}
    label = f"without sample {last}, which shares no row with the others"
    ax.plot(without[:, -1], rows, label=label, **look)
    look |= {"color": "black", "marker": "|", "markersize": 20, "markeredgewidth": 1.6}
    whole = [mean_of_pairs(one) for one in overlaps]
    ax.plot(whole, rows, label="no sample left out", zorder=1.5, **look)
    labels = list(samples.labels_of(selectors).values())
    ax.set(yticks=rows, yticklabels=labels, ylim=(n - 0.5, -0.5))
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0)
    k = samples.size_of(dataset, size)
    ax.set_xlabel(f"Stability (Jaccard), {samples.title(dataset)}, k = {k}")
    panels.share_legend(drawn, ax)
    return drawn


@figure
def dataset_groups(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    dataset_groups: DatasetGroups,
    size: Size = 10,
    selectors: Selectors,
) -> "Figure":
    """Stability over groups of data sets, one panel per group, one row per data set."""
    heights = [len(names) for names in dataset_groups.values()]
    # Inches of a data set's row, and what stands between two groups in rows.
    inches = panels.TWO_COLUMNS, 0.48 * (sum(heights) + 0.8 * len(heights)) + 1
    settings = {"sharex": True, "height_ratios": heights}
    drawn, axes = panels.subplots(len(heights), 1, curves.heading, inches, **settings)
    for letter, (group, names), ax in zip(panels.LETTERS, dataset_groups.items(), axes[:, 0]):
        sizes = {name: curves.size(name, size) for name in names}
        values = draw_selectors(ax, curves, measure, ratio, sizes, selectors)
        ax.set_title(f"({letter}) {group}: mean {values.mean():.2f}", loc="left")
        level = [curves.chance(measure, name).at(k) for name, k in sizes.items()]
        look = {"color": "black", "linewidth": 2, "zorder": 1.5}
        _draw_levels(ax, values.mean(axis=0), "mean of the selectors", **look)
        _draw_levels(ax, level, "random selection", **panels.CHANCE)
    axes[0, 0].set_xlim(min(-0.02, axes[0, 0].get_xlim()[0]), 1.02)
    axes[-1, 0].set_xlabel(f"Stability ({measure.label}); no interval where all runs agree")
    panels.share_legend(drawn, axes[0, 0], 7)
    return drawn


def _draw_levels(ax: "Axes", levels: Sequence[float], label: str, **look: Any) -> None:
    """A level in each row."""
    rows = np.arange(len(levels))
    ax.vlines(levels, rows - 0.45, rows + 0.45, label=label, **look)


@figure
def sample_similarity(
    selections: Selections,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    datasets: Datasets,
    size: Size = 10,
    smallest: Count = 1,
    selectors: Selectors,
) -> "Figure":
    """Stability beside the similarity of the training samples, one row per data set.

    Parameters
    ----------
    smallest
        Smallest size, taken where `size` is fewer features.
    """
    height = 0.6 + 0.8 * len(datasets)
    drawn, (ax,) = panels.page_grid(1, selections.heading, 1, height)
    sizes = {name: selections.size(name, size, smallest) for name in datasets}
    draw_selectors(ax, selections, measure, ratio, sizes, selectors)
    distances = np.array([sample_distance(selections, name, ratio) for name in datasets])
    look = {"color": "black", "linewidth": 1.4, "zorder": 1.5}
    _draw_levels(ax, distances, "S$_X$ as printed: mean distance", **look)
    look["linestyle"] = (0, (2, 1))
    _draw_levels(ax, 1 - distances, "S$_X$ as the text reads it: 1 − mean distance", **look)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel(f"Stability ({measure.label}), or similarity of the samples")
    panels.share_legend(drawn, ax)
    return drawn


@figure
def perturbation(
    curves: Curves,
    *,
    measure: MeasureUsed,
    datasets: Datasets,
    size: Size = 10,
    smallest: Count = 1,
    ratios: Ratios = None,
    chance: bool = False,
    selectors: Selectors,
) -> "Figure":
    """Stability by the share of rows in which samples differ, one panel per data set.

    Parameters
    ----------
    smallest
        Smallest size, taken where `size` is fewer features.
    ratios
        Shares of perturbation, one mark each beside a selector's name; lines over all if left out.
    chance
        Whether random selection is shown too.
    selectors
        Selectors; all if left out, but for random selection where `chance` shows it.
    """
    columns = min(3, len(datasets))
    drawn, axes = panels.page_grid(len(datasets), curves.heading, columns, 2.7)
    shown, titles = ratios or curves.ratios, []
    for dataset, ax in zip(datasets, axes):
        k = curves.size(dataset, size, smallest)
        titles.append(f"{curves.title(dataset)}, k = {k}")
        stability = {}
        for name in selectors:
            values = [curves.interval(measure, dataset, ratio, name, k) for ratio in shown]
            stability[name] = dict(zip(shown, values, strict=True))
        draw = _draw_marks if ratios else _draw_lines
        draw(ax, curves, stability)
        if chance:
            along = ax.axvline if ratios else ax.axhline
            level = curves.chance(measure, dataset).at(k)
            along(level, label="random selection", **panels.CHANCE)
    panels.title_panels(axes, titles)
    label = f"Stability ({measure.label})"
    x, y = (label, "") if ratios else ("Share α of the rows drawn anew", label)
    panels.label_outside(axes, columns, x, y, same_x=False)
    panels.share_legend(drawn, axes[0])
    return drawn


#: Stability by selector and ratio.
ByRatio = Mapping[str, Mapping[float, Interval]]


def _draw_marks(ax: "Axes", curves: Curves, stability: ByRatio) -> None:
    """A row per selector, with a mark per ratio."""
    series = {}
    for number, ratio in enumerate(next(iter(stability.values()))):
        look = {"color": panels.COLOURS[number], "marker": panels.MARKS[number]}
        marks = [values[ratio] for values in stability.values()]
        series[f"{ratio:.0%} of the rows drawn anew"] = look, marks
    draw_rows(ax, list(curves.labels_of(stability).values()), series)
    ax.set_xlim(-0.02, 1.02)


def _draw_lines(ax: "Axes", curves: Curves, stability: ByRatio) -> None:
    """A line per selector over all ratios, with intervals that do not hide each other."""
    for number, (name, values) in enumerate(stability.items()):
        places = np.array(list(values)) + (number - (len(stability) - 1) / 2) * 0.015
        look = {"label": curves.selectors[name], **panels.marks(curves, name)}
        panels.draw_intervals(ax, places, list(values.values()), markersize=4, linewidth=1, **look)
    panels.explain_intervals(ax)
    ax.set(xlim=(-0.06, 1.06), ylim=(-0.02, 1.04))


@figure
def weights(selections: Selections, *, dataset: Dataset, selectors: Selectors) -> "Figure":
    """Weights from the largest to the smallest, of every fold and their mean."""
    drawn, axes = panels.page_grid(len(selectors), selections.heading, min(3, len(selectors)), 2.3)
    for letter, name, ax in zip(panels.LETTERS, selectors, axes):
        every = selections.selections(dataset, name, ties=selections.ties)
        folds = [x.weights for fold, x in every.items() if fold not in DISJOINT and not x.note]
        depth = min(map(len, folds))
        falling = np.array([-np.sort(-one)[:depth] for one in folds])
        _draw_weights(ax, falling, f"({letter}) {selections.selectors[name]}")
    for ax in axes[:: min(3, len(selectors))]:
        ax.set_ylabel("Weight, on the\nselector's own scale")
    panels.share_legend(drawn, axes[0])
    return drawn


def _draw_weights(ax: "Axes", matrix: np.ndarray, label: str) -> None:
    """A thin line per fold, and their mean."""
    depth = matrix.shape[1]
    ranks = np.arange(1, depth + 1)
    folds = ax.plot(ranks, matrix.T, color=panels.COLOURS[0], alpha=0.4, linewidth=0.6)
    folds[0].set_label("one fold")
    ax.plot(ranks, matrix.mean(axis=0), color="black", linewidth=1.4, label="mean of the folds")
    nonzero = int(np.mean(np.count_nonzero(matrix, axis=1)))
    zeros = "no weight is 0" if nonzero == depth else f"0 from rank {nonzero + 1} on"
    ax.set(title=f"{label}: {zeros}", xscale="log", xlabel="Rank of the feature")
    ax.xaxis.set_major_formatter("{x:g}")

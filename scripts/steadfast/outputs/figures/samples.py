"""Figures of how samples of the rows change what is selected, and of the weights behind it."""

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from steadfast.measures.runs import Runs
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.outputs.arguments import (
    Count,
    Dataset,
    DatasetGroups,
    Datasets,
    Entry,
    MeasureUsed,
    Ratio,
    Ratios,
    Selectors,
    Size,
)
from steadfast.outputs.curves import Curves, Selections
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.marks import (
    draw_levels,
    draw_lines,
    draw_rows,
    explain_intervals,
)
from steadfast.outputs.intervals import single_value
from steadfast.outputs.kinds import figure
from steadfast.outputs.sources.samples import Samples, sample_distance, without_each
from steadfast.resampling.schemes.cross_validation import DISJOINT

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


def _refuse_disjoint(study: "Study", entry: Entry, where: str) -> None:
    if entry["disjoint"]:
        Samples.check(study, entry, where)


@figure(refuse=_refuse_disjoint)
def picture(
    selections: Selections,
    *,
    dataset: Dataset,
    size: Size = 10,
    ratio: Ratio,
    disjoint: bool = False,
    selectors: Selectors,
) -> "panels.Figure":
    """Which features each fold selects, one row per fold, groups of folds parted by lines.

    Columns are the features that any fold selects, most frequent first, on one axis for all
    selectors.

    Parameters
    ----------
    disjoint
        Whether rows are the eleven samples of `resample.disjoint`, of which the last shares no row
        with the others.
    """
    compared = [] if disjoint else selections.compared_folds(dataset, ratio)
    groups = {fold.name: fold.comparison for fold in compared}
    groups = groups or {name: str(name == DISJOINT[-1]) for name in DISJOINT}
    n, n_features = len(selectors), len(selections.features(dataset))
    drawn, axes = panels.grid(n, selections.heading, 1.5, 1, around=0.9, sharex=True)
    titles, widest = [], 0
    for name, ax in zip(selectors, axes):
        every = selections.selections(dataset, name, ties=selections.ties)
        folds = [fold for fold in groups if fold in every]
        subsets = [every[fold].sequence[: size_of(size, n_features)] for fold in folds]
        members = Runs(n_features, subsets).members
        often = members.sum(axis=0)
        # Among features that are as frequent, those of the first folds come first.
        order = np.lexsort((members.argmax(axis=0), -often))[: np.count_nonzero(often)]
        _draw_members(ax, members[:, order], red=int(disjoint))
        for row, (one, next_) in enumerate(pairwise(folds), 1):
            if groups[one] != groups[next_]:
                ax.axhline(row + 0.5, color=panels.RED, linewidth=0.6)
        title = f"{selections.selectors[name]}: {len(order)} features"
        if disjoint:
            overlaps = jaccard_matrix(subsets, n_features)
            title += f", Jaccard {mean_of_pairs(overlaps[:-1, :-1]):.2f} among the ten samples, "
            title += f"{overlaps[-1, :-1].mean():.2f} between the last and the ten"
        titles.append(title)
        widest = max(widest, len(order))
    panels.title_panels(axes, titles, loc="left")
    what = "sample" if disjoint else "fold"
    x = f"Features selected by at least one {what}, most frequent first"
    x += f"\n(sample {len(DISJOINT)}, red, shares no row with the others)" if disjoint else ""
    panels.label_outside(axes, x, what.capitalize())
    axes[0].set_xlim(0.5, widest + 0.5)
    return drawn


def _draw_members(ax: "panels.Axes", members: np.ndarray, red: int) -> None:
    """A black cell for each feature (column) that a fold (row) selects, red in the last rows."""
    from matplotlib.colors import ListedColormap

    (n_folds, n_features), shades = members.shape, members.astype(int)
    shades[n_folds - red :] *= 2
    look = {"cmap": ListedColormap(["white", "black", panels.RED]), "vmin": 0, "vmax": 2}
    ends = (0.5, n_features + 0.5, n_folds + 0.5, 0.5)
    ax.imshow(shades, extent=ends, aspect="auto", interpolation="none", **look)
    ax.vlines(np.arange(1, n_features) + 0.5, *ends[2:], color="white", linewidth=1.5)
    ax.grid(False)


@figure
def without_fold(
    samples: Samples, *, dataset: Dataset, size: Size = 10, selectors: Selectors
) -> "panels.Figure":
    """Stability of eleven samples with each of them left out; the last shares no row."""
    drawn, (ax,) = panels.grid(1, samples.heading, 0.7 + 0.36 * len(selectors))
    overlaps = [samples.overlaps(dataset, name, size) for name in selectors]
    *others, last = np.transpose([without_each(one) for one in overlaps])
    series = {}
    for number, values in enumerate(others):
        label = "" if number else f"without one of the samples 1 to {len(others)}"
        look = {"color": panels.COLOURS[0], "marker": "o", "label": label}
        series[number] = look, list(map(single_value, values))
    draw_rows(ax, list(samples.labels_of(selectors).values()), series, ends="")
    label = f"without sample {len(others) + 1}, which shares no row with the others"
    ax.plot(last, range(len(last)), "D", color=panels.RED, markersize=6, label=label)
    draw_levels(ax, [mean_of_pairs(one) for one in overlaps], "no sample left out")
    ax.set_xlim(0)
    k = samples.size_of(dataset, size)
    ax.set_xlabel(f"Stability (Jaccard), {samples.title(dataset)}, k = {k}")
    panels.share_legend(drawn, ax)
    return drawn


@figure
def dataset_groups(
    selections: Selections,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    dataset_groups: DatasetGroups = None,
    size: Size = 10,
    smallest: Count = 1,
    similarity: bool = False,
    selectors: Selectors,
) -> "panels.Figure":
    """Stability over groups of data sets, one panel per group, one row per data set.

    Parameters
    ----------
    smallest
        Smallest size, taken where `size` is fewer features.
    similarity
        Whether the similarity of the training samples is drawn, too.
    """
    groups = dataset_groups or {"All data sets": selections.datasets}
    heights = [len(names) for names in groups.values()]
    # Inches of a data set's row, and what stands between two groups in rows.
    height = (0.8 if similarity else 0.48) * (np.mean(heights) + 0.8)
    settings = {"sharex": True, "height_ratios": heights, "around": 1}
    drawn, axes = panels.grid(len(heights), selections.heading, height, 1, **settings)
    titles = []
    for (group, names), ax in zip(groups.items(), axes):
        sizes = {name: selections.size(name, size, smallest) for name in names}
        series = {}
        for name in selectors:
            at = partial(selections.interval, measure, ratio=ratio, selector=name)
            look, values = (
                panels.marks(selections, name),
                [at(key, k=k) for key, k in sizes.items()],
            )
            series[selections.selectors[name]] = look, values
        draw_rows(ax, [_describe(selections, *pair) for pair in sizes.items()], series)
        means = np.mean([[one.mean for one in values] for _, values in series.values()], axis=0)
        titles.append(f"{group}: mean {means.mean():.2f}")
        if similarity:
            distances = np.array([sample_distance(selections, name, ratio) for name in names])
            draw_levels(ax, distances, "S$_X$ as printed: mean distance")
            label = "S$_X$ as the text reads it: 1 − mean distance"
            draw_levels(ax, 1 - distances, label, linestyle=(0, (2, 1)))
        else:
            draw_levels(ax, means, "mean of the selectors")
        level = [selections.chance(measure, name).at(k) for name, k in sizes.items()]
        draw_levels(ax, level, "random selection", **panels.CHANCE)
    if dataset_groups:
        panels.title_panels(axes, titles, loc="left")
    axes[0].set_xlim(min(-0.02, axes[0].get_xlim()[0]), 1.02)
    other = ", or similarity of the samples" if similarity else "; no interval where all runs agree"
    axes[-1].set_xlabel(f"Stability ({measure.label}){other}")
    panels.share_legend(drawn, axes[0], 7)
    return drawn


def _describe(curves: Curves, dataset: str, k: int) -> str:
    """A data set's name, its rows and features, and the size at which stability is shown."""
    about, name = curves.about(dataset), curves.title(dataset)
    shape = f"{about['rows']} × {about['features']}"
    return f"{name}, k = {k}" if shape in name else f"{name}\n{shape}, k = {k}"


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
) -> "panels.Figure":
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
    drawn, axes = panels.grid(len(datasets), curves.heading, 2.7)
    sizes = {dataset: curves.size(dataset, size, smallest) for dataset in datasets}
    for (dataset, k), ax in zip(sizes.items(), axes):
        series, at = {}, partial(curves.interval, measure, dataset)
        for number, ratio in enumerate(ratios or []):
            values = [at(ratio, name, k) for name in selectors]
            series[f"{ratio:.0%} of the rows drawn anew"] = panels.numbered(number), values
        if ratios:
            draw_rows(ax, list(curves.labels_of(selectors).values()), series)
        else:
            for name, label in curves.labels_of(selectors).items():
                values = [at(ratio, name, k) for ratio in curves.ratios]
                series[label] = panels.marks(curves, name), values
            draw_lines(ax, curves.ratios, series, apart=0.015)
            explain_intervals(ax)
        ax.set(**{"xlim" if ratios else "ylim": (-0.02, 1.04)})
        if chance:
            along = ax.axvline if ratios else ax.axhline
            level = curves.chance(measure, dataset).at(k)
            along(level, label="random selection", **panels.CHANCE)
    panels.title_panels(axes, [f"{curves.title(name)}, k = {k}" for name, k in sizes.items()])
    label = f"Stability ({measure.label})"
    x, y = (label, "") if ratios else ("Share α of the rows drawn anew", label)
    panels.label_outside(axes, x, y, same_x=False)
    panels.share_legend(drawn, axes[0])
    return drawn


@figure
def weights(selections: Selections, *, dataset: Dataset, selectors: Selectors) -> "panels.Figure":
    """Weights from the largest to the smallest, of every fold and their mean."""
    drawn, axes = panels.grid(len(selectors), selections.heading, 2.3)
    titles = []
    for name, ax in zip(selectors, axes):
        every = selections.selections(dataset, name, ties=selections.ties)
        folds = [x.weights for fold, x in every.items() if fold not in DISJOINT and not x.note]
        depth = min(map(len, folds))
        falling = np.array([-np.sort(-one)[:depth] for one in folds])
        ranks = np.arange(1, depth + 1)
        lines = ax.plot(ranks, falling.T, color=panels.COLOURS[0], alpha=0.4, linewidth=0.6)
        lines[0].set_label("one fold")
        look = {"color": "black", "linewidth": 1.4, "label": "mean of the folds"}
        ax.plot(ranks, falling.mean(axis=0), **look)
        panels.scale_sizes(ax, log=True)
        ax.set_xlabel("Rank of the feature")
        nonzero = int(np.mean(np.count_nonzero(falling, axis=1)))
        zeros = "no weight is 0" if nonzero == depth else f"0 from rank {nonzero + 1} on"
        titles.append(f"{selections.selectors[name]}: {zeros}")
    panels.title_panels(axes, titles)
    for ax in axes[:: axes[0].get_gridspec().ncols]:
        ax.set_ylabel("Weight, on the\nselector's own scale")
    panels.share_legend(drawn, axes[0])
    return drawn

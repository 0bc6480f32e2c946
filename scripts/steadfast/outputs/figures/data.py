"""Figures of what stability owes to the data: perturbation, distribution, rows and features."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from steadfast.core.files import parse_table, read_verified
from steadfast.data.table import read_table
from steadfast.measures.runs import Runs
from steadfast.outputs.curves import chance_at, measure_info
from steadfast.outputs.figures.panels import CHANCE, COLOURS, RED, grid, share_legend
from steadfast.outputs.profiles import value_at
from steadfast.outputs.tables.base import dataset_title, description, wanted_size
from steadfast.outputs.tables.data import verdict_of
from steadfast.resampling.schemes import DISJOINT
from steadfast.selectors.running.fold_file import read_cell
from steadfast.stability.overlaps import jaccard_matrix, mean_of_pairs, size_of

#: One mark a selector, so that they can be told apart without colours.
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")

Context = Mapping[str, Any]


def panels(
    n: int, title: str, width: float = 3.6, height: float = 3.1, columns: int = 3
) -> tuple[Figure, list[Axes]]:
    """A grid of at most so many columns, wide enough for its title and legend."""
    columns = min(n, columns)
    return grid(n, title, columns, max(width, 4.8 / columns), height, 0.8)


def _look(context: Context, selector: str) -> dict[str, Any]:
    number = context["colours"][selector]
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)]}


def perturbation(context: Context, folder: Path, data: Path) -> Figure:
    """Stability by the share of rows in which samples differ, one panel a data set."""
    entry, datasets = context["entry"], context["datasets"]
    ratios = entry.get("ratios", context["ratios"])
    figure, axes = panels(len(datasets), entry["title"])
    for dataset, ax in zip(datasets, axes, strict=True):
        k = wanted_size(context, entry, data, dataset)
        n_bars = len(context["selectors"])
        for number, (selector, label) in enumerate(context["selectors"].items()):
            found = [
                value_at(folder, {**entry, "dataset": dataset, "ratio": ratio}, selector, k)[0]
                for ratio in ratios
            ]
            look = _look(context, selector)
            if "ratios" in entry:
                places = np.arange(len(ratios)) + (number - (n_bars - 1) / 2) * 0.8 / n_bars
                ax.bar(places, found, 0.8 / n_bars, color=look["color"], label=label)
            else:
                ax.plot(ratios, found, label=label, markersize=4, **look)
        if entry.get("chance"):
            level = chance_at(folder, {**entry, "dataset": dataset}, k)
            ax.axhline(level, label="Random selection", **CHANCE)
        if "ratios" in entry:
            ax.set_xticks(range(len(ratios)), [f"{ratio:g}" for ratio in ratios])
        ax.set_ylim(0, 1.03)
        ax.set_title(f"{dataset_title(data, dataset)} (k = {k})")
        ax.set_xlabel("Perturbation α (share of rows drawn anew)")
        ax.set_ylabel(f"Stability ({measure_info(context, entry)['label']})")
    share_legend(figure, axes[0])
    return figure


def verdict(context: Context, folder: Path, data: Path) -> Figure:
    """Stability alone, and beside the two readings of the similarity of the training samples."""
    entry, datasets = context["entry"], context["datasets"]
    found = [verdict_of(context, folder, data, dataset) for dataset in datasets]
    figure, axes = panels(2, entry["title"], 5.2, 3.6)
    places = np.arange(len(datasets))
    for ax, letter in zip(axes, "ab", strict=True):
        n_marks = len(context["selectors"])
        for number, (selector, label) in enumerate(context["selectors"].items()):
            values, halves = zip(*(one.stability[selector] for one in found), strict=True)
            ax.errorbar(
                places + (number - (n_marks - 1) / 2) * 0.1,
                values,
                np.nan_to_num(halves),
                linestyle="none",
                elinewidth=0.8,
                markersize=5,
                label=label,
                **_look(context, selector),
            )
        if letter == "b":
            for reading, style in (("distance", "-"), ("similarity", "--")):
                levels = [getattr(one, reading) for one in found]
                label = f"S_X as {reading}"
                ax.plot(places, levels, style, color=RED, marker="_", markersize=14, label=label)
        names = [
            f"{dataset_title(data, name)}\n(k = {one.size})" for name, one in zip(datasets, found)
        ]
        ax.set_xticks(places, names)
        ax.set_xlim(-0.5, len(datasets) - 0.5)
        ax.set_ylim(-0.02, 1.02)
        shown = "stability alone" if letter == "a" else "with the similarity of the samples"
        ax.set_title(f"({letter}) {shown}")
        ax.set_ylabel(f"Stability ({measure_info(context, entry)['label']})")
    share_legend(figure, axes[1], 7)
    return figure


def _cell(context: Context, folder: Path, selector: str, features: Sequence[str]) -> Any:
    ties = {"ties": context["ties"], "seed": context["seed"]}
    dataset = context["entry"]["dataset"]
    return read_cell(folder, dataset, selector, context["cells"][selector], features, **ties)


def weights(context: Context, folder: Path, data: Path) -> Figure:
    """Weights from the largest to the smallest, of every fold and their mean."""
    entry = context["entry"]
    features = read_table(data / f"{entry['dataset']}.npz").features
    figure, axes = panels(len(context["selectors"]), entry["title"])
    for (selector, label), ax in zip(context["selectors"].items(), axes, strict=True):
        every = _cell(context, folder, selector, features)
        drawn = [
            one.weights for name, one in every.items() if name not in DISJOINT and not one.note
        ]
        depth = min(map(len, drawn))
        matrix = np.array([-np.sort(-one)[:depth] for one in drawn])
        ranks = np.arange(1, depth + 1)
        colour = _look(context, selector)["color"]
        for row in matrix:
            ax.plot(ranks, row, color=colour, alpha=0.25, linewidth=0.6)
        ax.plot(ranks, matrix.mean(axis=0), color=colour, linewidth=1.6)
        nonzero = int(np.mean(np.count_nonzero(matrix, axis=1)))
        told = "no weight is 0" if nonzero == depth else f"0 after rank {nonzero} (mean)"
        ax.set_title(f"{label}: {told}")
        ax.set_xscale("log")
        ax.set_xlabel("Rank of the feature")
        ax.set_ylabel("Weight")
    return figure


def _subsets(
    context: Context, folder: Path, data: Path, selector: str
) -> tuple[list[np.ndarray], int]:
    """The first features of the eleven samples, and how many features there are."""
    features = read_table(data / f"{context['entry']['dataset']}.npz").features
    every = _cell(context, folder, selector, features)
    k = size_of(context["entry"]["size"], len(features))
    return [every[name].sequence[:k] for name in DISJOINT], len(features)


def disjoint(context: Context, folder: Path, data: Path) -> Figure:
    """Which features each of eleven samples selects; the last shares no row with the others."""
    entry, selectors = context["entry"], context["selectors"]
    figure, axes = panels(len(selectors), entry["title"], 9.0, 1.9, columns=1)
    for (selector, label), ax in zip(selectors.items(), axes, strict=True):
        subsets, m = _subsets(context, folder, data, selector)
        members = Runs(m, subsets).members
        frequency = members[:-1].sum(axis=0)
        once = np.flatnonzero(members.any(axis=0))
        order = once[np.lexsort((once, -frequency[once]))]
        for row, one in enumerate(members):
            chosen = np.flatnonzero(one[order])
            colour = RED if row == len(members) - 1 else "black"
            ax.vlines(chosen + 1, row + 0.55, row + 1.45, color=colour, linewidth=1.2)
        overlap = jaccard_matrix(subsets, m)
        ax.set_title(
            f"{label}: Jaccard {mean_of_pairs(overlap[:-1, :-1]):.2f} among the ten, "
            f"{overlap[-1, :-1].mean():.2f} of the last with them",
        )
        ax.set_ylim(len(subsets) + 0.6, 0.4)
        ax.set_yticks([1, 5, 10, 11])
        ax.set_xlim(0, order.size + 1)
        ax.grid(False)
        ax.set_ylabel("Sample")
    axes[-1].set_xlabel("Features selected at least once, most frequent first (red: shares no row)")
    return figure


def without_fold(context: Context, folder: Path, data: Path) -> Figure:
    """Stability of eleven samples with each of them left out; the last shares no row."""
    entry = context["entry"]
    figure, (ax,) = panels(1, entry["title"], 7.2, 3.6)
    places = np.arange(1, len(DISJOINT) + 1)
    for selector, label in context["selectors"].items():
        subsets, m = _subsets(context, folder, data, selector)
        overlap = jaccard_matrix(subsets, m)
        values = []
        for left_out in range(len(subsets)):
            kept = np.delete(np.arange(len(subsets)), left_out)
            values.append(mean_of_pairs(overlap[np.ix_(kept, kept)]))
        look = _look(context, selector)
        ax.plot(places, values, label=label, markersize=5, **look)
        ax.axhline(mean_of_pairs(overlap), color=look["color"], linewidth=0.8, linestyle="--")
    ax.axvspan(10.5, 11.5, color=RED, alpha=0.08, linewidth=0)
    ax.set_xlim(0.5, 11.5)
    ax.set_xticks(places)
    ax.set_xlabel("Sample left out (11 shares no row with the others; dashed: none left out)")
    ax.set_ylabel("Stability (Jaccard)")
    ax.set_title(f"{dataset_title(data, entry['dataset'])}, k = {subsets[0].size}")
    share_legend(figure, ax)
    return figure


def groups(context: Context, folder: Path, data: Path) -> Figure:
    """Stability over groups of data sets, one panel a group; the line is the mean."""
    entry = context["entry"]
    named = entry["dataset_groups"]
    widths = [len(names) + 0.6 for names in named.values()]
    figure, axes = plt.subplots(
        1,
        len(named),
        figsize=(max(8.0, 0.75 * sum(widths) + 1), 4.2),
        layout="constrained",
        squeeze=False,
        sharey=True,
        width_ratios=widths,
    )
    figure.suptitle(entry["title"], fontsize=10)
    for (group, names), ax in zip(named.items(), axes[0], strict=True):
        places = np.arange(len(names))
        ks = [wanted_size(context, entry, data, name) for name in names]
        values = np.array(
            [
                [value_at(folder, {**entry, "dataset": d}, s, k)[0] for d, k in zip(names, ks)]
                for s in context["selectors"]
            ]
        )
        for (selector, label), row in zip(context["selectors"].items(), values, strict=True):
            look = _look(context, selector)
            ax.plot(places, row, linestyle="none", label=label, markersize=5, **look)
        ax.plot(places, values.mean(axis=0), color=RED, marker="_", markersize=12, label="Mean")
        level = [
            chance_at(folder, {**entry, "dataset": name}, k)
            for name, k in zip(names, ks, strict=True)
        ]
        ax.plot(places, level, label="Random selection", **CHANCE)
        shown = []
        for name, k in zip(names, ks, strict=True):
            about = description(data, name)
            shown.append(
                f"{fill(dataset_title(data, name), 18)}\n"
                f"{about['rows']} × {about['features']}, k = {k}"
            )
        ax.set_xticks(places, shown, rotation=60, ha="right", fontsize=7)
        ax.set_xlim(-0.6, len(names) - 0.4)
        ax.set_title(f"{group}\nmean {values.mean():.2f}")
    axes[0, 0].set_ylabel(f"Stability ({measure_info(context, entry)['label']})")
    share_legend(figure, axes[0, 0], 7)
    return figure


def surface(context: Context, folder: Path, data: Path) -> Figure:
    """Stability by numbers of rows and features: a heat map with contours, one a selector."""
    entry = context["entry"]
    figure, axes = panels(len(context["selectors"]), entry["title"], 3.7, 3.2)
    drawn = None
    for (selector, name), ax in zip(context["selectors"].items(), axes, strict=True):
        path = folder / "surface" / entry["dataset"] / f"{selector}.tsv"
        table = {
            name: np.array(column, dtype=float)
            for name, column in parse_table(read_verified(path)).items()
        }
        rows, columns = np.unique(table["rows"]), np.unique(table["features"])
        values = table["value"].reshape(rows.size, columns.size)
        drawn = ax.pcolormesh(
            rows, columns, values.T, cmap="cividis", vmin=0, vmax=1, shading="nearest"
        )
        if min(values.shape) > 1:
            lines = ax.contour(
                rows, columns, values.T, np.arange(0.1, 1, 0.1), colors="white", linewidths=0.9
            )
            outline = [withStroke(linewidth=2, foreground="black")]
            lines.set_path_effects(outline)
            for label in ax.clabel(lines, fontsize=6, fmt="%.1f"):
                label.set_path_effects(outline)
        ax.grid(False)
        ax.set_title(f"{name}: {values.min():.2f} to {values.max():.2f}")
        ax.set_xlabel("Rows")
        ax.set_ylabel("Features")
    figure.colorbar(drawn, ax=axes, label="Stability (Jaccard)", shrink=0.8)
    return figure


KINDS = {
    "perturbation": perturbation,
    "verdict": verdict,
    "weights": weights,
    "disjoint": disjoint,
    "without_fold": without_fold,
    "groups": groups,
    "surface": surface,
}

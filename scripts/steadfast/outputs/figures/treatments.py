"""Figures of transforms: by their rank, on data with known features, and on two features."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from steadfast.core import registry
from steadfast.core.files import parse_table, read_verified
from steadfast.core.seeds import generator
from steadfast.outputs.curves import measure_info, value_of
from steadfast.outputs.figures.data import panels
from steadfast.outputs.figures.panels import CHANCE, COLOURS, RED, share_legend
from steadfast.outputs.tables.base import dataset_title, wanted_size
from steadfast.stability.overlaps import size_of
from steadfast.study.transforms import cell_name

Context = Mapping[str, Any]


def by_rank(context: Context, folder: Path, data: Path) -> Figure:
    """Stability and accuracy by the rank that a transform keeps, against the baseline."""
    entry, datasets = context["entry"], context["datasets"]
    figure, axes = panels(len(datasets), entry["title"])
    ranks = [context["transforms"][name]["rank"] for name in entry["transforms"]]
    curves = [("stability", {}, f"Stability ({measure_info(context, entry)['label']})")]
    for name in entry.get("classifiers", [entry["classifier"]]):
        shown = f"Accuracy ({context['classifiers'][name]})"
        curves.append(("accuracy", {"classifier": name}, shown))
    looks = ((COLOURS[0], "*", RED), ("black", "o", "black"), ("#777777", "s", "#777777"))
    for dataset, ax in zip(datasets, axes, strict=True):
        k = wanted_size(context, entry, data, dataset)
        for (of, by, label), (colour, marker, below) in zip(curves, looks):
            asked = {**entry, **by, "of": of, "dataset": dataset}
            values = [
                value_of(folder, asked, cell_name(entry["family"], name), k)
                for name in entry["transforms"]
            ]
            ax.plot(ranks, values, color=colour, marker=marker, markersize=5, label=label)
            level = value_of(folder, asked, cell_name(entry["family"], entry["baseline"]), k)
            ax.axhline(level, color=below, linestyle="--", linewidth=1, label=f"{label}, baseline")
        ax.set_ylim(0, 1.03)
        ax.set_title(f"{dataset_title(data, dataset)} (k = {k})")
        ax.set_xlabel("Rank r of each part")
        ax.set_ylabel("Stability and accuracy")
    share_legend(figure, axes[0], 2 if len(axes) < 3 else 3)
    return figure


def precision(context: Context, folder: Path, data: Path) -> Figure:
    """Share of the relevant features that is found, by noise; one panel a number of features."""
    entry = context["entry"]
    numbers = entry["features"]
    figure, axes = panels(len(numbers), entry["title"], columns=2, width=4.4, height=2.8)
    greys = np.linspace(0, 1, len(entry["transforms"])) ** 0.8
    shades = {name: str(grey) for name, grey in zip(entry["transforms"], greys, strict=True)}
    for number, ax in zip(numbers, axes, strict=True):
        table = parse_table(read_verified(folder / "precision" / f"features{number}.tsv"))
        columns = {name: np.array(table[name], dtype=float) for name in ("noise", "precision")}
        wrong = np.array(table["label_noise"], dtype=float)
        own = (np.array(table["selector"]) == entry["family"]) & (wrong == entry["label_noise"])
        levels = np.unique(columns["noise"])
        for at, (transform, shade) in enumerate(shades.items()):
            found = own & (np.array(table["transform"]) == transform)
            each = [columns["precision"][found & (columns["noise"] == level)] for level in levels]
            places = np.arange(levels.size) + (at - (len(shades) - 1) / 2) * 0.8 / len(shades)
            ax.bar(
                places,
                [one.mean() for one in each],
                0.8 / len(shades),
                yerr=[one.std() for one in each],
                color=shade,
                edgecolor="black",
                linewidth=0.6,
                error_kw={"elinewidth": 0.6, "ecolor": RED},
                label=context["transforms"][transform]["label"],
            )
        chance = size_of(context["relevant"], number) / number
        ax.axhline(chance, label="By chance", **CHANCE)
        ax.set_xticks(range(levels.size), [f"{level:g}" for level in levels])
        ax.set_ylim(0, 1.05)
        ax.set_title(f"{number} features, {each[0].size} data sets")
        ax.set_xlabel("Noise α of the values")
        ax.set_ylabel("Precision")
    share_legend(figure, axes[0])
    return figure


def illustration(context: Context, folder: Path, data: Path) -> Figure:
    """What rank 1 does to two features of which one tells the classes apart."""
    entry = context["entry"]
    draw = generator(context["seed"], "illustration", entry["noisy"])
    y = np.repeat([0, 1], 50)
    X = draw.normal([[3.0, 5.0]] * 50 + [[6.0, 5.0]] * 50, [0.6, 1.2])
    shown = [("original data", X)]
    if entry["noisy"]:
        X = X + draw.normal(0, 1.0, X.shape)
        shown.append(("with noise added", X))
    for by, told in (("none", "rank 1, classes ignored"), ("class", "rank 1, by class")):
        low_rank = registry.declared("transform")["low_rank"].create({"rank": 1, "by": by})
        shown.append((told, low_rank.fit_transform(X, y)))
    figure, axes = panels(len(shown), entry["title"], columns=2 if len(shown) == 4 else 3)
    for letter, (told, values), ax in zip("abcd", shown, axes):
        _scatter(ax, values, y)
        ax.set_title(f"({letter}) {told}")
    share_legend(figure, axes[0])
    return figure


def _scatter(ax: Axes, X: np.ndarray, y: np.ndarray) -> None:
    for label, marker in ((0, "o"), (1, "^")):
        own = X[y == label]
        name = f"Class {label + 1}"
        ax.scatter(own[:, 0], own[:, 1], s=12, marker=marker, color=COLOURS[label], label=name)
    ax.set_xlabel("f₁ (relevant)")
    ax.set_ylabel("f₂ (irrelevant)")


KINDS = {"by_rank": by_rank, "precision": precision, "illustration": illustration}

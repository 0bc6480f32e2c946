"""Figures of transforms: what they gain, the matrix rank they keep, what is found after them."""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, text
from steadfast.core.paths import name_after
from steadfast.core.seeds import generator
from steadfast.outputs.arguments import (
    Argument,
    AtLeast,
    Classifier,
    Classifiers,
    ClassifierWords,
    Datasets,
    Entry,
    MeasureUsed,
    Ratio,
    Size,
    TransformWords,
)
from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.marks import draw_baseline, explain_baseline
from steadfast.outputs.intervals import Interval, mean_interval
from steadfast.outputs.kinds import figure
from steadfast.outputs.results import Results
from steadfast.outputs.sources import treated

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: How far the marks of two transforms at one size are apart; from one size to the next it is 1.
_GAINS_APART = 0.2

#: Ranks that are named on their axis, of those that are shown.
_NAMED = (1, 2, 3, 4, 5, 6, 10, 20, 50, 100)

#: Letters in a line of a vertical axis's name, and of all titles in a row.
_LETTERS, _TITLE_LETTERS = 26, 120

#: How far the baseline stands before the first rank, and how far the marks of two series at one
#: rank are apart, as shares of the axis.
_BEFORE, _APART = 0.25, 0.02

#: One mark per transform.
_MARKS = "osxDv"

#: Random selection lies below marks that may coincide with it.
_CHANCE = {"color": "#bbbbbb", "linewidth": 4, "zorder": 1}

#: What the marks of one level of noise take of the room that it has.
_WIDTH = 0.8

#: How the singular values of a class are drawn.
_STYLES = {treated.ROWS: "o-", treated.CENTRED: "x--"}

#: Singular values that are smaller than this, relative to the largest, are 0 up to rounding.
_ROUNDING = 1e-9

#: Classes in a column of a legend.
_CLASSES = 6

#: Centres of two classes, which the first feature tells apart, and the features' spread: a third
#: of it where no noise is added, so that classes are apart even after matrix rank 1 of all rows.
_MEANS, _SPREAD = np.array([[3.0, 5.0], [6.0, 5.0]]), np.array([0.6, 1.2])

#: Standard deviation of the noise that is added.
_NOISE = 1.0


@figure
def gain_by_size(
    curves: Curves,
    *,
    measure: MeasureUsed,
    score: Classifier,
    ratio: Ratio,
    sizes: treated.Sizes,
    datasets: Datasets,
    families: treated.Families,
    transforms: treated.Transforms,
    baseline: treated.Baseline,
    labels: TransformWords,
) -> "Figure":
    """What transforms gain by size: each data set as a mark, their mean as a line."""
    both = measure, score
    frame = treated.gains_by_size(curves, both, ratio, families, datasets, sizes)
    words = {name: labels.get(name, curves.transforms[name]["label"]) for name in transforms}
    names = f"stability\n({measure.label})", f"{score.noun}\n({score.label})"
    size, n = (panels.TWO_COLUMNS, 6), len(families)
    drawn, axes = panels.subplots(2, n, curves.heading, size, sharex=True, sharey="row")
    for row, what, name in zip(axes, both, names):
        row[0].set_ylabel(f"Gain in {name}")
        for ax, family in zip(row, families):
            _draw_gains(ax, frame[frame["selector"] == family], f"{what.key[0]}_gain", words)
    panels.title_panels(axes.flat, [curves.families[name] for name in families] * 2)
    for ax in axes[-1]:
        ax.set_xlabel("Selected features")
    for number, dataset in enumerate(datasets):
        axes[0, 0].plot([], [], label=curves.title(dataset), **_mark("#555555", number))
    panels.share_legend(drawn, axes[0, 0], 3)
    return drawn


def _draw_gains(ax: "Axes", frame: pd.DataFrame, column: str, words: Mapping[str, str]) -> None:
    """Each transform beside the others, so that those which gain the same are seen."""
    sizes = frame["size"].unique()
    for number, (transform, label) in enumerate(words.items()):
        places = np.arange(len(sizes)) + _GAINS_APART * (number - (len(words) - 1) / 2)
        own = frame[frame["transform"] == transform].groupby("dataset", sort=False)
        *single, (_, mean) = own[column]
        colour = panels.COLOURS[number]
        for at, (_, gains) in enumerate(single):
            ax.plot(places, gains, **_mark(colour, at))
        look = {"color": colour, "linestyle": panels.LINES[2 * number], "linewidth": 2}
        ax.plot(places, mean, label=f"{label}: mean", **look)
    ax.axhline(0, color="black", linewidth=0.6)
    ax.set_xticks(range(len(sizes)), [str(k) for k in sizes])


def _mark(colour: str, number: int) -> dict[str, Any]:
    """How the values of one data set are drawn: its own mark, open, and no line."""
    mark = panels.MARKS[number % len(panels.MARKS)]
    return {"color": colour, "marker": mark, "markersize": 4, "fillstyle": "none", "linestyle": ""}


class SeriesOfRanks(Argument):
    """Transforms by the words of the legend, after the baseline of each series."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        family = entry["family"]
        for names in entry[name].values():
            for transform in names:
                if name_after(family, transform) not in study.selectors:
                    raise UserError(f"{where}.{name}: {family} is not run after {transform}")
            for transform in names[1:]:
                if study.transforms[transform].matrix_rank is None:
                    raise UserError(f"{where}.{name}: {transform} has no matrix rank")

    def value(self, results: Results, entry: Entry, name: str) -> dict[str, list[str]]:
        return {results.shown(label): names for label, names in entry[name].items()}


_SERIES = Key(
    "By the words of the legend: a baseline, and the transforms of different ranks that are "
    "compared with it.",
    {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"type": "array", "minItems": 2, "items": {"type": "string"}},
    },
    required=True,
    names="transform",
)
_FAMILY = text("Selector, whatever the transform.", names="family", required=True)


@figure
def by_matrix_rank(
    curves: Curves,
    *,
    measure: MeasureUsed,
    score: Classifier,
    classifiers: Classifiers = None,
    labels: ClassifierWords,
    ratio: Ratio,
    size: Size = 10,
    datasets: Datasets,
    family: Annotated[str, Argument(_FAMILY)],
    series: Annotated[dict[str, list[str]], SeriesOfRanks(_SERIES)],
    baseline_label: str = "Baseline",
) -> "Figure":
    """Stability and accuracy by the rank that a transform keeps, against the baseline.

    Parameters
    ----------
    classifiers
        Classifiers; the one above if left out.
    baseline_label
        The baselines in the legend.
    """
    quantities = {f"Stability ({measure.label})": measure}
    for one in map(curves.scored, classifiers or [score.classifier]):
        quantities[labels.get(one.classifier, f"{one.score.label} ({one.label})")] = one
    rows, n = len(quantities), len(datasets)
    shape = panels.TWO_COLUMNS, 2.1 * rows + 1.3
    drawn, axes = panels.subplots(rows, n, curves.heading, shape, sharex=True, sharey="row")
    sizes = {dataset: curves.size(dataset, size) for dataset in datasets}
    for row, (name, what) in zip(axes, quantities.items()):
        row[0].set_ylabel(fill(name, _LETTERS))
        for ax, (dataset, k) in zip(row, sizes.items()):
            for number, (label, names) in enumerate(series.items()):
                runs = [name_after(family, each) for each in names]
                values = [curves.interval(what, dataset, ratio, run, k) for run in runs]
                ranks = np.array([curves.transforms[each]["matrix_rank"] for each in names[1:]])
                _draw_series(ax, number, label, ranks, values)
    axes[0, 0].set_ylim(0, 1.04)
    titles = [f"{curves.title(dataset)}, {k} features" for dataset, k in sizes.items()]
    titles = [fill(title, _TITLE_LETTERS // n - 4) for title in titles]
    panels.title_panels(axes.flat, titles * rows)
    for ax in axes[-1]:
        ax.set_xlabel("Matrix rank r that is kept")
    explain_baseline(axes[0, 0], curves.shown(baseline_label))
    panels.share_legend(drawn, axes[0, 0], 2)
    return drawn


def _draw_series(
    ax: "Axes", number: int, label: str, ranks: np.ndarray, values: Sequence[Interval]
) -> None:
    """Values by rank, and before the first of them that of the baseline."""
    baseline, *others = values
    look = {"color": panels.COLOURS[number], "marker": panels.MARKS[number], "markersize": 5}
    look |= {"linewidth": 1, "label": label}
    axis = max(ranks.max() / ranks.min(), 2)
    start, aside = ranks.min() / axis**_BEFORE, axis ** (_APART * number)
    panels.draw_intervals(ax, ranks * aside, others, **look)
    draw_baseline(ax, start * aside, ranks.max(), baseline, **look)
    shown = [rank for rank in ranks if rank in _NAMED]
    ax.set_xscale("log")
    ax.set_xticks([start, *shown], ["none", *map(str, shown)])
    ax.minorticks_off()


@figure
def precision(
    results: Results,
    *,
    rows: treated.Precision,
    labels: TransformWords,
    numbers: list[str] | None = None,
) -> "Figure":
    """Share of the relevant features found, by noise of values, of classes, and by selector.

    Parameters
    ----------
    numbers
        The paper's numbers of the panels, in reading order; letters if left out.
    """
    panes = rows.groupby(["label_noise", "selector"])
    words = {
        name: labels.get(name, results.transforms[name]["label"])
        for name in rows["transform"].cat.categories
    }
    columns = rows["selector"].nunique()
    drawn, axes = panels.page_grid(len(panes), results.heading, columns, 2.4)
    numbers = numbers or [f"({letter})" for letter in panels.LETTERS[: len(panes)]]
    for ((wrong, family), own), number, ax in zip(panes, numbers, axes, strict=True):
        _draw_shares(ax, own, words)
        ax.set_title(f"{number} {results.families[family]}, {wrong:.0%} wrong")
    share = "Share of the relevant\nfeatures that is found"
    panels.label_outside(axes, columns, "Noise α of the values", share)
    panels.explain_intervals(axes[0])
    title = (
        "Each group of marks, from left to right: "
        f"{', '.join(map(str, rows['features'].cat.categories))} features; means over "
        f"{rows['set'].nunique()} data sets"
    )
    panels.share_legend(drawn, axes[0], 3, title=title)
    return drawn


def _draw_shares(ax: "Axes", rows: pd.DataFrame, words: Mapping[str, str]) -> None:
    """Means over the data sets: groups by noise, in a group one mark per number of features."""
    n, levels = rows["features"].nunique(), rows.groupby("noise")
    step = _WIDTH / n
    for level, (_, group) in enumerate(levels):
        places = level - _WIDTH / 2 + step * (np.arange(n) + 0.5)
        for number, (transform, label) in enumerate(words.items()):
            after = group[group["transform"] == transform].groupby("features")["precision"]
            # Intervals of shares end at 0 and 1, as shares do.
            values = [np.clip(mean_interval(own.to_numpy()), 0, 1) for _, own in after]
            look = {"color": panels.COLOURS[number], "marker": _MARKS[number]}
            look |= {"markersize": 4, "linewidth": 0.8, "label": "" if level else label}
            panels.draw_intervals(ax, places + (number - 1) * step / 4, values, **look)
        chance = group.groupby("features")["chance"].first()
        ax.plot(places, chance, label="" if level else "Random selection", **_CHANCE)
    ax.set_xticks(range(len(levels)), [f"{noise:g}" for noise, _ in levels])
    ax.set_ylim(0, 1.03)


@figure
def singular_values(
    results: treated.DataSets, *, datasets: Datasets, largest: Annotated[int, AtLeast(2)] = 10
) -> "Figure":
    """Singular values of the rows of each class; without the class's mean, dashed.

    Parameters
    ----------
    largest
        How many singular values.
    """
    columns = min(2, len(datasets))
    drawn, axes = panels.page_grid(len(datasets), results.heading, columns, 2.6)
    frame = treated.singular_values(results, datasets, largest)
    for ax, (_, own) in zip(axes, frame.groupby("dataset", sort=False)):
        _draw_spectra(ax, own)
    panels.title_panels(axes, [results.title(dataset) for dataset in datasets])
    for ax in axes[-columns:]:
        ax.set_xlabel("Number i, from the largest singular value on")
    look = {"color": "#555555", "markersize": 4}
    lines = [axes[0].plot([], [], style, **look)[0] for style in _STYLES.values()]
    names = [f"{word} the mean of the class" for word in ("With", "Without")]
    drawn.legend(lines, names, loc="outside lower center", ncols=2)
    return drawn


def _draw_spectra(ax: "Axes", frame: pd.DataFrame) -> None:
    """Both lines of each class of a data set in its colour."""
    from matplotlib.ticker import LogLocator

    classes = frame.groupby("class", sort=False)
    for number, (name, own) in enumerate(classes):
        colour = panels.COLOURS[number % len(panels.COLOURS)]
        ax.plot([], [], color=colour, linewidth=2, label=name)
        for form, rows in own[own["relative"] > _ROUNDING].groupby("rows", sort=False):
            look = {"color": colour, "markersize": 4, "linewidth": 1}
            ax.plot(rows["number"], rows["value"], _STYLES[form], **look)
    look = {"frameon": True, "edgecolor": "none", "ncols": 1 + len(classes) // _CLASSES}
    ax.legend(title="Class", loc="upper right", **look)
    ax.set(yscale="log", ylabel="Singular value σᵢ")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter("{x:g}")
    ax.minorticks_off()
    ax.xaxis.get_major_locator().set_params(integer=True)


def _low_rank_file(study: "Study", entry: Entry) -> list[str]:
    return [registry.declared("transform")["low_rank"].file]


@figure(modules=_low_rank_file)
def illustration(results: Results, *, noisy: bool = False) -> "Figure":
    """What rank 1 does to two features of which one tells the classes apart.

    Parameters
    ----------
    noisy
        Whether noise is added first.
    """
    y = np.repeat([0, 1], 50)
    shown = _illustrated(results.seed, noisy, y)
    columns = 2 if len(shown) == 4 else 3
    drawn, axes = panels.page_grid(len(shown), results.heading, columns, 2.8)
    for X, ax in zip(shown.values(), axes):
        # What a transform does to the rows is seen where all panels have the same axes.
        if ax is not axes[0]:
            ax.sharex(axes[0])
            ax.sharey(axes[0])
        for label, marker in enumerate("o^"):
            look = {"s": 12, "marker": marker, "color": panels.COLOURS[label]}
            ax.scatter(*X[y == label].T, label=f"Class {label + 1}", **look)
    panels.title_panels(axes, list(shown))
    panels.label_outside(axes, columns, "f₁ (relevant)", "f₂ (irrelevant)")
    panels.share_legend(drawn, axes[0])
    return drawn


def _illustrated(seed: int, noisy: bool, y: np.ndarray) -> dict[str, np.ndarray]:
    """Rows as they are drawn, and what becomes of them, by their titles."""
    draw = generator(seed, "illustration", noisy)
    X = draw.normal(np.repeat(_MEANS, 50, axis=0), _SPREAD if noisy else _SPREAD / 3)
    shown = {"Original data": X}
    if noisy:
        X = X + draw.normal(0, _NOISE, X.shape)
        shown[f"With noise of standard deviation {_NOISE:g}"] = X
    ways = {"none": "Matrix rank 1, classes ignored", "class": "Matrix rank 1, by class (SLRMA)"}
    for by, name in ways.items():
        low_rank = registry.declared("transform")["low_rank"].create({"rank": 1, "by": by})
        shown[name] = low_rank.fit_transform(X, y)
    return shown

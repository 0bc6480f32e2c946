"""Figures of transforms: what they gain, the matrix rank they keep, what is found after them."""

from collections.abc import Mapping, Sequence
from itertools import product
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import numpy as np
import pandas as pd

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, list_of, text
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
from steadfast.outputs.figures.marks import draw_lines, draw_parameters, explain_intervals
from steadfast.outputs.intervals import UNDEFINED, mean_interval, single_value
from steadfast.outputs.kinds import figure
from steadfast.outputs.results import Results
from steadfast.outputs.sources import treated

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: Letters in a line of a vertical axis's name, and of all titles in a row.
_LETTERS, _TITLE_LETTERS = 26, 120

#: Random selection lies below marks that may coincide with it.
_CHANCE = {"color": "#bbbbbb", "linewidth": 8, "zorder": 1}

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
) -> "panels.Figure":
    """What transforms gain by size: each data set as a mark, their mean as a line."""
    both, n = (measure, score), len(families)
    frame = treated.gains_by_size(curves, both, ratio, families, datasets, sizes)
    words = {name: labels.get(name, curves.transforms[name]["label"]) for name in transforms}
    names = [f"Gain in {what.noun}\n({what.label})" for what in both]
    settings = {"sharex": True, "sharey": "row", "around": 0}
    drawn, axes = panels.grid(2 * n, curves.heading, 3, n, **settings)
    for ax, (what, family) in zip(axes, product(both, families)):
        _draw_gains(ax, frame[frame["selector"] == family], f"{what.key[0]}_gain", words)
        ax.set_xticks(range(len(sizes)), [str(k) for k in sizes])
    panels.title_panels(axes, [curves.families[name] for name in families] * 2)
    panels.label_outside(axes, "Selected features", names)
    for number, dataset in enumerate(datasets):
        look = {"color": "#555555", "label": curves.title(dataset)}
        axes[0].plot([], [], **panels.numbered(number) | _OPEN | look)
    panels.share_legend(drawn, axes[0], 3)
    return drawn


#: How the gains on one data set are drawn: as its own mark, open, and no line.
_OPEN = {"markersize": 4, "fillstyle": "none", "linestyle": ""}


def _draw_gains(
    ax: "panels.Axes", frame: pd.DataFrame, column: str, words: Mapping[str, str]
) -> None:
    """Each transform beside the others, so that those which gain the same are seen."""
    for at, (dataset, own) in enumerate(frame.groupby("dataset", sort=False)):
        series = {}
        for number, (transform, label) in enumerate(words.items()):
            look = {**panels.numbered(at), **_OPEN, "label": ""}
            if dataset == treated.MEAN:
                look = {"linestyle": panels.LINES[2 * number], "linewidth": 2}
            gains = own.loc[own["transform"] == transform, column]
            look["color"] = panels.numbered(number)["color"]
            series[f"{label}: mean"] = look, list(map(single_value, gains))
        draw_lines(ax, range(len(gains)), series, apart=0.2)
    ax.axhline(0, color="black", linewidth=0.6)


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


_RANKS = list_of("", {"type": "string"}, least=2).schema
_SERIES = Key(
    "By the words of the legend: a baseline, and the transforms of different ranks that are "
    "compared with it.",
    {"type": "object", "minProperties": 1, "additionalProperties": _RANKS},
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
) -> "panels.Figure":
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
    sizes = {dataset: curves.size(dataset, size) for dataset in datasets}
    transforms = {label: _by_rank(curves, names[1:]) for label, names in series.items()}
    ranks = sorted(set().union(*transforms.values()))
    runs = {
        label: [names[0], *map(transforms[label].get, ranks)] for label, names in series.items()
    }
    lines = [
        {
            label: [(*own, each and name_after(family, each)) for each in names]
            for label, names in runs.items()
        }
        for own in sizes.items()
    ]
    drawn, axes = draw_parameters(
        curves, ratio, quantities, lines, curves.shown(baseline_label), height=2.1, around=1.3
    )
    axes[0].set_ylim(0, 1.04)
    for ax in axes:
        ax.set_xticks(range(-1, len(ranks)), ["none", *map(str, ranks)])
    titles = [f"{curves.title(dataset)}, {k} features" for dataset, k in sizes.items()]
    titles = [fill(title, _TITLE_LETTERS // len(titles) - 4) for title in titles]
    panels.title_panels(axes, titles * len(quantities))
    names = [fill(name, _LETTERS) for name in quantities]
    panels.label_outside(axes, "Matrix rank r that is kept", names)
    panels.share_legend(drawn, axes[0], 2)
    return drawn


def _by_rank(curves: Curves, transforms: Sequence[str]) -> dict[int, str]:
    return {curves.transforms[name]["matrix_rank"]: name for name in transforms}


@figure
def precision(
    results: Results,
    *,
    rows: treated.Precision,
    labels: TransformWords,
    numbers: list[str] | None = None,
) -> "panels.Figure":
    """Share of the relevant features found, by noise of values, of classes, and by selector.

    Parameters
    ----------
    numbers
        The paper's numbers of the panels, in reading order; letters if left out.
    """
    panes, columns = rows.groupby(["label_noise", "selector"]), rows["selector"].nunique()
    words = {
        name: labels.get(name, results.transforms[name]["label"])
        for name in rows["transform"].cat.categories
    }
    drawn, axes = panels.grid(len(panes), results.heading, 2.4, columns)
    titles = [f"{results.families[family]}, {wrong:.0%} wrong" for (wrong, family), _ in panes]
    panels.title_panels(axes, titles, numbers)
    for (_, own), ax in zip(panes, axes, strict=True):
        _draw_shares(ax, own, words)
    share = "Share of the relevant\nfeatures that is found"
    panels.label_outside(axes, "Noise α of the values", share)
    explain_intervals(axes[0])
    title = (
        "Each group of marks, from left to right: "
        f"{', '.join(map(str, rows['features'].cat.categories))} features; means over "
        f"{rows['set'].nunique()} data sets"
    )
    panels.share_legend(drawn, axes[0], 3, title=title)
    return drawn


def _draw_shares(ax: "panels.Axes", rows: pd.DataFrame, words: Mapping[str, str]) -> None:
    """Means over the data sets: groups by noise, in a group one mark per number of features."""
    noise, n = rows["noise"].cat.categories, rows["features"].nunique()
    # A gap after each group parts its lines from those of the next.
    step, levels = _WIDTH / n, range(len(noise))
    places = [level + step * (at + 0.5 - n / 2) for level in levels for at in range(n + 1)]
    series = {}
    for number, (transform, label) in enumerate(words.items()):
        values = []
        for _, group in rows[rows["transform"] == transform].groupby("noise"):
            shares = [own.to_numpy() for _, own in group.groupby("features")["precision"]]
            # Intervals of shares end at 0 and 1, as shares do.
            values += [*np.clip(list(map(mean_interval, shares)), 0, 1), UNDEFINED]
        series[label] = {**panels.numbered(number), "markersize": 4, "linewidth": 0.8}, values
    draw_lines(ax, places, series, step / 4)
    chance = [*group.groupby("features")["chance"].first(), np.nan]
    ax.plot(places, chance * len(noise), label="Random selection", **_CHANCE)
    ax.set_xticks(levels, [f"{one:g}" for one in noise])
    ax.set_ylim(0, 1.03)


@figure
def singular_values(
    results: treated.DataSets, *, datasets: Datasets, largest: Annotated[int, AtLeast(2)] = 10
) -> "panels.Figure":
    """Singular values of the rows of each class; without the class's mean, dashed.

    Parameters
    ----------
    largest
        How many singular values.
    """
    drawn, axes = panels.grid(len(datasets), results.heading, 2.6, 2)
    frame = treated.singular_values(results, datasets, largest)
    for ax, (_, own) in zip(axes, frame.groupby("dataset", sort=False)):
        _draw_spectra(ax, own)
    panels.title_panels(axes, [results.title(dataset) for dataset in datasets])
    for ax in axes[-2:]:
        ax.set_xlabel("Number i, from the largest singular value on")
    look = {"color": "#555555", "markersize": 4}
    lines = [axes[0].plot([], [], style, **look)[0] for style in _STYLES.values()]
    names = [f"{word} the mean of the class" for word in ("With", "Without")]
    drawn.legend(lines, names, loc="outside lower center", ncols=2)
    return drawn


def _draw_spectra(ax: "panels.Axes", frame: pd.DataFrame) -> None:
    """Both lines of each class of a data set in its colour."""
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
    panels.label_log(ax.yaxis)
    ax.xaxis.get_major_locator().set_params(integer=True)


def _low_rank_file(study: "Study", entry: Entry) -> list[str]:
    return [registry.declared("transform")["low_rank"].file]


@figure(modules=_low_rank_file)
def illustration(results: Results, *, noisy: bool = False) -> "panels.Figure":
    """What rank 1 does to two features of which one tells the classes apart.

    Parameters
    ----------
    noisy
        Whether noise is added first.
    """
    y, draw = np.repeat([0, 1], 50), generator(results.seed, "illustration", noisy)
    X = draw.normal(_MEANS[y], _SPREAD if noisy else _SPREAD / 3)
    shown = {"Original data": X}
    if noisy:
        X = X + draw.normal(0, _NOISE, X.shape)
        shown[f"With noise of standard deviation {_NOISE:g}"] = X
    ways = {"none": "Matrix rank 1, classes ignored", "class": "Matrix rank 1, by class (SLRMA)"}
    for by, name in ways.items():
        low_rank = registry.declared("transform")["low_rank"].create({"rank": 1, "by": by})
        shown[name] = low_rank.fit_transform(X, y)
    # What a transform does to the rows is seen where all panels have the same axes.
    same = {"sharex": True, "sharey": True}
    drawn, axes = panels.grid(len(shown), results.heading, 2.8, **same)
    for rows, ax in zip(shown.values(), axes):
        for label, marker in enumerate("o^"):
            look = {"s": 12, "marker": marker, "color": panels.COLOURS[label]}
            ax.scatter(*rows[y == label].T, label=f"Class {label + 1}", **look)
    panels.title_panels(axes, list(shown))
    panels.label_outside(axes, "f₁ (relevant)", "f₂ (irrelevant)")
    panels.share_legend(drawn, axes[0])
    return drawn

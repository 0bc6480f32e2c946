"""Figures of selectors and of readings of a paper: selected features, stability and accuracy."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.keys import Key, list_of, named_values, schema_of, text
from steadfast.measures.runs import Runs
from steadfast.outputs.arguments import (
    RANGE,
    AnySelector,
    Argument,
    Classifier,
    Count,
    Dataset,
    Datasets,
    Entry,
    MeasureUsed,
    Ratio,
    Selectors,
    check_range,
)
from steadfast.outputs.curves import Curves, Selections
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.figures.marks import draw_baseline, explain_baseline
from steadfast.outputs.intervals import Interval
from steadfast.outputs.kinds import figure
from steadfast.statistics.curve import Curve, common_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

_MARKED = [5, 10, 20, 50, 100]
_SIZE = {"type": "integer", "minimum": 1}
Marked = Annotated[
    list[int], Argument(list_of("Sizes that are marked on the lines.", _SIZE, least=0))
]

# Selected features


@figure
def picture(
    selections: Selections,
    *,
    dataset: Dataset,
    size: Count = 10,
    ratio: Ratio,
    selectors: Selectors,
) -> "Figure":
    """Which features each fold selects, one row per fold, groups of folds parted by lines.

    Columns are the features that any fold selects, most frequent first, on one axis for all
    selectors.

    Parameters
    ----------
    size
        Subset size.
    """
    n, widest = len(selectors), 0
    page = panels.TWO_COLUMNS, 1.5 * n + 0.9
    drawn, axes = panels.subplots(n, 1, selections.heading, page, sharex=True)
    for letter, name, ax in zip(panels.LETTERS, selectors, axes[:, 0]):
        every = selections.selections(dataset, name, ties=selections.ties)
        folds = [one for one in selections.compared_folds(dataset, ratio) if one.name in every]
        subsets = [every[fold.name].sequence[:size] for fold in folds]
        members = Runs(len(selections.features(dataset)), subsets).members
        often = members.sum(axis=0)
        order = np.argsort(-often, kind="stable")[: np.count_nonzero(often)]
        ends = (0.5, len(order) + 0.5, len(folds) + 0.5, 0.5)
        look = {"cmap": "binary", "aspect": "auto", "interpolation": "none"}
        ax.imshow(members[:, order], extent=ends, **look)
        ax.vlines(np.arange(1, len(order)) + 0.5, *ends[2:], color="white", linewidth=1.5)
        for row, (one, next_) in enumerate(pairwise(folds), 1):
            if one.comparison != next_.comparison:
                ax.axhline(row + 0.5, color=panels.RED, linewidth=0.6)
        ax.grid(False)
        title = f"({letter}) {selections.selectors[name]}: {len(order)} features"
        ax.set_title(title, loc="left")
        ax.set_ylabel("Fold")
        widest = max(widest, len(order))
    ax.set_xlim(0.5, widest + 0.5)
    ax.set_xlabel("Features selected by at least one fold, most frequent first")
    return drawn


# The plane of stability and accuracy


class ZoomArgument(Argument):
    """Ranges of both quantities, their lowest values first."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        for of, ends in entry.get(name, {}).items():
            check_range(ends, f"{where}.{name}.{of}")


_RANGES = schema_of(dict.fromkeys(("stability", "accuracy"), RANGE.but(required=True)))
Zoom = Annotated[Mapping[str, Sequence[float]] | None, ZoomArgument(Key("", _RANGES))]


@figure
def plane(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    classifier: Classifier,
    datasets: Datasets,
    selectors: Selectors,
    marked: Marked = _MARKED,
    zoom: Zoom = None,
) -> "Figure":
    """Accuracy against stability along the sizes, one panel per data set.

    Parameters
    ----------
    zoom
        Ranges of `stability` and `accuracy` that are drawn larger in a panel of their own.
    """
    shown = list(product(datasets, [False, True] if zoom else [False]))
    n, labels = len(shown), []
    drawn, axes = panels.grid(n, curves.heading, min(2, n), panels.ONE_COLUMN, 3.7, 0.7)
    for letter, (dataset, larger), ax in zip(panels.LETTERS, shown, axes):
        points = []
        for name in selectors:
            path = [curves.read(one, dataset, ratio, name) for one in (measure, classifier)]
            points += _draw_path(ax, curves, name, common_sizes(path), marked)
        if zoom:
            # Labels of the part that is drawn larger are written there.
            points = [point for point in points if larger == _lies_in(point, zoom)]
            _draw_zoom(ax, zoom, larger)
        labels.append(points)
        title = f"{curves.title(dataset)}{', enlarged' if larger else ''}"
        ax.set_title(f"({letter}) {title}" if n > 1 else title)
        ax.set_xlabel(panels.axis_label("Stability", measure.label))
        ax.set_ylabel(panels.axis_label(classifier.score.label, classifier.label))
    panels.share_legend(drawn, axes[0], 3 if n == 1 else 6)
    for ax, points in zip(axes, labels):
        place_labels(ax, points)
    return drawn


def _draw_path(
    ax: "Axes", curves: Curves, selector: str, path: Sequence[Curve], marked: Sequence[int]
) -> list[PointLabel]:
    """The path of a selector, with marks at some sizes; labels of these sizes."""
    stability, accuracy = path
    look = panels.line(curves, selector) | panels.marks(curves, selector) | panels.MARK
    look |= {"linewidth": 0.8, "markersize": 6, "label": curves.selectors[selector]}
    sizes = [k for k in marked if k in stability.sizes]
    places = [stability.place(k) for k in sizes]
    ax.plot(stability.values, accuracy.values, markevery=places, **look)
    return [PointLabel(stability.at(k), accuracy.at(k), f"{k}", look["color"]) for k in sizes]


def _draw_zoom(ax: "Axes", zoom: Mapping[str, Sequence[float]], larger: bool) -> None:
    """The part that is drawn larger as all of a panel, or as a frame in it."""
    (left, right), (bottom, top) = zoom["stability"], zoom["accuracy"]
    if larger:
        ax.set(xlim=(left, right), ylim=(bottom, top))
    else:
        x, y = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
        ax.plot(x, y, color="#777777", linewidth=0.7)


def _lies_in(point: PointLabel, zoom: Mapping[str, Sequence[float]]) -> bool:
    (left, right), (bottom, top) = zoom["stability"], zoom["accuracy"]
    return left <= point.x <= right and bottom <= point.y <= top


# Sweeps of a parameter

#: How far the marks of two sizes are apart; from one value to the next it is 1.
_APART = 0.12

#: Those that are strong on white, one per size.
_COLOURS = [panels.COLOURS[at] for at in (0, 1, 2, 4, 8, 9)]

_SWEEP = {
    "parameter": text("Name of the parameter.", required=True),
    "label": text("Its name in print."),
    "selectors": list_of(
        "Selectors.", {"type": "string"}, least=2, names="selector", required=True
    ),
}


class SweepsArgument(Argument):
    """Selectors that differ in a parameter, which is a number."""

    def names(self, entry: Entry, name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        for number, sweep in enumerate(entry[name]):
            yield from named_values(sweep, _SWEEP, f"{at}.{name}.{number}")

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        for number, sweep in enumerate(entry[name]):
            parameter, at = sweep["parameter"], f"{where}.{name}.{number}.parameter"
            found = [study.selectors[one].parameters for one in sweep["selectors"]]
            for selector, named in zip(sweep["selectors"], found):
                value = named.get(parameter)
                if isinstance(value, bool) or not isinstance(value, int | float):
                    known = suggest(parameter, named)
                    raise UserError(
                        f"{at}: {parameter} of {selector} is {value!r}, no number; {known}"
                    )
            if len({named[parameter] for named in found}) < 2:
                raise UserError(f"{at}: {parameter} is the same in all of its selectors")

    def context(self, study: "Study", entry: Entry, name: str) -> dict[str, Any]:
        return {"parameters": {key: one.parameters for key, one in study.selectors.items()}}


Sweeps = Annotated[list[Entry], SweepsArgument(list_of("", schema_of(_SWEEP), required=True))]


@figure
def sensitivity(
    selections: Selections,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    classifier: Classifier,
    dataset: Dataset,
    sweeps: Sweeps,
    reference: AnySelector = None,
    marked: Marked = _MARKED,
) -> "Figure":
    """Stability and accuracy by the value of a parameter, with the iterations that it takes.

    Parameters
    ----------
    sweeps
        A parameter, and the selectors that differ in it alone.
    reference
        Selector drawn dashed beside the sweeps.
    marked
        Sizes that have a line each.
    """
    width = panels.ONE_COLUMN if len(sweeps) == 1 else panels.TWO_COLUMNS
    size, shares = (width, 6.2), {"sharex": "col", "sharey": "row"}
    drawn, axes = panels.subplots(2, len(sweeps), selections.heading, size, **shares)
    labels = [selections.shown(sweep.get("label", sweep["parameter"])) for sweep in sweeps]
    quantities = {"Stability": measure, classifier.score.label: classifier}
    for row, (what, quantity) in zip(axes, quantities.items()):
        row[0].set_ylabel(panels.axis_label(what, quantity.label))
        for ax, sweep in zip(row, sweeps):
            at = partial(selections.interval, quantity, dataset, ratio)
            values = {k: [at(name, k) for name in sweep["selectors"]] for k in marked}
            _draw_sweep(ax, values, {k: at(reference, k) for k in marked} if reference else {})
    label = selections.selectors.get(reference, "")
    for ax, sweep, name in zip(axes[1], sweeps, labels):
        ticks = {-1: label} if label else {}
        ticks |= enumerate(_values_and_iterations(selections, dataset, sweep))
        ax.set_xticks(list(ticks), list(ticks.values()))
        ax.set_xlabel(f"{name}, evenly spaced;\nbelow: iterations, mean over the runs")
    titles = [f"{what} by {name}" for what, name in product(quantities, labels)]
    panels.title_panels(axes.ravel(), titles)
    explain_baseline(axes[0, 0], label)
    panels.share_legend(drawn, axes[0, 0])
    return drawn


def _draw_sweep(
    ax: "Axes", values: Mapping[int, Sequence[Interval]], reference: Mapping[int, Interval]
) -> None:
    """One line per size over values that are evenly spaced, and before them the reference."""
    for number, (k, found) in enumerate(values.items()):
        places = np.arange(len(found)) + (number - (len(values) - 1) / 2) * _APART
        look = {"color": _COLOURS[number % len(_COLOURS)], "linewidth": 1, "markersize": 5}
        look |= {"marker": panels.MARKS[number % len(panels.MARKS)], "label": f"{k} features"}
        panels.draw_intervals(ax, places, found, **look)
        if reference:
            draw_baseline(ax, places[0] - 1, places[-1], reference[k], **look)


def _values_and_iterations(selections: Selections, dataset: str, sweep: Entry) -> Iterator[str]:
    """Each value of the parameter, with the iterations that the selector took below it."""
    for name in sweep["selectors"]:
        value = selections.context["parameters"][name][sweep["parameter"]]
        every = selections.selections(dataset, name).values()
        iterations = np.mean([one.iterations for one in every if not one.note] or [np.nan])
        yield f"{value:g}\n{iterations:.3g}"

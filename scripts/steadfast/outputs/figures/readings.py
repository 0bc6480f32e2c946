"""Figures of readings of a paper: accuracy against stability, and sweeps of a parameter."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.keys import Key, list_of, named_values, schema_of, text
from steadfast.outputs.arguments import (
    RANGE,
    AnySelector,
    Argument,
    Classifier,
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
from steadfast.outputs.figures.marks import draw_parameters
from steadfast.outputs.kinds import figure
from steadfast.statistics.curve import common_sizes

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_MARKED = [5, 10, 20, 50, 100]
_SIZE = {"type": "integer", "minimum": 1}
Marked = Annotated[
    list[int], Argument(list_of("Sizes that are marked on the lines.", _SIZE, least=0))
]

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
) -> "panels.Figure":
    """Accuracy against stability along the sizes, one panel per data set.

    Parameters
    ----------
    zoom
        Ranges of `stability` and `accuracy` that are drawn larger in a panel of their own.
    """
    shown = list(product(datasets, [False, True] if zoom else [False]))
    columns = min(2, len(shown))
    width = panels.ONE_COLUMN * columns
    drawn, axes = panels.grid(len(shown), curves.heading, 3.7, columns, width, around=0.7)
    titles = [curves.title(name) + (", enlarged" if larger else "") for name, larger in shown]
    panels.title_panels(axes, titles)
    labels = []
    for (dataset, larger), ax in zip(shown, axes):
        points = []
        for name in selectors:
            path = [curves.read(one, dataset, ratio, name) for one in (measure, classifier)]
            stability, accuracy = common_sizes(path)
            sizes = [k for k in marked if k in stability.sizes]
            places = [stability.place(k) for k in sizes]
            look = panels.look(curves, name) | panels.MARK
            look |= {"linewidth": 0.8, "markersize": 6, "label": curves.selectors[name]}
            ax.plot(stability.values, accuracy.values, markevery=places, **look)
            ends = [(stability.at(k), accuracy.at(k)) for k in sizes]
            points += [PointLabel(*end, f"{k}", look["color"]) for end, k in zip(ends, sizes)]
        if zoom:
            points = _draw_zoom(ax, zoom, larger, points)
        labels.append(points)
        ax.set_xlabel(panels.axis_label("Stability", measure.label))
        ax.set_ylabel(panels.axis_label(classifier.score.label, classifier.label))
    panels.share_legend(drawn, axes[0], 3 * columns)
    for ax, points in zip(axes, labels):
        place_labels(ax, points)
    return drawn


def _draw_zoom(
    ax: "panels.Axes",
    zoom: Mapping[str, Sequence[float]],
    larger: bool,
    points: Sequence[PointLabel],
) -> list[PointLabel]:
    """The part that is drawn larger as all of a panel, or as a frame in it; labels of this panel.

    Those of the part are written where it is larger.
    """
    (left, right), (bottom, top) = zoom["stability"], zoom["accuracy"]
    if larger:
        ax.set(xlim=(left, right), ylim=(bottom, top))
    else:
        x, y = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
        ax.plot(x, y, color="#777777", linewidth=0.7)
    inside = [left <= one.x <= right and bottom <= one.y <= top for one in points]
    return [one for one, lies_in in zip(points, inside) if lies_in == larger]


# Sweeps of a parameter

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
) -> "panels.Figure":
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
    quantities = {"Stability": measure, classifier.score.label: classifier}
    lines = [
        {
            f"{k} features": [(dataset, k, name) for name in [reference, *sweep["selectors"]]]
            for k in marked
        }
        for sweep in sweeps
    ]
    label = selections.selectors.get(reference, "")
    width = panels.ONE_COLUMN if len(sweeps) == 1 else panels.TWO_COLUMNS
    settings = {"height": 3.1, "width": width, "around": 0}
    drawn, axes = draw_parameters(selections, ratio, quantities, lines, label, **settings)
    labels = [selections.shown(sweep.get("label", sweep["parameter"])) for sweep in sweeps]
    panels.title_panels(axes, [f"{what} by {name}" for what, name in product(quantities, labels)])
    names = [panels.axis_label(what, one.label) for what, one in quantities.items()]
    below = "evenly spaced;\nbelow: iterations, mean over the runs"
    panels.label_outside(axes, [f"{name}, {below}" for name in labels], names)
    for ax, sweep in zip(axes[-len(sweeps) :], sweeps):
        ticks = {-1: label} if label else {}
        ticks |= enumerate(_values_and_iterations(selections, dataset, sweep))
        ax.set_xticks(list(ticks), list(ticks.values()))
    panels.share_legend(drawn, axes[0])
    return drawn


def _values_and_iterations(selections: Selections, dataset: str, sweep: Entry) -> Iterator[str]:
    """Each value of the parameter, with the iterations that the selector took below it."""
    for name in sweep["selectors"]:
        value = selections.context["parameters"][name][sweep["parameter"]]
        every = selections.selections(dataset, name).values()
        iterations = np.mean([one.iterations for one in every if not one.note] or [np.nan])
        yield f"{value:g}\n{iterations:.3g}"

"""Figures of how much depends on the value of a parameter."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.keys import Keys, list_of, named_values, schema_of, text
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.intervals import draw_baseline, explain_baseline, value_at
from steadfast.outputs.keys import MARKED, STABILITY_AND_ACCURACY, THE_DATASET
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Keys of one sweep.
SWEEP_KEYS = {
    "parameter": text("Name of the parameter.", required=True),
    "label": text("Its name in print."),
    "selectors": list_of(
        "Selectors.", {"type": "string"}, least=2, names="selector", required=True
    ),
}

#: How far the marks of two sizes are apart; from one value to the next it is 1.
_APART = 0.12

#: Those that are strong on white, one per size.
_COLOURS = [panels.COLOURS[at] for at in (0, 1, 2, 4, 8, 9)]


@figure("sensitivity")
class Sensitivity(FigureKind):
    """Stability and accuracy by the value of a parameter, with the iterations that it takes."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": THE_DATASET,
        "sweeps": list_of(
            "A parameter, and the selectors that differ in it alone.",
            schema_of(SWEEP_KEYS),
            required=True,
        ),
        "reference": text("Selector drawn dashed beside the sweeps.", names="selector"),
        "marked": MARKED.but(description="Sizes that have a line each."),
    }
    reads = Reads(stability=True, accuracy=True, selections=True)

    def names(self, entry: Entry, at: str) -> Iterator[tuple[str, str, Any]]:
        """Names inside the sweeps: where they stand, what they name, and the name."""
        for number, sweep in enumerate(entry["sweeps"]):
            yield from named_values(sweep, SWEEP_KEYS, f"{at}.sweeps.{number}")

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """Those of the sweeps, and the reference."""
        named = [name for sweep in entry["sweeps"] for name in sweep["selectors"]]
        reference = [entry["reference"]] if "reference" in entry else []
        return list(dict.fromkeys([*named, *reference]))

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        """The parameters of the selectors."""
        names = self.selectors(study, entry)
        return {"values": {name: study.selectors[name].parameters for name in names}}

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """The selectors of a sweep must differ in the parameter."""
        super().check(study, entry, where)
        for at, sweep in enumerate(entry["sweeps"]):
            _check_sweep(study, sweep, f"{where}.sweeps.{at}.parameter")

    def build(self, view: View) -> "Figure":
        entry, sweeps = view.entry, view.entry["sweeps"]
        width = panels.ONE_COLUMN if len(sweeps) == 1 else panels.TWO_COLUMNS
        size, shares = (width, 6.2), {"sharex": "col", "sharey": "row"}
        figure, axes = panels.subplots(2, len(sweeps), entry["title"], size, **shares)
        by = {
            "stability": view.measure()["label"],
            "accuracy": view.classifiers[entry["classifier"]],
        }
        for at, ax in enumerate(axes.flat):
            of, sweep = list(by)[at // len(sweeps)], sweeps[at % len(sweeps)]
            _draw_sweep(ax, view, sweep, {**entry, "of": of})
            what = "Stability" if of == "stability" else view.score.label
            label = sweep.get("label", sweep["parameter"])
            ax.set_title(f"({chr(ord('a') + at)}) {what} by {label}")
            if at % len(sweeps) == 0:
                ax.set_ylabel(panels.axis_label(what, by[of]))
            if of == "accuracy":
                _name_values(ax, view, sweep)
        explain_baseline(axes[0, 0], view.selectors.get(entry.get("reference", ""), ""))
        panels.share_legend(figure, axes[0, 0])
        return figure


def _check_sweep(study: "Study", sweep: Mapping[str, Any], where: str) -> None:
    """All selectors of a sweep must have the parameter, as a number, and not all the same."""
    values = set()
    for name in sweep["selectors"]:
        named = study.selectors[name].parameters
        value = named.get(sweep["parameter"])
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise UserError(
                f"{where}: {sweep['parameter']} of {name} is {value!r}, no number of at least 0; "
                f"{suggest(sweep['parameter'], named)}"
            )
        values.add(value)
    if len(values) < 2:
        raise UserError(f"{where}: {sweep['parameter']} is the same in all of its selectors")


def _draw_sweep(ax: "Axes", view: View, sweep: Mapping[str, Any], query: Entry) -> None:
    """One line per size over values that are evenly spaced, and before them the reference."""
    entry, places = view.entry, np.arange(len(sweep["selectors"]))
    for number, k in enumerate(entry["marked"]):
        aside = (number - (len(entry["marked"]) - 1) / 2) * _APART
        look = {"color": _COLOURS[number % len(_COLOURS)], "linewidth": 1, "markersize": 5}
        look |= {"marker": panels.MARKS[number % len(panels.MARKS)], "label": f"{k} features"}
        found = [value_at(view, query, name, k) for name in sweep["selectors"]]
        panels.draw_intervals(ax, places + aside, found, **look)
        if "reference" in entry:
            reference = value_at(view, query, entry["reference"], k)
            draw_baseline(ax, aside - 1, places[-1] + aside, reference, **look)


def _name_values(ax: "Axes", view: View, sweep: Mapping[str, Any]) -> None:
    """Each value of the parameter, with the iterations that the selector took below it."""
    reference = view.selectors.get(view.entry.get("reference", ""))
    ticks = {-1: reference} if reference else {}
    for at, name in enumerate(sweep["selectors"]):
        value = view.context["values"][name][sweep["parameter"]]
        ticks[at] = f"{value:g}\n{_iterations(view, name):.3g}"
    ax.set_xticks(list(ticks), list(ticks.values()))
    label = sweep.get("label", sweep["parameter"])
    ax.set_xlabel(f"{label}, evenly spaced;\nbelow: iterations, mean over the runs")


def _iterations(view: View, selector: str) -> float:
    """Mean over the folds that the selector came to an end on."""
    every = view.selections(view.entry["dataset"], selector).values()
    return float(np.mean([one.iterations for one in every if not one.note] or [np.nan]))

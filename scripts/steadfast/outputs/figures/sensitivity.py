"""Figures of how much depends on the value of a parameter."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.keys import Keys, list_of, named_values, one_of, schema_of, text
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
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
    "scale": one_of("Of the axis; logarithmic if left out.", "log", "linear"),
    "selectors": list_of(
        "Selectors.", {"type": "string"}, least=2, names="selector", required=True
    ),
}


@figure("sensitivity")
class Sensitivity(FigureKind):
    """Stability, accuracy and iterations by the value of a parameter."""

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
        size = (panels.TWO_COLUMNS, 2.5 * len(sweeps) + 0.9)
        figure, axes = panels.subplots(len(sweeps), 3, entry["title"], size)
        for sweep, row in zip(sweeps, axes, strict=True):
            _draw_sweep(row, view, sweep)
        for number, ax in enumerate(axes.ravel()):
            ax.set_title(f"({chr(ord('a') + number)})", loc="left")
        more = {}
        if "reference" in entry:
            (dashed,) = axes[0, 0].plot([], [], color="black", linewidth=0.9, linestyle="--")
            more[f"{view.selectors[entry['reference']]}, in the same colours"] = dashed
        panels.share_legend(figure, axes[0, 0], more=more)
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


def _draw_sweep(row: Sequence["Axes"], view: View, sweep: Mapping[str, Any]) -> None:
    """Stability and accuracy, one line per size, and iterations."""
    entry, names = view.entry, sweep["selectors"]
    values = [view.context["values"][name][sweep["parameter"]] for name in names]
    for number, k in enumerate(entry["marked"]):
        colour = panels.COLOURS[number % len(panels.COLOURS)]
        mark = panels.MARKS[number % len(panels.MARKS)]
        for of, ax in zip(("stability", "accuracy"), row, strict=False):
            query = {**entry, "of": of}
            found = [view.curves.value(query, name, k) for name in names]
            ax.plot(values, found, "-", color=colour, marker=mark, label=f"{k} features")
            if "reference" in entry:
                level = view.curves.value(query, entry["reference"], k)
                ax.axhline(level, color=colour, linewidth=0.9, linestyle="--", zorder=1)
    iterations = [_iterations(view, name) for name in names]
    row[2].plot(values, iterations, "o-", color="black")
    row[2].set_ylim(0, 1.15 * max(iterations))
    row[2].yaxis.get_major_locator().set_params(integer=True)
    shown = (
        panels.axis_label("Stability", view.measure()["label"]),
        panels.axis_label(view.score.label, view.classifiers[entry["classifier"]]),
        "Iterations, mean over runs",
    )
    for ax, name in zip(row, shown, strict=True):
        ax.set_ylabel(name)
        ax.set_xlabel(sweep.get("label", sweep["parameter"]))
        _scale(ax, values, sweep.get("scale") == "linear")


def _scale(ax: "Axes", values: Sequence[float], linear: bool) -> None:
    """The values themselves as ticks, on an axis that has room beside the outer ones."""
    if not linear and min(values) > 0:
        ax.set_xscale("log")
    elif not linear:
        ax.set_xscale("symlog", linthresh=min(value for value in values if value > 0))
    # Those of values that may lie close stand upright, or they would touch.
    close = not linear and len(values) > 4
    ax.set_xticks(values, [f"{value:g}" for value in values], rotation=90 if close else 0)
    ax.minorticks_off()
    ax.margins(x=0.06)


def _iterations(view: View, selector: str) -> float:
    """Mean over the folds that the selector came to an end on."""
    every = view.selections(view.entry["dataset"], selector).values()
    return float(np.mean([one.iterations for one in every if not one.note] or [np.nan]))

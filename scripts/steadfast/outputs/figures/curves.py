"""Figures of curves: stability and accuracy by subset size."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, flag, list_of, named_values, one_of, schema_of, text, whole
from steadfast.core.registry import figure
from steadfast.measures import find
from steadfast.outputs.curve_files import Query
from steadfast.outputs.differences import measure_name
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.curve_marks import mark_clipped, mark_sizes
from steadfast.outputs.figures.difference_curves import difference_curve
from steadfast.outputs.figures.intervals import with_interval
from steadfast.outputs.keys import (
    CHANCE,
    DATASET,
    EITHER,
    LARGEST,
    OF,
    RANGE,
    SELECTORS_BESIDE_CHANCE,
    SMALLEST,
    check_range,
)
from steadfast.outputs.kind import Entry, FigureKind, Reads, check_from_study, fill_from_study
from steadfast.outputs.verdict import capital
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Up to so many curves have bands; more would mix their colours, and have bars at their marks.
_BANDS = 2

#: Keys of one panel.
PANEL_KEYS = {
    **EITHER,
    "of": OF.but(description="What is drawn."),
    "dataset": DATASET.but(description="Data set of the panel; the figure's if left out."),
    "against": text(
        "Selector whose curve is taken off the others; their differences are drawn with their 95% "
        "intervals.",
        names="selector",
    ),
    "range": RANGE.but(description="Lowest and highest value drawn; all if left out."),
}


@figure("curves")
class Curves(FigureKind):
    """Stability or accuracy by size, one panel per condition."""

    keys: ClassVar[Keys] = {
        "panels": list_of("Panels in reading order.", schema_of(PANEL_KEYS), required=True),
        "dataset": DATASET.but(description="Data set of the panels that name none."),
        "selectors": SELECTORS_BESIDE_CHANCE,
        "chance": CHANCE,
        "first": whole("Smallest size drawn.", default=1),
        "largest": LARGEST.but(description="Largest size drawn; all if left out."),
        "axis": one_of("Scale of the sizes.", "linear", "log", default="linear"),
        "bands": flag(
            "Whether curves have their 95% interval: a band, or bars where more than two overlap.",
            default=True,
        ),
        "knots": flag("Whether curves of stability mark their knot."),
        "smallest": SMALLEST,
        "peaks": flag("Whether curves of stability mark their peaks."),
    }

    def names(self, entry: Entry, at: str) -> Iterator[tuple[str, str, Any]]:
        """Names inside the panels: where they stand, what they name, and the name."""
        for number, panel in enumerate(entry["panels"]):
            yield from named_values(panel, PANEL_KEYS, f"{at}.panels.{number}")

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """Those of the panels, and the one of the panels that name none."""
        parts = (*entry["panels"], entry)
        return list(dict.fromkeys(part["dataset"] for part in parts if "dataset" in part))

    def measures(self, study: "Study", entry: Entry) -> Sequence[Entry]:
        """Those of the panels."""
        return entry["panels"]

    def reads_of(self, entry: Entry) -> Reads:
        """What the panels are about, chance where they show it or a knot needs it, and the runs.

        An interval of a difference needs every run, one of accuracy the rows that runs share.
        """
        about = {panel["of"] for panel in entry["panels"]}
        compared = {panel["of"] for panel in entry["panels"] if "against" in panel}
        return Reads(
            stability="stability" in about,
            accuracy="accuracy" in about,
            chance="stability" in about and (entry["chance"] or entry["knots"]),
            selections="stability" in compared,
            rows="accuracy" in (about if entry["bands"] else compared),
        )

    def code(self, study: "Study", entry: Entry) -> list[str]:
        """The measures of which it computes differences."""
        compared = [p for p in entry["panels"] if "against" in p and p["of"] == "stability"]
        return sorted({find(panel["measure"]).file for panel in compared})

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        """Ratio, measure and classifier of every panel."""
        for panel in entry["panels"]:
            fill_from_study(study, panel, PANEL_KEYS)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """Panels must be of what is measured and scored, knots of similarities."""
        super().check(study, entry, where)
        for number, panel in enumerate(entry["panels"]):
            check_from_study(study, panel, PANEL_KEYS, where)
            if "ratio" not in panel:
                raise UserError(f"{where}: ratio: is missing; the study has several")
            if "dataset" not in {*panel, *entry}:
                raise UserError(f"{where}: dataset: is missing, in the figure or in the panel")
            _check_against(panel, self.selectors(study, entry), f"{where}.panels.{number}.against")
            if "range" in panel:
                check_range(panel["range"], f"{where}.panels.{number}.range")
        for info in study.measure_infos(entry["panels"]) if entry["knots"] else ():
            if info["distance"]:
                raise UserError(
                    f"{where}: {info['measure']} is a distance; knots are those of a similarity"
                )
        of_accuracy = any(panel["of"] == "accuracy" for panel in entry["panels"])
        if entry["chance"] and of_accuracy and study.random_selector is None:
            raise UserError(
                f"{where}.chance: the accuracy of random selection is that of the selector random; "
                "add `random: {}` to selectors"
            )

    def why_absent(self, study: "Study", entry: dict[str, Any], has_published: bool) -> str:
        """Take out panels of absent data sets; name these where no panel is left."""
        why = super().why_absent(study, entry, has_published)
        if why:
            return why
        every, present = entry["panels"], {None, *study.datasets}
        entry["panels"] = [panel for panel in every if panel.get("dataset") in present]
        if not entry["panels"]:
            return ", ".join(dict.fromkeys(panel["dataset"] for panel in every))
        return ""

    def build(self, view: View) -> "Figure":
        entry = view.entry
        figure, axes = panels.curve_grid(len(entry["panels"]), entry["title"])
        queries = [{"dataset": entry.get("dataset"), **panel} for panel in entry["panels"]]
        for number, (query, ax) in enumerate(zip(queries, axes, strict=True)):
            _draw_curves(ax, view, query)
            if entry["chance"] and "against" not in query:
                _draw_chance(ax, view, query)
            letter = f"({chr(ord('a') + number)}) " if len(axes) > 1 else ""
            _label(ax, view, entry["panels"][number], letter)
            ax.margins(x=0.02, y=0.12 if entry["peaks"] else 0.05)
            panels.scale_sizes(ax, log=entry["axis"] == "log")
        shown = [_vertical_axis(query) for query in queries]
        for each in set(shown):
            panels.share_limits([ax for ax, one in zip(axes, shown, strict=True) if one == each])
        if len(set(shown)) == 1:
            columns, names = (
                axes[0].get_gridspec().ncols,
                (axes[0].get_xlabel(), axes[0].get_ylabel()),
            )
            panels.label_outside(axes, columns, *names, same_x=False)
        panels.explain_intervals(axes[0], band=len(view.selectors) <= _BANDS)
        panels.share_legend(figure, axes[0], 3 if len(axes) == 1 else 7)
        for query, ax in zip(queries, axes, strict=True):
            ax.set_ylim(query.get("range"))
            if query["of"] == "stability" and "against" not in query:
                mark_sizes(ax, view, query)
            mark_clipped(ax)
        return figure


def _check_against(panel: Mapping[str, Any], selectors: Sequence[str], where: str) -> None:
    """Differences are to a selector of the figure, under a measure that needs the runs alone."""
    against = panel.get("against")
    if against is None:
        return
    if against not in selectors:
        raise UserError(f"{where}: {against} is not among the selectors of the figure")
    if panel["of"] == "stability" and find(panel["measure"]).similarity:
        raise UserError(
            f"{where}: {panel['measure']} compares features by the data; differences are drawn "
            "under measures that compare the selections alone"
        )


def _curve(view: View, query: Query, selector: str) -> Curve:
    """The curve of a selector, or its difference to another, with its interval if that is shown."""
    entry = view.entry
    if "against" in query:
        curve = difference_curve(view, query, selector, query["against"])
    else:
        curve = view.curves.read(query, selector)
        if not entry["bands"]:
            curve = replace(curve, low=None)
        elif curve.units is not None:
            curve = with_interval(view, query, curve)
    return curve.take(curve.sizes >= entry["first"]).up_to(entry.get("largest"))


def _draw_curves(ax: "Axes", view: View, query: Query) -> None:
    """All curves of a panel: with bands if they are few, else with bars at their marks.

    A difference without its interval says nothing, and always has it.
    """
    entry, against = view.entry, query.get("against")
    for selector, label in view.selectors.items():
        curve, look = _curve(view, query, selector), panels.line(view, selector)
        if selector == against:
            ax.plot(curve.sizes, curve.values, label=label, **look)
            continue
        places = panels.marked_places(view, selector, curve.sizes, log=entry["axis"] == "log")
        marks = {**panels.MARK, **panels.marks(view, selector), "markevery": places}
        ax.plot(curve.sizes, curve.values, label=label, **look | marks)
        if len(view.selectors) <= _BANDS:
            panels.draw_band(ax, curve, look["color"])
        elif curve.low is not None:
            at = curve.take(places)
            ax.vlines(at.sizes, at.low, at.high, color=look["color"], linewidth=0.8)


def _draw_chance(ax: "Axes", view: View, query: Mapping[str, Any]) -> None:
    """Random selection: the measure's expected value, or the accuracy of the random selector."""
    if query["of"] == "stability":
        curve = view.curves.chance(query)
    else:
        curve = view.curves.read(query, view.context["random"])
    curve = curve.up_to(view.entry.get("largest"))
    ax.plot(curve.sizes, curve.values, label="Random selection", linewidth=1.4, **panels.CHANCE)


def _label(ax: "Axes", view: View, panel: Mapping[str, Any], letter: str) -> None:
    """Title and names of the axes."""
    quantity, against = view.quantity(panel["of"]), panel.get("against")
    of, by = capital(quantity), view.classifiers.get(panel.get("classifier"))
    measure = ""
    if panel["of"] == "stability":
        by, measure = view.measure(panel)["label"], _measure_shown(view, panel)
    shown = measure or of
    if "dataset" in panel:
        several = measure or len({each["of"] for each in view.entry["panels"]}) > 1
        shown = view.title(panel["dataset"]) + (f": {measure or quantity}" if several else "")
    if len(view.ratios) > 1:
        shown += f", r = {panel['ratio']:g}"
    if against:
        shown += f" minus that of {view.selectors[against]}"
    ax.set_title(f"{letter}{shown}")
    ax.set_ylabel(f"Difference of {quantity}" if against else panels.axis_label(of, by))
    ax.set_xlabel("Number of selected features")


def _measure_shown(view: View, panel: Mapping[str, Any]) -> str:
    """The measure of a panel, and how it compares selections, where the figure has several."""
    every, info = view.context["measures"], view.measure(panel)
    if len({each["compare"] for each in every}) > 1:
        return measure_name(info)
    return info["label"] if len(every) > 1 else ""


def _vertical_axis(panel: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a panel's vertical axis shows."""
    return tuple(panel.get(key) for key in ("of", "measure", "classifier", "against"))

"""Figures of curves: stability and accuracy by subset size."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, flag, list_of, named_values, one_of, schema_of, text
from steadfast.core.registry import figure
from steadfast.measures import find
from steadfast.outputs.differences import measure_name
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.curve_marks import mark_sizes
from steadfast.outputs.figures.difference_curves import difference_curve
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Up to so many sizes, an axis is linear: a logarithmic one would have a single label.
_SHORT = 20

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
        "largest": LARGEST.but(description="Largest size drawn; all if left out."),
        "axis": one_of("Scale of the sizes.", "linear", "log", default="linear"),
        "bands": flag("Whether curves of stability have a band, the 95% interval."),
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

        An interval of a difference needs every run.
        """
        about = {panel["of"] for panel in entry["panels"]}
        compared = {panel["of"] for panel in entry["panels"] if "against" in panel}
        return Reads(
            stability="stability" in about,
            accuracy="accuracy" in about,
            chance="stability" in about and (entry["chance"] or entry["knots"]),
            selections="stability" in compared,
            rows="accuracy" in compared,
        )

    def code(self, study: "Study", entry: Entry) -> list[str]:
        """The measures of which it computes differences."""
        return sorted({find(panel["measure"]).file for panel in _compared(entry)})

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
        for number, (panel, ax) in enumerate(zip(entry["panels"], axes, strict=True)):
            query = {"dataset": entry.get("dataset"), **panel}
            for selector in view.selectors:
                _draw_selector(ax, view, query, selector)
            if entry["chance"] and "against" not in panel:
                _draw_chance(ax, view, query)
            _label(ax, view, panel, f"({chr(ord('a') + number)}) " if len(axes) > 1 else "")
            ax.margins(x=0.01, y=0.12 if entry["peaks"] else 0.05)
            if entry["axis"] == "log" and ax.get_xlim()[1] > _SHORT:
                ax.set_xscale("log")
                ax.xaxis.set_major_formatter("{x:g}")
            else:
                ax.xaxis.get_major_locator().set_params(integer=True)
        for shown in {_vertical_axis(panel) for panel in entry["panels"]}:
            both = zip(axes, entry["panels"], strict=True)
            panels.share_limits([ax for ax, panel in both if _vertical_axis(panel) == shown])
        if len(axes) > panels.MANY and len({_vertical_axis(one) for one in entry["panels"]}) == 1:
            _label_sparingly(axes)
        panels.share_legend(figure, axes[0], 3 if len(axes) == 1 else 7)
        for panel, ax in zip(entry["panels"], axes, strict=True):
            ax.set_ylim(panel.get("range"))
            query = {"dataset": entry.get("dataset"), **panel}
            if panel["of"] == "stability" and "against" not in panel:
                mark_sizes(ax, view, query)
        return figure


def _compared(entry: Entry) -> list[Mapping[str, Any]]:
    """Panels of differences of stability."""
    return [p for p in entry["panels"] if "against" in p and p["of"] == "stability"]


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


def _draw_selector(ax: "Axes", view: View, query: Mapping[str, Any], selector: str) -> None:
    """One curve, or its difference to another, with a band where the entry asks for it.

    A difference without its interval says nothing, and always has its band.
    """
    entry, against = view.entry, query.get("against")
    if against is None:
        curve = view.curves.read(query, selector)
    else:
        curve = difference_curve(view, query, selector, against)
    curve = curve.up_to(entry.get("largest"))
    look = panels.line(view, selector)
    marks = panels.spaced_marks(view, selector)
    ax.plot(curve.sizes, curve.values, label=view.selectors[selector], **look, **marks)
    if entry["bands"] or against is not None:
        panels.draw_band(ax, curve, look["color"])


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
    quantity = view.quantity(panel["of"])
    of = capital(quantity)
    shown, by = of, view.classifiers.get(panel.get("classifier"))
    if panel["of"] == "stability":
        by = view.measure(panel)["label"]
        shown = _measure_shown(view, panel) or of
    if "dataset" in panel:
        title = view.title(panel["dataset"])
        same = len({each["of"] for each in view.entry["panels"]}) == 1
        what = "" if same and shown == of else f": {quantity if shown == of else shown}"
        shown = title + what
    if len(view.ratios) > 1:
        shown += f", r = {panel['ratio']:g}"
    if "against" in panel:
        shown += f": difference to {view.selectors[panel['against']]}"
    ax.set_title(f"{letter}{shown}")
    difference = f"Difference of {quantity}"
    ax.set_ylabel(difference if "against" in panel else panels.axis_label(of, by))
    ax.set_xlabel("Number of selected features")


def _measure_shown(view: View, panel: Mapping[str, Any]) -> str:
    """The measure of a panel, and how it compares selections, where the figure has several."""
    every, info = view.context["measures"], view.measure(panel)
    if len({each["compare"] for each in every}) > 1:
        return measure_name(info)
    return info["label"] if len(every) > 1 else ""


def _label_sparingly(axes: Sequence["Axes"]) -> None:
    """Low panels that show the same of many data sets have the names of their axes once."""
    panels.label_outside(axes, 3, axes[0].get_xlabel(), axes[0].get_ylabel(), same_x=False)


def _vertical_axis(panel: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a panel's vertical axis shows."""
    return tuple(panel.get(key) for key in ("of", "measure", "classifier", "against"))

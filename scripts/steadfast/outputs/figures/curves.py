"""Figures of curves: stability and accuracy by subset size."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, named_values, schema_of, text
from steadfast.measures import find
from steadfast.outputs.arguments import (
    QUANTITY,
    RANGE,
    RATIO,
    Argument,
    Count,
    Selectors,
    check_range,
    fill_from_study,
    require_quantity,
    require_similarity,
)
from steadfast.outputs.curves import Selections
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.figures.marks import explain_intervals
from steadfast.outputs.kinds import figure
from steadfast.outputs.results import Measure, Results, Score
from steadfast.outputs.verdict import capital
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.intervals import resampled_half_width, t_half_width
from steadfast.statistics.knots import peaks as find_peaks

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]

#: Up to so many curves have bands; more would mix their colours, and have bars at their marks.
_BANDS = 2

#: Marks along a curve.
_MARKS = 6

#: More panels than these are drawn low, so that they fit a page.
_MANY = 6

_DATASET = text("Data set of the panels that name none.", names="dataset")
_PANEL: Keys = {
    **QUANTITY,
    "ratio": RATIO,
    "dataset": _DATASET.but(description="Data set of the panel; the figure's if left out."),
    "against": text(
        "Selector whose curve is taken off the others; their differences are drawn with their 95% "
        "intervals.",
        names="selector",
    ),
    "range": RANGE.but(description="Lowest and highest value drawn; all if left out."),
}


class Panel(NamedTuple):
    """What a panel shows.

    Attributes
    ----------
    what, dataset, ratio
        The curves.
    against
        The selector whose curve is taken off the others.
    range
        Lowest and highest value drawn.
    """

    what: Measure | Score
    dataset: str
    ratio: float
    against: str | None
    range: Sequence[float] | None

    @property
    def condition(self) -> tuple[Measure | Score, str, float]:
        """What its curves are read by."""
        return self.what, self.dataset, self.ratio


class PanelList(Argument):
    """The key `panels`, a list of panels with keys of their own."""

    def names(self, entry: Entry, name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        for number, panel in enumerate(entry["panels"]):
            yield from named_values(panel, _PANEL, f"{at}.panels.{number}")

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        for panel in entry["panels"]:
            fill_from_study(study, panel, list(_PANEL))
            if "dataset" in entry:
                panel.setdefault("dataset", entry["dataset"])

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        for number, panel in enumerate(entry["panels"]):
            require_quantity(study, panel, where)
            if "ratio" not in panel:
                raise UserError(f"{where}: ratio: is missing; the study has several")
            if "dataset" not in panel:
                raise UserError(f"{where}: dataset: is missing, in the figure or in the panel")
            if "against" in panel:
                _check_against(study, entry, panel, f"{where}.panels.{number}.against")
            if "range" in panel:
                check_range(panel["range"], f"{where}.panels.{number}.range")
            if entry["knots"]:
                require_similarity(study, panel, where)
            if entry["chance"] and panel["of"] == "accuracy" and study.random_selector is None:
                raise UserError(
                    f"{where}.chance: the accuracy of random selection is that of the selector "
                    "random; add `random: {}` to selectors"
                )

    def prune(self, study: "Study", entry: dict[str, Any], name: str) -> str:
        named = dict.fromkeys(panel["dataset"] for panel in entry["panels"])
        entry["panels"] = [each for each in entry["panels"] if each["dataset"] in study.datasets]
        return "" if entry["panels"] else ", ".join(named)

    def value(self, results: Results, entry: Entry, name: str) -> list[Panel]:
        names = "dataset", "ratio", "against", "range"
        return [Panel(results.quantity(each), *map(each.get, names)) for each in entry["panels"]]


def _check_against(study: "Study", entry: Entry, panel: Entry, where: str) -> None:
    """Differences are to a selector of the figure, under a measure that needs the runs alone."""
    against, random = panel["against"], study.random_selector if entry["chance"] else None
    drawn = entry.get("selectors", [name for name in study.selectors if name != random])
    if against not in drawn or not study.is_run(panel["dataset"], against):
        raise UserError(f"{where}: {against} is not among the selectors of the figure")
    if panel["of"] == "stability" and find(panel["measure"]).similarity:
        raise UserError(
            f"{where}: {panel['measure']} compares features by the data; differences are drawn "
            "under measures that compare the selections alone"
        )


def _measures_of_differences(study: "Study", entry: Entry) -> list[str]:
    """The files of measures of which differences are computed."""
    compared = [each for each in entry["panels"] if "against" in each]
    return sorted({find(each["measure"]).file for each in compared if each["of"] == "stability"})


_PANELS = list_of("Panels in reading order.", schema_of(_PANEL), required=True)
Panels = Annotated[list[Panel], PanelList(_PANELS, "panels")]


@figure(modules=_measures_of_differences)
def curves(
    selections: Selections,
    *,
    shown: Panels,
    dataset: Annotated[str | None, Argument(_DATASET)] = None,
    selectors: Selectors,
    chance: bool = False,
    first: Count = 1,
    largest: Count | None = None,
    axis: Literal["linear", "log"] = "linear",
    knots: bool = False,
    smallest: Count = 10,
    peaks: bool = False,
) -> "panels.Figure":
    """Stability or accuracy by size with its 95% interval, one panel per condition.

    Parameters
    ----------
    selectors
        Selectors; all if left out, but for random selection where `chance` shows it.
    chance
        Whether random selection is shown too: the expected value of the measure, and the accuracy
        of the study's selector `random`.
    first
        Smallest size drawn.
    largest
        Largest size drawn; all if left out.
    axis
        Scale of the sizes.
    knots
        Whether curves of stability mark their knot.
    smallest
        Smallest size that may be a knot.
    peaks
        Whether curves of stability mark their peaks.
    """
    n, log = len(shown), axis == "log"
    height = 1.9 if n > _MANY else 3.1 if n in {1, 2, 4} else 2.8
    width = panels.ONE_COLUMN if n == 1 else panels.TWO_COLUMNS
    drawn, axes = panels.grid(n, selections.heading, height, width=width, around=0.6)
    for panel, ax in zip(shown, axes, strict=True):
        read = partial(selections.read, *panel.condition)
        if panel.against:
            read = partial(difference_curve, selections, panel)
        curves = {name: read(name).up_to(largest) for name in selectors}
        by_selector = {name: one.take(one.sizes >= first) for name, one in curves.items()}
        _draw_curves(ax, selections, by_selector, panel.against, log)
        if chance and not panel.against:
            _draw_chance(ax, selections, panel, largest)
        ax.margins(x=0.02, y=0.12 if peaks else 0.05)
        panels.scale_sizes(ax, log)
    _name_axes(axes, selections, shown, dataset)
    explain_intervals(axes[0], band=len(selectors) <= _BANDS)
    panels.share_legend(drawn, axes[0], 3 if n == 1 else 7)
    for panel, ax in zip(shown, axes, strict=True):
        ax.set_ylim(panel.range)
        if panel.what.of == "stability" and not panel.against:
            _mark_sizes(ax, selections, panel, selectors, knots and smallest, peaks, largest)
        _mark_clipped(ax)
    return drawn


# Curves


def _draw_chance(
    ax: "panels.Axes", selections: Selections, panel: Panel, largest: int | None
) -> None:
    """Random selection: the measure's expected value, or the accuracy of the random selector."""
    if panel.what.of == "stability":
        level = selections.chance(panel.what, panel.dataset).up_to(largest)
    else:
        level = selections.read(*panel.condition, selections.random).up_to(largest)
    look = {"label": "Random selection", "linewidth": 1.4, **panels.CHANCE}
    ax.plot(level.sizes, level.values, **look)


def difference_curve(selections: Selections, panel: Panel, selector: str) -> Curve:
    """The curve of a selector minus that of `panel.against`, at the sizes that both have.

    Both saw the same folds, so that the interval is that of the folds' differences. Accuracies of
    folds that share rows are corrected for it, as wherever they are compared.
    """
    both = selector, panel.against
    first, second = common_sizes([selections.read(*panel.condition, name) for name in both])
    if panel.what.of == "accuracy":
        share = selections.test_share(panel.dataset, panel.ratio)
        half = resampled_half_width(first.units - second.units, share)
    else:
        parts = [_parts_by_size(selections, panel, name) for name in both]
        of_both = (parts[0] - parts[1]).dropna(how="all").to_numpy()
        half = t_half_width(of_both[:, first.sizes - 1])
    values = first.values - second.values
    return Curve(first.sizes, values, low=values - half, high=values + half)


def _parts_by_size(selections: Selections, panel: Panel, selector: str) -> pd.DataFrame:
    """What each fold contributes to the stability at every size, a row per fold.

    The study's file of parts has their means over the sizes.
    """
    from steadfast.measures.similarity import Similarities
    from steadfast.measuring.curves import measure_stability

    dataset, use = panel.dataset, {"measure": panel.what.measure, "compare": panel.what.compare}
    runs = selections.selections(dataset, selector, ties=selections.ties)
    folds = [fold for fold in selections.folds(dataset) if fold.name in runs]
    n_features, seed = len(selections.features(dataset)), selections.seed
    measured = measure_stability(use, folds, runs, Similarities(), n_features, seed)
    at_ratio = next(each for each in measured if each.ratio == panel.ratio)
    return pd.DataFrame(at_ratio.estimate.units, index=at_ratio.units)


def _draw_curves(
    ax: "panels.Axes",
    selections: Selections,
    curves: Mapping[str, Curve],
    against: str | None,
    log: bool,
) -> None:
    """All curves of a panel: with bands if they are few, else with bars at their marks."""
    for number, (selector, curve) in enumerate(curves.items()):
        look = panels.look(selections, selector) | panels.MARK
        look["label"] = selections.selectors[selector]
        places = _marked_places(curve.sizes, (number + 0.5) / len(curves), log)
        if selector == against:
            ax.plot(curve.sizes, curve.values, **{**look, "marker": None})
            continue
        ax.plot(curve.sizes, curve.values, markevery=places, **look)
        if len(curves) <= _BANDS:
            look = {"color": look["color"], "alpha": 0.15, "linewidth": 0}
            ax.fill_between(curve.sizes, curve.low, curve.high, **look)
        else:
            at = curve.take(places)
            ax.vlines(at.sizes, at.low, at.high, color=look["color"], linewidth=0.8)


def _marked_places(sizes: np.ndarray, shift: float, log: bool) -> list[int]:
    """Where a curve has marks: evenly along the axis, shifted by a share of their distance."""
    along = np.log(sizes) if log else sizes
    shares = (np.arange(_MARKS) + shift) / _MARKS
    middles = along[0] + shares * (along[-1] - along[0])
    return sorted({int(np.abs(along - place).argmin()) for place in middles})


# Names of panels and axes


def _name_axes(
    axes: Sequence["panels.Axes"],
    selections: Selections,
    shown: Sequence[Panel],
    dataset: str | None,
) -> None:
    """Titles and names of axes; axes that show one thing have one range."""
    panels.title_panels(axes, [_title(selections, panel, shown, dataset) for panel in shown])
    x, alike = "Number of selected features", {}
    for panel, ax in zip(shown, axes, strict=True):
        noun = panel.what.noun
        value = panels.axis_label(capital(noun), panel.what.label)
        ax.set(xlabel=x, ylabel=f"Difference of {noun}" if panel.against else value)
        alike.setdefault((panel.what.label, panel.against), []).append(ax)
    for same in alike.values():
        panels.share_limits(same)
    if len(alike) == 1:
        panels.label_outside(axes, x, axes[0].get_ylabel(), same_x=False)


def _title(
    selections: Selections, panel: Panel, shown: Sequence[Panel], dataset: str | None
) -> str:
    """The data set of a panel, if it is not the figure's, and what differs between panels."""
    noun, measure = panel.what.noun, ""
    measures = {each.what for each in shown if each.what.of == "stability"}
    if panel.what in measures and len(measures) > 1:
        several = len({each.compare for each in measures}) > 1
        measure = panel.what.name if several else panel.what.label
    title = measure or capital(noun)
    if panel.dataset != dataset:
        both = measure or len({each.what.of for each in shown}) > 1
        title = selections.title(panel.dataset) + (f": {measure or noun}" if both else "")
    if len(selections.ratios) > 1:
        title += f", r = {panel.ratio:g}"
    if panel.against:
        title += f" minus that of {selections.selectors[panel.against]}"
    return title


# Sizes and values that stand out


def _mark_sizes(
    ax: "panels.Axes",
    selections: Selections,
    panel: Panel,
    selectors: Sequence[str],
    smallest: int,
    peaks: bool,
    largest: int | None,
) -> None:
    """A ring with its size at the knots of curves, from a smallest size on, and at their peaks."""
    labels = []
    for selector in selectors:
        knot = smallest and selections.knot(*panel.condition, selector, smallest)
        marked = [knot] if knot else []
        if peaks:
            marked += find_peaks(selections.read(*panel.condition, selector).up_to(largest))
        look = {"markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.4, "zorder": 4}
        look["color"] = panels.look(selections, selector)["color"]
        for one in marked:
            ax.plot(one.size, one.stability, "o", **look)
            labels.append(PointLabel(one.size, one.stability, f"{one.size}", look["color"]))
    place_labels(ax, labels)


def _mark_clipped(ax: "panels.Axes") -> None:
    """Arrows at the edge for marks of a curve beyond it, and the value that is farthest out."""
    labels = []
    for curve in [line for line in ax.get_lines() if line.get_markevery()]:
        x, y = curve.get_data()
        look = {"color": curve.get_color(), "clip_on": False, "linestyle": "none", "zorder": 4}
        for edge, sign, arrow in zip(ax.get_ylim(), (-1, 1), (7, 6), strict=True):
            beyond = sign * (y - edge)
            farthest = beyond.argmax()
            if beyond[farthest] > 0:
                places = [at for at in {*curve.get_markevery(), farthest} if beyond[at] > 0]
                ax.plot(x[places], [edge] * len(places), marker=arrow, **look)
                text = f"{y[farthest]:.2f}".replace("-", "−")
                labels.append(PointLabel(x[farthest], edge, text, look["color"]))
    place_labels(ax, labels)

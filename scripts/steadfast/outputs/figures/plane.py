"""Figures of the plane of stability and accuracy."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Key, Keys, schema_of
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.keys import (
    ALL_SELECTORS,
    MARKED,
    ONE_DATASET,
    RANGE,
    STABILITY_AND_ACCURACY,
    check_range,
)
from steadfast.outputs.kind import Entry, FigureKind, Reads
from steadfast.outputs.view import View
from steadfast.statistics.curve import common_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

_ZOOM = dict.fromkeys(("stability", "accuracy"), RANGE.but(required=True))


@figure("plane")
class Plane(FigureKind):
    """Accuracy against stability along the sizes, one panel per data set."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "dataset": ONE_DATASET,
        "selectors": ALL_SELECTORS,
        "marked": MARKED,
        "zoom": Key(
            "Ranges of `stability` and `accuracy` that are drawn larger in a panel of their own.",
            schema_of(_ZOOM),
        ),
    }
    reads = Reads(stability=True, accuracy=True)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """What is drawn larger has its lowest values first."""
        super().check(study, entry, where)
        for of, ends in entry.get("zoom", {}).items():
            check_range(ends, f"{where}.zoom.{of}")

    def build(self, view: View) -> "Figure":
        entry = view.entry
        enlarged = [False, True] if "zoom" in entry else [False]
        shown = [(dataset, larger) for dataset in view.datasets for larger in enlarged]
        n = len(shown)
        figure, axes = panels.grid(n, entry["title"], min(2, n), panels.ONE_COLUMN, 3.7, 0.7)
        scored = panels.axis_label(view.score.label, view.classifiers[entry["classifier"]])
        labels = []
        for number, ((dataset, larger), ax) in enumerate(zip(shown, axes, strict=True)):
            labels.append(_draw(ax, view, dataset, larger))
            letter = f"({chr(ord('a') + number)}) " if n > 1 else ""
            ax.set_title(f"{letter}{view.title(dataset)}{', enlarged' if larger else ''}")
            ax.set_xlabel(panels.axis_label("Stability", view.measure()["label"]))
            ax.set_ylabel(scored)
        panels.share_legend(figure, axes[0], 3 if n == 1 else 6)
        for ax, of_panel in zip(axes, labels, strict=True):
            place_labels(ax, of_panel)
        return figure


def _draw(ax: "Axes", view: View, dataset: str, larger: bool) -> list[PointLabel]:
    """The path of every selector, with marks at some sizes, and the labels of these sizes.

    Labels of a part that is drawn larger stand there.
    """
    labels, zoom = [], view.entry.get("zoom")
    queries = [{**view.entry, "dataset": dataset, "of": of} for of in ("stability", "accuracy")]
    for selector, label in view.selectors.items():
        both = common_sizes([view.curves.read(query, selector) for query in queries])
        marked = [k for k in view.entry["marked"] if k in both[0].sizes]
        look = panels.line(view, selector) | panels.marks(view, selector) | panels.MARK
        look |= {"linewidth": 0.8, "markersize": 6}
        places = [both[0].place(k) for k in marked]
        ax.plot(*(curve.values for curve in both), label=label, markevery=places, **look)
        for k in marked:
            place = both[0].at(k), both[1].at(k)
            if not zoom or larger == _lies_in(place, zoom):
                labels.append(PointLabel(*place, f"{k}", look["color"]))
    if larger:
        ax.set(xlim=zoom["stability"], ylim=zoom["accuracy"])
    elif zoom:
        (left, right), (bottom, top) = zoom["stability"], zoom["accuracy"]
        x, y = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
        ax.plot(x, y, color="#777777", linewidth=0.7)
    return labels


def _lies_in(place: tuple[float, float], zoom: Mapping[str, Sequence[float]]) -> bool:
    (left, right), (bottom, top) = zoom["stability"], zoom["accuracy"]
    return left <= place[0] <= right and bottom <= place[1] <= top

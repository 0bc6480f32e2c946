"""Figures of how many of the relevant features selectors find on made data."""

from itertools import product
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import figure
from steadfast.outputs.differences import Interval, mean_interval
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.legend_words import InWords, labels_of
from steadfast.outputs.keys import FAMILIES, TRANSFORMS
from steadfast.outputs.shared.precision import (
    CONDITIONS,
    SEVERAL_LABEL_NOISES,
    OfPrecision,
    precision_rows,
)
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: One mark per transform.
_MARKS = "osxDv"

#: Random selection lies below marks that may coincide with it.
_CHANCE = {"color": "#bbbbbb", "linewidth": 4, "zorder": 1}

#: What the marks of one level of noise take of the room that it has.
_WIDTH = 0.8


@figure("precision")
class Precision(OfPrecision, InWords):
    """Share of the relevant features found, by noise of values, of classes, and by selector."""

    keys: ClassVar[Keys] = {
        "families": FAMILIES,
        "transforms": TRANSFORMS,
        **labels_of("transform"),
        "label_noise": SEVERAL_LABEL_NOISES,
        **CONDITIONS,
        "numbers": list_of(
            "The paper's numbers of the panels, in reading order; letters if left out.",
            {"type": "string"},
        ),
    }

    def build(self, view: View) -> "Figure":
        entry, rows = view.entry, precision_rows(view)
        shown = list(product(entry["label_noise"], entry["families"]))
        numbers = entry.get("numbers", [f"({chr(ord('a') + at)})" for at in range(len(shown))])
        columns = len(entry["families"])
        figure, axes = panels.page_grid(len(shown), entry["title"], columns, 2.4)
        for (wrong, family), number, ax in zip(shown, numbers, axes, strict=True):
            own = (rows["selector"] == family) & (rows["label_noise"] == wrong)
            _draw_selector(ax, view, {name: column[own] for name, column in rows.items()})
            ax.set_title(f"{number} {view.context['families'][family]}, {wrong:.0%} wrong")
        found = "Share of the relevant\nfeatures that is found"
        panels.label_outside(axes, columns, "Noise α of the values", found)
        panels.explain_intervals(axes[0])
        within = ", ".join(map(str, entry["features"]))
        title = f"Each group of marks, from left to right: {within} features; means over "
        title += f"{np.unique(rows['set']).size} data sets"
        panels.share_legend(figure, axes[0], 3, title=title)
        return figure


def _draw_selector(ax: "Axes", view: View, rows: dict[str, np.ndarray]) -> None:
    """Means over the data sets: groups by noise, in a group one mark per number of features."""
    entry = view.entry
    step = _WIDTH / len(entry["features"])
    for level, noise in enumerate(entry["noise"]):
        places = level - _WIDTH / 2 + step * (np.arange(len(entry["features"])) + 0.5)
        at = [(rows["noise"] == noise) & (rows["features"] == m) for m in entry["features"]]
        for number, transform in enumerate(entry["transforms"]):
            after = rows["transform"] == transform
            found = [_share(rows["precision"][own & after]) for own in at]
            label = entry["labels"].get(transform, view.context["transforms"][transform]["label"])
            look = {"color": panels.COLOURS[number], "marker": _MARKS[number]}
            look |= {"markersize": 4, "linewidth": 0.8, "label": "" if level else label}
            panels.draw_intervals(ax, places + (number - 1) * step / 4, found, **look)
        chance = [rows["chance"][own][0] for own in at]
        ax.plot(places, chance, label="" if level else "Random selection", **_CHANCE)
    ax.set_xticks(range(len(entry["noise"])), [f"{noise:g}" for noise in entry["noise"]])
    ax.set_ylim(0, 1.03)


def _share(values: np.ndarray) -> Interval:
    """The mean of shares with its interval, which ends at 0 and 1 as shares do."""
    mean, low, high = mean_interval(values)
    return Interval(mean, max(low, 0), min(high, 1))

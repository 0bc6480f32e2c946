"""Figures of what transforms gain by subset size."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.legend_words import InWords, labels_of
from steadfast.outputs.shared.gains import Gains, OfGains, mean_gains, read_gains
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: How far the marks of two transforms at one size are apart; from one size to the next it is 1.
_APART = 0.2


@figure("gain_by_size")
class GainBySize(OfGains, InWords):
    """What transforms gain by size: each data set as a mark, their mean as a line."""

    keys: ClassVar[Keys] = {**OfGains.keys, **labels_of("transform")}

    def build(self, view: View) -> "Figure":
        found, title = read_gains(view), view.entry["title"]
        size = (panels.TWO_COLUMNS, 6)
        figure, axes = panels.subplots(2, len(found), title, size, sharex=True, sharey="row")
        classifier = view.classifiers[view.entry["classifier"]]
        gained = {
            "stability_gain": f"Gain in stability\n({view.measure()['label']})",
            "accuracy_gain": f"Gain in {view.score.noun}\n({classifier})",
        }
        for row, (field, shown) in zip(axes, gained.items(), strict=True):
            for ax, by_transform in zip(row, found.values(), strict=True):
                _draw_gains(ax, view, by_transform, field)
            row[0].set_ylabel(shown)
        for at, ax in enumerate(axes.flat):
            family = view.context["families"][list(found)[at % len(found)]]
            ax.set_title(f"({chr(ord('a') + at)}) {family}")
        for ax in axes[-1]:
            ax.set_xlabel("Selected features")
        for number, dataset in enumerate(view.datasets):
            axes[0, 0].plot([], [], label=view.title(dataset), **_mark("#555555", number))
        panels.share_legend(figure, axes[0, 0], 3)
        return figure


def _draw_gains(
    ax: "Axes", view: View, by_transform: Mapping[str, Mapping[str, Gains]], field: str
) -> None:
    """Each transform beside the others, so that those which gain the same are seen."""
    sizes, middle = view.entry["sizes"], (len(by_transform) - 1) / 2
    for number, (transform, by_dataset) in enumerate(by_transform.items()):
        places = np.arange(len(sizes)) + _APART * (number - middle)
        colour = panels.COLOURS[number]
        for at, gains in enumerate(by_dataset.values()):
            ax.plot(places, getattr(gains, field), **_mark(colour, at))
        label = view.entry["labels"].get(transform, view.context["transforms"][transform]["label"])
        mean = getattr(mean_gains(list(by_dataset.values())), field)
        look = {"color": colour, "linestyle": panels.LINES[2 * number], "linewidth": 2}
        ax.plot(places, mean, label=f"{label}: mean", **look)
    ax.axhline(0, color="black", linewidth=0.6)
    ax.set_xticks(range(len(sizes)), [str(k) for k in sizes])


def _mark(colour: str, number: int) -> dict[str, object]:
    """How the values of one data set are drawn: its own mark, open, and no line."""
    mark = panels.MARKS[number % len(panels.MARKS)]
    return {"color": colour, "marker": mark, "markersize": 4, "fillstyle": "none", "linestyle": ""}

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

#: How far the marks of two transforms at one size are apart, on a logarithmic axis.
_APART = 1.04


@figure("gain_by_size")
class GainBySize(OfGains, InWords):
    """What transforms gain by size: mean over data sets, and each data set as a thin line."""

    keys: ClassVar[Keys] = {**OfGains.keys, **labels_of("transform")}

    def build(self, view: View) -> "Figure":
        found = read_gains(view)
        size = (panels.TWO_COLUMNS, 1.65 * len(found) + 1)
        figure, axes = panels.subplots(
            len(found), 2, view.entry["title"], size, sharex=True, sharey="col"
        )
        gained = {
            "stability_gain": f"stability ({view.measure()['label']})",
            "accuracy_gain": f"{view.score.noun} ({view.classifiers[view.entry['classifier']]})",
        }
        for row, (family, by_transform) in zip(axes, found.items(), strict=True):
            for ax, (field, shown) in zip(row, gained.items(), strict=True):
                _draw_gains(ax, view, by_transform, field)
                ax.set_title(f"{view.context['families'][family]}: gain in {shown}")
            row[0].set_ylabel("Gain")
        for ax in axes[-1]:
            ax.set_xlabel("Number of selected features")
        axes[0, 0].plot([], [], color="#555555", linewidth=0.6, label="One data set")
        panels.share_legend(figure, axes[0, 0])
        return figure


def _draw_gains(
    ax: "Axes", view: View, by_transform: Mapping[str, Mapping[str, Gains]], field: str
) -> None:
    """Each transform beside the others, so that those which gain the same are seen."""
    sizes, middle = np.array(view.entry["sizes"]), (len(by_transform) - 1) / 2
    for number, (transform, by_dataset) in enumerate(by_transform.items()):
        look = {"color": panels.COLOURS[number], "linestyle": panels.LINES[2 * number]}
        places = sizes * _APART ** (number - middle)
        every = [getattr(gains, field) for gains in by_dataset.values()]
        ax.plot(places, np.transpose(every), linewidth=0.6, alpha=0.7, **look)
        label = view.entry["labels"].get(transform, view.context["transforms"][transform]["label"])
        look |= {"marker": panels.MARKS[number], "markersize": 4, "label": label}
        ax.plot(places, getattr(mean_gains(list(by_dataset.values())), field), **look)
    ax.axhline(0, color="black", linewidth=0.6)
    ax.set_xscale("log")
    ax.set_xticks(sizes, [str(k) for k in sizes])
    ax.minorticks_off()

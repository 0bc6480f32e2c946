"""Figures of what transforms gain by subset size."""

from typing import TYPE_CHECKING

import numpy as np

from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.gains import OfGains, mean_gains, read_gains
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROWS = {"stability_gain": "Gain in stability", "accuracy_gain": "Gain in accuracy"}


@figure("gain_by_size")
class GainBySize(OfGains, FigureKind):
    """What transforms gain by size: mean over data sets, and each data set as a thin line."""

    def build(self, view: View) -> "Figure":
        found, sizes = read_gains(view), view.entry["sizes"]
        size = (2.3 * len(found) + 0.6, 5.2)
        figure, axes = panels.subplots(
            2, len(found), view.entry["title"], size, sharex=True, sharey="row"
        )
        for column, (family, by_transform) in zip(axes.T, found.items(), strict=True):
            column[0].set_title(view.context["families"][family])
            for ax, field in zip(column, _ROWS, strict=True):
                for number, (transform, by_dataset) in enumerate(by_transform.items()):
                    colour, mark = panels.COLOURS[number], panels.MARKS[number]
                    label = view.context["transforms"][transform]["label"]
                    every = [getattr(gains, field) for gains in by_dataset.values()]
                    ax.plot(sizes, np.transpose(every), color=colour, linewidth=0.5, alpha=0.6)
                    mean = getattr(mean_gains(list(by_dataset.values())), field)
                    ax.plot(sizes, mean, color=colour, marker=mark, markersize=4, label=label)
                ax.axhline(0, color="black", linewidth=0.6)
                ax.set_xscale("log")
                ax.set_xticks(sizes, [str(k) for k in sizes])
                ax.minorticks_off()
            column[1].set_xlabel("Features k")
        for ax, label in zip(axes[:, 0], _ROWS.values(), strict=True):
            ax.set_ylabel(label)
        panels.share_legend(figure, axes[0, 0])
        return figure

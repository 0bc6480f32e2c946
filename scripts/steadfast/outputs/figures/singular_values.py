"""Figures of the singular values of each class."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.singular_values import (
    CENTRED,
    LARGEST,
    ROWS,
    OfSingularValues,
    singular_values,
)
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("singular_values")
class SingularValues(OfSingularValues, FigureKind):
    """Singular values of the rows of each class; without the class's mean, dashed."""

    keys: ClassVar[Keys] = {**OfSingularValues.keys, "largest": LARGEST.but(default=10)}

    def build(self, view: View) -> "Figure":
        figure, axes = panels.panel_grid(len(view.datasets), view.entry["title"])
        for dataset, ax in zip(view.datasets, axes, strict=True):
            for number, spectra in enumerate(singular_values(view.table(dataset)).values()):
                colour = panels.COLOURS[number % len(panels.COLOURS)]
                for form, style in ((ROWS, "o-"), (CENTRED, "x--")):
                    values = spectra[form][: view.entry["largest"]]
                    label = f"class {number + 1}" + (", mean taken off" if form == CENTRED else "")
                    places = np.arange(1, values.size + 1)
                    ax.plot(places, values, style, color=colour, markersize=4, label=label)
            ax.set_title(view.title(dataset))
            ax.set_xlabel("Number i")
            ax.set_ylabel("Singular value σᵢ")
            ax.set_ylim(0)
        most = max(axes, key=lambda ax: len(ax.get_legend_handles_labels()[1]))
        panels.share_legend(figure, most, 4)
        return figure

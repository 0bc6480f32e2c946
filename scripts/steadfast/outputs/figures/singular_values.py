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


#: How the singular values of a class are drawn.
_STYLES = {ROWS: "o-", CENTRED: "x--"}


@figure("singular_values")
class SingularValues(OfSingularValues, FigureKind):
    """Singular values of the rows of each class; without the class's mean, dashed."""

    keys: ClassVar[Keys] = {**OfSingularValues.keys, "largest": LARGEST.but(default=10)}

    def build(self, view: View) -> "Figure":
        n = len(view.datasets)
        columns = min(2, n)
        figure, axes = panels.page_grid(n, view.entry["title"], columns, 2.6)
        for dataset, ax in zip(view.datasets, axes, strict=True):
            classes = singular_values(view.table(dataset))
            for number, spectra in enumerate(classes.values()):
                colour = panels.COLOURS[number % len(panels.COLOURS)]
                for form, style in _STYLES.items():
                    values = spectra[form][: view.entry["largest"]]
                    places = np.arange(1, values.size + 1)
                    ax.plot(places, values, style, color=colour, markersize=4, linewidth=1)
            ax.set_title(f"{view.title(dataset)}: {len(classes)} classes, a colour each")
            ax.set_ylabel("Singular value σᵢ")
            ax.xaxis.get_major_locator().set_params(integer=True)
            ax.set_ylim(0)
        for ax in axes[-columns:]:
            ax.set_xlabel("Number i, from the largest singular value on")
        for form, style in _STYLES.items():
            label = f"{'Without' if form == CENTRED else 'With'} the mean of the class"
            axes[0].plot([], [], style, color="#555555", markersize=4, label=label)
        panels.share_legend(figure, axes[0], 4)
        return figure

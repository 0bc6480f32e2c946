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

#: Smaller ones, relative to the largest, are 0 up to rounding.
_ROUNDING = 1e-9

#: Legends of fewer classes have one column.
_ROWS = 6


@figure("singular_values")
class SingularValues(OfSingularValues, FigureKind):
    """Singular values of the rows of each class; without the class's mean, dashed."""

    keys: ClassVar[Keys] = {**OfSingularValues.keys, "largest": LARGEST.but(default=10)}

    def build(self, view: View) -> "Figure":
        from matplotlib.ticker import LogLocator

        n = len(view.datasets)
        columns = min(2, n)
        figure, axes = panels.page_grid(n, view.entry["title"], columns, 2.6)
        for at, (dataset, ax) in enumerate(zip(view.datasets, axes, strict=True)):
            classes = singular_values(view.table(dataset))
            for number, (name, spectra) in enumerate(classes.items()):
                colour = panels.COLOURS[number % len(panels.COLOURS)]
                ax.plot([], [], color=colour, linewidth=2, label=name)
                for form, style in _STYLES.items():
                    values = spectra[form][: view.entry["largest"]]
                    values = values[values > _ROUNDING * values[0]]
                    places = np.arange(1, values.size + 1)
                    ax.plot(places, values, style, color=colour, markersize=4, linewidth=1)
            look = {"frameon": True, "edgecolor": "none", "ncols": 1 + len(classes) // _ROWS}
            ax.legend(title="Class", loc="upper right", **look)
            ax.set_yscale("log")
            ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            ax.yaxis.set_major_formatter("{x:g}")
            ax.minorticks_off()
            ax.set_title(f"({chr(ord('a') + at)}) {view.title(dataset)}")
            ax.set_ylabel("Singular value σᵢ")
            ax.xaxis.get_major_locator().set_params(integer=True)
        for ax in axes[-columns:]:
            ax.set_xlabel("Number i, from the largest singular value on")
        more = {}
        for form, style in _STYLES.items():
            (line,) = axes[0].plot([], [], style, color="#555555", markersize=4)
            more[f"{'Without' if form == CENTRED else 'With'} the mean of the class"] = line
        figure.legend(more.values(), more, loc="outside lower center", ncols=2)
        return figure

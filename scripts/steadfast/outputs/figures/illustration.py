"""Figures of what low rank does to two features."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core import registry
from steadfast.core.keys import Keys, flag
from steadfast.core.registry import figure
from steadfast.core.seeds import generator
from steadfast.outputs.figures import panels
from steadfast.outputs.kind import Entry, FigureKind
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study


#: Centres of two classes, which the first feature tells apart, and the features' spread: a third
#: of it where no noise is added, so that classes are apart even after matrix rank 1 of all rows.
_MEANS, _SPREAD = np.array([[3.0, 5.0], [6.0, 5.0]]), np.array([0.6, 1.2])

#: Standard deviation of the noise that is added.
_NOISE = 1.0


@figure("illustration")
class Illustration(FigureKind):
    """What rank 1 does to two features of which one tells the classes apart."""

    keys: ClassVar[Keys] = {"noisy": flag("Whether noise is added first.")}
    draws = True

    def datasets(self, study: "Study", entry: Entry) -> list[str]:
        """None: it makes its own rows."""
        return []

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """None."""
        return []

    def code(self, study: "Study", entry: Entry) -> list[str]:
        """The transform."""
        return [registry.declared("transform")["low_rank"].file]

    def build(self, view: View) -> "Figure":
        entry, y = view.entry, np.repeat([0, 1], 50)
        shown = _data(view.context["seed"], entry["noisy"], y)
        columns = 2 if len(shown) == 4 else 3
        figure, axes = panels.page_grid(len(shown), entry["title"], columns, 2.8)
        for letter, (name, X), ax in zip("abcd", shown.items(), axes):
            # What a transform does to the rows is seen where all panels have the same axes.
            if ax is not axes[0]:
                ax.sharex(axes[0])
                ax.sharey(axes[0])
            _scatter(ax, X, y)
            ax.set_title(f"({letter}) {name}")
        panels.label_outside(axes, columns, "f₁ (relevant)", "f₂ (irrelevant)")
        panels.share_legend(figure, axes[0])
        return figure


def _data(seed: int, noisy: bool, y: np.ndarray) -> dict[str, np.ndarray]:
    """Rows as they are drawn, and what becomes of them."""
    draw = generator(seed, "illustration", noisy)
    X = draw.normal(np.repeat(_MEANS, 50, axis=0), _SPREAD if noisy else _SPREAD / 3)
    shown = {"Original data": X}
    if noisy:
        X = X + draw.normal(0, _NOISE, X.shape)
        shown[f"With noise of standard deviation {_NOISE:g}"] = X
    ways = {"none": "Matrix rank 1, classes ignored", "class": "Matrix rank 1, by class (SLRMA)"}
    for by, name in ways.items():
        low_rank = registry.declared("transform")["low_rank"].create({"rank": 1, "by": by})
        shown[name] = low_rank.fit_transform(X, y)
    return shown


def _scatter(ax: "Axes", X: np.ndarray, y: np.ndarray) -> None:
    for label, marker in ((0, "o"), (1, "^")):
        own, name = X[y == label], f"Class {label + 1}"
        colour = panels.COLOURS[label]
        ax.scatter(own[:, 0], own[:, 1], s=12, marker=marker, color=colour, label=name)

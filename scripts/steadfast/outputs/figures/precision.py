"""Figures of how many of the relevant features selectors find on made data."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Key, Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import FAMILY, TRANSFORMS
from steadfast.outputs.kind import Entry, FigureKind
from steadfast.outputs.shared.precision import CONDITIONS, OfPrecision
from steadfast.outputs.view import View
from steadfast.stability.overlaps import size_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("precision")
class Precision(OfPrecision, FigureKind):
    """Share of the relevant features that is found, by noise; one panel per number of features."""

    keys: ClassVar[Keys] = {
        "family": FAMILY,
        "transforms": TRANSFORMS,
        "label_noise": Key(
            "Share of the rows with a wrong class.", {"type": "number"}, required=True
        ),
        "features": CONDITIONS["features"],
    }

    def wanted(self, entry: Entry) -> dict[str, list[Any]]:
        """One selector and one share of wrong classes."""
        only = {"families": [entry["family"]], "label_noise": [entry["label_noise"]]}
        return dict(super().wanted({**entry, **only}))

    def build(self, view: View) -> "Figure":
        entry = view.entry
        numbers = entry["features"]
        figure, axes = panels.panel_grid(
            len(numbers), entry["title"], columns=2, width=4.4, height=2.8
        )
        for number, ax in zip(numbers, axes, strict=True):
            n_sets = _draw_bars(ax, view, number)
            chance = size_of(view.context["relevant"], number) / number
            ax.axhline(chance, label="By chance", **panels.CHANCE)
            ax.set_ylim(0, 1.05)
            ax.set_title(f"{number} features, {n_sets} data sets")
            ax.set_xlabel("Noise α of the values")
            ax.set_ylabel("Precision")
        panels.share_legend(figure, axes[0])
        return figure


def _draw_bars(ax: "Axes", view: View, number: int) -> int:
    """Mean and standard deviation by noise, one grey per transform; how many data sets."""
    entry, table = view.entry, view.columns("precision", number=number)
    noise, found = (np.array(table[name], dtype=float) for name in ("noise", "precision"))
    wrong = np.array(table["label_noise"], dtype=float)
    own = (np.array(table["selector"]) == entry["family"]) & (wrong == entry["label_noise"])
    levels, n_bars = np.unique(noise), len(entry["transforms"])
    greys = np.linspace(0, 1, n_bars) ** 0.8
    for at, (transform, grey) in enumerate(zip(entry["transforms"], greys, strict=True)):
        after = own & (np.array(table["transform"]) == transform)
        each = [found[after & (noise == level)] for level in levels]
        ax.bar(
            np.arange(levels.size) + (at - (n_bars - 1) / 2) * 0.8 / n_bars,
            [one.mean() for one in each],
            0.8 / n_bars,
            yerr=[one.std() for one in each],
            color=str(grey),
            edgecolor="black",
            linewidth=0.6,
            error_kw={"elinewidth": 0.6, "ecolor": panels.RED},
            label=view.context["transforms"][transform]["label"],
        )
    ax.set_xticks(range(levels.size), [f"{level:g}" for level in levels])
    return each[0].size

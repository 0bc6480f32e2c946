"""Figures of how many of the relevant features selectors find on made data."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Key, Keys
from steadfast.core.registry import figure
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.legend_words import InWords, labels_of
from steadfast.outputs.keys import FAMILY, TRANSFORMS
from steadfast.outputs.kind import Entry
from steadfast.outputs.shared.precision import CONDITIONS, OfPrecision
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("precision")
class Precision(OfPrecision, InWords):
    """Share of the relevant features that is found, by noise; one panel per number of features."""

    keys: ClassVar[Keys] = {
        "family": FAMILY,
        "transforms": TRANSFORMS,
        **labels_of("transform"),
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
        columns = min(2, len(numbers))
        figure, axes = panels.page_grid(len(numbers), entry["title"], columns, 2.6)
        for number, ax in zip(numbers, axes, strict=True):
            n_sets = _draw_bars(ax, view, number)
            chance = size_of(view.context["relevant"], number) / number
            random = ax.axhline(chance, **{**panels.CHANCE, "color": panels.RED})
            ax.set_ylim(0, 1.03)
            ax.set_title(f"{number} features, {n_sets} data sets")
        (deviation,) = axes[0].plot([], [], "k|", markersize=9)
        found = "Precision (share of the\nrelevant features found)"
        panels.label_outside(axes, columns, "Noise α of the values", found)
        more = {"Random selection": random, "Standard deviation over the data sets": deviation}
        panels.share_legend(figure, axes[0], 3, more)
        return figure


def _draw_bars(ax: "Axes", view: View, number: int) -> int:
    """Mean and standard deviation by noise, one grey per transform; how many data sets.

    A share is not drawn above 1, however far the standard deviation reaches.
    """
    from matplotlib.patheffects import withStroke

    entry, table = view.entry, view.columns("precision", number=number)
    noise, found = (np.array(table[name], dtype=float) for name in ("noise", "precision"))
    wrong = np.array(table["label_noise"], dtype=float)
    own = (np.array(table["selector"]) == entry["family"]) & (wrong == entry["label_noise"])
    levels, n_bars = np.unique(noise), len(entry["transforms"])
    greys = np.linspace(0.25, 1, n_bars)
    outline = [withStroke(linewidth=2.4, foreground="white")]
    for at, (transform, grey) in enumerate(zip(entry["transforms"], greys, strict=True)):
        after = own & (np.array(table["transform"]) == transform)
        each = [found[after & (noise == level)] for level in levels]
        means, deviations = np.array([(one.mean(), one.std()) for one in each]).T
        places = np.arange(levels.size) + (at - (n_bars - 1) / 2) * 0.8 / n_bars
        label = entry["labels"].get(transform, view.context["transforms"][transform]["label"])
        look = {"color": str(grey), "edgecolor": "black", "linewidth": 0.6}
        ax.bar(places, means, 0.8 / n_bars, label=label, **look)
        low, high = np.clip([means - deviations, means + deviations], 0, 1)
        ax.vlines(places, low, high, color="black", linewidth=1, path_effects=outline)
    ax.set_xticks(range(levels.size), [f"{level:g}" for level in levels])
    return each[0].size

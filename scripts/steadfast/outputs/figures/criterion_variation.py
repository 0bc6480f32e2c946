"""Figures of how far the criterion of an mRMR selector varies."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import SELECTOR, THE_DATASET
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.variation import OfVariation, read_variation
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Steps whose running median is drawn.
_WINDOW = 11

#: What the axis of relative spread has at least, so that selectors can be compared.
_LEAST, _MOST = 0.02, 10


@figure("criterion_variation")
class CriterionVariation(OfVariation, FigureKind):
    """How far relevance, redundancy and score vary over bootstraps along an mRMR sequence.

    The sequence is the one that the selector finds on the whole data set. The last panel has the
    standard deviation of the score relative to its mean, on one axis for all selectors.
    """

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "selector": SELECTOR.but(description="mRMR selector."),
        "bootstraps": whole("Bootstraps.", least=2, default=50),
    }

    def build(self, view: View) -> "Figure":
        selector = view.entry["selector"]
        label, colour = view.selectors[selector], panels.colour(view, selector)
        table = read_variation(view, selector)
        names = {
            "relevance": "Relevance V (bits)",
            "redundancy": "Redundancy W (bits)",
            "score": f"Score of {label}",
        }
        figure, axes = panels.curve_grid(4, view.entry["title"])
        for letter, (term, name), ax in zip("abc", names.items(), axes, strict=False):
            mean, sd = table[term], table[f"{term}_sd"]
            look = {"color": colour, "alpha": 0.35, "linewidth": 1}
            ax.vlines(table["step"], mean - sd, mean + sd, label="± standard deviation", **look)
            _draw_steps(ax, table["step"], mean, colour)
            title = f"({letter}) {name.split(' (')[0]}"
            ax.set(ylabel=name, title=f"{title}: mean standard deviation {np.nanmean(sd):.3f}")
        relative = table["score_sd"] / np.abs(table["score"])
        _draw_steps(axes[3], table["step"], relative, colour)
        axes[3].set(ylabel="Standard deviation / |mean|", yscale="log")
        low, high = axes[3].get_ylim()
        axes[3].set_ylim(min(low, _LEAST), max(high, _MOST))
        axes[3].set_title(f"(d) Relative spread of the score: median {np.nanmedian(relative):.0%}")
        axes[3].yaxis.set_major_formatter("{x:.0%}")
        for ax in axes:
            ax.set(xlabel="Number of selected features", xlim=(0, table["step"].max() + 1))
        panels.share_legend(figure, axes[0])
        return figure


def _draw_steps(ax: "Axes", steps: np.ndarray, values: np.ndarray, colour: str) -> None:
    """A dot per step, and the running median."""
    steps, values = steps[np.isfinite(values)], values[np.isfinite(values)]
    look = {"color": colour, "linestyle": "none", "markersize": 2.2}
    ax.plot(steps, values, marker="o", label="mean over bootstraps", **look)
    around = [np.abs(steps - step) <= _WINDOW // 2 for step in steps]
    middle = [np.median(values[near]) for near in around]
    ax.plot(steps, middle, color="black", linewidth=1.6, label=f"median of {_WINDOW} steps")

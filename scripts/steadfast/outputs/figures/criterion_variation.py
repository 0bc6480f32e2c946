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
    from matplotlib.figure import Figure


@figure("criterion_variation")
class CriterionVariation(OfVariation, FigureKind):
    """How far relevance, redundancy and score vary over bootstraps along an mRMR sequence.

    The sequence is the one that the selector finds on the whole data set.
    """

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "selector": SELECTOR.but(description="mRMR selector."),
        "bootstraps": whole("Bootstraps.", least=2, default=50),
    }

    def build(self, view: View) -> "Figure":
        entry = view.entry
        selector = entry["selector"]
        table = read_variation(view, selector)
        names = {
            "relevance": "Relevance V (bits)",
            "redundancy": "Redundancy W (bits)",
            "score": f"Score of {view.selectors[selector]}",
        }
        figure, axes = panels.curve_grid(3, entry["title"])
        for letter, (term, name), ax in zip("abc", names.items(), axes, strict=True):
            mean, sd = table[term], table[f"{term}_sd"]
            shown = np.isfinite(mean) & np.isfinite(sd)
            steps, mean, sd = table["step"][shown], mean[shown], sd[shown]
            colour = panels.colour(view, selector)
            ax.fill_between(steps, mean - sd, mean + sd, color=colour, alpha=0.25, linewidth=0)
            ax.plot(steps, mean, color=colour, linewidth=0.9)
            ax.set_ylabel(name)
            ax.set_xlabel("Number of selected features")
            ax.set_title(f"({letter}) {name.split(' (')[0]}")
            ax.margins(x=0.01)
        return figure

"""Figures of what selectors find in simulated data with known relevant features."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.rows import draw_rows
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.recovery import SCENARIOS, OfRecovery, read_recovery
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What the panels show, and inches of a scenario's row.
_PANELS = {"recall": "(a) Recall", "false_share": "(b) Share of false features"}
_ROW = 0.5


@figure("recovery")
class RecoveryFigure(OfRecovery, FigureKind):
    """Recall and the share of false features, one row per scenario, means over its data sets."""

    keys: ClassVar[Keys] = {"scenarios": SCENARIOS, "selectors": ALL_SELECTORS}

    def build(self, view: View) -> "Figure":
        names = view.entry["scenarios"]
        labels = [view.context["scenarios"][name] for name in names]
        size = panels.TWO_COLUMNS, _ROW * len(names) + 1.3
        figure, axes = panels.subplots(1, len(_PANELS), view.entry["title"], size, sharey=True)
        for (what, title), ax in zip(_PANELS.items(), axes[0], strict=True):
            series = {}
            for number, (selector, label) in enumerate(view.selectors.items()):
                shares = [getattr(read_recovery(view, name, selector), what) for name in names]
                found = np.clip([mean_interval(share) for share in shares], 0, 1)
                look = {"color": panels.COLOURS[number % len(panels.COLOURS)]}
                look["marker"] = panels.MARKS[number % len(panels.MARKS)]
                series[label] = look, found
            draw_rows(ax, labels, series)
            ax.set(title=title, xlabel=title[4:], xlim=(-0.02, 1.02))
        panels.share_legend(figure, axes[0, 0], 4)
        return figure

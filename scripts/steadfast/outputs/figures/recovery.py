"""Figures of what selectors find on scenarios of known truth against what of it is false."""

from typing import TYPE_CHECKING, ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS
from steadfast.outputs.kind import FigureKind
from steadfast.outputs.shared.recovery import SCENARIOS, OfRecovery, read_recovery
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLUMNS = 4


@figure("recovery")
class RecoveryFigure(OfRecovery, FigureKind):
    """Recall against the share of false features, one panel per scenario."""

    keys: ClassVar[Keys] = {"scenarios": SCENARIOS, "selectors": ALL_SELECTORS}

    def build(self, view: View) -> "Figure":
        names = view.entry["scenarios"]
        figure, axes = panels.page_grid(len(names), view.entry["title"], _COLUMNS, 1.9)
        for name, ax in zip(names, axes, strict=True):
            for selector, label in view.selectors.items():
                found = read_recovery(view, name, selector)
                look = {"color": panels.colour(view, selector), "linestyle": "none", "alpha": 0.8}
                look |= panels.marks(view, selector)
                place = ([found.false_share.mean()], [found.recall.mean()])
                ax.plot(*place, label=label, clip_on=False, **look)
            ax.set_xlim(0, 1)
            ax.set_ylim(0, 1.03)
            ax.set_title(view.context["scenarios"][name])
        panels.label_outside(axes, _COLUMNS, "Share of false features", "Recall")
        panels.share_legend(figure, axes[0], 3)
        return figure

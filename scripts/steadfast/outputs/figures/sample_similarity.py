"""Figures of stability beside the similarity of the training samples."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import ALL_SELECTORS, ONE_DATASET, SIZE, STABILITY
from steadfast.outputs.kind import FigureKind, Reads
from steadfast.outputs.shared.sample_similarity import SampleSimilarity, compare_samples
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@figure("sample_similarity")
class SampleSimilarityFigure(FigureKind):
    """Stability alone, and beside the similarity of the training samples."""

    keys: ClassVar[Keys] = {
        **STABILITY,
        "dataset": ONE_DATASET,
        "size": SIZE,
        "selectors": ALL_SELECTORS,
    }
    reads = Reads(stability=True, rows=True)

    def build(self, view: View) -> "Figure":
        datasets = view.datasets
        samples = [compare_samples(view, dataset) for dataset in datasets]
        figure, axes = panels.page_grid(2, view.entry["title"], 1, 2.5)
        places = np.arange(len(datasets))
        names = [f"{view.title(name)}\nk = {one.size}" for name, one in zip(datasets, samples)]
        for ax, letter in zip(axes, "ab", strict=True):
            _draw_stability(ax, view)
            if letter == "b":
                _draw_similarity(ax, samples)
            ax.set_xticks(places, names)
            ax.set_xlim(-0.5, len(datasets) - 0.5)
            ax.set_ylim(-0.02, 1.02)
            shown = "stability alone" if letter == "a" else "with the similarity of the samples"
            ax.set_title(f"({letter}) {shown}")
        panels.label_outside(axes, 1, "", f"Stability ({view.measure()['label']})")
        panels.explain_intervals(axes[1])
        panels.share_legend(figure, axes[1], 7)
        return figure


def _draw_stability(ax: "Axes", view: View) -> None:
    """One mark per selector and data set, with its 95% interval."""
    places, n_marks = np.arange(len(view.datasets)), len(view.selectors)
    for number, (selector, label) in enumerate(view.selectors.items()):
        found = [
            view.interval_at({**view.entry, "dataset": name}, selector, view.size(name))
            for name in view.datasets
        ]
        look = {"linestyle": "none", "markersize": 5, "label": label}
        beside = places + (number - (n_marks - 1) / 2) * 0.1
        panels.draw_intervals(ax, beside, found, **look, **panels.marks(view, selector))


def _draw_similarity(ax: "Axes", samples: Sequence[SampleSimilarity]) -> None:
    """The threshold in both readings."""
    look = {"color": panels.RED, "marker": "_", "markersize": 14, "zorder": 1.5}
    readings = {
        "distance": ("-", "$S_X$ as printed: mean distance"),
        "similarity": ("--", "$S_X$ as read: 1 − distance"),
    }
    for reading, (style, label) in readings.items():
        levels = [getattr(one, reading) for one in samples]
        ax.plot(np.arange(len(samples)), levels, style, label=label, **look)

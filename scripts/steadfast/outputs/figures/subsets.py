"""Figures of the subsets that selectors chose."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from steadfast.data.table import read_table
from steadfast.outputs.figures.panels import COLOURS
from steadfast.selectors.running.fold_file import read_cell

#: More features than this are numbered, not named, on an axis.
_NAMED = 40


def subsets(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    """Sizes of the chosen subsets, and how often each feature is in them; one row a group."""
    entry = context["entry"]
    features = read_table(data / f"{entry['dataset']}.npz").features
    groups = entry.get("groups") or [list(context["selectors"])]
    figure, axes = plt.subplots(
        len(groups),
        2,
        figsize=(10.5, 2.1 * len(groups) + 1.6),
        layout="constrained",
        squeeze=False,
        sharex="col",
        width_ratios=[1, 2],
    )
    figure.suptitle(entry["title"], fontsize=10)
    for group, (left, right) in zip(groups, axes, strict=True):
        found = {
            name: read_cell(folder, entry["dataset"], name, context["cells"][name], features)
            for name in group
        }
        for at, (name, every) in enumerate(found.items()):
            chosen = [selection.chosen for selection in every.values() if not selection.note]
            if not chosen:
                continue
            width = 0.8 / len(found)
            look = {"color": COLOURS[context["colours"][name] % len(COLOURS)], "width": width}
            places = np.arange(1, len(features) + 1) + (at - (len(found) - 1) / 2) * width
            label = f"{context['selectors'][name]} ({len(chosen)} runs)"
            _draw_sizes(left, chosen, places, label, look)
            _draw_frequencies(right, chosen, places, look)
        left.set_ylabel("Share of the runs")
        right.set_ylabel("Selection frequency")
        right.set_ylim(0, 1.02)
        left.legend(fontsize=7, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0)
    axes[-1, 0].set_xlabel("Size of the chosen subset (dashed: mean)")
    _name_features(axes[-1, 1], features)
    return figure


def _draw_sizes(
    ax: Axes, chosen: Sequence[np.ndarray], places: np.ndarray, label: str, look: dict[str, Any]
) -> None:
    """With the mean size."""
    sizes = np.array([subset.size for subset in chosen])
    shares = np.bincount(sizes, minlength=places.size + 1) / sizes.size
    ax.bar(places, shares[1:], label=label, **look)
    ax.axvline(sizes.mean(), color=look["color"], linewidth=1, linestyle="--")


def _draw_frequencies(
    ax: Axes, chosen: Sequence[np.ndarray], places: np.ndarray, look: dict[str, Any]
) -> None:
    """With the frequency that all features would have by chance, at these sizes."""
    frequencies = np.bincount(np.concatenate(chosen), minlength=places.size) / len(chosen)
    ax.bar(places, frequencies, **look)
    ax.axhline(frequencies.mean(), color=look["color"], linewidth=1, linestyle=":")


def _name_features(ax: Axes, features: Sequence[str]) -> None:
    if len(features) <= _NAMED:
        # Names are data: a $ in one is no formula.
        names = [name.replace("$", r"\$") for name in features]
        ax.set_xticks(range(1, len(features) + 1), names, rotation=90, fontsize=7)
    ax.set_xlabel("Feature (dotted: by chance, at these sizes)")


KINDS = {"subsets": subsets}

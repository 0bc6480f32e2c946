"""Figures of the subsets that selectors chose."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys, list_of
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.keys import SELECTORS, THE_DATASET
from steadfast.outputs.kind import Entry, FigureKind, Reads, run_there
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: More features than this are numbered, not named, on an axis.
_NAMED = 40


@figure("subsets")
class Subsets(FigureKind):
    """Sizes of the chosen subsets and how often each feature is in them."""

    keys: ClassVar[Keys] = {
        "dataset": THE_DATASET,
        "rows": list_of(
            "Rows of panels, each the selectors drawn side by side in it; one row if left out.",
            {"type": "array", "minItems": 1, "items": {"type": "string"}},
            names="selector",
        ),
        "selectors": SELECTORS.but(
            description="Selectors where no rows are named; all if left out."
        ),
    }
    reads = Reads(selections=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        """Those of the rows, if there are any."""
        if "rows" not in entry:
            return super().selectors(study, entry)
        named = list(dict.fromkeys(name for row in entry["rows"] for name in row))
        return run_there(study, entry, named)

    def build(self, view: View) -> "Figure":
        entry = view.entry
        features = view.features(entry["dataset"])
        rows = _rows_drawn(view)
        size = (panels.TWO_COLUMNS, 1.75 * len(rows) + 1.9)
        shares = {"sharex": "col", "width_ratios": [1, 2]}
        figure, axes = panels.subplots(len(rows), 2, entry["title"], size, **shares)
        figure.get_layout_engine().set(h_pad=0.13)
        for number, (row, (left, right)) in enumerate(zip(rows, axes, strict=True)):
            names = list(dict.fromkeys(row))
            for at, name in enumerate(names):
                width = 0.8 / len(names)
                places = np.arange(1, len(features) + 1) + (at - (len(names) - 1) / 2) * width
                # One of two is hatched, so that they can be told apart without colours.
                hatch = {"hatch": "////", "edgecolor": "white", "linewidth": 0} if at % 2 else {}
                _draw_selector(left, right, view, name, places, {"width": width, **hatch})
            left.set_ylabel("Share of the runs")
            right.set_ylabel("Share of the runs")
            right.set_ylim(0, 1.02)
            place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 2, "borderpad": 0}
            # It reaches over the gap between the panels, which must not grow with it.
            left.legend(**place).set_in_layout(False)
            letter = left.text(-0.18, 1.04, f"({chr(ord('a') + number)})", transform=left.transAxes)
            letter.set_in_layout(False)
            left.xaxis.get_major_locator().set_params(integer=True)
        axes[-1, 0].set_xlabel("Size of the chosen subset\n(dashed: mean)")
        _name_features(axes[-1, 1], features)
        return figure


def _rows_drawn(view: View) -> list[list[str]]:
    """The rows of panels, without selectors that are not run on the data set."""
    named = view.entry.get("rows") or [list(view.selectors)]
    kept = [[name for name in row if name in view.selectors] for row in named]
    return [row for row in kept if row]


def _draw_selector(
    left: "Axes", right: "Axes", view: View, name: str, places: np.ndarray, bars: dict[str, Any]
) -> None:
    """The subsets of one selector, unless it chose none."""
    every = view.selections(view.entry["dataset"], name).values()
    chosen = [selection.chosen for selection in every if not selection.note]
    if chosen:
        look = {"facecolor": panels.colour(view, name), **bars}
        label = f"{view.selectors[name]} ({len(chosen)} runs)"
        _draw_sizes(left, chosen, places, label, look)
        _draw_frequencies(right, chosen, places, look)


def _draw_sizes(
    ax: "Axes", chosen: Sequence[np.ndarray], places: np.ndarray, label: str, look: dict[str, Any]
) -> None:
    """With the mean size."""
    sizes = np.array([subset.size for subset in chosen])
    shares = np.bincount(sizes, minlength=places.size + 1) / sizes.size
    ax.bar(places, shares[1:], label=label, **look)
    ax.axvline(sizes.mean(), color=look["facecolor"], linewidth=1, linestyle="--")


def _draw_frequencies(
    ax: "Axes", chosen: Sequence[np.ndarray], places: np.ndarray, look: dict[str, Any]
) -> None:
    """With the frequency that all features would have by chance, at these sizes."""
    frequencies = np.bincount(np.concatenate(chosen), minlength=places.size) / len(chosen)
    ax.bar(places, frequencies, **look)
    ax.axhline(frequencies.mean(), color=look["facecolor"], linewidth=1, linestyle=":")


def _name_features(ax: "Axes", features: Sequence[str]) -> None:
    if len(features) <= _NAMED:
        names = panels.as_text(list(features))
        ax.set_xticks(range(1, len(features) + 1), names, rotation=90)
    ax.set_xlabel("Selected feature (dotted: by chance, at these sizes)")

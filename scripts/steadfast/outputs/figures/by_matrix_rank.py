"""Figures of transforms that lower the rank of the matrix of rows."""

from textwrap import fill
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, text
from steadfast.core.paths import name_after
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.intervals import draw_baseline, explain_baseline, value_at
from steadfast.outputs.figures.legend_words import InWords, labels_of
from steadfast.outputs.keys import (
    BASELINE,
    FAMILY,
    ONE_DATASET,
    SIZE,
    STABILITY_AND_ACCURACY,
    TRANSFORMS,
)
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.shared.treated import OfTreated
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadfast.study.declaration import Study

#: Ranks that are named on their axis, those that are shown.
_NAMED = (1, 2, 3, 4, 5, 6, 10, 20, 50, 100)

#: Letters in a line of a vertical axis's name, and of all titles in a row.
_LETTERS, _TITLE_LETTERS = 26, 120

#: How far the baseline stands before the first rank, as a share of the axis.
_BEFORE = 0.25

#: How far the marks of two series at one rank are apart, as a share of the axis.
_APART = 0.02


@figure("by_matrix_rank")
class ByMatrixRank(OfTreated, InWords):
    """Stability and accuracy by the rank that a transform keeps, against the baseline."""

    keys: ClassVar[Keys] = {
        **STABILITY_AND_ACCURACY,
        "classifiers": list_of(
            "Classifiers, at most two; the one above if left out.",
            {"type": "string"},
            names="classifier",
        ).but(schema={"maxItems": 2, "uniqueItems": True}),
        **labels_of("classifier"),
        "treated_label": text("The transforms in the legend.", default="With the transform"),
        "baseline_label": text("The baseline in the legend.", default="Baseline"),
        "family": FAMILY,
        "transforms": TRANSFORMS.but(description="Transforms of different ranks."),
        "baseline": BASELINE,
        "published": list_of(
            "Transforms as published, of different ranks, which have seen the test rows.",
            {"type": "string"},
            names="transform",
        ).but(schema={"uniqueItems": True}),
        "published_baseline": text("The baseline of these.", names="transform"),
        "dataset": ONE_DATASET,
        "size": SIZE,
    }
    reads = Reads(stability=True, accuracy=True, rows=True)
    named = "classifier"

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        """The selector must be run after all of the transforms, each of which has a matrix rank."""
        super().check(study, entry, where)
        if ("published" in entry) != ("published_baseline" in entry):
            raise UserError(f"{where}: published and published_baseline go together")
        for name in [*entry["transforms"], *entry.get("published", [])]:
            if study.transforms[name].matrix_rank is None:
                raise UserError(f"{where}.transforms: {name} has no matrix rank")

    def build(self, view: View) -> "Figure":
        quantities, n = _quantities(view), len(view.datasets)
        size = (panels.TWO_COLUMNS, 2.1 * len(quantities) + 1.3)
        shares = {"sharex": True, "sharey": "row"}
        figure, axes = panels.subplots(len(quantities), n, view.entry["title"], size, **shares)
        for row, (name, query) in zip(axes, quantities.items(), strict=True):
            row[0].set_ylabel(fill(name, _LETTERS))
            for dataset, ax in zip(view.datasets, row, strict=True):
                for number in range(len(_series(view.entry))):
                    _draw_series(ax, view, number, {**view.entry, **query, "dataset": dataset})
            if query["of"] == "stability":
                row[0].set_ylim(0, 1.04)
        for at, ax in enumerate(axes.flat):
            dataset = view.datasets[at % n]
            title = f"{view.title(dataset)}, {view.size(dataset)} features"
            ax.set_title(fill(f"({chr(ord('a') + at)}) {title}", _TITLE_LETTERS // n))
        for ax in axes[-1]:
            ax.set_xlabel("Matrix rank r that is kept")
        explain_baseline(axes[0, 0], view.entry["baseline_label"])
        panels.share_legend(figure, axes[0, 0], 2)
        return figure


def _series(entry: Entry) -> list[tuple[list[str], str, str]]:
    """Transforms, baseline and label of each line: as published, and learnt in training folds."""
    label, own = entry["treated_label"], (entry["transforms"], entry["baseline"])
    if "published" not in entry:
        return [(*own, label)]
    seen = f"{label}, as published: learnt from all rows, test rows too"
    published = (entry["published"], entry["published_baseline"], seen)
    return [published, (*own, f"{label}, learnt in each training fold")]


def _draw_series(ax: "Axes", view: View, number: int, query: Entry) -> None:
    """The transforms of a series by their rank, and before the first of them the baseline."""
    entry, k = view.entry, view.size(query["dataset"])
    transforms, none, label = _series(entry)[number]
    ranks = np.array([view.context["transforms"][name]["matrix_rank"] for name in transforms])
    *found, baseline = (
        value_at(view, query, name_after(entry["family"], name), k) for name in (*transforms, none)
    )
    look = {"color": panels.COLOURS[number], "marker": panels.MARKS[number], "markersize": 5}
    look |= {"linewidth": 1, "label": label}
    axis = max(ranks.max() / ranks.min(), 2)
    start, aside = ranks.min() / axis**_BEFORE, axis ** (_APART * number)
    panels.draw_intervals(ax, ranks * aside, found, **look)
    draw_baseline(ax, start * aside, ranks.max(), baseline, **look)
    shown = [rank for rank in ranks if rank in _NAMED]
    ax.set_xscale("log")
    ax.set_xticks([start, *shown], ["none", *map(str, shown)])
    ax.minorticks_off()


def _quantities(view: View) -> dict[str, dict[str, str]]:
    """Name in print of each row of panels to what it is of."""
    entry = view.entry
    shown = {f"Stability ({view.measure()['label']})": {"of": "stability"}}
    for name in entry.get("classifiers", [entry["classifier"]]):
        label = entry["labels"].get(name, f"{view.score.label} ({view.classifiers[name]})")
        shown[label] = {"of": "accuracy", "classifier": name}
    return shown

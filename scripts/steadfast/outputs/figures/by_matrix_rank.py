"""Figures of transforms that lower the rank of the matrix of rows."""

from textwrap import fill
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, text
from steadfast.core.paths import name_after
from steadfast.core.registry import figure
from steadfast.outputs.figures import panels
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

#: Colour and mark of stability and of up to two accuracies.
_LOOKS = ((panels.COLOURS[0], "*"), ("black", "o"), ("#777777", "s"))

#: Letters of all titles in a row of panels.
_LETTERS = 120

#: Up to so many ranks are named on their axis one by one.
_FEW = 6


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
            "Transforms as published, of different ranks, in panels of their own above.",
            {"type": "string"},
            names="transform",
        ).but(schema={"uniqueItems": True}),
        "published_baseline": text("The baseline of these.", names="transform"),
        "dataset": ONE_DATASET,
        "size": SIZE,
    }
    reads = Reads(stability=True, accuracy=True)
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
        series, n = _series(view.entry), len(view.datasets)
        columns = min(3, n) if len(series) == 1 else n
        figure, axes = panels.page_grid(len(series) * n, view.entry["title"], columns, 2.8)
        shown = [(one, dataset) for one in series for dataset in view.datasets]
        for (one, dataset), ax in zip(shown, axes, strict=True):
            k = view.size(dataset)
            _draw_dataset(ax, view, one, dataset, k)
            ax.set_ylim(0, 1.04)
            name = fill(f"{view.title(dataset)}, k = {k}", _LETTERS // columns)
            ax.set_title(name + one.title)
        shown = f"Stability and {view.score.noun}"
        panels.label_outside(axes, columns, "Matrix rank r that is kept", shown)
        solid = {"color": "#555555", "linewidth": 1}
        axes[0].plot([], [], label=view.entry["treated_label"], **solid)
        axes[0].plot([], [], "--", label=view.entry["baseline_label"], **solid)
        panels.explain_intervals(axes[0])
        panels.share_legend(figure, axes[0], 2 if n < 3 else 3)
        return figure


class _Series(NamedTuple):
    """Transforms of different ranks, their baseline, and what titles of their panels add."""

    transforms: list[str]
    baseline: str
    title: str = ""


def _series(entry: Entry) -> list[_Series]:
    """Those as published above the others, where an entry has both."""
    if "published" not in entry:
        return [_Series(entry["transforms"], entry["baseline"])]
    return [
        _Series(entry["published"], entry["published_baseline"], "\nas published"),
        _Series(entry["transforms"], entry["baseline"], "\nlearnt in each training fold"),
    ]


def _draw_dataset(ax: "Axes", view: View, series: _Series, dataset: str, k: int) -> None:
    """Stability and accuracy at a size by rank, and those after the baseline dashed.

    Marks at the ends of a dashed line tell which one it is.
    """
    entry = view.entry
    ranks = [view.context["transforms"][name]["matrix_rank"] for name in series.transforms]
    names = [name_after(entry["family"], name) for name in (*series.transforms, series.baseline)]
    for (label, query), (colour, marker) in zip(_curve_queries(view).items(), _LOOKS):
        query = {**entry, **query, "dataset": dataset}
        look = {"color": colour, "marker": marker, "markersize": 5}
        if query["of"] == "stability":
            found = [view.interval_at(query, name, k) for name in names[:-1]]
            panels.draw_intervals(ax, ranks, found, label=label, **look)
        else:
            values = [view.curves.value(query, name, k) for name in names[:-1]]
            ax.plot(ranks, values, label=label, **look)
        ends, level = [min(ranks), max(ranks)], view.curves.value(query, names[-1], k)
        ax.plot(ends, [level] * 2, "--", linewidth=1, markerfacecolor="white", zorder=1.5, **look)
    if len(ranks) <= _FEW:
        ax.set_xticks(ranks)
    else:
        ax.xaxis.get_major_locator().set_params(integer=True)


def _curve_queries(view: View) -> dict[str, dict[str, str]]:
    """Name in print of each curve to what it is of."""
    entry = view.entry
    shown = {f"Stability ({view.measure()['label']})": {"of": "stability"}}
    for name in entry.get("classifiers", [entry["classifier"]]):
        label = entry["labels"].get(name, f"{view.score.label} ({view.classifiers[name]})")
        shown[label] = {"of": "accuracy", "classifier": name}
    return shown

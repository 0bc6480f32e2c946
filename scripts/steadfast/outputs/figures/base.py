"""The figures of a study, by kind. Readable in print: labelled axes, one colour a method."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

matplotlib.use("agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from steadfast.core.errors import look_up
from steadfast.core.files import parse_table, read_verified
from steadfast.data.table import read_table
from steadfast.outputs.captions import caption
from steadfast.outputs.curves import Curve, measure_info, read_chance, read_curve, up_to
from steadfast.outputs.differences import measure_name
from steadfast.outputs.figures.panels import CHANCE, COLOURS, grid, share_legend
from steadfast.outputs.profiles import Knot, knot, peaks
from steadfast.outputs.published import Pair, read_pairs
from steadfast.outputs.tables.base import dataset_title
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import read_cell

#: Up to so many sizes, an axis is linear: a logarithmic one would have a single label.
_SHORT = 20

STYLES = ("-", "-", (0, (1, 1)), (0, (4, 1)), (0, (4, 3)), (0, (6, 2)), (0, (8, 1, 1, 1)))

_STYLE = {
    "svg.hashsalt": "steadfast",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "figure.dpi": 100,
}


def build_figure(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    """A figure from the results in `folder` and the data sets in `data`.

    `context` is what `steadfast.study.load.context` gives for the figure's entry.
    """
    kind = context["entry"]["kind"]
    if kind in BALANCE_KINDS:
        from steadfast.outputs.figures.balance import KINDS
    elif kind in SUBSET_KINDS:
        from steadfast.outputs.figures.subsets import KINDS
    elif kind in DATA_KINDS:
        from steadfast.outputs.figures.data import KINDS
    elif kind in TREATMENT_KINDS:
        from steadfast.outputs.figures.treatments import KINDS
    elif kind in STATISTICS_KINDS:
        from steadfast.outputs.figures.critical_difference import KINDS
    else:
        KINDS = _KINDS
    with plt.rc_context(_STYLE):
        return look_up("kind of figure", kind, KINDS)(context, folder, data)


def to_bytes(figure: Figure, kind: str) -> bytes:
    """SVG or PNG; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with plt.rc_context(_STYLE):
        figure.savefig(buffer, format=kind, dpi=200, metadata=metadata)
    return buffer.getvalue()


def _look(colour: int) -> dict[str, Any]:
    """The first method is drawn wide, so that it shows under another that coincides with it."""
    return {
        "color": COLOURS[colour % len(COLOURS)],
        "linestyle": STYLES[colour % len(STYLES)],
        "linewidth": 1.2 if colour else 2.6,
    }


def _grid(n_panels: int, title: str) -> tuple[Figure, list[Axes]]:
    columns = 1 if n_panels == 1 else 2 if n_panels != 3 else 3
    return grid(n_panels, title, columns, 4.6 if columns < 3 else 3.4, 3.1, 0.6)


def _curves(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    entry = context["entry"]
    figure, axes = _grid(len(entry["panels"]), entry["title"])
    for number, (panel, ax) in enumerate(zip(entry["panels"], axes, strict=True)):
        asked = {"dataset": entry.get("dataset"), **panel}
        for at, (selector, label) in enumerate(context["selectors"].items()):
            curve = up_to(read_curve(folder, asked, selector), entry.get("largest"))
            look = _look(context["colours"][selector])
            ax.plot(curve.sizes, curve.values, label=label, **look)
            if entry.get("bands") and curve.half is not None:
                ends = curve.values - curve.half, curve.values + curve.half
                ax.fill_between(curve.sizes, *ends, color=look["color"], alpha=0.15, linewidth=0)
            if entry.get("knots") and panel["of"] == "stability":
                found = knot(folder, asked, selector, entry["smallest"])
                _mark_knot(ax, found, look["color"], at)
            if entry.get("peaks") and panel["of"] == "stability":
                _mark_peaks(ax, curve, look["color"])
        if entry.get("chance"):
            _draw_chance(ax, context, folder, asked)
        if panel["of"] == "stability":
            by = measure_info(context, panel)["label"]
        else:
            by = context["classifiers"][panel["classifier"]]
        letter = chr(ord("a") + number)
        shown = panel["of"].capitalize()
        if panel["of"] == "stability" and len(context["measures"]) > 1:
            shown = measure_name(measure_info(context, panel))
        if "dataset" in panel:
            plain = shown == panel["of"].capitalize()
            shown = f"{dataset_title(data, panel['dataset'])}: {shown.lower() if plain else shown}"
        condition = f", r = {panel['ratio']:g}" if len(context["ratios"]) > 1 else ""
        ax.set_title(f"({letter}) {shown}{condition}")
        ax.set_ylabel(f"{panel['of'].capitalize()} ({by})")
        ax.set_xlabel("Number of selected features")
        ax.margins(x=0.01, y=0.12 if entry.get("peaks") else 0.05)
        if entry.get("axis") == "log" and ax.get_xlim()[1] > _SHORT:
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter("{x:g}")
    for drawn in {_drawn(panel) for panel in entry["panels"]}:
        same = zip(axes, entry["panels"], strict=True)
        _share_limits([ax for ax, panel in same if _drawn(panel) == drawn])
    share_legend(figure, axes[0], 3 if len(axes) == 1 else 7)
    return figure


def _mark_knot(ax: Axes, found: Knot | None, colour: str, number: int) -> None:
    """A dot at the knot and its size, one below the other where knots lie close."""
    if found:
        ax.plot(found[0], found[1], "o", color=colour, markersize=4)
        ax.annotate(
            f"{found.size}",
            found[:2],
            (-6, 8 - 8 * number),
            textcoords="offset points",
            fontsize=7,
            color=colour,
            horizontalalignment="right",
            bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"},
            zorder=5,
        )


def _mark_peaks(ax: Axes, curve: Curve, colour: str) -> None:
    """An arrow at every peak, and its size."""
    for peak in peaks(curve):
        ax.annotate(
            f"{peak.size}",
            (peak.size, peak.stability),
            (0, 14),
            textcoords="offset points",
            fontsize=7,
            color=colour,
            horizontalalignment="center",
            arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 0.8},
        )


def _drawn(panel: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a panel's vertical axis shows."""
    return panel["of"], panel.get("measure"), panel.get("classifier")


def _draw_chance(
    ax: Axes, context: Mapping[str, Any], folder: Path, asked: Mapping[str, Any]
) -> None:
    """Random selection: the measure's expected value, or the accuracy of the random selector."""
    if asked["of"] == "stability":
        curve = read_chance(folder, asked)
    else:
        curve = read_curve(folder, asked, context["random"])
    curve = up_to(curve, context["entry"].get("largest"))
    ax.plot(curve.sizes, curve.values, label="Random selection", linewidth=1.4, **CHANCE)


def _share_limits(axes: Sequence[Axes]) -> None:
    lowest = min(ax.get_ylim()[0] for ax in axes)
    highest = max(ax.get_ylim()[1] for ax in axes)
    for ax in axes:
        ax.set_ylim(lowest, highest)


def _criterion(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    entry = context["entry"]
    path = folder / "criterion" / entry["dataset"] / f"{entry['selector']}.tsv"
    table = {
        name: np.array(column, dtype=float)
        for name, column in parse_table(read_verified(path)).items()
        if name != "feature"
    }
    label = context["selectors"][entry["selector"]]
    panels = [("relevance", "Relevance V (bits)"), ("redundancy", "Redundancy W (bits)")]
    panels.append(("score", label))
    figure, axes = _grid(3, entry["title"])
    for (term, name), ax in zip(panels, axes, strict=True):
        mean, sd = table[term], table[f"{term}_sd"]
        shown = np.isfinite(mean) & np.isfinite(sd)
        steps, mean, sd = table["step"][shown], mean[shown], sd[shown]
        colour = COLOURS[context["colours"][entry["selector"]] % len(COLOURS)]
        ax.fill_between(steps, mean - sd, mean + sd, color=colour, alpha=0.25, linewidth=0)
        ax.plot(steps, mean, color=colour)
        ax.set_ylabel(name)
        ax.set_xlabel("Number of selected features")
        ax.set_title(f"{name.split(' (')[0]}: mean ± standard deviation")
        ax.margins(x=0.01)
    return figure


def _picture(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    """Which features each fold selects, one row a fold, groups of folds parted by lines."""
    entry = context["entry"]
    features = read_table(data / f"{entry['dataset']}.npz").features
    plan = read_plan(folder / "resamples" / f"{entry['dataset']}.npz")
    folds = [fold for fold in plan if fold.group and fold.ratio == entry["ratio"]]
    groups = [fold.group for fold in folds]
    borders = [at for at in range(1, len(folds)) if groups[at] != groups[at - 1]]
    rows = len(context["selectors"])
    figure, axes = plt.subplots(
        rows, 1, figsize=(8, 1.5 * rows + 0.9), layout="constrained", squeeze=False, sharex=True
    )
    figure.suptitle(entry["title"], fontsize=10)
    for (selector, label), ax in zip(context["selectors"].items(), axes[:, 0], strict=True):
        cell, ties = context["cells"][selector], {"ties": context["ties"], "seed": context["seed"]}
        found = read_cell(folder, entry["dataset"], selector, cell, features, **ties)
        for row, fold in enumerate(folds):
            if fold.name in found:
                chosen = found[fold.name].sequence[: entry["size"]]
                ax.vlines(chosen + 1, row, row + 1, color="black", linewidth=0.8)
        ax.hlines(borders, 0, len(features) + 1, color="#bbbbbb", linewidth=0.4, zorder=0)
        ax.set_ylim(len(folds), 0)
        ax.set_xlim(0, len(features) + 1)
        ax.grid(False)
        ax.set_title(label)
        ax.set_ylabel("Fold")
    axes[-1, 0].set_xlabel("Feature (column of the data set)")
    return figure


def _published(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    pairs = read_pairs(folder / "published.csv")
    if not pairs:
        figure, (ax,) = _grid(1, context["entry"]["title"])
        ax.axis("off")
        ax.text(0.5, 0.5, "Nothing was published for the data sets of this run", ha="center")
        return figure
    names = list(dict.fromkeys(pair.table for pair in pairs))
    figure, axes = grid(len(names), context["entry"]["title"], min(3, len(names)), 3.3, 3.3, 0.7)
    ends = [1, max(max(pair.published, pair.ours) for pair in pairs)]
    for name, ax in zip(names, axes, strict=True):
        _scatter(ax, [pair for pair in pairs if pair.table == name], context, ends)
        ax.set_title(caption(name))
    handles, labels = axes[0].get_legend_handles_labels()
    if any(pair.note for pair in pairs):
        hollow = axes[0].scatter([], [], s=22, color="none", edgecolors="black")
        handles, labels = [*handles, hollow], [*labels, "hollow: stand-in data set"]
    figure.legend(handles, labels, loc="outside lower center", ncols=min(len(labels), 7))
    return figure


def _scatter(
    ax: Axes, pairs: Sequence[Pair], context: Mapping[str, Any], ends: list[float]
) -> None:
    ax.plot(ends, ends, color="#999999", linewidth=0.8, zorder=0)
    for column in dict.fromkeys(pair.column for pair in pairs):
        for stand_in in (False, True):
            own = [p for p in pairs if p.column == column and bool(p.note) == stand_in]
            colour = COLOURS[context["colours"][column] % len(COLOURS)]
            ax.scatter(
                [pair.published for pair in own],
                [pair.ours for pair in own],
                s=22,
                color="none" if stand_in else colour,
                edgecolors=colour,
                label=None if stand_in else context["selectors"][column],
            )
    ax.set_aspect("equal")
    ax.set_xlim(0.8, ends[1] + 0.2)
    ax.set_ylim(0.8, ends[1] + 0.2)
    ax.set_xlabel("Published mean rank")
    ax.set_ylabel("Reproduced mean rank")


#: Kinds that other modules draw: `balance_plots`, `subset_plots`, `data_plots`, `treatment_plots`,
#: `statistics_plots`.
BALANCE_KINDS, SUBSET_KINDS = ("plane", "sensitivity"), ("subsets",)
DATA_KINDS = (
    *("perturbation", "verdict", "weights", "disjoint", "without_fold", "groups", "surface"),
)
TREATMENT_KINDS = ("by_rank", "precision", "illustration")
STATISTICS_KINDS = ("critical_difference",)

_KINDS = {
    "curves": _curves,
    "criterion": _criterion,
    "picture": _picture,
    "published": _published,
}

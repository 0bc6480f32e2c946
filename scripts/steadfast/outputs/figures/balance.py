"""Figures of what stability costs: accuracy against stability, and by a parameter's value."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from steadfast.data.table import read_table
from steadfast.outputs.curves import Curve, common_sizes, measure_info, read_curve, value_of
from steadfast.outputs.figures.panels import COLOURS
from steadfast.outputs.tables.base import dataset_title
from steadfast.selectors.running.fold_file import read_cell


def plane(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    """Accuracy against stability along the sizes, one panel a data set, one line a selector."""
    entry, datasets = context["entry"], context["datasets"]
    figure, axes = plt.subplots(
        1, len(datasets), figsize=(5.6 * len(datasets), 4.6), layout="constrained", squeeze=False
    )
    figure.suptitle(entry["title"], fontsize=10)
    for dataset, ax in zip(datasets, axes[0], strict=True):
        asked = {**entry, "dataset": dataset}
        for selector, label in context["selectors"].items():
            pair = [
                read_curve(folder, {**asked, "of": of}, selector)
                for of in ("stability", "accuracy")
            ]
            stability, accuracy = common_sizes(pair)
            colour = COLOURS[context["colours"][selector] % len(COLOURS)]
            ax.plot(stability.values, accuracy.values, color=colour, label=label)
            _mark(ax, stability, accuracy, entry["marked"], colour)
        ax.set_title(dataset_title(data, dataset))
        ax.set_xlabel(f"Stability ({measure_info(context, entry)['label']})")
        ax.set_ylabel(f"Accuracy ({context['classifiers'][entry['classifier']]})")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=3 if len(datasets) == 1 else min(len(labels), 6),
    )
    return figure


def _mark(ax: Axes, x: Curve, y: Curve, sizes: Sequence[int], colour: str) -> None:
    for k in sizes:
        at = x.place(k)
        if at is not None:
            place = x.values[at], y.values[at]
            ax.plot(*place, "o", color=colour, markersize=4)
            ax.annotate(
                f"{k}", place, (3, -8), textcoords="offset points", fontsize=7, color=colour
            )


def sensitivity(context: Mapping[str, Any], folder: Path, data: Path) -> Figure:
    """Stability, accuracy and iterations by a parameter's value, one row a parameter."""
    entry = context["entry"]
    sweeps = entry["sweeps"]
    features = read_table(data / f"{entry['dataset']}.npz").features
    figure, axes = plt.subplots(
        len(sweeps), 3, figsize=(10.5, 2.6 * len(sweeps) + 0.8), layout="constrained", squeeze=False
    )
    figure.suptitle(entry["title"], fontsize=10)
    for sweep, row in zip(sweeps, axes, strict=True):
        values = [context["values"][name][sweep["parameter"]] for name in sweep["selectors"]]
        for number, k in enumerate(entry["marked"]):
            colour = COLOURS[number % len(COLOURS)]
            for of, ax in zip(("stability", "accuracy"), row, strict=False):
                found = [
                    value_of(folder, {**entry, "of": of}, name, k) for name in sweep["selectors"]
                ]
                ax.plot(values, found, "o-", color=colour, label=f"{k}")
                if "reference" in entry:
                    level = value_of(folder, {**entry, "of": of}, entry["reference"], k)
                    ax.axhline(level, color=colour, linewidth=0.9, linestyle="--")
        cells = context["cells"]
        rounds = [
            _iterations(folder, entry["dataset"], name, cells[name], features)
            for name in sweep["selectors"]
        ]
        row[2].plot(values, rounds, "o-", color="black")
        names = (measure_info(context, entry)["label"], context["classifiers"][entry["classifier"]])
        shown = (f"Stability ({names[0]})", f"Accuracy ({names[1]})", "Iterations, mean")
        for ax, name in zip(row, shown, strict=True):
            ax.set_ylabel(name)
            ax.set_xlabel(sweep.get("label", sweep["parameter"]))
            if min(values) > 0:
                ax.set_xscale("log")
            else:
                least = min(value for value in values if value > 0)
                ax.set_xscale("symlog", linthresh=least)
                ax.set_xlim(left=-least / 3)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    title = "Number of selected features"
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), title=title)
    return figure


def _iterations(
    folder: Path, dataset: str, selector: str, cell: Mapping[str, int], features: Sequence[str]
) -> float:
    every = read_cell(folder, dataset, selector, cell, features).values()
    return float(np.mean([one.iterations for one in every if not one.note] or [np.nan]))


KINDS = {"plane": plane, "sensitivity": sensitivity}

"""Tables of selectors after transforms: stability or accuracy, and what the transforms gain."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.curves import value_of
from steadfast.outputs.tables.base import Result, dataset_title, plus_minus, wanted_size
from steadfast.study.transforms import cell_name, wanted_transforms

Cells = dict[tuple[str, str], dict[str, float]]


def treated_values(
    context: Mapping[str, Any], entry: Mapping[str, Any], folder: Path, data: Path
) -> Cells:
    """Value at the entry's size: (selector, data set) to transform to stability or accuracy.

    Only selectors that are run after all of the entry's transforms.
    """
    transforms = wanted_transforms(entry)
    cells: Cells = {}
    for family in entry.get("families", context["families"]):
        members = {name: cell_name(family, name) for name in transforms}
        if not all(member in context["selectors"] for member in members.values()):
            continue
        for dataset in context["datasets"]:
            k = wanted_size(context, entry, data, dataset)
            cells[family, dataset] = {
                name: value_of(folder, {**entry, "dataset": dataset}, member, k)
                for name, member in members.items()
            }
    return cells


def treatments(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Every selector on every data set, one column a transform, with averages and improvement."""
    entry = context["entry"]
    transforms = wanted_transforms(entry)
    cells = treated_values(context, entry, folder, data)
    labels = [context["transforms"][name]["label"] for name in transforms]
    result = Result(
        ["row", *(f"{name} {entry['of']}" for name in transforms)],
        [],
        ["Selector", "Dataset", *labels],
    )
    for (family, dataset), values in cells.items():
        result.rows.append([f"{family} {dataset}", *values.values()])
        best = max((value for value in values.values() if not np.isnan(value)), default=np.nan)
        shown = [
            f"**{value:.3f}**" if value == best else plus_minus(value, digits=3)
            for value in values.values()
        ]
        title = dataset_title(data, dataset)
        result.printed.append([context["families"][family], title, *shown])
    matrix = np.array([list(values.values()) for values in cells.values()])
    result.printed += _foot(matrix)
    result.notes += _notes(context, transforms)
    return result


def _foot(matrix: np.ndarray) -> list[list[str]]:
    """Averages, their improvement over the first column, and how often a column is the best."""
    means = matrix.mean(axis=0)
    better = [f"{mean / means[0] - 1:+.1%}" for mean in means[1:]]
    most = np.count_nonzero(matrix == matrix.max(axis=1, keepdims=True), axis=0)
    return [
        ["Average", "", *(plus_minus(mean, digits=3) for mean in means)],
        ["Average improvement", "", "", *better],
        ["Number of max", "", *map(str, most)],
    ]


def _notes(context: Mapping[str, Any], transforms: list[str]) -> list[str]:
    entry = context["entry"]
    size = entry["size"]
    shown = f"{size:.0%} of the features" if isinstance(size, float) and size < 1 else f"{size}"
    abouts = [context["transforms"][name] for name in transforms]
    return [
        f"{entry['of'].capitalize()} at {shown} selected; accuracies are on the rows as they are, "
        "whatever the features were selected on. Bold: the largest of a row.",
        " ".join(f"{about['label']}: {about['told']}." for about in abouts),
    ]


KINDS = {"treatments": treatments}

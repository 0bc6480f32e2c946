"""Tables of what stability costs: accuracy at equal stability, and rankings computed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.data.table import read_table
from steadfast.outputs.curves import direction, find_curve, measure_info
from steadfast.outputs.differences import measure_name
from steadfast.outputs.tables.base import Result, dataset_title
from steadfast.selectors.running.fold_file import read_cell


def at_stability(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """The highest accuracy of each selector at sizes whose stability reaches a level."""
    entry, selectors = context["entry"], context["selectors"]
    header = ["dataset", "level"]
    header += [column for name in selectors for column in (name, f"{name} size")]
    result = Result(header, [], ["Dataset", "Stability of at least", *selectors.values()])
    for dataset in context["datasets"]:
        for level in entry["levels"]:
            found = [_best_at(context, folder, dataset, name, level) for name in selectors]
            result.rows.append([dataset, level, *(value for pair in found for value in pair)])
            cells = ["–" if np.isnan(best) else f"{best:.3f} ({k:g})" for best, k in found]
            result.printed.append([dataset_title(data, dataset), f"{level:g}", *cells])
    by = measure_name(measure_info(context, entry))
    result.notes.append(
        f"Accuracy of {context['classifiers'][entry['classifier']]}, mean over the folds, and in "
        f"brackets the smallest size that has it, among the sizes scored whose stability ({by}) "
        "reaches the level. – : no such size."
    )
    return result


def _best_at(
    context: Mapping[str, Any], folder: Path, dataset: str, selector: str, level: float
) -> tuple[float, float]:
    asked = {**context["entry"], "dataset": dataset}
    stability = find_curve(folder, {**asked, "of": "stability"}, selector)
    accuracy = find_curve(folder, {**asked, "of": "accuracy"}, selector)
    if stability is None or accuracy is None:
        return float("nan"), float("nan")
    sign = direction(context, {**asked, "of": "stability"})
    enough = set(stability.sizes[sign * stability.values >= sign * level].tolist())
    scored = [
        (value, -int(k))
        for k, value in zip(accuracy.sizes, accuracy.values, strict=True)
        if int(k) in enough
    ]
    if not scored:
        return float("nan"), float("nan")
    best, size = max(scored)
    return float(best), float(-size)


def cost(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """How many rankings a selection computes, and on how many rows in all."""
    entry = context["entry"]
    header = ["selector", "rankings", "fewest", "most", "training_sets_read"]
    printed = ["Selector", "Rankings a selection", "Fewest", "Most", "Training sets read"]
    result = Result(header, [], printed)
    features = read_table(data / f"{entry['dataset']}.npz").features
    for selector, label in context["selectors"].items():
        cell, passes = context["cells"][selector], context["passes"][selector]
        every = read_cell(folder, entry["dataset"], selector, cell, features).values()
        counts = np.array([one.iterations or passes["rankings"] for one in every if not one.note])
        if not counts.size:
            continue
        numbers = [counts.mean(), counts.min(), counts.max(), counts.mean() * passes["share"]]
        result.rows.append([selector, *map(float, numbers)])
        result.printed.append([label, *(f"{value:.3g}" for value in numbers)])
    result.notes.append(
        f"{dataset_title(data, entry['dataset'])}. Training sets read: rankings times the share of "
        "the training rows that each sees. Times are in `benchmarks/STUDY/times.md` of the results."
    )
    return result


KINDS = {"at_stability": at_stability, "cost": cost}

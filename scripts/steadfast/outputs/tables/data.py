"""Tables of what stability owes to the data: their similarity, size and number of features."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadfast.data.encoding import whole
from steadfast.data.table import read_table
from steadfast.outputs.curves import chance_at, find_curve, measure_info, up_to
from steadfast.outputs.profiles import PEAK, peaks, value_at, zero_weights
from steadfast.outputs.tables.base import (
    Result,
    dataset_title,
    description,
    plus_minus,
    spearman,
    wanted_size,
)
from steadfast.resampling.folds import read_plan
from steadfast.resampling.sample_similarity import row_distances, training_distance

#: Marks of a verdict.
_YES, _NO = "✓", "✗"


class Verdict(NamedTuple):
    """Stability of each selector at a size, and the threshold in both readings."""

    size: int
    distance: float
    stability: dict[str, tuple[float, float]]

    @property
    def similarity(self) -> float:
        return 1 - self.distance


def verdict_of(context: Mapping[str, Any], folder: Path, data: Path, dataset: str) -> Verdict:
    """The verdict on a data set, at the ratio (share of perturbation) that the entry names."""
    entry = context["entry"]
    table = read_table(data / f"{dataset}.npz")
    k = wanted_size(context, entry, data, dataset)
    folds = read_plan(folder / "resamples" / f"{dataset}.npz")
    samples = [fold.train for fold in folds if fold.group and fold.ratio == entry["ratio"]]
    distance = training_distance(row_distances(whole(table, "distance of rows")), table.y, samples)
    asked = {**entry, "dataset": dataset}
    found = {name: value_at(folder, asked, name, k) for name in context["selectors"]}
    return Verdict(k, distance, found)


def verdict(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Stability beside the similarity of the training samples, and who is stable by it."""
    entry, selectors = context["entry"], context["selectors"]
    header = ["dataset", "size", "distance", "similarity", *(f"{n} stability" for n in selectors)]
    printed = ["Dataset", "Features k", "S_X, distance", "S_X, similarity", *selectors.values()]
    result = Result(header, [], printed)
    for dataset in context["datasets"]:
        found = verdict_of(context, folder, data, dataset)
        values = [value for value, _ in found.stability.values()]
        thresholds = [found.distance, found.similarity]
        result.rows.append([dataset, found.size, *thresholds, *values])
        cells = [
            f"{plus_minus(value, half)} {_mark(value, found.distance)}"
            f"{_mark(value, found.similarity)}"
            for value, half in found.stability.values()
        ]
        title = dataset_title(data, dataset)
        result.printed.append([title, str(found.size), *map(plus_minus, thresholds), *cells])
    result.notes.append(
        f"{measure_info(context, entry)['label']} of the samples' selections ± half of the 95% "
        f"interval, at perturbation {entry['ratio']:g}. First mark: {_YES} stable by the formula "
        "as printed, stability at least S_X as the mean distance of training rows of one class; "
        "second mark: by the text's reading, S_X as 1 minus that distance. Distances are "
        "Euclidean, features from 0 to 1, divided by √m."
    )
    shares = [
        f"{label} {_without_weight(context, folder, name):.0%}" for name, label in selectors.items()
    ]
    result.notes.append(
        f"Features without any weight, mean over samples and data sets: {', '.join(shares)}. Where "
        "fewer than k have one, the rest of the k is drawn at random."
    )
    return result


def _without_weight(context: Mapping[str, Any], folder: Path, selector: str) -> float:
    ratio = context["entry"]["ratio"]
    found = [zero_weights(folder, dataset, ratio, selector) for dataset in context["datasets"]]
    return float(np.mean(found))


def _mark(value: float, threshold: float) -> str:
    return _YES if value >= threshold else _NO


def peaks_table(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Sizes at which stability peaks, as candidates for the number of features."""
    entry = context["entry"]
    header = ["dataset", "selector", "size", "stability", "prominence"]
    result = Result(header, [], ["Dataset", "Selector", "Peaks: size (stability)"])
    for dataset in context["datasets"]:
        for selector, label in context["selectors"].items():
            curve = find_curve(folder, {**entry, "of": "stability", "dataset": dataset}, selector)
            found = peaks(up_to(curve, entry["largest"])) if curve else []
            result.rows += [[dataset, selector, *peak] for peak in found]
            shown = ", ".join(f"{peak.size} ({peak.stability:.2f})" for peak in found) or "none"
            result.printed.append([dataset_title(data, dataset), label, shown])
    result.notes.append(
        f"Local maxima of the {measure_info(context, entry)['label']} stability up to "
        f"{entry['largest']} features that stand out by at least {PEAK:g} on both sides. A peak is "
        "where the folds agree better than on more and on fewer features; it is no test of "
        "relevance."
    )
    return result


def groups(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Stability of every data set at a size that goes with its features, by group."""
    entry, selectors = context["entry"], context["selectors"]
    header = ["dataset", "rows", "features", "size", "chance", *selectors, "mean"]
    printed = [
        "Group",
        "Dataset",
        "Rows n",
        "Features m",
        "k",
        "Chance",
        *selectors.values(),
        "Mean",
    ]
    result = Result(header, [], printed)
    for group, names in entry["dataset_groups"].items():
        own = []
        for dataset in names:
            about = description(data, dataset)
            k = wanted_size(context, entry, data, dataset)
            asked = {**entry, "dataset": dataset}
            values = [value_at(folder, asked, name, k)[0] for name in selectors]
            level = chance_at(folder, asked, k)
            own.append(
                [about["rows"], about["features"], k, level, *values, float(np.mean(values))]
            )
            result.rows.append([dataset, *own[-1]])
            result.printed.append([group, dataset_title(data, dataset), *_shown(own[-1])])
        mean = np.mean([row[3:] for row in own], axis=0)
        result.printed.append([f"**{group}**", "**mean**", "", "", "", *map(plus_minus, mean)])
    result.notes.append(
        f"{measure_info(context, entry)['label']} of the folds' selections; chance is the value of "
        f"random selection at that size. {_correlations(result.rows)}"
    )
    return result


def _shown(row: list[float]) -> list[str]:
    return [*(f"{number:g}" for number in row[:3]), *map(plus_minus, row[3:])]


def _correlations(rows: list[list[Any]]) -> str:
    """Of the mean stability over the selectors with rows and features, over the data sets."""
    columns = np.array([[row[1], row[2], row[-1]] for row in rows], dtype=float).T
    by_rows, by_features = (spearman(columns[at], columns[2]) for at in (0, 1))
    return (
        "Spearman's correlation of the mean stability over the data sets: with the number of rows "
        f"{by_rows:+.2f}, with the number of features {by_features:+.2f} ({len(rows)} data sets)."
    )


KINDS = {"verdict": verdict, "peaks": peaks_table, "groups": groups}

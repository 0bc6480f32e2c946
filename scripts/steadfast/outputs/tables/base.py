"""The tables of a study, by kind: what the paper prints, with all digits beside it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.core.errors import UserError, look_up
from steadfast.core.files import csv_to_bytes, read_verified
from steadfast.outputs.curves import common_sizes, direction, find_curve, read_curve, read_units
from steadfast.outputs.differences import (
    SIGNS,
    difference,
    marked_interval,
    mean_interval,
    measure_name,
)
from steadfast.stability.overlaps import size_of
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

#: Kinds that `steadfast.outputs.tables.profile` builds.
PROFILE_KINDS = ("profile", "tradeoff", "knots")

#: Kinds that `steadfast.outputs.tables.balance` builds.
BALANCE_KINDS = ("at_stability", "cost")

#: Kinds that `steadfast.outputs.tables.wrappers` builds.
WRAPPER_KINDS = ("wrappers",)

#: Kinds that `steadfast.outputs.tables.data` builds, and that `steadfast.outputs.tables.treatments` does.
DATA_KINDS, TREATMENT_KINDS = ("verdict", "peaks", "groups"), ("treatments",)

#: Kinds that `steadfast.outputs.tables.friedman` builds, and that `steadfast.outputs.tables.stability_test` does.
STATISTICS_KINDS, TEST_KINDS = ("friedman",), ("stability_test",)


@dataclass
class Result:
    """A table: a header, rows of values for programs, and rows of text for people."""

    header: list[str]
    rows: list[list[Any]]
    printed_header: list[str]
    printed: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def build_table(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """A table from the results in `folder` and the data sets' descriptions in `data`.

    `context` is what `steadfast.study.load.context` gives for the table's entry.
    """
    kind = context["entry"]["kind"]
    if kind in PROFILE_KINDS:
        from steadfast.outputs.tables.profile import KINDS
    elif kind in BALANCE_KINDS:
        from steadfast.outputs.tables.balance import KINDS
    elif kind in DATA_KINDS:
        from steadfast.outputs.tables.data import KINDS
    elif kind in TREATMENT_KINDS:
        from steadfast.outputs.tables.treatments import KINDS
    elif kind in STATISTICS_KINDS:
        from steadfast.outputs.tables.friedman import KINDS
    elif kind in TEST_KINDS:
        from steadfast.outputs.tables.stability_test import KINDS
    elif kind in WRAPPER_KINDS:
        from steadfast.outputs.tables.wrappers import KINDS
    else:
        KINDS = _KINDS
    return look_up("kind of table", kind, KINDS)(context, folder, data)


def to_csv(result: Result) -> bytes:
    """Comma-separated, all digits."""
    return csv_to_bytes(result.header, result.rows)


def to_markdown(result: Result, title: str) -> bytes:
    """The table as the paper prints it."""
    lines = [f"**{title}**", "", *markdown_rows(result.printed_header, result.printed)]
    for note in result.notes:
        lines += ["", note]
    return ("\n".join(lines) + "\n").encode()


def markdown_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table; the first column is text, the others are centred."""
    rule = ["---", *[":---:"] * (len(header) - 1)]
    cells = [header, rule, *rows]
    return [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in cells
    ]


def dataset_title(data: Path, dataset: str) -> str:
    """The name that a data set has in print."""
    return description(data, dataset).get("title") or dataset


def description(data: Path, dataset: str) -> dict[str, Any]:
    """What the file beside a data set says of it."""
    return json.loads(read_verified(data / f"{dataset}.json"))


def wanted_size(
    context: Mapping[str, Any], entry: Mapping[str, Any], data: Path, dataset: str
) -> int:
    """The subset size that an entry asks for on a data set; it must have been measured."""
    k = size_of(entry["size"], description(data, dataset)["features"])
    sizes = context["sizes"]
    measured = sizes == "all" or (k <= sizes if isinstance(sizes, int) else k in sizes)
    if not measured:
        raise UserError(
            f"{entry.get('title', entry['kind'])}: size: {entry['size']} of the features of "
            f"{dataset} are {k}, a size that is not measured; add it to the study's sizes"
        )
    return k


def _datasets(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    header = ["dataset", "title", "features", "instances", "classes", "smallest_class", "origin"]
    result = Result(header, [], ["Dataset", "Features", "Instances", "Classes", "Source"])
    for name in context["datasets"]:
        about = description(data, name)
        title = about.get("title") or name
        sizes = [about["features"], about["rows"], len(about["classes"])]
        result.rows.append([name, title, *sizes, min(about["classes"].values()), about["origin"]])
        result.printed.append([title, *map(str, sizes), about["origin"]])
    return result


def _ranks(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    entry, selectors = context["entry"], context["selectors"]
    by_ratio = entry["rows"] == "ratio"
    header = ["ratio" if by_ratio else "dataset", "sizes"]
    header += [column for selector in selectors for column in (selector, f"{selector} sd")]
    result = Result(header, [], ["Ratio r" if by_ratio else "Dataset", *selectors.values()])
    for row in entry["ratios"] if by_ratio else context["datasets"]:
        asked = {**entry, "ratio" if by_ratio else "dataset": row}
        curves = [read_curve(folder, asked, selector) for selector in selectors]
        values = np.array([curve.values for curve in common_sizes(curves)])
        values = values * direction(context, asked)
        means, spreads = mean_and_sd(competition_ranks(values))
        pairs = list(zip(means, spreads, strict=True))
        result.rows.append([row, values.shape[1], *(value for pair in pairs for value in pair)])
        name = f"{row:g}" if by_ratio else dataset_title(data, row)
        result.printed.append([name, *(f"{mean:.1f} ∓ {sd:.1f}" for mean, sd in pairs)])
    result.notes.append(
        "Rank 1 is best, ties share the smaller rank. Mean ∓ standard deviation over all subset "
        f"sizes; at each size {entry['of']} is the mean over the resamples."
    )
    return result


def _classifiers(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Two selectors under each classifier, at the sizes and ratios that all classifiers share."""
    entry = context["entry"]
    first, second = entry["selectors"]
    header, printed = ["dataset", "ratio", "sizes"], ["Dataset", "r", "Sizes"]
    labels = [context["selectors"][selector] for selector in (first, second)]
    for name, label in context["classifiers"].items():
        header += [f"{name} {first}", f"{name} {second}", f"{name} difference"]
        printed += [f"{label}: {labels[0]}", f"{label}: {labels[1]}", f"{label}: difference"]
    result = Result([*header, "rank_correlation"], [], [*printed, "Rank correlation"])
    for dataset in context["datasets"]:
        for ratio in entry["ratios"]:
            row = _classifier_row(context, folder, dataset, ratio)
            if row is None:
                continue
            result.rows.append([dataset, ratio, *row])
            numbers = [f"{value:.3f}" for value in row[1:-1]]
            correlation = "–" if np.isnan(row[-1]) else f"{row[-1]:.2f}"
            title = dataset_title(data, dataset)
            result.printed.append([title, f"{ratio:g}", str(row[0]), *numbers, correlation])
    result.notes.append(
        "Accuracy, mean over the resamples and over the subset sizes that all classifiers share. "
        "Rank correlation: Spearman's, between the first and the last classifier, of the mean "
        f"accuracies of all {len(context['selectors'])} selectors."
    )
    return result


def _classifier_row(
    context: Mapping[str, Any], folder: Path, dataset: str, ratio: float
) -> list[Any] | None:
    """Number of shared sizes, accuracies and correlation; None where no size is shared."""
    names, selectors = list(context["classifiers"]), list(context["selectors"])
    asked = {"of": "accuracy", "dataset": dataset, "ratio": ratio}
    cells = [(name, selector) for name in names for selector in selectors]
    curves = [find_curve(folder, {**asked, "classifier": name}, s) for name, s in cells]
    if any(curve is None for curve in curves):
        return None
    shared = common_sizes(curves)
    if not shared[0].sizes.size:
        return None
    means = dict(zip(cells, (float(curve.values.mean()) for curve in shared), strict=True))
    row: list[Any] = [shared[0].sizes.size]
    for name in names:
        first, second = (means[name, selector] for selector in context["entry"]["selectors"])
        row += [first, second, first - second]
    first, last = (np.array([means[n, s] for s in selectors]) for n in (names[0], names[-1]))
    return [*row, spearman(first, last)]


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's rank correlation, ties given average ranks; NaN where all values are equal."""
    from scipy.stats import rankdata

    ranks = np.array([rankdata(np.round(first, 10)), rankdata(np.round(second, 10))])
    if (np.ptp(ranks, axis=1) == 0).any():
        return float("nan")
    return float(np.corrcoef(ranks)[0, 1])


def _measures(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Two selectors' stability under each measure: the difference, with its interval."""
    entry, infos = context["entry"], context["measures"]
    first, second = entry["selectors"]
    header = ["dataset", "ratio", "measure", "compare", "difference", "low", "high"]
    result = Result(header, [], ["Dataset", "r", *map(measure_name, infos)])
    for dataset in context["datasets"]:
        for ratio in entry["ratios"]:
            cells = []
            for info in infos:
                found = difference(
                    folder, {**info, "dataset": dataset, "ratio": ratio}, first, second
                )
                key = [dataset, ratio, info["measure"], info["compare"]]
                result.rows.append([*key, *found])
                cells.append(marked_interval(found, info["distance"]))
            result.printed.append([dataset_title(data, dataset), f"{ratio:g}", *cells])
    labels = [context["selectors"][selector] for selector in (first, second)]
    result.notes.append(
        f"Stability of {labels[0]} minus that of {labels[1]}, mean over all subset sizes, with the "
        f"95% interval; {SIGNS}. Both selectors see the same resamples, so the interval is that of "
        "paired differences: over the resamples (reference), or over the jackknife's pseudo-values "
        "of the resamples (all pairs). It is about resamples of this data set, not other data sets."
    )
    return result


def _orders(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Several selectors' stability under each measure, and how far their order agrees."""
    entry, infos = context["entry"], context["measures"]
    selectors = context["selectors"]
    header = ["dataset", "measure", "compare"]
    header += [f"{name}{end}" for name in selectors for end in ("", " low", " high")]
    result = Result(
        [*header, "best", "correlation"],
        [],
        ["Dataset", "Measure", *selectors.values(), "Highest mean", "Rank correlation with first"],
    )
    for dataset in context["datasets"]:
        order = None
        for info in infos:
            asked = {**info, "dataset": dataset, "ratio": entry["ratio"]}
            found = [mean_interval(read_units(folder, asked, name)) for name in selectors]
            means = np.array([mean for mean, _, _ in found]) * (-1 if info["distance"] else 1)
            order = means if order is None else order
            defined = not np.isnan(means).any()
            best = list(selectors)[int(np.argmax(means))] if defined else ""
            agreement = spearman(order, means) if defined else float("nan")
            numbers = [value for triple in found for value in triple]
            key = [dataset, info["measure"], info["compare"]]
            result.rows.append([*key, *numbers, best, agreement])
            cells = [plus_minus(mean, (high - low) / 2) for mean, low, high in found]
            last = [selectors.get(best, "–"), plus_minus(agreement)]
            result.printed.append([dataset_title(data, dataset), measure_name(info), *cells, *last])
    result.notes.append(
        f"Stability at r = {entry['ratio']:g}, mean over all subset sizes ± half of the 95% "
        "interval. Rank correlation with first: Spearman's, of the selectors' stability with that "
        "under the first measure. (Ranks at each size, then averaged, may order them otherwise.)"
    )
    return result


def plus_minus(value: float, half: float = float("nan"), digits: int = 2, sign: str = "±") -> str:
    """A value and half of its interval (or another spread), in print; – where it is undefined."""
    if np.isnan(value):
        return "–"
    shown = round(value, digits) + 0.0  # no −0.00
    return f"{shown:.{digits}f}" + ("" if np.isnan(half) else f" {sign} {half:.{digits}f}")


_KINDS = {
    "datasets": _datasets,
    "ranks": _ranks,
    "classifiers": _classifiers,
    "measures": _measures,
    "orders": _orders,
}

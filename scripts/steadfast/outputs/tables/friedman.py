"""Tables of Friedman's test: do selectors differ over data sets?"""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steadfast.outputs.curves import common_sizes, direction, find_curve, measure_info, value_of
from steadfast.outputs.differences import measure_name
from steadfast.outputs.tables.base import Result, dataset_title, plus_minus, wanted_size
from steadfast.statistics.friedman import FEWEST_DATASETS, LEVEL, Friedman, friedman
from steadfast.statistics.holm import printed_p
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

_NAN = float("nan")


class Ranked(NamedTuple):
    """What selectors (columns) are ranked by on each data set (rows), and their ranks.

    Attributes
    ----------
    sizes
        Of each data set: the subset size, or how many sizes the values are means over.
    test
        None where too few data sets have a value of every selector.
    """

    values: np.ndarray
    sizes: list[int]
    test: Friedman | None
    left_out: list[str]


def rank_datasets(context: Mapping[str, Any], folder: Path, data: Path) -> Ranked:
    """The selectors on every data set, by their value at a size or their mean rank over all sizes.

    A mean rank over the sizes is what tables of ranks print. Ranks of these means, one a data set,
    go into the test: the sizes of a data set share their features, so that they are no sample.
    """
    by_size = "size" in context["entry"]
    at = _at_one_size if by_size else _over_sizes
    found = [at(context, folder, data, dataset) for dataset in context["datasets"]]
    values = np.array([row for _, row in found])
    undefined = np.isnan(values).any(axis=1)
    left_out = [name for name, none in zip(context["datasets"], undefined, strict=True) if none]
    test = None
    if len(values) - len(left_out) >= FEWEST_DATASETS:
        larger = by_size and direction(context, context["entry"]) == 1
        names = context["datasets"], list(context["selectors"])
        test = friedman(values, *names, larger_is_better=larger)
    return Ranked(values, [size for size, _ in found], test, left_out)


def _at_one_size(
    context: Mapping[str, Any], folder: Path, data: Path, dataset: str
) -> tuple[int, list[float]]:
    entry = context["entry"]
    k = wanted_size(context, entry, data, dataset)
    asked = {**entry, "dataset": dataset}
    return k, [value_of(folder, asked, name, k) for name in context["selectors"]]


def _over_sizes(
    context: Mapping[str, Any], folder: Path, data: Path, dataset: str
) -> tuple[int, list[float]]:
    asked = {**context["entry"], "dataset": dataset}
    curves = [find_curve(folder, asked, name) for name in context["selectors"]]
    nothing = 0, [_NAN] * len(curves)
    if any(curve is None for curve in curves):
        return nothing
    values = np.array([curve.values for curve in common_sizes(curves)])
    if not values.shape[1]:
        return nothing
    means, _ = mean_and_sd(competition_ranks(values * direction(context, asked)))
    return values.shape[1], list(map(float, means))


def what_is_ranked(context: Mapping[str, Any]) -> str:
    """The measure or the classifier, in print."""
    entry = context["entry"]
    if entry["of"] == "stability":
        return f"stability ({measure_name(measure_info(context, entry))})"
    return f"accuracy ({context['classifiers'][entry['classifier']]})"


def outcome(test: Friedman) -> str:
    """What Friedman's test says, in one line."""
    n, k = test.ranks.shape
    told = "" if test.rejected else "; it does not reject"
    return (
        f"Friedman's test, {n} data sets: χ² = {test.statistic:.2f} ({k - 1} degrees of freedom), "
        f"p {_equals(test.p)}{told}"
    )


def _equals(p: float) -> str:
    shown = printed_p(p)
    return shown if shown.startswith("<") else f"= {shown}"


def friedman_table(context: Mapping[str, Any], folder: Path, data: Path) -> Result:
    """Ranks of the selectors on each data set, and the test of their mean ranks."""
    entry, selectors = context["entry"], context["selectors"]
    ranked = rank_datasets(context, folder, data)
    sizes = "k" if "size" in entry else "Sizes"
    result = Result(
        ["what", "dataset", "sizes", "selector", "against", "value"],
        [],
        ["Dataset", sizes, *selectors.values()],
    )
    ranks = dict(zip(ranked.test.datasets, ranked.test.ranks, strict=True)) if ranked.test else {}
    digits = 3 if "size" in entry else 2
    for dataset, size, row in zip(context["datasets"], ranked.sizes, ranked.values, strict=True):
        own = ranks.get(dataset, [_NAN] * len(row))
        for what, numbers in (("value", row), ("rank", own)):
            result.rows += _facts(what, dataset, size, selectors, numbers)
        cells = [
            plus_minus(value, digits=digits) + ("" if np.isnan(rank) else f" ({rank:g})")
            for value, rank in zip(row, own, strict=True)
        ]
        result.printed.append([dataset_title(data, dataset), str(size), *cells])
    if ranked.test:
        result.rows += _tested(ranked.test)
        result.printed += _foot(ranked.test)
    result.notes += _notes(context, data, ranked)
    return result


def _facts(
    what: str, dataset: str, size: int | str, selectors: Mapping[str, str], numbers: Any
) -> list[list[Any]]:
    pairs = zip(selectors, map(float, numbers), strict=True)
    return [[what, dataset, size, name, "", number] for name, number in pairs]


def _tested(test: Friedman) -> list[list[Any]]:
    """All that the test says, one row a fact."""
    rows = [["mean_rank", "", "", name, "", mean] for name, mean in test.mean_ranks.items()]
    for i, j in combinations(range(len(test.selectors)), 2):
        pair = [test.selectors[i], test.selectors[j]]
        rows.append(["nemenyi_p", "", "", *pair, float(test.pairwise_p[i, j])])
    numbers = {
        "chi_square": test.statistic,
        "p": test.p,
        "iman_davenport_f": test.f_statistic,
        "iman_davenport_p": test.f_p,
        "critical_difference": test.critical_difference,
    }
    return rows + [[what, "", "", "", "", number] for what, number in numbers.items()]


def _foot(test: Friedman) -> list[list[str]]:
    """Mean ranks, and the groups of selectors that do not differ where any of them do."""
    rows = [["**Mean rank**", "", *(f"**{mean:.2f}**" for mean in test.mean_ranks.values())]]
    if test.rejected:
        alone = [[name] for name in test.order if not any(name in c for c in test.cliques)]
        groups = sorted([*test.cliques, *alone], key=lambda group: test.order.index(group[0]))
        numbers = [
            ", ".join(str(at) for at, group in enumerate(groups, start=1) if name in group)
            for name in test.selectors
        ]
        rows.append(["Group", "", *numbers])
    return rows


def _notes(context: Mapping[str, Any], data: Path, ranked: Ranked) -> list[str]:
    by = what_is_ranked(context)
    if "size" in context["entry"]:
        told = f"{by[0].upper()}{by[1:]} of the first k features"
    else:
        told = f"A selector's rank by {by}, mean over the subset sizes as in tables of ranks"
    notes = [
        f"{told}; in brackets the selector's rank by it on the data set. Rank 1 is best, ties "
        "share the mean of their ranks."
    ]
    if ranked.left_out:
        names = ", ".join(dataset_title(data, name) for name in ranked.left_out)
        notes.append(f"Not ranked, for some selector has no value there: {names}.")
    test = ranked.test
    if test is None:
        return [*notes, f"No test: fewer than {FEWEST_DATASETS} data sets are ranked."]
    n, k = test.ranks.shape
    notes.append(
        f"{outcome(test)}. Iman and Davenport's F = {test.f_statistic:.2f} ({k - 1} and "
        f"{(k - 1) * (n - 1)} degrees of freedom), p {_equals(test.f_p)}. Nemenyi's critical "
        f"difference at {LEVEL:g}: {test.critical_difference:.2f} ranks."
    )
    return [*notes, _reading(test)]


def _reading(test: Friedman) -> str:
    if not test.rejected:
        return (
            "So no two selectors are to be read as different. With few data sets only large "
            "differences would be found."
        )
    parted = "Selectors of one group do not differ by more than that"
    if test.cliques == [test.order]:
        parted = "No two selectors differ by more than that: Nemenyi's test has less power"
    return f"{parted}; p-values of all pairs are in the .csv."


KINDS = {"friedman": friedman_table}

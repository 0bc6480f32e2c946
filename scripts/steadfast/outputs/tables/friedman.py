"""Tables of Friedman's test: do selectors differ over data sets?"""

from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.keys import ANY_SIZE, EITHER, TESTED_SELECTORS
from steadfast.outputs.kind import Entry, TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.ranked_datasets import (
    RankedSelectors,
    check_ranked,
    equals_p,
    outcome,
    rank_datasets,
    ranked_quantity,
    why_no_pairs,
    why_too_few,
)
from steadfast.outputs.shared.tested_selectors import tested_selectors
from steadfast.outputs.verdict import capital
from steadfast.outputs.view import View
from steadfast.statistics.friedman import FEWEST_DATASETS, LEVEL, Friedman

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_NAN = float("nan")


@table("friedman")
class FriedmanTable(TableKind):
    """Friedman's test of the selectors' ranks over the data sets, with Nemenyi's difference."""

    keys: ClassVar[Keys] = {
        **EITHER,
        "size": ANY_SIZE.but(
            description="Number of features; below 1, a share of them; sqrt, the square root of "
            "their number. Left out, ranks are means over all sizes."
        ),
        "selectors": TESTED_SELECTORS,
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return tested_selectors(study, entry)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        check_ranked(study, entry, where)

    def why_absent(self, study: "Study", entry: Entry, has_published: bool) -> str:
        return why_too_few(study)

    def build(self, view: View) -> Result:
        by_size = "size" in view.entry
        ranked = rank_datasets(view)
        header = ["what", "dataset", "sizes", "selector", "against", "value"]
        printed = ["Dataset", "k" if by_size else "Sizes", *view.selectors.values()]
        result = Result(header, [], printed)
        test = ranked.test
        ranks = dict(zip(test.datasets, test.ranks, strict=True)) if test else {}
        for dataset, size, row in zip(view.datasets, ranked.sizes, ranked.values, strict=True):
            own = ranks.get(dataset, [_NAN] * len(row))
            for what, numbers in (("value", row), ("rank", own)):
                result.rows += _facts(what, dataset, size, view.selectors, numbers)
            cells = [
                plus_minus(value, digits=3 if by_size else 2)
                + ("" if np.isnan(rank) else f" ({rank:g})")
                for value, rank in zip(row, own, strict=True)
            ]
            result.printed.append([view.title(dataset), str(size), *cells])
        if test:
            result.rows += _test_facts(test)
            result.printed += _foot(test)
        result.notes += _notes(view, ranked)
        return result


def _facts(
    what: str, dataset: str, size: int, selectors: Iterable[str], numbers: Iterable[float]
) -> list[list[Any]]:
    """One row per selector."""
    pairs = zip(selectors, map(float, numbers), strict=True)
    return [[what, dataset, size, name, "", number] for name, number in pairs]


def _test_facts(test: Friedman) -> list[list[Any]]:
    """All that the test says, one row per fact."""
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
    """Mean ranks, and the cliques, selectors that do not differ, where it is known that some do."""
    rows = [["**Mean rank**", "", *(f"**{mean:.2f}**" for mean in test.mean_ranks.values())]]
    if test.rejected and test.compares_pairs:
        alone = [[name] for name in test.order if not any(name in c for c in test.cliques)]
        groups = sorted([*test.cliques, *alone], key=lambda group: test.order.index(group[0]))
        numbers = [
            ", ".join(str(at) for at, group in enumerate(groups, start=1) if name in group)
            for name in test.selectors
        ]
        rows.append(["Group", "", *numbers])
    return rows


def _notes(view: View, ranked: RankedSelectors) -> list[str]:
    by = ranked_quantity(view)
    subject = f"A selector's rank by {by}, mean over the subset sizes as in tables of ranks"
    if "size" in view.entry:
        subject = f"{capital(by)} of the first k features"
    notes = [
        f"{subject}; in brackets the selector's rank by it on the data set. Rank 1 is best, ties "
        "share the mean of their ranks."
    ]
    if ranked.left_out:
        names = ", ".join(map(view.title, ranked.left_out))
        notes.append(f"Not ranked, for some selector has no value there: {names}.")
    test = ranked.test
    if test is None:
        return [*notes, f"No test: fewer than {FEWEST_DATASETS} data sets are ranked."]
    n, k = test.ranks.shape
    notes.append(
        f"{outcome(test)}. Iman and Davenport's F = {test.f_statistic:.2f} ({k - 1} and "
        f"{(k - 1) * (n - 1)} degrees of freedom), p {equals_p(test.f_p)}."
    )
    if not test.compares_pairs:
        return [*notes, why_no_pairs(test)]
    difference = f"{test.critical_difference:.2f} ranks"
    notes[-1] += f" Nemenyi's critical difference at {LEVEL:g}: {difference}."
    return [*notes, _reading(test)]


def _reading(test: Friedman) -> str:
    """How to read the cliques."""
    if not test.rejected:
        return (
            "So no two selectors are to be read as different. With few data sets only large "
            "differences would be found."
        )
    start = "Selectors of one group do not differ by more than that"
    if test.cliques == [test.order]:
        start = "No two selectors differ by more than that: Nemenyi's test has less power"
    return f"{start}; p-values of all pairs are in the .csv."

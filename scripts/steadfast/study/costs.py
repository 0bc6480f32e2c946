"""What a run costs: seconds of a processor for each task, from measured costs.

Measured on one core of a common server of 2024; `make bench-sizes` compares those of filters.
Estimates decide how a run is made smaller, so they depend on the table and the study alone, never
on the machine: the same table gives the same results everywhere.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import log2, sqrt
from typing import Any, NamedTuple

#: Columns that selectors rank where a study says no more, and trees of a forest.
_RANKED, _TREES = 100, 100


def minutes(given: float | str | None) -> float | None:
    """A budget of a study, `10`, `10 min` or `2 h`, in minutes."""
    if not isinstance(given, str):
        return given
    number, unit = re.fullmatch(r"(\d+|\d*\.\d+) *(min|h)?", given).groups()
    return float(number) * (60 if unit == "h" else 1)


class Shape(NamedTuple):
    """What costs depend on: rows, features, columns with one for each category, classes."""

    rows: int
    features: int
    columns: int
    classes: int


def shape_of(about: Mapping[str, Any]) -> Shape:
    """The shape of a data set, from its description."""
    categories = about.get("categories") or {}
    columns = about["features"] + sum(max(len(levels) - 1, 0) for levels in categories.values())
    return Shape(about["rows"], about["features"], columns, len(about["classes"]))


#: Seconds of a selection on n rows of m columns and c classes.
Seconds = Callable[[int, int, int], float]


def _mrmr(n: int, m: int, c: int) -> float:
    return n * m * (7e-8 + 5e-10 * min(m, _RANKED)) + 1.2e-7 * m * min(m, _RANKED)


def choosing(n: int, m: int) -> float:
    """Seconds to try all α of mRMR on one sample of n rows of bins, and to classify the others."""
    ranked = min(m, _RANKED)
    return 7e-4 + n * m * (2.6e-8 + 1.6e-10 * ranked) + 3e-7 * m * ranked


def _counts(n: int, m: int, c: int) -> float:
    return 1.3e-7 * n * m


def _moments(n: int, m: int, c: int) -> float:
    return 1.5e-8 * n * m


def _relieff(n: int, m: int, c: int) -> float:
    return n * n * (1e-8 + 1.5e-10 * m) + 7e-8 * n * m


def _svm_rfe(n: int, m: int, c: int) -> float:
    machines = 1 if c == 2 else c
    each = 1.7e-8 * n * n + 2e-8 * n * min(n, m) + 3e-4
    return machines * _rounds(m) * each + 1.5e-9 * n * n * min(m, 10 * n) + 2.2e-7 * n * m


@cache
def _rounds(m: int) -> int:
    """Rounds of an elimination that drops a tenth of the features in each."""
    rounds = 0
    while m > 0:
        m -= max(1, int((m + 1) * 0.1))
        rounds += 1
    return rounds


def _forest(n: int, m: int, c: int) -> float:
    return 0.12 + 5.6e-8 * _TREES * n * sqrt(m) * log2(max(n, 2))


def _nothing(n: int, m: int, c: int) -> float:
    return 1e-8 * n * m


def trusting(n: int, m: int, c: int) -> float:
    """Seconds of the q-values of a table."""
    shuffles = min(max(40_000 // m, 200), 2000)
    near = min(n, 1000)
    alone = n * m * (1e-6 + 1.5e-9 * c * shuffles)
    return alone + 200 * near * (1e-8 * near + 1.2e-8 * m) + 0.5


_SELECTING: dict[str, Seconds] = {
    **dict.fromkeys(("mid", "miq", "mid_alpha", "mrsmr"), _mrmr),
    **dict.fromkeys(("info_gain", "chi2", "significant"), _counts),
    "fisher": _moments,
    "relieff": _relieff,
    **dict.fromkeys(("svm_rfe", "svm_one", "l1_svm"), _svm_rfe),
    "random": _nothing,
    "trusted": trusting,
}


def selecting(use: str, n: int, m: int, c: int) -> float:
    """Seconds of one selection; one that is not known is taken for a random forest."""
    return _SELECTING.get(use, _forest)(n, m, c)


def _svm(n: int, sizes: int, c: int) -> float:
    return sizes * (1.2e-3 + 2.2e-8 * n * n * (1 + 0.25 * (c - 2)))


def _knn(n: int, sizes: int, c: int) -> float:
    return 2.5e-10 * n * n * sizes + 1e-7 * n * sizes


_SCORING: dict[str, Seconds] = {"svm": _svm, "knn": _knn}


def scoring(use: str, n: int, sizes: int, c: int) -> float:
    """Seconds to score subsets of so many sizes; a classifier that is not known counts as an SVM.

    There is one test row for four training rows.
    """
    return _SCORING.get(use, _svm)(n, sizes, c)


def reading(n: int, m: int) -> float:
    """Seconds to read a table of results, and to check it."""
    return 2.5e-8 * n * m


def loading(n: int, m: int) -> float:
    """Seconds to read a table of the user's, and to write it."""
    return 1.5 + 1.2e-6 * n * m

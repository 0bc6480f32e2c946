"""The selectors' ranks on every data set, and Friedman's test of them."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.outputs.differences import measure_name
from steadfast.outputs.kind import Entry
from steadfast.outputs.shared.tested_selectors import require_two
from steadfast.outputs.view import View
from steadfast.selectors.running.fold_file import CHOSEN
from steadfast.statistics.curve import common_sizes
from steadfast.statistics.friedman import FEWEST_DATASETS, FEWEST_FOR_PAIRS, Friedman, friedman
from steadfast.statistics.p_values import printed_p
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

_NAN = float("nan")


class RankedSelectors(NamedTuple):
    """What selectors (columns) are ranked by on each data set (rows), and their ranks.

    Attributes
    ----------
    sizes
        Of each data set: the subset size, or how many sizes the values are means over.
    test
        None where too few data sets have a value of every selector.
    left_out
        Data sets on which some selector has no value.
    """

    values: np.ndarray
    sizes: list[int]
    test: Friedman | None
    left_out: list[str]


def check_ranked(study: "Study", entry: Entry, where: str) -> None:
    """There must be two selectors, and no size where subsets have their own."""
    require_two(study, entry, where)
    if "size" in entry and entry.get("compare") == CHOSEN:
        raise UserError(f"{where}.size: subsets that selectors chose have their own; leave out")


def why_too_few(study: "Study") -> str:
    """Why a study has no test over data sets; empty where it has one."""
    if len(study.datasets) < FEWEST_DATASETS:
        return f"Friedman's test needs {FEWEST_DATASETS} data sets"
    return ""


def rank_datasets(view: View) -> RankedSelectors:
    """The selectors' ranks on each data set, by the value at a size or the mean over all sizes.

    A selector's mean rank over the sizes is what tables of ranks print. Ranks of these means, one
    per data set, go into the test: the sizes of a data set share their features, so that they are
    no sample.
    """
    by_size = "size" in view.entry
    at = _values_at_size if by_size else _mean_ranks_over_sizes
    sizes, rows = zip(*(at(view, dataset) for dataset in view.datasets), strict=True)
    values = np.array(rows)
    undefined = np.isnan(values).any(axis=1)
    left_out = [name for name, none in zip(view.datasets, undefined, strict=True) if none]
    test = None
    if len(values) - len(left_out) >= FEWEST_DATASETS:
        larger = by_size and view.direction(view.entry) == 1
        names = view.datasets, list(view.selectors)
        test = friedman(values, *names, larger_is_better=larger)
    return RankedSelectors(values, list(sizes), test, left_out)


def _values_at_size(view: View, dataset: str) -> tuple[int, list[float]]:
    k, query = view.size(dataset), {**view.entry, "dataset": dataset}
    return k, [view.curves.value(query, name, k) for name in view.selectors]


def _mean_ranks_over_sizes(view: View, dataset: str) -> tuple[int, list[float]]:
    query = {**view.entry, "dataset": dataset}
    curves = [view.curves.find(query, name) for name in view.selectors]
    nothing = 0, [_NAN] * len(curves)
    if any(curve is None for curve in curves):
        return nothing
    values = np.array([curve.values for curve in common_sizes(curves)])
    if not values.shape[1]:
        return nothing
    means, _ = mean_and_sd(competition_ranks(values * view.direction(query)))
    return values.shape[1], list(map(float, means))


def ranked_quantity(view: View) -> str:
    """The measure or the classifier, in print."""
    if view.entry["of"] == "stability":
        return f"stability ({measure_name(view.measure())})"
    return f"{view.score.noun} ({view.classifiers[view.entry['classifier']]})"


def outcome(test: Friedman) -> str:
    """What Friedman's test says, in one line."""
    n, k = test.ranks.shape
    end = "" if test.rejected else "; it does not reject"
    return (
        f"Friedman's test, {n} data sets: χ² = {test.statistic:.2f} ({k - 1} degrees of freedom), "
        f"p {equals_p(test.p)}{end}"
    )


def why_no_pairs(test: Friedman) -> str:
    """Why a test of few data sets does not say which selectors differ."""
    n = len(test.datasets)
    return (
        f"Which selectors differ is not asked of {n} data sets: even one that is ahead of another "
        f"on all of them has p {equals_p(2 * 0.5**n)} (sign test). Nemenyi's critical difference "
        f"is stated from {FEWEST_FOR_PAIRS} data sets on."
    )


def equals_p(p: float) -> str:
    """A p-value in print, after "p"."""
    shown = printed_p(p)
    return shown if shown.startswith("<") else f"= {shown}"

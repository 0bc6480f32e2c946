"""Ranks of selectors: over the subset sizes of a data set, and over data sets with their test."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.outputs.curves import Curves
from steadfast.outputs.results import Measure, Score
from steadfast.selectors.running.fold_file import CHOSEN
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.friedman import FEWEST_DATASETS, Friedman, friedman
from steadfast.statistics.p_values import printed_p
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]


# Over the sizes of a data set

#: How a mean rank and its standard deviation over the sizes are printed.
RANK = "{*:.1f}| ∓ {* sd:.1f}"


def mean_ranks(curves: Mapping[str, Curve | None], direction: int = 1) -> dict[str, float]:
    """Ranks of selectors over the sizes that all of their curves have.

    Parameters
    ----------
    curves
        Selector to its curve.
    direction
        −1 where small values are better.

    Returns
    -------
    dict
        `sizes`, how many there are, and for each selector `NAME`, its mean rank, and `NAME sd`,
        the standard deviation over the sizes; NaN where there is no size.
    """
    defined = all(curve is not None for curve in curves.values())
    values = [curve.values for curve in common_sizes(list(curves.values()))] if defined else []
    if not np.size(values):
        return {"sizes": 0, **rank_cells({}, list(curves))}
    means, spreads = mean_and_sd(competition_ranks(np.array(values) * direction))
    ranks: dict[str, float] = {"sizes": len(values[0])}
    for name, mean, sd in zip(curves, means, spreads, strict=True):
        ranks |= {name: float(mean), f"{name} sd": float(sd)}
    return ranks


def rank_cells(row: Mapping[str, float], selectors: list[str]) -> dict[str, float]:
    """The columns `NAME` and `NAME sd` of a row of ranks, here or in a paper; NaN where missing."""
    columns = [column for name in selectors for column in (name, f"{name} sd")]
    return {column: row.get(column, float("nan")) for column in columns}


# Over data sets


def refuse_size_of_chosen(study: "Study", entry: Entry, where: str) -> None:
    """Subsets that selectors chose have sizes of their own."""
    if "size" in entry and entry.get("compare") == CHOSEN:
        raise UserError(f"{where}.size: subsets that selectors chose have their own; leave out")


def why_unpublished(study: "Study", entry: Entry, has_published: bool) -> str:
    """Why a run has no published numbers to compare with; empty where it has."""
    return "" if has_published else "no published numbers"


def why_too_few(study: "Study", entry: Entry, has_published: bool) -> str:
    """Why a study has no test over data sets; empty where it has one."""
    few = len(study.datasets) < FEWEST_DATASETS
    return f"Friedman's test needs {FEWEST_DATASETS} data sets" if few else ""


def rank_datasets(
    curves: Curves, of: Measure | Score, ratio: float, size: Any, selectors: list[str]
) -> tuple[pd.DataFrame, Friedman | None]:
    """What selectors are ranked by on each data set, and the test of their ranks.

    A selector's mean rank over the sizes is what tables of ranks print. Ranks of these means, one
    per data set, go into the test: the sizes of a data set share their features, so that they are
    no sample.

    Parameters
    ----------
    size
        Selectors are ranked by their values at this size; by their mean ranks over all if None.

    Returns
    -------
    values
        A row per data set: `sizes`, the subset size, or how many sizes the values are means over,
        and a column per selector.
    test
        None where too few data sets have a value of every selector.
    """
    rows = []
    for dataset in curves.datasets:
        if size is None:
            every = {name: curves.find(of, dataset, ratio, name) for name in selectors}
            rows.append(mean_ranks(every, of.direction))
        else:
            k = curves.size(dataset, size)
            values = {name: curves.value(of, dataset, ratio, name, k) for name in selectors}
            rows.append({"sizes": k, **values})
    frame = pd.DataFrame(rows, curves.datasets)[["sizes", *selectors]]
    if len(frame.dropna()) < FEWEST_DATASETS:
        return frame, None
    larger, matrix = size is not None and of.direction == 1, frame[selectors].to_numpy()
    return frame, friedman(matrix, curves.datasets, selectors, larger_is_better=larger)


def printed_quantity(of: Measure | Score) -> str:
    """The measure or the classifier, in print."""
    return f"{of.noun} ({of.name if isinstance(of, Measure) else of.label})"


def equals_p(p: float) -> str:
    """A p-value in print, after "p"."""
    shown = printed_p(p)
    return shown if shown.startswith("<") else f"= {shown}"

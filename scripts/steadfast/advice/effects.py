"""In which class a feature is highest, and by how much the classes differ in it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.data.table import Table
from steadfast.statistics.effects import (
    UNDEFINED,
    Estimate,
    auc,
    mean_by_group,
    median_by_group,
    median_difference,
    share_difference,
)

#: The share of the runs that must agree before a direction is named.
STEADY = 0.9


class Peak(NamedTuple):
    """The class in which a feature is highest; of categories, with the level it has most often."""

    label: int
    level: int | None = None


class GroupUnits(NamedTuple):
    """Groups as units: each counts once per class, because its rows are not independent.

    Attributes
    ----------
    numbers : the number of each row's group and class
    weights : one over the number of rows of that group and class, for each row
    """

    numbers: np.ndarray
    weights: np.ndarray

    def medians(self, values: np.ndarray) -> np.ndarray:
        """The median of each group and class in the first of its rows that has a value, else NaN.

        Folds keep the rows of a group together, so that this row is in a fold if the group is.
        """
        present = np.flatnonzero(~np.isnan(values))
        numbers, found = self.numbers[present], np.full(values.size, np.nan)
        first = np.unique(numbers, return_index=True)[1]
        found[present[first]] = median_by_group(values[present], numbers)
        return found


def group_units(table: Table) -> GroupUnits | None:
    """The groups of a table as units; None where rows are in no groups."""
    if table.groups is None:
        return None
    pairs = np.column_stack([table.groups, table.y])
    _, numbers, sizes = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    numbers = numbers.ravel()
    return GroupUnits(numbers, 1 / sizes[numbers])


def find_peak(
    values: np.ndarray,
    y: np.ndarray,
    n_levels: int,
    n_classes: int,
    weights: np.ndarray | None = None,
) -> Peak | None:
    """The class of the highest mean, or the level and class that exceed expectation most.

    None where classes do not differ. A column of numbers has no levels; of its ranks, the mean is
    the mean rank. `weights` of rows count for categories only: of numbers, a row without a value
    does not count.
    """
    if n_levels:
        return _category_peak(values, y, n_levels, n_classes, weights)
    return _number_peak(values, y, n_classes)


def _number_peak(values: np.ndarray, y: np.ndarray, n_classes: int) -> Peak | None:
    present = ~np.isnan(values)
    counts = np.bincount(y[present], minlength=n_classes)
    sums = np.bincount(y[present], weights=values[present], minlength=n_classes)
    means = np.full(n_classes, -np.inf)
    np.divide(sums, counts, out=means, where=counts > 0)
    if np.count_nonzero(counts) < 2 or np.ptp(means[counts > 0]) == 0:
        return None
    return Peak(int(means.argmax()))


def _category_peak(
    values: np.ndarray, y: np.ndarray, n_levels: int, n_classes: int, weights: np.ndarray | None
) -> Peak | None:
    """The cell of the table of categories and classes that exceeds expectation most."""
    counts = np.zeros((n_levels, n_classes))
    np.add.at(counts, (values.astype(np.int64), y), 1 if weights is None else weights)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    excess = np.divide(
        counts - expected, np.sqrt(expected), out=np.zeros_like(counts), where=expected > 0
    )
    if weights is not None:  # sums of fractions: equal cells must stay equal
        excess = np.round(excess, 9)
    level, label = np.unravel_index(int(excess.argmax()), excess.shape)
    return Peak(int(label), int(level)) if excess[level, label] > 0 else None


def agrees(
    peak: Peak,
    values: np.ndarray,
    y: np.ndarray,
    n_classes: int,
    weights: np.ndarray | None = None,
) -> bool:
    """Whether rows have the direction of the whole table.

    Of categories, the class of the peak must be more frequent among the rows of its level than
    among all rows. Where two cells exceed expectation alike ("no" in one class, "yes" in the
    other), which of them is ahead changes from rows to rows and does not matter.
    """
    if peak.level is None:
        return _number_peak(values, y, n_classes) == peak
    inside = values == peak.level
    if not inside.any():
        return False
    labelled, own = y == peak.label, None if weights is None else weights[inside]
    among_its_rows = np.average(labelled[inside], weights=own)
    return bool(among_its_rows > np.average(labelled, weights=weights) + 1e-12)


def peak_in_words(peak: Peak, classes: Sequence[str], levels: Sequence[str]) -> str:
    """`higher in yes`; of several classes `highest in b`; of categories `red: more often b`."""
    label = classes[peak.label]
    if peak.level is not None:
        return f"{levels[peak.level]}: more often {label}"
    return f"{'higher' if len(classes) == 2 else 'highest'} in {label}"


def effect_json(table: Table, column: int, peak: Peak | None) -> dict[str, Any]:
    """By how much classes differ in a column, on all rows of the table.

    Of two classes, the second is compared with the first; of more, the class of the peak with all
    other rows (`against` is None). Numbers have the difference of medians and the AUC, categories
    the difference of the shares of the peak's level (`level`), in percentage points. Each has a 95%
    interval. Missing values are left out. Where rows are in groups, each group counts once on each
    side, with its median or its share of the level, because rows of a group are not independent. (A
    group with rows on both sides still counts on each.)

    The features were selected on the same rows, so that effects are too large on average.
    """
    levels = table.levels[column] if table.levels else ()
    two = len(table.classes) == 2
    label = 1 if two else peak and peak.label
    level = peak.level if peak and levels else None
    found, ranked = _estimates(table, column, label, level)
    return {
        "class": None if label is None else table.classes[label],
        "against": table.classes[0] if two else None,
        **dict(zip(("difference", "low", "high"), map(_to_json, found), strict=True)),
        "unit": "points" if levels else "units",
        "level": None if level is None else levels[level],
        **dict(zip(("auc", "auc_low", "auc_high"), map(_to_json, ranked), strict=True)),
    }


def _estimates(
    table: Table, column: int, label: int | None, level: int | None
) -> tuple[Estimate, Estimate]:
    """The difference and the AUC of a class against all other rows."""
    values = table.X[:, column]
    of_numbers = not (table.levels and table.levels[column])
    if label is None or (level is None and not of_numbers):
        return UNDEFINED, UNDEFINED
    present, inside = ~np.isnan(values), table.y == label
    sides = [np.flatnonzero(present & side) for side in (inside, ~inside)]
    groups = [None if table.groups is None else table.groups[rows] for rows in sides]
    if of_numbers:
        x, y = (_numbers(values[rows], of) for rows, of in zip(sides, groups, strict=True))
        return median_difference(x, y), auc(x, y)
    x, y = (_shares(values[rows] == level, of) for rows, of in zip(sides, groups, strict=True))
    if not (x.size and y.size):
        return UNDEFINED, UNDEFINED
    found = share_difference(x.mean(), x.size, y.mean(), y.size)
    return Estimate(*(100 * end for end in found)), UNDEFINED


def _numbers(values: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    return values if groups is None else median_by_group(values, groups)


def _shares(chosen: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    return chosen.astype(float) if groups is None else mean_by_group(chosen, groups)


def _to_json(value: float) -> float | None:
    """Six significant digits, since units may be tiny; None where there is no number."""
    return float(f"{value:.6g}") if np.isfinite(value) else None

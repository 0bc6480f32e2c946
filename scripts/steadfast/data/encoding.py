"""Missing numbers filled, and categories made into what classifiers take.

Selectors get `steadfast.selectors.running.category_scores`.

Whatever is learnt, the medians that stand for missing numbers, is learnt from training rows. Names
of categories are those of the table: a category that no training row has tells a fold nothing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError

Levels = Sequence[Sequence[str]]


def medians(X: np.ndarray) -> np.ndarray:
    """The median of each column's values; 0 for a column that has none here."""
    found = np.zeros(X.shape[1])
    some = ~np.isnan(X).all(axis=0)
    found[some] = np.nanmedian(X[:, some], axis=0)
    return found


def fill_gaps(X: np.ndarray, learn_from: np.ndarray | None = None) -> np.ndarray:
    """The rows with medians, of these or of other rows, in the place of missing numbers."""
    if X.dtype.kind != "f":
        return X
    gaps = np.isnan(X)
    if not gaps.any():
        return X
    return np.where(gaps, medians(X if learn_from is None else learn_from), X)


def category_mask(levels: Levels, n_columns: int) -> np.ndarray:
    """Which columns are categories."""
    return np.array([bool(names) for names in levels] or [False] * n_columns)


class OneHot(NamedTuple):
    """Columns with each category as a column of its own, of two categories one.

    Attributes
    ----------
    X : the numbers
    owner : the original column of each column
    """

    X: np.ndarray
    owner: np.ndarray


def one_hot(X: np.ndarray, levels: Levels, columns: Sequence[int] | None = None) -> OneHot:
    """Complete rows with categories as columns of 0 and 1, those of each column side by side."""
    wanted = range(X.shape[1]) if columns is None else columns
    parts, owner = [], []
    for column in wanted:
        names = levels[column] if levels else ()
        if not names:
            parts.append(X[:, column : column + 1])
            owner.append(column)
            continue
        shown = range(1, 2) if len(names) == 2 else range(len(names))
        parts.append((X[:, column : column + 1] == np.array(shown)).astype(np.float64))
        owner += [column] * len(shown)
    made = np.hstack(parts) if parts else np.empty((len(X), 0))
    return OneHot(np.ascontiguousarray(made), np.array(owner, dtype=np.int64))


def with_codes(bins: np.ndarray, X: np.ndarray, levels: Levels) -> np.ndarray:
    """Bins in which each column of categories has their codes."""
    if not levels:
        return bins
    which = category_mask(levels, X.shape[1])
    bins = bins.copy()
    bins[:, which] = X[:, which].astype(bins.dtype)
    return bins


def complete_numbers(table: Any, what: str) -> np.ndarray:
    """All rows as complete numbers, medians of all rows in the gaps, for what looks at all rows."""
    for name, names in zip(table.features, table.levels):
        if len(names) > 2:
            raise UserError(f"{what}: column {name!r} holds categories, which are no numbers")
    return fill_gaps(table.X)

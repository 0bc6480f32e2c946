"""Categories and missing numbers made into what selectors and classifiers take.

Whatever is learnt, the medians that stand for missing numbers, is learnt from training rows. Names
of categories are those of the table: a category that no training row has tells a fold nothing.
"""

from collections.abc import Sequence
from types import SimpleNamespace
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
    level : the category that each column stands for; empty for numbers
    """

    X: np.ndarray
    owner: np.ndarray
    level: tuple[str, ...]


def one_hot(X: np.ndarray, levels: Levels, columns: Sequence[int] | None = None) -> OneHot:
    """Complete rows with categories as columns of 0 and 1, those of each column side by side."""
    wanted = range(X.shape[1]) if columns is None else columns
    parts, owner, level = [], [], []
    for column in wanted:
        names = levels[column] if levels else ()
        if not names:
            parts.append(X[:, column : column + 1])
            owner.append(column)
            level.append("")
            continue
        shown = range(1, 2) if len(names) == 2 else range(len(names))
        parts.append((X[:, column : column + 1] == np.array(shown)).astype(np.float64))
        owner += [column] * len(shown)
        level += [names[code] for code in shown]
    made = np.hstack(parts) if parts else np.empty((len(X), 0))
    return OneHot(np.ascontiguousarray(made), np.array(owner, dtype=np.int64), tuple(level))


def to_original_columns(fitted: Any, encoded: OneHot, n_columns: int, largest: int | None) -> Any:
    """What a selector says of encoded columns, as said of the original ones.

    A column of categories stands where the first of its columns does, and has its weight; `level`
    names that category. `largest` is how many to rank.
    """
    owners = encoded.owner[fitted.sequence_]
    _, first = np.unique(owners, return_index=True)
    kept = np.sort(first)[:largest]
    weights = np.full(n_columns, -np.inf)
    np.maximum.at(weights, encoded.owner, fitted.scores_)
    sequence = owners[kept]
    weights[sequence] = fitted.scores_[fitted.sequence_[kept]]
    steps = {name: values[kept] for name, values in getattr(fitted, "steps_", {}).items()}
    named = np.array([encoded.level[column] for column in fitted.sequence_[kept]])
    support, chosen = None, getattr(fitted, "support_", None)
    if chosen is not None:
        support = np.zeros(n_columns, dtype=bool)
        support[encoded.owner[chosen]] = True
    return SimpleNamespace(
        sequence_=sequence,
        scores_=weights,
        steps_={**steps, "level": named},
        support_=support,
        grid_=getattr(fitted, "grid_", {}),
    )


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

"""Folds that keep the rows of a group together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from steadfast.core.errors import UserError
from steadfast.data.table import Table
from steadfast.resampling.draws import draw_share
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


def draw(scheme: Scheme, table: Table, seed: int, names: Sequence[str]) -> Iterator[Fold]:
    """The folds of a table; where it has groups, each falls on one side of every split as a whole.

    Groups are then what is drawn or dealt, each of the class that most of its rows have.
    """
    if table.groups is None:
        yield from scheme.folds(table.y, table.classes, seed, names)
        return
    sizes = np.bincount(table.groups)
    rows = np.split(np.argsort(table.groups, kind="stable"), np.cumsum(sizes)[:-1])
    classes = _classes_of_groups(table.groups, table.y)
    for fold in _name_groups_in_errors(scheme.folds(classes, table.classes, seed, names)):
        train, test = (
            np.sort(np.concatenate([rows[group] for group in part]) if part.size else part)
            for part in (fold.train, fold.test)
        )
        yield replace(fold, train=train, test=test)


def draw_share_of_groups(
    y: np.ndarray, groups: np.ndarray | None, share: float, draw: np.random.Generator
) -> np.ndarray:
    """Rows of a share of each class; where there are groups, all rows of a share of these."""
    if groups is None:
        return draw_share(y, share, draw)
    codes = np.unique(groups, return_inverse=True)[1]
    drawn = draw_share(_classes_of_groups(codes, y), share, draw)
    return np.flatnonzero(np.isin(codes, drawn))


def _classes_of_groups(groups: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The class that most rows of each group have."""
    counts = np.zeros((int(groups.max()) + 1, int(y.max()) + 1), dtype=np.int64)
    np.add.at(counts, (groups, y), 1)
    return counts.argmax(axis=1)


def _name_groups_in_errors(folds: Iterator[Fold]) -> Iterator[Fold]:
    try:
        yield from folds
    except UserError as error:
        raise UserError(f"{error} (rows here are groups, which stay together)") from None

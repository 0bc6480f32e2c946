"""Folds that keep the rows of a group together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from steadfast.core.errors import UserError
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


def draw(scheme: Scheme, table: Table, seed: int, names: Sequence[str]) -> Iterator[Fold]:
    """The folds of a table; where it has groups, each falls on one side of every split as a whole.

    Groups are then what is drawn or dealt, each of the class that most of its rows have.
    """
    if table.groups is None:
        yield from scheme.folds(table.y, table.classes, seed, names)
        return
    counts = np.zeros((int(table.groups.max()) + 1, len(table.classes)), dtype=np.int64)
    np.add.at(counts, (table.groups, table.y), 1)
    rows = np.split(np.argsort(table.groups, kind="stable"), np.cumsum(counts.sum(axis=1))[:-1])
    for fold in _name_groups_in_errors(
        scheme.folds(counts.argmax(axis=1), table.classes, seed, names)
    ):
        train, test = (
            np.sort(np.concatenate([rows[group] for group in part]) if part.size else part)
            for part in (fold.train, fold.test)
        )
        yield replace(fold, train=train, test=test)


def _name_groups_in_errors(folds: Iterator[Fold]) -> Iterator[Fold]:
    try:
        yield from folds
    except UserError as error:
        raise UserError(f"{error} (rows here are groups, which stay together)") from None

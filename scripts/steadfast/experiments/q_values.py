"""How far each feature of a data set can be trusted: its q-value, and whether it is its own."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steadfast.core import cli
from steadfast.data.table import Table
from steadfast.selectors.trust import LEVEL

HEADER = ("feature", "q", "by_itself", "together", "how", "beyond_others")

#: How a trusted feature shows what it tells: by itself, or only together with others.
ITSELF, TOGETHER = "itself", "together"


class QValues(NamedTuple):
    """What is known about each column of a data set.

    Attributes
    ----------
    q : expected share of noise among the columns of at most this q-value
    by_itself, together : expected number of noise columns that show as much, in each way
    how : `ITSELF` or `TOGETHER` for a trusted column, else empty
    beyond_others : whether a trusted column tells something that the other trusted ones do not:
        `own`, `borrowed`, `cannot tell`; else empty
    """

    q: np.ndarray
    by_itself: np.ndarray
    together: np.ndarray
    how: list[str]
    beyond_others: list[str]

    @property
    def trusted(self) -> np.ndarray:
        """Which columns are trusted."""
        return self.q <= LEVEL


def find_q_values(table: Table, *, seed: int, dataset: str) -> QValues:
    """The q-value of each column of a data set, by all of its rows."""
    with cli.count_start_up():
        from steadfast.selectors.trust.columns import describe_columns
        from steadfast.selectors.trust.partial import own_or_borrowed
        from steadfast.selectors.trust.rule import trust

    m = table.X.shape[1]
    found = trust(
        table.X, table.y, seed=seed, names=(dataset,), levels=table.levels, groups=table.groups
    )
    columns = np.flatnonzero(found.q <= LEVEL)
    how, beyond = [""] * m, [""] * m
    if columns.size:
        described = describe_columns(table.X, table.levels)
        labels = own_or_borrowed(described, table.y, columns, found.alone[columns], table.groups)
        for column, label in zip(columns.tolist(), labels, strict=True):
            how[column] = ITSELF if found.alone[column] else TOGETHER
            beyond[column] = label
    return QValues(found.q, found.by_itself, found.together, how, beyond)


def q_value_rows(found: QValues, features: Sequence[str]) -> list[tuple]:
    """The rows of a file of q-values."""
    return list(zip(features, *found, strict=True))


def parse_q_values(table: Mapping[str, Sequence[str]]) -> QValues:
    """What the columns of such a file say."""
    numbers = (np.array(table[key], dtype=float) for key in ("q", "by_itself", "together"))
    return QValues(*numbers, list(table["how"]), list(table["beyond_others"]))

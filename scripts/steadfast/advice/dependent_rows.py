"""Rows that may belong together although no group is named, in whatever order they stand."""

from typing import NamedTuple

import numpy as np

from steadfast.core.seeds import generator
from steadfast.data.table import Table
from steadfast.selectors.trust.columns import column_ranks, describe_columns

#: Nearest rows of each class that show what the rows next to a row tell.
NEAREST = 5

#: Nearest rows of each class that are left out to see what all other rows tell: more than one
#: subject usually has. Of a small class, this share of its rows at most.
LEFT_OUT, LEFT_OUT_SHARE = 20, 1 / 3

#: Rows may belong together where the nearest rows tell this many times as much as all others, and
#: as this much at least.
TIMES, LEAST = 1.5, 0.15

#: A nearby row counts less the farther it lies from the middle of the table: this is the weight of
#: its squared length, and best where rows of one subject correlate by about 0.5.
LENGTH_WEIGHT = 0.25

#: Differences of class means below so many standard errors count as none, larger ones less by it.
STANDARD_ERRORS = 2

#: Classes of fewer rows are left out.
FEWEST = 5

#: Rows that are looked up, columns that are compared, and cells of what they are compared with.
MOST_ROWS, FEWEST_ROWS, MOST_COLUMNS, MOST_CELLS = 1_000, 200, 500, 10_000_000

#: Pairs of rows that are compared in all, and at a time.
PAIRS, PAIRS_AT_ONCE = 20_000_000, 2_000_000


class WhereSignalLies(NamedTuple):
    """How well the class of a row is told by the rows nearest to it, and by all others.

    Both are 2 · AUC − 1: 0 is guessing, 1 is always right; the mean over the classes.
    """

    nearest: float
    others: float

    @property
    def auc_of_nearest(self) -> float:
        """The AUC by the nearest rows."""
        return (1 + self.nearest) / 2

    @property
    def auc_of_others(self) -> float:
        """The AUC by all other rows."""
        return (1 + self.others) / 2

    @property
    def rows_may_belong_together(self) -> bool:
        """Whether the nearest rows tell far more than all others."""
        return self.nearest > max(LEAST, TIMES * self.others)


def locate_signal(table: Table) -> WhereSignalLies | None:
    """How well the class of a row is told by the rows nearest to it, and by all others.

    Rows of one subject have one class and resemble each other. Where that is all there is to learn,
    the nearest rows tell the class, and without them nothing does. A feature that is related to the
    class shows it in all rows, so that leaving out the nearest `LEFT_OUT` of each class costs
    little. What the others tell is the best of three: class means, means of the features in which
    classes clearly differ, and means of products of two features.

    Columns are compared by their ranks; categories are left out. The order of the rows does not
    matter. Of large tables some rows are looked up among all of them.

    Measured with the rule of `WhereSignalLies`, in `docs/trust.md`.

    Returns
    -------
    None where there are no numbers, or fewer than two classes of `FEWEST` rows.
    """
    counts = np.bincount(table.y, minlength=len(table.classes))
    rows = np.flatnonzero(counts[table.y] >= FEWEST)
    y = np.unique(table.y[rows], return_inverse=True)[1]
    if not y.any():
        return None
    Z = _standardised(table, rows)
    if not Z.size:
        return None
    asked = np.arange(y.size)
    most = max(FEWEST_ROWS, min(MOST_ROWS, PAIRS // y.size))
    if most < y.size:
        asked = np.sort(generator(0, "dependent rows").choice(y.size, most, replace=False))
    step = max(1, PAIRS_AT_ONCE // y.size)
    found = [_evidence(Z, y, asked[at : at + step]) for at in range(0, asked.size, step)]
    near, *others = (_skill(np.vstack(one), y[asked]) for one in zip(*found, strict=True))
    return WhereSignalLies(near, max(others))


def _standardised(table: Table, rows: np.ndarray) -> np.ndarray:
    """Ranks of numbers and indicators of categories, with mean 0 and standard deviation 1."""
    n_columns = min(MOST_COLUMNS, max(1, MOST_CELLS // table.y.size))
    described = describe_columns(table.X[rows, :n_columns], table.levels[:n_columns])
    columns = [described.ranks]
    for column in np.flatnonzero(described.categories):
        bins = described.bins[:, column]
        columns.append((bins[:, None] == np.unique(bins)).astype(float))
    return _to_unit(np.hstack(columns))


def _to_unit(X: np.ndarray) -> np.ndarray:
    """Columns that vary, with mean 0 and standard deviation 1."""
    spread = X.std(axis=0)
    varies = spread > 0
    return (X[:, varies] - X[:, varies].mean(axis=0)) / spread[varies]


class _Sums(NamedTuple):
    """For each row asked about, sums over rows of one class, without the row itself.

    Attributes
    ----------
    near : the mean closeness of the nearest rows
    counts : how many other rows there are
    linear, squared : sums of their products with the row, and of the squares of these
    shapes : sums of their values and of the squares of these, by feature
    """

    near: np.ndarray
    counts: np.ndarray
    linear: np.ndarray
    squared: np.ndarray
    shapes: np.ndarray


def _evidence(Z: np.ndarray, y: np.ndarray, asked: np.ndarray) -> list[np.ndarray]:
    """For each row asked about and each class, what speaks for that class and not for the others.

    By the nearest rows; and by all others, their means, their clear differences and their products.
    """
    products = Z[asked] @ Z.T
    shapes = np.hstack([Z, _to_unit(Z**2)])
    closeness = products - LENGTH_WEIGHT * np.einsum("ij,ij->i", Z, Z)
    here = np.arange(asked.size)
    closeness[here, asked] = -np.inf
    products[here, asked] = 0
    found = [_sums(one, shapes, y, asked, closeness, products) for one in range(y.max() + 1)]
    near, counts, linear, squared, sums = (
        np.stack(one, axis=1) for one in zip(*found, strict=True)
    )
    clear, n_features = _clear_differences(sums, counts), Z.shape[1]
    return [
        _against_others(near, np.ones(near.shape)),
        _against_others(linear, counts),
        _against_others(squared, counts),
        np.einsum("icj,ij->ic", clear[..., :n_features], shapes[asked, :n_features]),
        np.einsum("icj,ij->ic", clear[..., n_features:], shapes[asked, n_features:]),
    ]


def _sums(
    one: int,
    shapes: np.ndarray,
    y: np.ndarray,
    asked: np.ndarray,
    closeness: np.ndarray,
    products: np.ndarray,
) -> _Sums:
    """The sums over a class: its nearest rows, and all but its nearest `LEFT_OUT`."""
    members, own = np.flatnonzero(y == one), y[asked] == one
    n_near = min(NEAREST, members.size - 1)
    n_out = max(1, min(LEFT_OUT, int(LEFT_OUT_SHARE * members.size)))
    nearest = _largest(closeness[:, members], max(n_near, n_out))
    near = np.take_along_axis(closeness[:, members], nearest[:, :n_near], axis=1).mean(axis=1)
    left_out = members[nearest[:, :n_out]]
    all_products, without = products[:, members], np.take_along_axis(products, left_out, axis=1)
    return _Sums(
        near=near,
        counts=members.size - n_out - own,
        linear=all_products.sum(axis=1) - without.sum(axis=1),
        squared=(all_products**2).sum(axis=1) - (without**2).sum(axis=1),
        shapes=shapes[members].sum(axis=0)
        - shapes[left_out].sum(axis=1)
        - own[:, None] * shapes[asked],
    )


def _largest(values: np.ndarray, number: int) -> np.ndarray:
    """The places of the largest values of each row, the largest first."""
    places = np.argpartition(-values, number - 1, axis=1)[:, :number]
    order = np.argsort(-np.take_along_axis(values, places, axis=1), axis=1, kind="stable")
    return np.take_along_axis(places, order, axis=1)


def _against_others(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The mean of each class less that of all others."""
    rest = (sums.sum(axis=1, keepdims=True) - sums) / (counts.sum(axis=1, keepdims=True) - counts)
    return sums / counts - rest


def _clear_differences(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Differences of class means from those of all others, as far as they exceed chance."""
    own = counts[:, :, None]
    rest = own.sum(axis=1, keepdims=True) - own
    apart = sums / own - (sums.sum(axis=1, keepdims=True) - sums) / rest
    chance = STANDARD_ERRORS * np.sqrt(1 / own + 1 / rest)
    return np.sign(apart) * np.maximum(np.abs(apart) - chance, 0)


def _skill(evidence: np.ndarray, y: np.ndarray) -> float:
    """Mean over the classes of 2 · AUC − 1, by which the evidence for a class ranks its rows."""
    ranks = column_ranks(evidence)
    own = y[:, None] == np.arange(evidence.shape[1])
    pairs = own.sum(axis=0) * (~own).sum(axis=0)
    asked = pairs > 0
    return float(np.mean((ranks * own).sum(axis=0)[asked] / pairs[asked])) if asked.any() else 0.0

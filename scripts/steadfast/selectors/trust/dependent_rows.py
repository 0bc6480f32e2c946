"""Rows that may belong together although no group is named, in whatever order they stand."""

from typing import NamedTuple

import numpy as np

from steadfast.core.seeds import generator
from steadfast.data.table import Table
from steadfast.selectors.trust.columns import column_ranks, describe_columns

#: Nearest rows of each class that predict the class of a row.
NEAREST = 5

#: Nearest rows of each class that are left out where all other rows predict it: more than one
#: subject usually has. Of a small class, this share of its rows at most.
LEFT_OUT, LEFT_OUT_SHARE = 20, 1 / 3

#: Rows may belong together where the nearest rows predict this many times as well as all others,
#: and at least this well.
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
    """How well the nearest rows predict the class of a row, and how well all other rows do.

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
        """Whether the nearest rows predict the class far better than all others."""
        return self.nearest > max(LEAST, TIMES * self.others)


def locate_signal(table: Table) -> WhereSignalLies | None:
    """How well the nearest rows predict the class of a row, and how well all other rows do.

    Rows of one subject have one class and resemble each other. If nothing else is related to the
    class, the nearest rows predict it, and all other rows do not. A feature that is related to the
    class is so in all rows, so that leaving out the nearest `LEFT_OUT` of each class costs little.
    All other rows predict by the best of four: class means of all features, of the features that
    clearly differ, of the squares that clearly differ, and of products of two features.

    Numbers are compared by their ranks, categories by indicators. The order of the rows does not
    matter. Of a large table a sample of rows is predicted, from all of its rows.

    `WhereSignalLies.rows_may_belong_together` noticed, of tables of noise with 40 subjects in
    random order (`bench/dependent_rows.py`), at least 94% where subjects have 5 or 10 rows that
    correlate by 0.5 or more; at a correlation of 0.3, 28% of those with 10 features and 100% of
    those with 50; with two rows of each subject less. Of 240 tables with independent rows and
    signal it noticed none. `docs/trust.md` has all figures.

    Returns
    -------
    None where no column varies, or fewer than two classes of `FEWEST` rows.
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
    all_rows = _Rows.of(Z, y)
    found = [_evidence(all_rows, asked[at : at + step]) for at in range(0, asked.size, step)]
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


class _Rows(NamedTuple):
    """All rows that predict.

    Attributes
    ----------
    Z : their standardised values
    y : their classes, counted from 0
    lengths : the squared length of each
    shapes : values and their squares, all standardised
    totals : sums of `shapes` over each class
    """

    Z: np.ndarray
    y: np.ndarray
    lengths: np.ndarray
    shapes: np.ndarray
    totals: np.ndarray

    @classmethod
    def of(cls, Z: np.ndarray, y: np.ndarray) -> "_Rows":
        """The rows of these values and classes."""
        shapes = np.hstack([Z, _to_unit(Z**2)])
        totals = (np.arange(y.max() + 1)[:, None] == y).astype(float) @ shapes
        return cls(Z, y, np.einsum("ij,ij->i", Z, Z), shapes, totals)


class _Sums(NamedTuple):
    """For each row asked about, sums over rows of one class, without the row itself.

    Attributes
    ----------
    near : the mean closeness of the nearest rows
    counts : how many rows there are besides the nearest
    linear, squared : sums of their products with the row, and of the squares of these
    shapes : sums of their values and of the squares of these, by feature
    """

    near: np.ndarray
    counts: np.ndarray
    linear: np.ndarray
    squared: np.ndarray
    shapes: np.ndarray


def _evidence(rows: _Rows, asked: np.ndarray) -> list[np.ndarray]:
    """For each row asked about, the evidence for each class against the others.

    From the nearest rows; and from all others: of means, products, clear differences of means, and
    clear differences of squares.
    """
    products = rows.Z[asked] @ rows.Z.T
    closeness = products - LENGTH_WEIGHT * rows.lengths
    here = np.arange(asked.size)
    closeness[here, asked] = -np.inf
    products[here, asked] = 0
    found = [_sums(one, rows, asked, closeness, products) for one in range(len(rows.totals))]
    near, counts, linear, squared, sums = (
        np.stack(one, axis=1) for one in zip(*found, strict=True)
    )
    clear, n_features = _clear_differences(sums, counts), rows.Z.shape[1]
    weighed = clear * rows.shapes[asked][:, None]
    return [
        _against_others(near, np.ones(near.shape)),
        _against_others(linear, counts),
        _against_others(squared, counts),
        weighed[..., :n_features].sum(axis=-1),
        weighed[..., n_features:].sum(axis=-1),
    ]


def _sums(
    one: int, rows: _Rows, asked: np.ndarray, closeness: np.ndarray, products: np.ndarray
) -> _Sums:
    """The sums over a class: its nearest rows, and all but its nearest `LEFT_OUT`."""
    members, own = np.flatnonzero(rows.y == one), rows.y[asked] == one
    n_near = min(NEAREST, members.size - 1)
    n_out = max(1, min(LEFT_OUT, int(LEFT_OUT_SHARE * members.size)))
    of_class, all_products = closeness[:, members], products[:, members]
    nearest = _largest(of_class, max(n_near, n_out))
    left_out = nearest[:, :n_out]
    without = np.take_along_axis(all_products, left_out, axis=1)
    return _Sums(
        near=np.take_along_axis(of_class, nearest[:, :n_near], axis=1).mean(axis=1),
        counts=members.size - n_out - own,
        linear=all_products.sum(axis=1) - without.sum(axis=1),
        squared=(all_products**2).sum(axis=1) - (without**2).sum(axis=1),
        shapes=rows.totals[one]
        - rows.shapes[members[left_out]].sum(axis=1)
        - own[:, None] * rows.shapes[asked],
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

"""A table as tests see it: ranks of numbers, bins of everything."""

from typing import NamedTuple

import numpy as np

from steadfast.data.encoding import Levels, category_mask

#: Bins of a number, each of as many rows.
BINS = 5

#: Categories of fewer rows than the first are one bin, as are all after the most frequent ones.
RARE, MOST_BINS = 5, 20


class Columns(NamedTuple):
    """Columns of a table.

    Attributes
    ----------
    ranks : twice the rank of each number, around 0: whole numbers; 0 for gaps and categories
    places : where it lies among the column's numbers, from 0 to 1; gaps in the middle
    bins : number of each value's bin; a gap has a bin of its own
    categories : which columns are categories
    """

    ranks: np.ndarray
    places: np.ndarray
    bins: np.ndarray
    categories: np.ndarray


def describe_columns(X: np.ndarray, levels: Levels = ()) -> Columns:
    """Ranks and bins of each column; equal values share the mean of their ranks."""
    X = np.asarray(X, dtype=np.float64)
    categories = category_mask(levels, X.shape[1])
    gaps = np.isnan(X)
    present = np.maximum(np.count_nonzero(~gaps, axis=0), 1)
    ranks = np.zeros(X.shape)
    for column in np.flatnonzero(~categories):
        ranks[~gaps[:, column], column] = _ranks(X[~gaps[:, column], column])
    places = (ranks / present + 1) / 2
    bins = np.minimum(places * BINS, BINS - 1).astype(np.int64)
    bins[gaps] = BINS
    for column in np.flatnonzero(categories):
        gap = np.nanmax(X[:, column], initial=-1) + 1
        bins[:, column] = _frequent(np.nan_to_num(X[:, column], nan=gap).astype(np.int64))
    return Columns(ranks, places, bins, categories)


def _ranks(values: np.ndarray) -> np.ndarray:
    """Twice the rank, around 0: how many values are smaller, less how many are larger."""
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    return below + np.searchsorted(ordered, values, side="right") - values.size


def _frequent(codes: np.ndarray) -> np.ndarray:
    """Categories as bins, the rare ones together."""
    counts = np.bincount(codes)
    order = np.argsort(-counts, kind="stable")[: MOST_BINS - 1]
    kept = [code for code in order.tolist() if counts[code] >= RARE]
    bin_of = np.full(counts.size, len(kept))
    bin_of[kept] = np.arange(len(kept))
    return bin_of[codes]

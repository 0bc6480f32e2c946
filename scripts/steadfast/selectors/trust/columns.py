"""A table as tests see it: ranks of numbers, bins of everything."""

from typing import NamedTuple

import numpy as np

from steadfast.data.encoding import Levels, category_mask

#: Bins of a number, each of as many rows.
BINS = 5

#: Numbers that are ranked at a time: copies of a whole table would fill memory and miss the cache.
BLOCK = 1_000_000

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
    ranks = column_ranks(X)
    ranks[:, categories] = 0.0
    places = (ranks / present + 1) / 2
    bins = np.minimum(places * BINS, BINS - 1).astype(np.int64)
    bins[gaps] = BINS
    for column in np.flatnonzero(categories):
        gap = np.nanmax(X[:, column], initial=-1) + 1
        bins[:, column] = _frequent(np.nan_to_num(X[:, column], nan=gap).astype(np.int64))
    return Columns(ranks, places, bins, categories)


def column_ranks(X: np.ndarray) -> np.ndarray:
    """Twice the rank of each number in its column, around 0; 0 for gaps."""
    ranks = np.empty(X.shape)
    step = max(1, BLOCK // len(X))
    for start in range(0, X.shape[1], step):
        part = slice(start, start + step)
        ranks[:, part] = _ranks(np.ascontiguousarray(X[:, part].T)).T
    return ranks


def _ranks(columns: np.ndarray) -> np.ndarray:
    """For each number of a row, how many are smaller, less how many are larger; 0 for gaps."""
    order = np.argsort(columns, axis=1)  # gaps come last
    ordered = np.take_along_axis(columns, order, axis=1)
    n, at = columns.shape[1], np.arange(columns.shape[1])
    begins, ends = np.ones(ordered.shape, dtype=bool), np.ones(ordered.shape, dtype=bool)
    begins[:, 1:] = ends[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    smaller = np.maximum.accumulate(np.where(begins, at, 0), axis=1)
    up_to = np.minimum.accumulate(np.where(ends, at, n)[:, ::-1], axis=1)[:, ::-1] + 1
    gaps = np.isnan(ordered)
    shared = smaller + up_to - (n - np.count_nonzero(gaps, axis=1))[:, None]
    shared[gaps] = 0
    ranks = np.empty(columns.shape)
    np.put_along_axis(ranks, order, shared, axis=1)
    return ranks


def _frequent(codes: np.ndarray) -> np.ndarray:
    """Categories as bins, the rare ones together."""
    counts = np.bincount(codes)
    order = np.argsort(-counts, kind="stable")[: MOST_BINS - 1]
    kept = [code for code in order.tolist() if counts[code] >= RARE]
    bin_of = np.full(counts.size, len(kept))
    bin_of[kept] = np.arange(len(kept))
    return bin_of[codes]

"""Numbers to bins."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steadfast.core.errors import look_up
from steadfast.core.estimator import Estimator

MOST_BINS = 256

#: Numbers that are put into bins at a time: several copies of a whole table would fill the memory.
BLOCK = 1_000_000


def unit_range(
    X: np.ndarray, lowest: np.ndarray | None = None, highest: np.ndarray | None = None
) -> np.ndarray:
    """Columns from 0 to 1 between their own or the given ends; a constant one is 0."""
    # Halves, because the range of huge values would overflow.
    low = (X.min(axis=0) if lowest is None else lowest) / 2
    span = (X.max(axis=0) if highest is None else highest) / 2 - low
    share = (X / 2 - low) / np.where(span == 0, 1.0, span)
    return np.where(span == 0, 0.0, share)


class EqualWidth(Estimator):
    """Bins of equal width between the smallest and the largest value of each feature.

    bin = ⌊bins · (x − min) / (max − min)⌋, the maximum in the last bin. Values outside the range
    that was learnt go to the first or last bin; a constant feature has the one bin 0.

    Parameters
    ----------
    bins
        Number of bins, 2 to 256.

    References
    ----------
    Dougherty, Kohavi, Sahami, Supervised and Unsupervised Discretization of Continuous Features
    (1995).
    """

    def __init__(self, bins: int = 10):
        self.bins = bins

    def fit(self, X: np.ndarray, y: np.ndarray | None = None) -> "EqualWidth":
        """Learn the range of each column; the classes `y` are not used."""
        if not 2 <= self.bins <= MOST_BINS:
            raise ValueError(f"bins must be 2 to {MOST_BINS}, got {self.bins!r}")
        X = np.asarray(X, dtype=np.float64)
        self.lowest_, self.highest_ = X.min(axis=0), X.max(axis=0)
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Bins as unsigned bytes, rows by features."""
        X = np.asarray(X)
        bins = np.empty_like(X, dtype=np.uint8)
        step = max(1, BLOCK // max(1, X.shape[1]))
        for start in range(0, len(X), step):
            rows = slice(start, start + step)
            share = unit_range(X[rows], self.lowest_, self.highest_)
            bins[rows] = np.clip(np.floor(share * self.bins), 0, self.bins - 1)
        return bins


def to_bins(X: np.ndarray, bins: int = 10) -> np.ndarray:
    """Equal-width bins of these rows; unsigned bytes are bins already."""
    return X if X.dtype == np.uint8 else EqualWidth(bins).fit(X).transform(X)


class MDL(Estimator):
    """Bins cut where the classes say that it pays, by minimum description length.

    A feature that is cut nowhere has the one bin 0; a value at a cut goes to the lower bin. See
    `steadfast.data.mdl`.

    References
    ----------
    Fayyad, Irani, Multi-interval discretization of continuous-valued attributes for classification
    learning (1993).
    """

    def fit(self, X: np.ndarray, y: np.ndarray) -> "MDL":
        """Learn the cut points of each column from the classes `y`, coded 0, 1, …"""
        from steadfast.data.mdl import mdl_cuts

        cuts, counts, _ = mdl_cuts(np.asarray(X, dtype=np.float64), np.asarray(y))
        if counts.max(initial=0) >= MOST_BINS:
            raise ValueError(f"a feature has more than {MOST_BINS} bins")
        self.cuts_ = np.split(cuts, np.cumsum(counts)[:-1])
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Bins as unsigned bytes, rows by features."""
        bins = np.zeros(X.shape, dtype=np.uint8)
        for column, cuts in enumerate(self.cuts_):
            if cuts.size:
                bins[:, column] = np.searchsorted(cuts, X[:, column])
        return bins


#: What a study may name under `discretise: {method: …}`.
METHODS = {"equal_width": EqualWidth, "mdl": MDL}


def create(settings: Mapping[str, Any]) -> EqualWidth | MDL:
    """The discretiser that a study's `discretise` asks for; MDL finds the number of bins itself."""
    method = look_up("method", settings["method"], METHODS)
    return method(settings["bins"]) if method is EqualWidth else method()

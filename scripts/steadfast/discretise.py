"""Numbers to bins."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steadfast.errors import look_up
from steadfast.estimator import Estimator

MOST_BINS = 256


class EqualWidth(Estimator):
    """Bins of equal width between the smallest and the largest value of each feature.

    bin = ⌊bins · (x − min) / (max − min)⌋, the maximum in the last bin. Values outside the range
    that was learnt go to the nearest bin; a constant feature has the one bin 0.

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
        # Halves, because the range of huge values would overflow.
        span = self.highest_ / 2 - self.lowest_ / 2
        constant = span == 0
        share = (np.asarray(X) / 2 - self.lowest_ / 2) / np.where(constant, 1.0, span)
        bins = np.clip(np.floor(share * self.bins), 0, self.bins - 1)
        return np.where(constant, 0, bins).astype(np.uint8)


#: What a study may name under `discretise: {method: …}`.
METHODS = {"equal_width": EqualWidth}


def create(settings: Mapping[str, Any]) -> EqualWidth:
    """The discretiser that a study's `discretise` asks for."""
    return look_up("method", settings["method"], METHODS)(settings["bins"])

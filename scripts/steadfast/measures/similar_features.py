"""Measures that credit different but similar features."""

import numpy as np

from steadfast.information import symmetrical_uncertainty
from steadfast.matching import prefix_matching


class SUMatching:
    """Sim(A, B) = (1/k) · max over matchings M of Σ SU(a, b) over the pairs (a, b) of M.

    A and B are the first k features of two sequences, M matches them one to one, and SU is the
    symmetrical uncertainty of two features on all rows of the data set. The value is 1 for equal
    sets of features that are not constant, and counts a feature replaced by a similar one by that
    similarity. A constant feature is similar to nothing, itself included.

    Parameters
    ----------
    bins
        The data set in bins, one row a feature.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), equations (8) to (12),
    after Yu, Ding, Loscalzo, Stable feature selection via dense feature groups (2008).
    """

    def __init__(self, bins: np.ndarray):
        self.similarity = symmetrical_uncertainty(bins)

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The value for the first k features of both, k = 1, 2, …"""
        k = min(first.size, second.size)
        weights = self.similarity[np.ix_(first[:k], second[:k])]
        return prefix_matching(weights) / np.arange(1, k + 1)

"""Rank correlation."""

import numpy as np


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's rank correlation, ties given average ranks; NaN where all values are equal."""
    from scipy.stats import rankdata

    ranks = np.array([rankdata(np.round(first, 10)), rankdata(np.round(second, 10))])
    if (np.ptp(ranks, axis=1) == 0).any():
        return float("nan")
    return float(np.corrcoef(ranks)[0, 1])

"""Rank correlation."""

import numpy as np


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's rank correlation, ties given average ranks; NaN where all values are equal."""
    from scipy.stats import rankdata

    ranks = np.array([rankdata(np.round(first, 10)), rankdata(np.round(second, 10))])
    if (np.ptp(ranks, axis=1) == 0).any():
        return float("nan")
    return float(np.corrcoef(ranks)[0, 1])


def partial(first: np.ndarray, second: np.ndarray, given: np.ndarray) -> float:
    """Spearman's partial correlation, (r₁₂ − r₁₃r₂₃) / √((1 − r₁₃²)(1 − r₂₃²)), given a third.

    NaN where one of the two says nothing beside the third.
    """
    r12, r13, r23 = spearman(first, second), spearman(first, given), spearman(second, given)
    left = (1 - r13**2) * (1 - r23**2)
    return float((r12 - r13 * r23) / np.sqrt(left)) if left > 1e-12 else float("nan")

"""Stability corrected for chance, from how many runs select each feature."""

from collections.abc import Sequence

import numpy as np


def corrected_stability(
    runs: int, n_features: int, total: np.ndarray, squares: np.ndarray
) -> np.ndarray:
    """1 − (1/m) Σ_f s_f² / (k̄/m · (1 − k̄/m)), s_f² = L/(L−1) · p_f(1 − p_f); NaN if undefined.

    Parameters
    ----------
    runs, n_features
        L and m.
    total, squares
        Σ F_f and Σ F_f² of the numbers F_f of runs that select a feature.

    References
    ----------
    Nogueira, Sechidis, Brown, On the stability of feature selection algorithms, JMLR 18 (2018),
    definition 4.
    """
    above = n_features * (runs * total - squares)
    below = (runs - 1) * total * (n_features - total / runs)
    with np.errstate(divide="ignore", invalid="ignore"):
        return 1 - np.where(below == 0, np.nan, np.true_divide(above, below))


def prefix_stability(sequences: Sequence[np.ndarray], n_features: int) -> np.ndarray:
    """`corrected_stability` of the first k of several sequences of one length, for every k.

    A feature that joins its F-th run adds 2F − 1 to the sum of squares.
    """
    runs, depth = len(sequences), len(sequences[0])
    joined = np.transpose(sequences).ravel()
    order = np.argsort(joined, kind="stable")
    grouped = joined[order]
    first = np.searchsorted(grouped, grouped)
    earlier = np.empty(joined.size, dtype=np.int64)
    earlier[order] = np.arange(joined.size) - first
    squares = np.cumsum((2 * earlier + 1).reshape(depth, runs).sum(axis=1))
    return corrected_stability(runs, n_features, runs * np.arange(1, depth + 1), squares)

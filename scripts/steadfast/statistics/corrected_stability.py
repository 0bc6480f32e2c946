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


def prefix_parts(sequences: Sequence[np.ndarray], n_features: int) -> np.ndarray:
    """The part of each run (rows) in `prefix_stability` at every k (columns), by the jackknife.

    For subsets of one size, that is the mean over pairs of Kuncheva's index,
    (m·|A∩B| − k²) / (k(m − k)).
    With the sums R_i over the pairs of a run, T over all, and L runs, the pseudo-value is
    Lθ − (L − 1)θ_i, θ = T / (L(L−1)/2), θ_i = (T − R_i) / ((L−1)(L−2)/2). NaN for fewer than three
    runs, and where all features are selected.

    References
    ----------
    Arvesen, Jackknifing U-statistics (1969).
    """
    rows = np.array(sequences)
    runs, depth = rows.shape
    if runs < 3:
        return np.full(rows.shape, np.nan)
    places = np.full((runs, n_features), depth)
    np.put_along_axis(places, rows, np.arange(depth)[None], axis=1)
    # A feature joins the intersection at the later of its two places.
    joined = np.maximum(places[:, rows], np.arange(depth))
    joined[np.arange(runs), np.arange(runs)] = depth
    at = joined.transpose(1, 0, 2).reshape(runs, -1) + (depth + 1) * np.arange(runs)[:, None]
    counts = np.bincount(at.ravel(), minlength=runs * (depth + 1)).reshape(runs, -1)
    shared = np.cumsum(counts[:, :depth], axis=1)
    k = np.arange(1.0, depth + 1)
    room = np.where(k < n_features, k * (n_features - k), np.nan)
    own = (n_features * shared - (runs - 1) * k**2) / room
    total = own.sum(axis=0) / 2
    without = (total - own) / ((runs - 1) * (runs - 2) / 2)
    return runs * total / (runs * (runs - 1) / 2) - (runs - 1) * without


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

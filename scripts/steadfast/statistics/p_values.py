"""P-values: of one test, of several at once, and in print."""

import math

import numpy as np


def holm(p: np.ndarray) -> np.ndarray:
    """Holm's corrected p-values: the i-th smallest of n times n + 1 − i, never falling, at most 1.

    A NaN is no test: it stays NaN and does not count.

    References
    ----------
    Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6 (1979).
    """
    p = np.asarray(p, dtype=float)
    corrected = np.full(p.shape, np.nan)
    tests = np.flatnonzero(~np.isnan(p))
    order = tests[np.argsort(p[tests], kind="stable")]
    steps = p[order] * (len(order) - np.arange(len(order)))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected


def printed_p(p: float) -> str:
    """A p-value in print; – where there was no test."""
    if np.isnan(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def mcnemar(first_only: int, second_only: int) -> float:
    """Exact two-sided p-value of McNemar's test: do two classifiers differ in their errors?

    From the numbers of rows that only one of them is wrong on.

    References
    ----------
    McNemar, Note on the sampling error of the difference between correlated proportions (1947).
    """
    n, low = first_only + second_only, min(first_only, second_only)
    tail = sum(math.comb(n, i) for i in range(low + 1)) / 2**n
    return min(1.0, 2 * tail)

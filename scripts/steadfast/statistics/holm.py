"""Several tests at once: p-values that keep the error of a whole table."""

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

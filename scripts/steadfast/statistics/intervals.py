"""The width of a confidence interval of a mean."""

import numpy as np


def tail(level: float) -> float:
    """The probability below the upper end of a two-sided interval."""
    return 1 - (1 - level) / 2


def t_half_width(units: np.ndarray, level: float = 0.95) -> np.ndarray:
    """Half of the interval of each column's mean, t · sd / √rows; NaN for fewer than two rows."""
    from scipy.special import stdtrit

    n = len(units)
    if n < 2:
        return np.full(units.shape[1:], np.nan)
    return stdtrit(n - 1, tail(level)) * units.std(axis=0, ddof=1) / np.sqrt(n)


def resampled_half_width(units: np.ndarray, share: float, level: float = 0.95) -> np.ndarray:
    """Half of the interval of a mean over resamples of one data set.

    t · √((1/J + ρ) s²) with J resamples of variance s², ρ being test over training rows: resamples
    share rows, and the plain s²/J would be too small.

    References
    ----------
    Nadeau, Bengio, Inference for the generalization error (2003), section 3.
    """
    from scipy.special import stdtrit

    n = len(units)
    if n < 2:
        return np.full(units.shape[1:], np.nan)
    return stdtrit(n - 1, tail(level)) * units.std(axis=0, ddof=1) * np.sqrt(1 / n + share)

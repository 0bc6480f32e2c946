"""Where one value, or one row of values, lies among repetitions."""

import numpy as np


def percentile(value: float, repetitions: np.ndarray) -> float:
    """Share of the repetitions below the value, in percent; equal ones count half."""
    below, equal = (np.count_nonzero(mask) for mask in (repetitions < value, repetitions == value))
    return float(50 * (2 * below + equal) / len(repetitions))


def distance_from_others(rows: np.ndarray) -> np.ndarray:
    """Mean absolute difference of each row to the mean of all other rows."""
    others = (rows.sum(axis=0) - rows) / (len(rows) - 1)
    return np.abs(rows - others).mean(axis=1)


def row_percentile(row: np.ndarray, repetitions: np.ndarray) -> tuple[float, float]:
    """How far a row lies from repetitions of it, and the percentile of that among their own.

    The row is pooled with its repetitions and each of them is measured by its distance to the mean
    of the others. If the row is one more repetition, each percentile is as likely as any other:
    the share of repetitions that are at least as far is the p-value of a Monte Carlo test.

    Returns
    -------
    distance, percentile
        `percentile` is the share of the repetitions that lie nearer than the row.
    """
    first, *own = np.round(distance_from_others(np.vstack([row, repetitions])), 9)
    return float(first), percentile(float(first), np.array(own))

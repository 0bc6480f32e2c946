"""The selectors' ranks at each subset size, and their comparison."""

import numpy as np

#: Values closer than this are equal: rounding of means over folds is of the order 1e-16.
TOLERANCE = 1e-10


def competition_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks of the rows of `values` in each column: 1 is the largest, ties share the smaller rank.

    rank = 1 + number of rows that are larger, so that two equal best rows are both 1 and the next
    is 3.
    """
    larger = values[None, :, :] > values[:, None, :] + TOLERANCE
    return 1 + larger.sum(axis=1)


def mean_and_sd(ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation (divisor n − 1) of each row."""
    spread = ranks.std(axis=1, ddof=1) if ranks.shape[1] > 1 else np.zeros(len(ranks))
    return ranks.mean(axis=1), spread


def share_better(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    """Share of the sizes at which `first` is larger, and at which the two are equal."""
    difference = first - second
    return float(np.mean(difference > TOLERANCE)), float(np.mean(np.abs(difference) <= TOLERANCE))

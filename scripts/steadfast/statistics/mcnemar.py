"""McNemar's test: do two classifiers differ in the rows that they are wrong on?"""

import math


def mcnemar(first_only: int, second_only: int) -> float:
    """Exact two-sided p-value from the rows that one is wrong on and the other is not.

    References
    ----------
    McNemar, Note on the sampling error of the difference between correlated proportions (1947).
    """
    n, low = first_only + second_only, min(first_only, second_only)
    tail = sum(math.comb(n, i) for i in range(low + 1)) / 2**n
    return min(1.0, 2 * tail)

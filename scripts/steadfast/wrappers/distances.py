"""Squared distances that do not depend on the order in which features come and go."""

import numpy as np

from steadfast.core.compiled import njit


def resolution(n_features: int) -> float:
    """How many parts the squared range of a feature is cut into.

    Squared differences of features from 0 to 1 are rounded to whole numbers of such parts, and the
    sum over all features stays below 2⁵³: sums and differences of them are exact, so that the
    distance of two rows depends on the features alone, and equal distances are equal.
    """
    return 2.0 ** (52 - int(n_features).bit_length())


@njit()
def squared_difference(first, second, parts):
    """(first − second)² in whole parts."""
    difference = first - second
    return np.rint(difference * difference * parts)

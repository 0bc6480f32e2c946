"""When classes count as unequal."""

import numpy as np

#: Classes are unequal where the largest has more than so many times its fair share of the rows, of
#: two classes three quarters: who always names it is then right so often that what features tell of
#: the other rows hardly shows in accuracy.
UNEQUAL = 1.5


def are_unequal(y: np.ndarray) -> bool:
    """Whether the largest class has more than `UNEQUAL` times one over the number of classes."""
    counts = np.bincount(y)
    return bool(counts.max() * np.count_nonzero(counts) > UNEQUAL * y.size)

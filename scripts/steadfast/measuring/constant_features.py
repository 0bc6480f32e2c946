"""What matching would give if a constant feature were similar to itself."""

import numpy as np


def constant_credit(first: np.ndarray, second: np.ndarray, constant: np.ndarray) -> np.ndarray:
    """|C ∩ A ∩ B| / k for the first k features A and B of two sequences, k = 1, 2, …

    C are the constant features. Matching gives them SU 0 with everything, themselves included
    (`measures.similar_features.Matching`). With SU 1 of each with itself the value is larger by
    exactly this: where c is in both subsets some best matching pairs c with c, because what else
    c could be matched with counts nothing and the two that are freed are matched with each other.

    Parameters
    ----------
    first, second
        Features in order, of one length.
    constant
        For each feature of the data set, whether it is constant.
    """
    sizes = np.arange(1, first.size + 1)
    joined = np.zeros(first.size)
    place = {feature: at for at, feature in enumerate(second.tolist())}
    for at in np.flatnonzero(constant[first]):
        other = place.get(int(first[at]))
        if other is not None:
            joined[max(at, other)] += 1
    return np.cumsum(joined) / sizes

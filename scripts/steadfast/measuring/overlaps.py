"""Overlap of subsets of one size, pair by pair."""

from collections.abc import Sequence

import numpy as np

from steadfast.measures.index import jaccard
from steadfast.measures.runs import Runs


def jaccard_matrix(subsets: Sequence[np.ndarray], n_features: int) -> np.ndarray:
    """Jaccard's index of every pair of subsets of the features; 1 on the diagonal."""
    members = Runs(n_features, subsets).members
    sizes = members.sum(axis=1)
    return jaccard(sizes[:, None], sizes[None, :], members @ members.T, n_features)


def mean_of_pairs(matrix: np.ndarray) -> float:
    """Mean over the pairs of different rows; NaN where there is no pair."""
    pairs = matrix[np.triu_indices(len(matrix), 1)]
    return float(pairs.mean()) if pairs.size else float("nan")


def size_of(size: float | str, n_features: int) -> int:
    """A subset size: a number, a share of the features (below 1), or their square root."""
    if size == "sqrt":
        return max(1, int(n_features**0.5 + 0.5))
    wanted = int(size * n_features + 0.5) if size < 1 else int(size)
    return min(max(1, wanted), n_features)

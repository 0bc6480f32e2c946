"""How similar the training samples are that selections are compared over."""

from collections.abc import Sequence

import numpy as np

from steadfast.data.discretise import unit_range


def row_distances(X: np.ndarray) -> np.ndarray:
    """Euclidean distance of every pair of rows, features from 0 to 1, divided by √m: 0 to 1."""
    Z = unit_range(X)
    squares = (Z**2).sum(axis=1)
    products = squares[:, None] + squares[None, :] - 2 * (Z @ Z.T)
    np.fill_diagonal(products, 0.0)
    return np.sqrt(np.maximum(products, 0.0) / Z.shape[1])


def training_distance(distances: np.ndarray, y: np.ndarray, samples: Sequence[np.ndarray]) -> float:
    """Mean distance of the rows of one class in two samples, over classes and pairs of samples.

    S_X = mean over pairs (i, j) of samples of the mean over classes c in both of
    Σ_r Σ_k ‖x_r − x_k‖ / (|X_ic| |X_jc|), r and k the rows of class c in sample i and j. The paper
    prints this mean distance and argues from it as from a similarity, which is 1 minus it.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 3.4.
    """
    shape = (len(samples), len(samples))
    total, n_classes = np.zeros(shape), np.zeros(shape)
    for label in np.unique(y):
        counts = np.zeros((len(samples), len(y)))
        for row, sample in zip(counts, samples, strict=True):
            np.add.at(row, sample[y[sample] == label], 1.0)
        sizes = counts.sum(axis=1)
        both = np.outer(sizes, sizes)
        total += np.divide(counts @ distances @ counts.T, both, out=np.zeros(shape), where=both > 0)
        n_classes += both > 0
    pairs = np.triu_indices(len(samples), 1)
    total, n_classes = total[pairs], n_classes[pairs]
    shared = n_classes > 0
    return float((total[shared] / n_classes[shared]).mean()) if shared.any() else float("nan")

"""How similar the training samples are that selections are compared over."""

from collections.abc import Callable, Sequence

import numpy as np

from steadfast.data.discretise import unit_range


def row_distances(X: np.ndarray) -> np.ndarray:
    """Euclidean distance of every pair of rows, features from 0 to 1, divided by √m: 0 to 1."""
    return np.sqrt(_squared_distances(unit_range(X)) / X.shape[1])


def _squared_distances(Z: np.ndarray) -> np.ndarray:
    squares = (Z**2).sum(axis=1)
    products = squares[:, None] + squares[None, :] - 2 * (Z @ Z.T)
    np.fill_diagonal(products, 0.0)
    return np.maximum(products, 0.0)


def _standardise(X: np.ndarray) -> np.ndarray:
    """Every feature with mean 0 and standard deviation 1; constant ones are 0."""
    centred, spread = X - X.mean(axis=0), X.std(axis=0)
    return centred / np.where(spread > 0, spread, 1.0)


def _cosines(X: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    unit = X / np.where(norms > 0, norms, 1.0)
    return np.clip(unit @ unit.T, -1, 1)


#: Readings of what is averaged to S_X: name, in print, and the matrix of all pairs of rows.
READINGS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "distance": ("distance d/√m, features from 0 to 1", row_distances),
    "similarity": ("1 − d/√m", lambda X: 1 - row_distances(X)),
    "squared": ("d²/m", lambda X: row_distances(X) ** 2),
    "inverse": (
        "1/(1 + d), features from 0 to 1",
        lambda X: 1 / (1 + np.sqrt(_squared_distances(unit_range(X)))),
    ),
    "inverse_z": (
        "1/(1 + d), z-scores of features",
        lambda X: 1 / (1 + np.sqrt(_squared_distances(_standardise(X)))),
    ),
    "correlation": (
        "1 − correlation of rows",
        lambda X: 1 - _cosines(X - X.mean(axis=1, keepdims=True)),
    ),
    "cosine": ("1 − cosine of rows", lambda X: 1 - _cosines(X)),
}


def training_distance(
    distances: np.ndarray, y: np.ndarray, samples: Sequence[np.ndarray], *, own: bool = True
) -> float:
    """Mean distance of the rows of one class in two samples, over classes and pairs of samples.

    S_X = mean over pairs (i, j) of samples of the mean over classes c in both of
    Σ_r Σ_k ‖x_r − x_k‖ / (|X_ic| |X_jc|), r and k the rows of class c in sample i and j. The paper
    prints this mean distance and argues from it as from a similarity, which is 1 minus it. Without
    `own`, a row that is in both samples is not paired with itself.

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
        sums = counts @ distances @ counts.T
        if not own:
            both = both - counts @ counts.T
            sums = sums - (counts * np.diag(distances)) @ counts.T
        total += np.divide(sums, both, out=np.zeros(shape), where=both > 0)
        n_classes += both > 0
    pairs = np.triu_indices(len(samples), 1)
    total, n_classes = total[pairs], n_classes[pairs]
    shared = n_classes > 0
    return float((total[shared] / n_classes[shared]).mean()) if shared.any() else float("nan")

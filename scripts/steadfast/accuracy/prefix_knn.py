"""Classifiers scored along a feature sequence.

`prefix_knn` scores the first k features for every k at once.
"""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.nearest import insert, vote


def prefix_knn(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    *,
    n_neighbours: int = 3,
) -> np.ndarray:
    """Accuracy of k-nearest neighbours on the first k columns, for every k.

    Squared Euclidean distances grow by one feature's squared difference per step, so that all sizes
    together cost as much as one computation on all features.

    Parameters
    ----------
    X_train, X_test
        Rows by features, the features in the order of the sequence.
    n_neighbours
        Number of neighbours that vote. Neighbours at equal distance are taken in row order, all
        copies of a row at the place of the first; equal votes go to the lower class.

    Returns
    -------
    accuracy
        accuracy[k−1] is the share of test rows classified correctly with the first k features;
        NaN where there is no test row.
    """
    return _sweep(X_train, y_train, X_test, y_test, n_neighbours, keep=False)[0]


def prefix_votes(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    *,
    n_neighbours: int = 3,
) -> tuple[np.ndarray, np.ndarray]:
    """The accuracy of `prefix_knn`, and the votes behind it from the same sweep over the features.

    Returns
    -------
    accuracy
        As of `prefix_knn`.
    votes
        votes[k−1, t, c] is how many neighbours of test row t by the first k features are of class
        c.
    """
    return _sweep(X_train, y_train, X_test, y_test, n_neighbours, keep=True)


def _sweep(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    n_neighbours: int,
    keep: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy and, if they are kept, votes at every size."""
    n_neighbours = min(n_neighbours, len(y_train))
    n_classes = int(max(y_train.max(), y_test.max(initial=0))) + 1
    shape = (X_train.shape[1], len(y_test), n_classes) if keep else (0, 0, 0)
    votes = np.empty(shape, dtype=np.min_scalar_type(n_neighbours))
    if not len(y_test):
        return np.full(X_train.shape[1], np.nan), votes
    rows, copies = _distinct_rows(X_train, y_train)
    hits = _prefix_knn(
        np.ascontiguousarray(X_train[rows].T, dtype=np.float64),
        np.ascontiguousarray(y_train[rows]),
        copies,
        np.ascontiguousarray(X_test.T, dtype=np.float64),
        np.ascontiguousarray(y_test),
        n_classes,
        n_neighbours,
        votes,
    )
    return hits / len(y_test), votes


def _distinct_rows(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First occurrence and number of copies of each distinct row; bootstraps hold many copies."""
    labelled = np.ascontiguousarray(np.column_stack([X, y]))
    keys = labelled.view(np.dtype((np.void, labelled.itemsize * labelled.shape[1]))).ravel()
    _, first, copies = np.unique(keys, return_index=True, return_counts=True)
    order = np.argsort(first)
    return first[order], copies[order]


_BLOCK = 16


@njit()
def _prefix_knn(train, y_train, copies, test, y_test, n_classes, n_neighbours, kept):
    m, n = train.shape
    hits = np.zeros(m, np.int64)
    padded = (n + _BLOCK - 1) // _BLOCK * _BLOCK
    distance = np.empty(padded)
    near_distance = np.empty(n_neighbours)
    near_row = np.empty(n_neighbours, np.int64)
    votes = np.zeros(n_classes, np.int64)
    for t in range(test.shape[1]):
        distance[:n] = 0.0
        distance[n:] = np.inf
        limit = np.inf
        for k in range(m):
            _add_feature(distance, train[k], test[k, t])
            if k:
                limit = _farthest(distance, near_row)
            _nearest(distance, copies, limit, near_distance, near_row)
            if vote(y_train, near_row, votes) == y_test[t]:
                hits[k] += 1
            if kept.size:
                kept[k, t] = votes
    return hits


@njit()
def _add_feature(distance, values, value):
    for i in range(values.size):
        difference = values[i] - value
        distance[i] += difference * difference


@njit()
def _farthest(distance, near_row):
    """The neighbours of the step before bound the distance of this step's neighbours."""
    limit = 0.0
    for row in near_row:
        limit = max(limit, distance[row])
    return limit


@njit()
def _nearest(distance, copies, limit, near_distance, near_row):
    """The nearest rows, each counted as often as it was drawn; rows beyond `limit` cannot be."""
    size = near_row.size
    near_distance[:] = np.inf
    near_row[:] = -1
    for start in range(0, distance.size, _BLOCK):
        lowest = distance[start]
        for i in range(start + 1, start + _BLOCK):
            lowest = min(lowest, distance[i])
        if lowest > limit or (near_row[size - 1] >= 0 and lowest >= near_distance[size - 1]):
            continue
        for i in range(start, start + _BLOCK):
            if distance[i] > limit:
                continue
            for _ in range(copies[i] if i < copies.size else 0):
                if near_row[size - 1] >= 0 and distance[i] >= near_distance[size - 1]:
                    break
                insert(near_distance, near_row, distance[i], i)

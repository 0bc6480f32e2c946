"""k-nearest neighbours, from distances that grow and shrink by one feature."""

from collections.abc import Sequence

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.base import NEVER, FixedCriterion, Split
from steadfast.wrappers.distances import resolution, squared_difference
from steadfast.wrappers.nearest import BLOCK, change_all, farthest, insert, nearest, vote

#: One in so many training rows are few, and gone through one by one.
_FEW = 4

#: Ciura's gaps for sorting.
_GAPS = (301, 132, 57, 23, 10, 4, 1)


class NeighbourCriterion(FixedCriterion):
    """Majority of the k nearest training rows by Euclidean distance.

    Neighbours at equal distance are taken in row order; equal votes go to the lower class.

    The squared distances on the subset are kept. With a feature more they are at least as large, so
    that a training row is out of the question which is farther already than the k nearest so far
    become; what is left of all rows is small, and the candidates go through it from the nearest on.

    Parameters
    ----------
    n_neighbors
        k.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, splits: Sequence[Split], n_neighbors: int = 3):
        super().__init__(X, y, splits)
        m = X.shape[1]
        k = min(n_neighbors, *(split.train.size for split in splits))
        self._parts = resolution(m)
        self._n_classes = int(y.max()) + 1
        self._n_test = np.array([split.test.size for split in splits])
        width = -(-max(split.train.size for split in splits) // BLOCK) * BLOCK
        height = self._n_test.max()
        self._train = np.zeros((len(splits), m, width))
        self._test = np.zeros((len(splits), m, height))
        self._y_train = np.zeros((len(splits), width), dtype=np.int64)
        self._y_test = np.zeros((len(splits), height), dtype=np.int64)
        # Places beyond the last training row are never near.
        self._distance = np.full((len(splits), height, width), np.inf)
        for at, (train, test) in enumerate(splits):
            self._train[at, :, : train.size], self._test[at, :, : test.size] = X[train].T, X[test].T
            self._y_train[at, : train.size], self._y_test[at, : test.size] = y[train], y[test]
            self._distance[at, :, : train.size] = 0
        self._near = np.tile(np.arange(k), (len(splits), height, 1))

    def scores_without(self, above: int) -> np.ndarray:
        return self._weights @ self._hits(self.subset, -1.0, self.perfect - above)

    def hits_with(self, candidates: list[int]) -> np.ndarray:
        return self._hits(candidates, 1.0)

    def hits_without(self, candidates: list[int]) -> np.ndarray:
        return self._hits(candidates, -1.0)

    def _hits(self, candidates: list[int], sign: float, stop: int = NEVER) -> np.ndarray:
        return _hits(
            self._train,
            self._test,
            self._y_train,
            self._y_test,
            self._n_test,
            self._distance,
            self._near,
            np.array(candidates, dtype=np.int64),
            sign,
            self._parts,
            self._n_classes,
            self._weights,
            stop,
        )

    def update(self, feature: int, *, added: bool) -> None:
        _update(
            self._train,
            self._test,
            self._n_test,
            self._distance,
            self._near,
            feature,
            1.0 if added else -1.0,
            self._parts,
        )


@njit()
def _hits(
    train,
    test,
    y_train,
    y_test,
    n_test,
    distance,
    near,
    candidates,
    sign,
    parts,
    n_classes,
    weights,
    stop,
):
    n_candidates, width = candidates.size, train.shape[2]
    hits = np.zeros((train.shape[0], n_candidates), np.int64)
    lost = np.zeros(n_candidates, np.int64)
    limits, changed = np.empty(n_candidates), np.empty(width)
    rows = np.empty(width, np.int64)
    near_distance = np.empty(near.shape[2])
    near_row = np.empty(near.shape[2], np.int64)
    votes = np.zeros(n_classes, np.int64)
    n_sorted = n_rows = 0
    for split in range(train.shape[0]):
        columns, labels = train[split], y_train[split]
        for t in range(n_test[split]):
            own, before = distance[split, t], near[split, t]
            for c in range(n_candidates):
                f = candidates[c]
                limits[c] = farthest(own, columns[f], test[split, f, t], sign, parts, before)
            near_limit = limits.mean()
            few = sign > 0 and _count(own, near_limit) * _FEW <= width
            if few:
                n_sorted, n_rows = _gather_candidates(own, near_limit, limits.max(), rows)
            for c in range(n_candidates):
                if stop >= 0 and lost[c] >= stop:
                    continue
                f = candidates[c]
                value = test[split, f, t]
                if few:
                    _nearest_with(
                        *(own, columns, f, value, parts, rows, n_sorted, n_rows),
                        *(near_distance, near_row),
                    )
                else:
                    change_all(own, columns[f], value, sign, parts, changed)
                    nearest(changed, limits[c], near_distance, near_row)
                if vote(labels, near_row, votes) == y_test[split, t]:
                    hits[split, c] += 1
                else:
                    lost[c] += weights[split]
    return hits


@njit()
def _count(own, limit):
    count = 0
    for i in range(own.size):
        count += own[i] <= limit
    return count


@njit()
def _gather_candidates(own, near_limit, limit, rows):
    """Rows up to a limit into `rows`; how many lie within the nearer one, and how many in all.

    The nearer ones come first and are sorted, by distance and then by their number.
    """
    n_sorted = 0
    for i in range(own.size):
        if own[i] <= near_limit:
            rows[n_sorted] = i
            n_sorted += 1
    for gap in _GAPS:
        for at in range(gap, n_sorted):
            row, place = rows[at], at
            while place >= gap and _comes_before(own, row, rows[place - gap]):
                rows[place] = rows[place - gap]
                place -= gap
            rows[place] = row
    n_rows = n_sorted
    for i in range(own.size):
        if near_limit < own[i] <= limit:
            rows[n_rows] = i
            n_rows += 1
    return n_sorted, n_rows


@njit()
def _comes_before(distance, first, second):
    return distance[first] < distance[second] or (
        distance[first] == distance[second] and first < second
    )


@njit()
def _nearest_with(own, columns, f, value, parts, rows, n_sorted, n_rows, near_distance, near_row):
    """The nearest rows with a feature more, of rows of which the first are sorted without it."""
    last = near_row.size - 1
    for place in range(last + 1):
        near_distance[place], near_row[place] = np.inf, own.size
    for at in range(n_rows):
        row = rows[at]
        if own[row] > near_distance[last]:
            if at < n_sorted:
                break
            continue
        changed = own[row] + squared_difference(columns[f, row], value, parts)
        if changed < near_distance[last] or (
            changed == near_distance[last] and row < near_row[last]
        ):
            insert(near_distance, near_row, changed, row)


@njit()
def _update(train, test, n_test, distance, near, f, sign, parts):
    near_distance = np.empty(near.shape[2])
    for split in range(train.shape[0]):
        columns = train[split]
        for t in range(n_test[split]):
            own, before = distance[split, t], near[split, t]
            value = test[split, f, t]
            limit = farthest(own, columns[f], value, sign, parts, before)
            change_all(own, columns[f], value, sign, parts, own)
            nearest(own, limit, near_distance, before)

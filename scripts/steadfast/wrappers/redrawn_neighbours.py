"""k-nearest neighbours on splits drawn anew for every evaluation, from distances of all rows."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.base import NEVER
from steadfast.wrappers.distances import resolution
from steadfast.wrappers.nearest import BLOCK, change_all, farthest, insert, nearest, vote
from steadfast.wrappers.redrawn import TEST, TRAIN, Redraw, RedrawnCriterion

#: So many times k of all rows are looked through for k that train; about half of the rows do.
_MORE = 4


class RedrawnNeighbours(RedrawnCriterion):
    """The neighbours and votes of `steadfast.wrappers.neighbours`.

    The squared distances of all rows on the subset are kept. A candidate changes them all once, and
    the nearest few rows of each serve all splits: a split takes the first k that train in it.

    Parameters
    ----------
    n_neighbors
        k.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, redraw: Redraw, n_neighbors: int = 3):
        super().__init__(X, y, redraw)
        n = len(X)
        self._k = min(n_neighbors, redraw.n_train)
        self._parts = resolution(X.shape[1])
        self._columns = np.zeros((X.shape[1], -(-n // BLOCK) * BLOCK))
        self._columns[:, :n] = X.T
        # A row is not its own neighbour, and places beyond the last row are never near.
        self._distance = np.full((n, self._columns.shape[1]), np.inf)
        self._distance[:, :n] = 0
        np.fill_diagonal(self._distance, np.inf)
        few = np.arange(min(_MORE * self._k + 1, n))
        self._near = np.array([few[few != row][: few.size - 1] for row in range(n)])
        self._n_classes = int(y.max()) + 1

    def hits_on(
        self, candidates: list[int], roles: np.ndarray, *, added: bool, stop: int = NEVER
    ) -> np.ndarray:
        return _hits(
            *(self._columns, self.y, self._distance, self._near, np.array(candidates), roles),
            *(1.0 if added else -1.0, self._parts, self._k, self._n_classes),
            *(self._weights[0], stop),
        )

    def update(self, feature: int, *, added: bool) -> None:
        sign = 1.0 if added else -1.0
        _update(self._columns[feature], self._distance, self._near, sign, self._parts)


@njit()
def _hits(columns, y, distance, near, candidates, roles, sign, parts, k, n_classes, weight, stop):
    n_splits = roles.shape[1]
    hits = np.zeros((candidates.size, n_splits), np.int64)
    changed = np.empty(distance.shape[1])
    inside, rows = np.empty(changed.size, np.uint8), np.empty(changed.size + 1, np.int64)
    words = inside.view(np.uint64)
    near_distance, near_row = np.empty(near.shape[1]), np.empty(near.shape[1], np.int64)
    # Room for one row more than there are: what does not train is written over.
    taken, taken_distance = np.empty(near.shape[1] + 1, np.int64), np.empty(k)
    votes = np.zeros(n_classes, np.int64)
    for c in range(candidates.size):
        values = columns[candidates[c]]
        own, lost = roles[c].T.copy(), 0
        for row in range(y.size):
            if stop >= 0 and lost >= stop:
                break
            limit = farthest(distance[row], values, values[row], sign, parts, near[row])
            change_all(distance[row], values, values[row], sign, parts, changed)
            n_rows = _rows_within(changed, limit, inside, words, rows)
            _sort_nearest(changed, rows, n_rows, near_distance, near_row)
            for split in range(n_splits):
                if own[row, split] != TEST:
                    continue
                if _take_trained(near_row, own, split, taken) < k:
                    _take_from_all(changed, roles[c, split], taken_distance, taken[:k])
                if vote(y, taken[:k], votes) == y[row]:
                    hits[c, split] += 1
                else:
                    lost += weight
        if stop >= 0:
            stop = min(stop, lost)
    return hits


@njit()
def _rows_within(distance, limit, inside, words, rows):
    """Rows up to a limit into `rows`, and how many; `words` are eight marks of `inside` each."""
    for row in range(distance.size):
        inside[row] = distance[row] <= limit
    count = 0
    for at in range(words.size):
        if words[at] != 0:
            for row in range(8 * at, 8 * at + 8):
                rows[count] = row
                count += inside[row]
    return count


@njit()
def _sort_nearest(distance, rows, n_rows, near_distance, near_row):
    """The nearest of some rows, in their order."""
    near_distance[:] = np.inf
    last = near_row.size - 1
    for at in range(n_rows):
        row = rows[at]
        if distance[row] < near_distance[last]:
            insert(near_distance, near_row, distance[row], row)


@njit()
def _take_trained(near_row, roles, split, taken):
    """The rows that train in a split, from the nearest on, and how many there are."""
    count = 0
    for row in near_row:
        taken[count] = row
        count += roles[row, split] == TRAIN
    return count


@njit()
def _take_from_all(distance, roles, taken_distance, taken):
    """The nearest of all rows that train."""
    trained = np.full(distance.size, np.inf)
    for row in range(roles.size):
        if roles[row] == TRAIN:
            trained[row] = distance[row]
    nearest(trained, np.inf, taken_distance, taken)


@njit()
def _update(values, distance, near, sign, parts):
    near_distance = np.empty(near.shape[1])
    for row in range(len(distance)):
        own = distance[row]
        limit = farthest(own, values, values[row], sign, parts, near[row])
        change_all(own, values, values[row], sign, parts, own)
        nearest(own, limit, near_distance, near[row])

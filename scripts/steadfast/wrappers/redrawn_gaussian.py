"""The Gaussian classifier on splits drawn anew for every evaluation, from scratch each time."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.redrawn import TEST, TRAIN, Redraw, RedrawnCriterion


class RedrawnGaussian(RedrawnCriterion):
    """The classes, priors and covariances of `steadfast.wrappers.gaussian`, by Cholesky factors.

    Parameters
    ----------
    ridge, mean
        As there.
    """

    def __init__(
        self, X: np.ndarray, y: np.ndarray, redraw: Redraw, ridge: float = 1e-6, mean: str = "own"
    ):
        super().__init__(X, y, redraw)
        self._columns = np.ascontiguousarray(X.T, dtype=np.float64)
        self._n_classes = int(y.max()) + 1
        self._ridge, self._own_mean = ridge, mean == "own"

    def hits_on(self, candidates: list[int], roles: np.ndarray, *, added: bool) -> np.ndarray:
        subsets = np.array([self.subset_with(each, added=added) for each in candidates])
        settings = self._n_classes, self._ridge, self._own_mean
        return _hits(self._columns, self.y, subsets, roles, *settings)

    def update(self, feature: int, *, added: bool) -> None:
        """Nothing is kept from one subset to the next."""


@njit()
def _hits(columns, y, subsets, roles, n_classes, ridge, own_mean):
    n, k = y.size, subsets.shape[1]
    hits = np.zeros(roles.shape[:2], np.int64)
    rows, trained = np.empty((n, k)), np.empty(n, np.int64)
    tested = np.empty(n, np.int64)
    means, mean = np.zeros((n_classes, k)), np.empty(k)
    factor, centred = np.empty((k, k)), np.empty((k, n))
    for at in range(roles.shape[0]):
        for split in range(roles.shape[1]):
            n_test = _gather_tested(roles[at, split], tested)
            best = np.full(n_test, -np.inf)
            found = np.zeros(n_test, np.int64)
            n_train = np.count_nonzero(roles[at, split] == TRAIN)
            for label in range(n_classes):
                n_own = _gather_trained(roles[at, split], y, label, trained)
                if n_own == 0:
                    continue
                _gather(columns, subsets[at], trained, n_own, rows)
                _centre(rows, n_own, means[label])
                _factorise(rows, n_own, ridge, factor)
                mean[:] = means[label] if own_mean else means[0]
                offset = np.log(n_own / n_train)
                for a in range(k):
                    offset -= np.log(factor[a, a])
                _compare(
                    *(columns, subsets[at], tested, n_test, mean, factor, centred),
                    *(offset, label, best, found),
                )
            for t in range(n_test):
                hits[at, split] += found[t] == y[tested[t]]
    return hits


@njit()
def _gather_tested(roles, tested):
    n_test = 0
    for row in range(roles.size):
        if roles[row] == TEST:
            tested[n_test] = row
            n_test += 1
    return n_test


@njit()
def _gather_trained(roles, y, label, trained):
    n_own = 0
    for row in range(roles.size):
        if roles[row] == TRAIN and y[row] == label:
            trained[n_own] = row
            n_own += 1
    return n_own


@njit()
def _gather(columns, subset, trained, n_own, rows):
    for a in range(subset.size):
        values = columns[subset[a]]
        for i in range(n_own):
            rows[i, a] = values[trained[i]]


@njit()
def _centre(rows, n_own, mean):
    """Take the mean off the rows."""
    mean[:] = 0.0
    for i in range(n_own):
        mean += rows[i]
    mean /= n_own
    for i in range(n_own):
        rows[i] -= mean


@njit()
def _factorise(rows, n_own, ridge, factor):
    """Cholesky's lower factor of (1 − ridge)·covariance + ridge·I."""
    k = factor.shape[0]
    factor[:] = 0.0
    for i in range(n_own):
        row = rows[i]
        for a in range(k):
            value, own = row[a], factor[a]
            for b in range(a + 1):
                own[b] += value * row[b]
    for a in range(k):
        for b in range(a + 1):
            total = factor[a, b] * ((1 - ridge) / n_own) + (ridge if a == b else 0.0)
            for c in range(b):
                total -= factor[a, c] * factor[b, c]
            factor[a, b] = np.sqrt(total) if a == b else total / factor[b, b]


@njit()
def _compare(columns, subset, tested, n_test, mean, factor, centred, offset, label, best, found):
    """Note the class where share · density is the highest so far; the lower class on ties."""
    squared = np.zeros(n_test)
    for a in range(subset.size):
        values, own = columns[subset[a]], centred[a]
        for t in range(n_test):
            own[t] = values[tested[t]] - mean[a]
        for b in range(a):
            weight, other = factor[a, b], centred[b]
            for t in range(n_test):
                own[t] -= weight * other[t]
        inverse = 1 / factor[a, a]
        for t in range(n_test):
            own[t] *= inverse
            squared[t] += own[t] * own[t]
    for t in range(n_test):
        value = offset - squared[t] / 2
        if value > best[t]:
            best[t], found[t] = value, label

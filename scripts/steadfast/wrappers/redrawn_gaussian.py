"""The Gaussian classifier on splits drawn anew for every evaluation, from scratch each time."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.compiled.vectors import LANES
from steadfast.wrappers.base import NEVER
from steadfast.wrappers.kernels.moment_passes import centre, sum_products
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

    def hits_on(
        self, candidates: list[int], roles: np.ndarray, *, added: bool, stop: int = NEVER
    ) -> np.ndarray:
        subsets = np.array([self.subset_with(each, added=added) for each in candidates])
        settings = self._n_classes, self._ridge, self._own_mean
        return _hits(self._columns, self.y, subsets, roles, *settings, self._weights[0], stop)

    def update(self, feature: int, *, added: bool) -> None:
        """Nothing is kept from one subset to the next."""


@njit()
def _hits(columns, y, subsets, roles, n_classes, ridge, own_mean, weight, stop):
    n, k = y.size, subsets.shape[1]
    width = -(-k // LANES) * LANES
    hits = np.zeros(roles.shape[:2], np.int64)
    table, rows, factor = np.zeros((n, width)), np.empty((n, width)), np.empty((width, width))
    means, centred = np.zeros((n_classes, width)), np.empty((k, n))
    trained, tested = np.empty(n, np.int64), np.empty(n, np.int64)
    for at in range(roles.shape[0]):
        _gather(columns, subsets[at], table)
        lost = 0
        for split in range(roles.shape[1]):
            if stop >= 0 and lost >= stop:
                break
            n_test = _gather_tested(roles[at, split], tested)
            best = np.full(n_test, -np.inf)
            found = np.zeros(n_test, np.int64)
            n_train = np.count_nonzero(roles[at, split] == TRAIN)
            for label in range(n_classes):
                n_own = _gather_trained(roles[at, split], y, label, trained)
                if n_own == 0:
                    continue
                centre(table, trained, n_own, means[label], rows)
                sum_products(rows, n_own, factor)
                _factorise(factor, k, n_own, ridge)
                offset = np.log(n_own / n_train)
                for a in range(k):
                    offset -= np.log(factor[a, a])
                mean = means[label if own_mean else 0]
                _compare(
                    *(columns, subsets[at], tested, n_test, mean, factor, centred),
                    *(offset, label, best, found),
                )
            for t in range(n_test):
                hits[at, split] += found[t] == y[tested[t]]
            lost += weight * (n_test - hits[at, split])
        if stop >= 0:
            stop = min(stop, lost)
    return hits


@njit()
def _gather(columns, subset, table):
    """The columns of a subset side by side."""
    for a in range(subset.size):
        values = columns[subset[a]]
        for row in range(values.size):
            table[row, a] = values[row]


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
def _factorise(factor, k, n_own, ridge):
    """Cholesky's lower factor of (1 − ridge)·covariance + ridge·I, in the place of the products."""
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

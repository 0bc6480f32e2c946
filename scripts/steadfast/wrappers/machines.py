"""The support vector machine with a Gaussian kernel, from distances kept for all rows.

Kernel values are computed when the solver first needs a row of them: most rows are never needed.
The solver is libsvm's. Where γ is the same in all splits, they share the rows.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.compiled.vectors import padded
from steadfast.wrappers.base import NEVER, FixedCriterion, Split
from steadfast.wrappers.distances import resolution, squared_difference
from steadfast.wrappers.kernels.kernel_rows import Kernel, kernel_row
from steadfast.wrappers.kernels.solver import solve
from steadfast.wrappers.redrawn import TEST, TRAIN, Redraw, RedrawnCriterion, roles_of


class MachineCriterion(FixedCriterion):
    """C-support vector classification, K(x, z) = exp(−γ|x − z|²), one machine for each two classes.

    The dual is solved by sequential minimal optimisation, pairs chosen by second-order information,
    from zero and to the tolerance `tol`, step by step as libsvm does (without shrinking, and with
    kernel values in double precision). Of more than two classes, the one with the most votes, the
    lower on ties.

    Parameters
    ----------
    C
        Cost of errors.
    gamma
        γ: a number; `scale`, 1 / (|S| · variance of the split's training values of the subset S),
        scikit-learn's; `auto`, 1 / |S|, libsvm's; or `all`, 1 / (number of all features), libsvm's
        where features that are not in S are set to 0.
    tol
        How far the optimality conditions may be violated.

    References
    ----------
    Fan, Chen, Lin, Working set selection using second order information for training support vector
    machines (2005).
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        splits: Sequence[Split],
        C: float = 1.0,
        gamma: float | str = "scale",
        tol: float = 1e-3,
    ):
        super().__init__(X, y, splits)
        self._machines = _Machines(X, y, C, gamma, tol)
        self._splits = self._machines.divide(roles_of(splits, len(X)))

    def scores_with(self, candidates: Sequence[int]) -> np.ndarray:
        return self._weights @ self._hits(list(candidates), 1.0, self.perfect + 1)

    def scores_without(self, above: int) -> np.ndarray:
        return self._weights @ self._hits(self.subset, -1.0, self.perfect - above)

    def hits_with(self, candidates: list[int]) -> np.ndarray:
        return self._hits(candidates, 1.0)

    def hits_without(self, candidates: list[int]) -> np.ndarray:
        return self._hits(candidates, -1.0)

    def _hits(self, candidates: list[int], sign: float, stop: int = NEVER) -> np.ndarray:
        splits = [self._splits] * len(candidates)
        return self._machines.hits(splits, self.subset, candidates, sign, self._weights, stop).T

    def update(self, feature: int, *, added: bool) -> None:
        self._machines.update(feature, 1.0 if added else -1.0)


class RedrawnMachines(RedrawnCriterion):
    """The machines of `MachineCriterion`, on splits drawn anew for every evaluation.

    Parameters
    ----------
    C, gamma, tol
        As there.
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        redraw: Redraw,
        C: float = 1.0,
        gamma: float | str = "scale",
        tol: float = 1e-3,
    ):
        super().__init__(X, y, redraw)
        self._machines = _Machines(X, y, C, gamma, tol)

    def hits_on(
        self, candidates: list[int], roles: np.ndarray, *, added: bool, stop: int = NEVER
    ) -> np.ndarray:
        splits = (self._machines.divide(own) for own in roles)
        sign = 1.0 if added else -1.0
        return self._machines.hits(splits, self.subset, candidates, sign, self._weights, stop)

    def update(self, feature: int, *, added: bool) -> None:
        self._machines.update(feature, 1.0 if added else -1.0)


class _Division(NamedTuple):
    """Several splits (first axis).

    Attributes
    ----------
    train, ends
        Training rows, those of class c in ends[c]:ends[c + 1].
    test, n_test
        Test rows, and how many of them.
    """

    train: np.ndarray
    ends: np.ndarray
    test: np.ndarray
    n_test: np.ndarray


class _Splits:
    """Splits with the moments of their training rows, which are computed when first needed."""

    def __init__(self, X: np.ndarray, division: _Division):
        self.division, self._X = division, X

    @cached_property
    def moments(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Means and mean squares of all features in each split."""
        trained = zip(self.division.train, self.division.ends[:, -1], strict=True)
        parts = [self._X[np.sort(train[:end])] for train, end in trained]
        return [(rows.mean(axis=0), (rows**2).mean(axis=0)) for rows in parts]


class _Machines:
    """Squared distances of all rows on the subset; machines are trained on parts of them."""

    def __init__(self, X: np.ndarray, y: np.ndarray, C: float, gamma: float | str, tol: float):
        n = len(X)
        self._X, self._y = X, y
        self._classes = y, np.argsort(y, kind="stable"), int(y.max()) + 1
        self._columns = np.ascontiguousarray(X.T, dtype=np.float64)
        self._parts = resolution(X.shape[1])
        self._distance = np.zeros((n, n))
        self._kept, self._room = np.empty((n, n)), np.empty((n, padded(n)))
        self._cost, self._gamma, self._tolerance = float(C), gamma, float(tol)

    def divide(self, roles: np.ndarray) -> _Splits:
        """The splits in which rows have these roles."""
        return _Splits(self._X, _divide(roles, *self._classes))

    def hits(
        self,
        splits: Iterable[_Splits],
        subset: list[int],
        candidates: list[int],
        sign: float,
        weights: np.ndarray,
        stop: int,
    ) -> np.ndarray:
        """Correct predictions with each candidate (row) more, or less, in its splits (columns)."""
        hits = np.zeros((len(candidates), weights.size), dtype=np.int64)
        for own, one, feature in zip(hits, splits, candidates, strict=True):
            left = [other for other in subset if other != feature]
            widths = self._widths(one, [*left, feature] if sign > 0 else left)
            lost = _count_hits(
                *(self._distance, self._columns[feature], sign, self._parts, widths),
                *(self._kept, self._room, one.division, self._y, self._cost, self._tolerance),
                *(weights, stop, own),
            )
            stop = min(stop, lost) if stop != NEVER else NEVER
        return hits

    def _widths(self, splits: _Splits, subset: list[int]) -> np.ndarray:
        """γ on the features of a subset in each split."""
        n_splits = len(splits.division.train)
        if self._gamma == "scale":
            return np.array([_scaled_width(*moments, subset) for moments in splits.moments])
        if self._gamma == "auto":
            return np.full(n_splits, 1 / len(subset))
        return np.full(n_splits, 1 / len(self._columns) if self._gamma == "all" else self._gamma)

    def update(self, feature: int, sign: float) -> None:
        _add(self._distance, self._columns[feature], sign, self._parts)


def _scaled_width(means: np.ndarray, squares: np.ndarray, subset: list[int]) -> float:
    variance = squares[subset].mean() - means[subset].mean() ** 2
    return 1 / (len(subset) * variance) if variance > 1e-15 else 1.0


@njit()
def _divide(roles, y, by_class, n_classes):
    """Rows of each split by what they do in it, training rows class after class."""
    n_splits, n = roles.shape
    train, ends = np.empty((n_splits, n), np.int64), np.zeros((n_splits, n_classes + 1), np.int64)
    test, n_test = np.empty((n_splits, n), np.int64), np.zeros(n_splits, np.int64)
    for at in range(n_splits):
        count = 0
        for row in by_class:
            if roles[at, row] == TRAIN:
                train[at, count] = row
                count += 1
                ends[at, y[row] + 1] = count
        for label in range(n_classes):
            ends[at, label + 1] = max(ends[at, label], ends[at, label + 1])
        for row in range(n):
            if roles[at, row] == TEST:
                test[at, n_test[at]] = row
                n_test[at] += 1
    return _Division(train, ends, test, n_test)


@njit()
def _add(distance, column, sign, parts):
    n = column.size
    for i in range(n):
        for j in range(n):
            distance[i, j] += sign * squared_difference(column[i], column[j], parts)


@njit()
def _count_hits(
    distance,
    column,
    sign,
    parts,
    widths,
    kept,
    room,
    division,
    y,
    cost,
    tolerance,
    weights,
    stop,
    hits,
):
    """Correct predictions in each split into `hits`, and the loss; ends where that reaches `stop`.

    `column` is a feature that counts too (sign 1), or that no longer counts (sign −1).
    """
    known, lost = np.zeros(y.size, np.bool_), 0
    shared = widths.min() == widths.max()
    for at in range(widths.size):
        if stop >= 0 and lost >= stop:
            break
        kernel = Kernel(distance, column, sign, parts, widths[at] / parts, shared, kept, known)
        ends, test = division.ends[at], division.test[at, : division.n_test[at]]
        found = _predict(kernel, division.train[at], ends, test, cost, tolerance, room)
        for t in range(test.size):
            hits[at] += found[t] == y[test[t]]
        lost += weights[at] * (test.size - hits[at])
    return lost


@njit()
def _predict(kernel, train, ends, test, cost, tolerance, room):
    """Classes of the test rows; `train` holds the rows of class c in ends[c]:ends[c + 1]."""
    n_classes = ends.size - 1
    votes = np.zeros((test.size, n_classes), np.int64)
    decisions, values = np.empty(test.size), np.empty(test.size)
    for first in range(n_classes):
        n_first = ends[first + 1] - ends[first]
        for second in range(first + 1, n_classes):
            if n_first == 0 or ends[second + 1] == ends[second]:
                continue
            rows = np.concatenate(
                (train[ends[first] : ends[first + 1]], train[ends[second] : ends[second + 1]])
            )
            weights, offset = solve(kernel, rows, n_first, cost, tolerance, room)
            decisions[:] = -offset
            for i in np.flatnonzero(weights):
                kernel_row(kernel, rows[i], test, values)
                weight = weights[i]
                for t in range(test.size):
                    decisions[t] += weight * values[t]
            for t in range(test.size):
                votes[t, first if decisions[t] > 0 else second] += 1
    return _winning_class(votes, ends)


@njit()
def _winning_class(votes, ends):
    """The class with the most votes; with a single class to learn from, that one."""
    only = 0
    while ends[only + 1] == ends[only]:
        only += 1
    found = np.empty(len(votes), np.int64)
    for t in range(len(votes)):
        best = only
        for label in range(votes.shape[1]):
            if votes[t, label] > votes[t, best]:
                best = label
        found[t] = best
    return found

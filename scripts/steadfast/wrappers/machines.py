"""The support vector machine with a Gaussian kernel, from distances kept for all rows.

Kernel values are computed when the solver first needs a row of them: most rows are never needed.
The solver is libsvm's.
"""

from collections.abc import Sequence

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.base import FixedCriterion, Split
from steadfast.wrappers.distances import resolution, squared_difference
from steadfast.wrappers.redrawn import Redraw, RedrawnCriterion, splits_of

#: libsvm's: the least curvature, and the most steps.
_TAU, _MOST_STEPS = 1e-12, 10_000_000

#: exp(−x) is computed as the 256th power of exp(−x/256), and as that of 700 beyond.
_ROOT, _FARTHEST = 256.0, 700.0

# Coefficients of Taylor's polynomial: 1/k! up to the 6th, then relative to it.
_2, _3, _4, _5, _6 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720
_7, _8, _9, _10 = 1 / 7, 1 / 56, 1 / 504, 1 / 5040


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
        self._rows = _Rows(X, y, C, gamma, tol)
        self._parts = [_Part(X, y, split) for split in splits]

    def hits_with(self, candidates: list[int]) -> np.ndarray:
        return self._hits(candidates, 1.0)

    def hits_without(self, candidates: list[int]) -> np.ndarray:
        return self._hits(candidates, -1.0)

    def _hits(self, candidates: list[int], sign: float) -> np.ndarray:
        return np.array(
            [
                [self._rows.hits(part, self.subset, feature, sign) for feature in candidates]
                for part in self._parts
            ]
        )

    def update(self, feature: int, *, added: bool) -> None:
        self._rows.update(feature, 1.0 if added else -1.0)


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
        self._rows = _Rows(X, y, C, gamma, tol)

    def hits_on(self, candidates: list[int], roles: np.ndarray, *, added: bool) -> np.ndarray:
        sign = 1.0 if added else -1.0
        return np.array(
            [
                [
                    self._rows.hits(_Part(self.X, self.y, split), self.subset, feature, sign)
                    for split in splits_of(own)
                ]
                for feature, own in zip(candidates, roles, strict=True)
            ]
        )

    def update(self, feature: int, *, added: bool) -> None:
        self._rows.update(feature, 1.0 if added else -1.0)


class _Part:
    """One split: training rows class after class, and the moments of their features."""

    def __init__(self, X: np.ndarray, y: np.ndarray, split: Split):
        self.train = split.train[np.argsort(y[split.train], kind="stable")]
        self.test = split.test
        self.ends = np.searchsorted(y[self.train], np.arange(int(y.max()) + 2))
        rows = X[split.train]
        self.means, self.squares = rows.mean(axis=0), (rows**2).mean(axis=0)


class _Rows:
    """Squared distances of all rows on the subset; machines are trained on parts of them."""

    def __init__(self, X: np.ndarray, y: np.ndarray, C: float, gamma: float | str, tol: float):
        self._y = y
        self._columns = np.ascontiguousarray(X.T, dtype=np.float64)
        self._parts = resolution(X.shape[1])
        self._distance = np.zeros((len(X), len(X)))
        self._cost, self._gamma, self._tolerance = float(C), gamma, float(tol)

    def hits(self, part: _Part, subset: list[int], feature: int, sign: float) -> int:
        """Correct predictions with a feature more, or less."""
        left = [other for other in subset if other != feature]
        gamma = self._width(part, [*left, feature] if sign > 0 else left)
        change = self._columns[feature], sign, self._parts
        settings = gamma, self._cost, self._tolerance
        found = predict(self._distance, *change, part.train, part.ends, part.test, *settings)
        return np.count_nonzero(found == self._y[part.test])

    def _width(self, part: _Part, subset: list[int]) -> float:
        """γ on the features of a subset."""
        if self._gamma == "scale":
            variance = part.squares[subset].mean() - part.means[subset].mean() ** 2
            return 1 / (len(subset) * variance) if variance > 1e-15 else 1.0
        if self._gamma == "auto":
            return 1 / len(subset)
        return 1 / len(self._columns) if self._gamma == "all" else float(self._gamma)

    def update(self, feature: int, sign: float) -> None:
        _add(self._distance, self._columns[feature], sign, self._parts)


@njit()
def _add(distance, column, sign, parts):
    n = column.size
    for i in range(n):
        for j in range(n):
            distance[i, j] += sign * squared_difference(column[i], column[j], parts)


@njit()
def predict(distance, column, sign, parts, train, ends, test, gamma, cost, tolerance):
    """Classes of the test rows; `train` holds the rows of class c in ends[c]:ends[c + 1].

    `column` is a feature that counts too (sign 1), or that no longer counts (sign −1).
    """
    n_classes = ends.size - 1
    change = (column, sign, parts, gamma / parts)
    votes = np.zeros((test.size, n_classes), np.int64)
    for first in range(n_classes):
        n_first = ends[first + 1] - ends[first]
        for second in range(first + 1, n_classes):
            if n_first == 0 or ends[second + 1] == ends[second]:
                continue
            rows = np.concatenate(
                (train[ends[first] : ends[first + 1]], train[ends[second] : ends[second + 1]])
            )
            side = np.ones(rows.size)
            side[n_first:] = -1.0
            weights, offset = _solve(distance, change, rows, side, cost, tolerance)
            support = np.flatnonzero(weights)
            rows, weights = rows[support], weights[support]
            values = np.empty(rows.size)
            for t in range(test.size):
                _kernel_values(distance, change, test[t], rows, values)
                decision = -offset
                for i in range(rows.size):
                    decision += weights[i] * values[i]
                votes[t, first if decision > 0 else second] += 1
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


@njit()
def _kernel_values(distance, change, row, others, values):
    """exp(−x) of a row with others, x = γ·(squared distance), into `values`."""
    column, sign, parts, rate = change
    own, value = distance[row], column[row]
    for t in range(others.size):
        other = others[t]
        changed = own[other] + sign * squared_difference(column[other], value, parts)
        values[t] = -min(rate * changed, _FARTHEST) / _ROOT
    _power(values, others.size)


@njit()
def _power(values, n):
    """exp(256·r) in the place of each r, as (Taylor's polynomial at r)²⁵⁶.

    Within 1e-13 of it down to 256·r = −50, and no more than 1e-21 off below; unlike calls of exp,
    several are computed at once.
    """
    for t in range(n):
        r = values[t]
        p = 1 + r * (_7 + r * (_8 + r * (_9 + r * _10)))
        p = 1 + r * (1 + r * (_2 + r * (_3 + r * (_4 + r * (_5 + r * _6 * p)))))
        p *= p
        p *= p
        p *= p
        p *= p
        p *= p
        p *= p
        p *= p
        values[t] = p * p


@njit()
def _solve(distance, change, rows, side, cost, tolerance):
    """Weights α_i·y_i of the rows and the offset of the decision function."""
    n = rows.size
    alpha = np.zeros(n)
    gradient = np.full(n, -1.0)
    kept = np.empty((n, n))
    known = np.zeros(n, np.bool_)
    for _ in range(_MOST_STEPS):
        i, highest = _worst_row(alpha, gradient, side, cost)
        if i < 0:
            break
        own = _row(distance, change, rows, kept, known, i)
        j, lowest = _partner(alpha, gradient, side, cost, own, highest)
        if j < 0 or highest + lowest < tolerance:
            break
        other = _row(distance, change, rows, kept, known, j)
        first, second = alpha[i], alpha[j]
        _step(alpha, gradient, side, cost, i, j, own[j])
        first, second = (alpha[i] - first) * side[i], (alpha[j] - second) * side[j]
        for t in range(n):
            gradient[t] += side[t] * (own[t] * first + other[t] * second)
    return alpha * side, _offset(alpha, gradient, side, cost)


@njit()
def _row(distance, change, rows, kept, known, i):
    """Kernel values of a row with all rows, computed when first needed."""
    own = kept[i]
    if not known[i]:
        _kernel_values(distance, change, rows[i], rows, own)
        known[i] = True
    return own


@njit()
def _worst_row(alpha, gradient, side, cost):
    """The row that the objective falls most by moving up, and how much."""
    chosen, highest = -1, -np.inf
    for t in range(alpha.size):
        up = alpha[t] < cost if side[t] > 0 else alpha[t] > 0
        if up and -side[t] * gradient[t] >= highest:
            highest, chosen = -side[t] * gradient[t], t
    return chosen, highest


@njit()
def _partner(alpha, gradient, side, cost, own, highest):
    """The row to move down with it, by second-order information."""
    chosen, lowest, least = -1, -np.inf, np.inf
    for t in range(alpha.size):
        down = alpha[t] > 0 if side[t] > 0 else alpha[t] < cost
        if not down:
            continue
        slope = side[t] * gradient[t]
        lowest = max(lowest, slope)
        difference = highest + slope
        if difference > 0:
            curvature = 2.0 - 2.0 * own[t]
            gain = -difference * difference / (curvature if curvature > 0 else _TAU)
            if gain <= least:
                least, chosen = gain, t
    return chosen, lowest


@njit()
def _step(alpha, gradient, side, cost, i, j, similarity):
    """The best move of two rows along their constraint, inside the box."""
    curvature = 2.0 - 2.0 * similarity
    if curvature <= 0:
        curvature = _TAU
    if side[i] != side[j]:
        change = (-gradient[i] - gradient[j]) / curvature
        difference = alpha[i] - alpha[j]
        alpha[i] += change
        alpha[j] += change
        if difference > 0 and alpha[j] < 0:
            alpha[i], alpha[j] = difference, 0.0
        elif difference <= 0 and alpha[i] < 0:
            alpha[i], alpha[j] = 0.0, -difference
        if difference > 0 and alpha[i] > cost:
            alpha[i], alpha[j] = cost, cost - difference
        elif difference <= 0 and alpha[j] > cost:
            alpha[i], alpha[j] = cost + difference, cost
    else:
        change = (gradient[i] - gradient[j]) / curvature
        total = alpha[i] + alpha[j]
        alpha[i] -= change
        alpha[j] += change
        if total > cost and alpha[i] > cost:
            alpha[i], alpha[j] = cost, total - cost
        elif total <= cost and alpha[j] < 0:
            alpha[i], alpha[j] = total, 0.0
        if total > cost and alpha[j] > cost:
            alpha[i], alpha[j] = total - cost, cost
        elif total <= cost and alpha[i] < 0:
            alpha[i], alpha[j] = 0.0, total


@njit()
def _offset(alpha, gradient, side, cost):
    """The mean over free rows, or the middle of what bounded ones allow."""
    upper, lower, total, free = np.inf, -np.inf, 0.0, 0
    for t in range(alpha.size):
        slope = side[t] * gradient[t]
        if alpha[t] >= cost:
            if side[t] < 0:
                upper = min(upper, slope)
            else:
                lower = max(lower, slope)
        elif alpha[t] <= 0:
            if side[t] > 0:
                upper = min(upper, slope)
            else:
                lower = max(lower, slope)
        else:
            free += 1
            total += slope
    return total / free if free else (upper + lower) / 2

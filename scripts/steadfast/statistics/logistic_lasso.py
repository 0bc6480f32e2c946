"""The lasso for two classes: logistic regression with the 1-norm as penalty."""

from collections.abc import Sequence

import numpy as np

from steadfast.core.compiled import njit

#: Penalties that are tried, and the smallest of them as a share of the one that leaves nothing.
N_PENALTIES, SMALLEST_PENALTY = 20, 0.05

#: A sweep in which no coefficient gains more is the last, and so is a step that moves none so far.
_TOLERANCE, _CLOSE = 1e-8, 1e-3
#: Sweeps and steps at most, and the least curvature of a row: rows that fit perfectly have none.
_MOST_SWEEPS, _MOST_STEPS, _LEAST_WEIGHT = 1000, 25, 1e-3


def lasso_by_validation(X: np.ndarray, y: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """Coefficients that minimise mean log-loss + λ Σ|β|, with λ by cross-validation.

    λ is the one of the smallest log-loss on the rows left out, of 20 from the smallest one that
    leaves no feature, λ₁ = max |xᵀ(y − ȳ)|/n, evenly on a logarithmic scale down to λ₁/20; among
    equals the largest.

    Parameters
    ----------
    X
        Rows; the columns should have equal variances.
    y
        0 or 1.
    folds
        The fold of each row; the rows of all but one fold must have both classes.

    References
    ----------
    Friedman, Hastie, Tibshirani, Regularization paths for generalized linear models via coordinate
    descent (2010).
    """
    columns, y = np.ascontiguousarray(X.T, dtype=np.float64), y.astype(np.float64)
    most = np.abs(columns @ (y - y.mean())).max() / len(y)
    penalties = np.geomspace(most, SMALLEST_PENALTY * most, N_PENALTIES)
    losses = np.zeros(N_PENALTIES)
    for fold in range(folds.max() + 1):
        out = folds == fold
        found = lasso_path(np.ascontiguousarray(columns[:, ~out]), y[~out], penalties)
        linear = found[:, :-1] @ columns[:, out] + found[:, -1:]
        losses += np.logaddexp(0, np.where(y[out] == 1, -linear, linear)).sum(axis=1)
    best = _first_lowest(losses)
    return lasso_path(columns, y, penalties[: best + 1])[best, :-1]


def _first_lowest(losses: Sequence[float]) -> int:
    """The first of the lowest losses, those apart that differ by rounding alone."""
    return int(np.argmax(losses <= np.min(losses) * (1 + 1e-9)))


@njit()
def lasso_path(columns, y, penalties):
    """Coefficients and, last, the intercept for each of falling penalties; features are rows."""
    m, n = columns.shape
    share = np.mean(y)
    beta = np.zeros(m + 1)
    beta[m] = np.log(share / (1 - share))
    linear, residual = np.full(n, beta[m]), y - share
    active = np.zeros(m, dtype=np.bool_)
    found = np.empty((len(penalties), m + 1))
    for at in range(len(penalties)):
        joined = True
        while joined:
            _newton(columns, y, penalties[at], active, beta, linear, residual)
            joined = False
            for j in range(m):
                if not active[j] and abs(_dot(columns[j], residual)) > penalties[at] * n:
                    active[j] = joined = True
        found[at] = beta
    return found


@njit()
def _dot(first, second):
    total = 0.0
    for i in range(len(first)):
        total += first[i] * second[i]
    return total


@njit()
def _newton(columns, y, penalty, active, beta, linear, residual):
    """The minimum over the active features: each step minimises a quadratic model of the loss."""
    n, chosen = len(y), np.flatnonzero(active)
    weight, curvature = np.empty(n), np.empty(len(chosen))
    for _ in range(_MOST_STEPS):
        for i in range(n):
            chance = 1 / (1 + np.exp(-linear[i]))
            residual[i] = y[i] - chance
            weight[i] = max(chance * (1 - chance), _LEAST_WEIGHT)
        for at in range(len(chosen)):
            curvature[at] = _dot(columns[chosen[at]] ** 2, weight) / n
        before = beta.copy()
        for _ in range(_MOST_SWEEPS):
            if _sweep(columns, chosen, weight, curvature, penalty, beta, linear, residual) == 0:
                break
        if np.max(np.abs(beta - before)) < _CLOSE:
            break
    for i in range(n):
        residual[i] = y[i] - 1 / (1 + np.exp(-linear[i]))


@njit()
def _sweep(columns, chosen, weight, curvature, penalty, beta, linear, residual):
    """Move each coefficient to the minimum of the model; the largest gain, 0 if negligible."""
    n = len(weight)
    largest = 0.0
    for at in range(len(chosen)):
        j = chosen[at]
        aim = curvature[at] * beta[j] + _dot(columns[j], residual) / n
        step = np.copysign(max(abs(aim) - penalty, 0.0), aim) / curvature[at] - beta[j]
        if step != 0:
            beta[j] += step
            for i in range(n):
                linear[i] += step * columns[j, i]
                residual[i] -= step * columns[j, i] * weight[i]
            largest = max(largest, curvature[at] * step * step)
    step = np.sum(residual) / np.sum(weight)
    beta[-1] += step
    for i in range(n):
        linear[i] += step
        residual[i] -= step * weight[i]
    largest = max(largest, step * step * np.mean(weight))
    return largest if largest > _TOLERANCE else 0.0

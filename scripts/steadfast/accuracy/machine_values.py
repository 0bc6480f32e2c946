"""Decision values, predictions and probabilities of support vector machines, class by class."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.tuning import deal_folds

#: Newton's steps of a sigmoid, halvings of one, and when to stop (Lin, Lin, Weng 2007).
_STEPS, _HALVINGS, _FLAT = 100, 40, 1e-5


class Decided(NamedTuple):
    """Of each row: the class, and a value for each class."""

    predictions: np.ndarray
    decisions: np.ndarray


def decide(machine: Any, X: np.ndarray, n_classes: int) -> Decided:
    """What a machine of `tuning.fit_machine` says of rows, from its decision values alone.

    Predictions are those of libsvm: each pair of classes gives the row a vote for the first where
    its value is above 0, else for the second; the most votes win, the lowest class of equal ones.
    Values of a class against the rest are its votes, and what is below one vote by how clear they
    were, as in scikit-learn. A class that the machine has not seen has −∞.
    """
    known, values = machine.classes_, machine.decision_function(X)
    if known.size == 2:
        predictions, columns = (values >= 0).astype(np.int64), np.array([-values, values]).T
    else:
        votes, sums = np.zeros((2, len(X), known.size))
        pairs = ((i, j) for i in range(known.size) for j in range(i + 1, known.size))
        for (first, second), value in zip(pairs, values.T, strict=True):
            votes[:, first] += value > 0
            votes[:, second] += value <= 0
            sums[:, first] += value
            sums[:, second] -= value
        predictions, columns = votes.argmax(axis=1), votes + sums / (3 * (np.abs(sums) + 1))
    decisions = np.full((len(X), n_classes), -np.inf)
    decisions[:, known] = columns
    return Decided(known[predictions], decisions)


def calibrate(
    fit: Callable[[np.ndarray, np.ndarray], Any],
    X: np.ndarray,
    y: np.ndarray,
    decisions: np.ndarray,
) -> np.ndarray:
    """Probabilities by Platt scaling, for the decision values of test rows.

    Sigmoids are fitted to decision values of training rows, each from a machine that was fitted
    without the row (five folds). Several classes have a sigmoid each, against the rest; then the
    probabilities of a row are divided by their sum. (So has scikit-learn's
    CalibratedClassifierCV.)

    Parameters
    ----------
    fit
        Fits a machine to rows and classes.
    X, y
        The training rows.
    decisions
        Of the test rows, by `decide`.
    """
    n_classes = decisions.shape[1]
    held_out = np.full((len(y), n_classes), -np.inf)
    fold = deal_folds(y)
    for at in range(fold.max() + 1):
        train, test = fold != at, fold == at
        if np.unique(y[train]).size > 1:
            held_out[test] = decide(fit(X[train], y[train]), X[test], n_classes).decisions
    if n_classes == 2:
        second = _sigmoid(held_out[:, 1], y == 1, decisions[:, 1])
        return np.array([1 - second, second]).T
    found = [
        _sigmoid(held_out[:, label], y == label, decisions[:, label]) for label in range(n_classes)
    ]
    found = np.array(found).T
    total = found.sum(axis=1, keepdims=True)
    return np.divide(found, total, out=np.full_like(found, 1 / n_classes), where=total > 0)


def _sigmoid(known: np.ndarray, own: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Probability of a class at values, from known ones; its share where these tell nothing."""
    defined = np.isfinite(known)
    if np.unique(own[defined]).size < 2:
        return np.full(values.size, own.mean())
    slope, offset = fit_sigmoid(known[defined], own[defined])
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(slope * values + offset))


def fit_sigmoid(values: np.ndarray, own: np.ndarray) -> tuple[float, float]:
    """A and B of p = 1 / (1 + exp(A·value + B)), by maximum likelihood.

    Rows of the class have the target (n₊ + 1) / (n₊ + 2), others 1 / (n₋ + 2), so that classes
    that are wholly apart do not have probabilities of 0 and 1.

    References
    ----------
    Platt, Probabilistic outputs for support vector machines (1999).
    Lin, Lin, Weng, A note on Platt's probabilistic outputs for support vector machines, Machine
    Learning 68 (2007).
    """
    positive = np.count_nonzero(own)
    negative = own.size - positive
    target = np.where(own, (positive + 1) / (positive + 2), 1 / (negative + 2))
    columns = np.array([values, np.ones(values.size)])

    def cost(found: np.ndarray) -> float:
        power = found @ columns
        return float(np.sum(np.logaddexp(0, power) - (1 - target) * power))

    now = np.array([0.0, np.log((negative + 1) / (positive + 1))])
    before = cost(now)
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(np.clip(now @ columns, -500, 500)))
        gradient = columns @ (target - share)
        if np.abs(gradient).max() < _FLAT:
            break
        bend = (columns * (share * (1 - share))) @ columns.T + 1e-12 * np.eye(2)
        step = -np.linalg.solve(bend, gradient)
        for _ in range(_HALVINGS):
            after = cost(now + step)
            if after < before + 1e-4 * gradient @ step:
                break
            step /= 2
        else:
            break
        now, before = now + step, after
    return float(now[0]), float(now[1])

"""Cost and kernel width of a support vector machine by cross-validation on the training rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steadfast.core.seeds import generator
from steadfast.resampling.draws import deal

#: Costs of errors, and widths relative to scikit-learn's γ = 1 / (columns · variance).
COSTS, WIDTHS = (1.0, 10.0, 100.0), (0.25, 1.0, 4.0)

FOLDS = 5


def fit_machine(
    X: np.ndarray, y: np.ndarray, kernel: str, cost: float, width: float, *, balanced: bool = False
) -> Any:
    """A fitted machine; the width is relative, and absolute where all columns are constant.

    Its decision values are those of pairs of classes. With `balanced`, an error costs the more, the
    smaller its class: all classes cost the same together.
    """
    from sklearn import config_context
    from sklearn.svm import SVC

    gamma = width / (float(X.shape[1] * X.var()) or 1.0)
    weights = {"class_weight": "balanced" if balanced else None}
    machine = SVC(kernel=kernel, C=cost, gamma=gamma, decision_function_shape="ovo", **weights)
    # To check these parameters takes a twentieth of the time of a small machine.
    with config_context(skip_parameter_validation=True):
        return machine.fit(X, y)


def deal_folds(y: np.ndarray) -> np.ndarray:
    """The fold of each row, each class spread over all; it depends on nothing but the classes."""
    draw = generator(0, "tuning", len(y))
    classes = [str(label) for label in range(int(y.max()) + 1)]
    return deal(y, min(FOLDS, len(y)), draw, classes, "spread", ["tuning"])


def tune(
    X: np.ndarray, y: np.ndarray, sizes: Sequence[int], how: str, kernel: str = "rbf"
) -> dict[int, tuple[float, float]]:
    """Cost and width for each size: the most accurate over five folds of the training rows.

    `how` is `every` (at each size) or `once` (at the middle one of the sizes, for all). Equal
    accuracies go to the smaller cost, then to the width closest to 1. The folds depend on the
    number of rows and classes alone.
    """
    if how == "every":
        return {k: _best(X[:, :k], y, kernel) for k in sizes}
    middle = sorted(sizes)[len(sizes) // 2]
    return dict.fromkeys(sizes, _best(X[:, :middle], y, kernel))


def _best(X: np.ndarray, y: np.ndarray, kernel: str) -> tuple[float, float]:
    fold = deal_folds(y)
    widths = sorted(WIDTHS, key=lambda width: abs(np.log(width))) if kernel == "rbf" else (1.0,)
    best, most = (1.0, 1.0), -1
    for cost in COSTS:
        for width in widths:
            hits = 0
            for at in range(min(FOLDS, len(y))):
                train, test = fold != at, fold == at
                if len(np.unique(y[train])) < 2:
                    continue
                machine = fit_machine(X[train], y[train], kernel, cost, width)
                hits += np.count_nonzero(machine.predict(X[test]) == y[test])
            if hits > most:
                best, most = (cost, width), hits
    return best

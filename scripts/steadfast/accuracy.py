"""Accuracy of one selector's subsets on one data set, by size."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast import cli
from steadfast.errors import look_up
from steadfast.resample import Fold

HEADER = ("classifier", "ratio", "k", "fold", "value", "tested", "wrong")

Row = tuple[str, float, int, str, float, int, str]


class Scores(NamedTuple):
    """Accuracy at each size and, from classifiers that keep them, predictions (one row a size)."""

    values: Sequence[float]
    predictions: np.ndarray | None = None


def accuracy_rows(
    name: str,
    settings: Mapping[str, Any],
    folds: Sequence[Fold],
    sequences: Mapping[str, np.ndarray],
    X: np.ndarray,
    y: np.ndarray,
    sizes: Sequence[int] | None = None,
) -> Iterator[Row]:
    """Share of test rows classified correctly, trained on the fold's training rows.

    `settings` name the classifier (`use`), its parameters and, where not every size and ratio is
    wanted, `sizes` and `ratios`. With `outcomes`, a row also names the test rows that were wrong.
    """
    params = dict(settings)
    use = params.pop("use", name)
    sizes = params.pop("sizes", sizes)
    ratios, outcomes = params.pop("ratios", None), params.pop("outcomes", False)
    score = look_up("classifier", use, CLASSIFIERS)
    for fold in folds:
        if not fold.scored or (ratios is not None and fold.ratio not in ratios):
            continue
        ordered = X[:, sequences[fold.name]]
        wanted = [k for k in sizes or range(1, ordered.shape[1] + 1) if k <= ordered.shape[1]]
        truth = y[fold.test]
        scores = score(
            ordered[fold.train], y[fold.train], ordered[fold.test], truth, wanted, **params
        )
        for at, k in enumerate(wanted):
            wrong = ""
            if outcomes and scores.predictions is not None:
                wrong = " ".join(map(str, fold.test[scores.predictions[at] != truth]))
            yield name, fold.ratio, k, fold.name, scores.values[at], truth.size, wrong


def _knn(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    k: int = 3,
) -> Scores:
    """k-nearest neighbours; see `steadfast.classifiers.prefix_knn`."""
    with cli.starting_up():
        from steadfast.classifiers import prefix_knn

    curve = prefix_knn(X_train, y_train, X_test, y_test, n_neighbours=k)
    return Scores(curve[np.array(sizes, dtype=int) - 1])


def _svm(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    kernel: str = "rbf",
    C: float = 1.0,
    scale: str = "standard",
) -> Scores:
    """Support vector machine on features scaled by the training rows: to variance 1, or to [0, 1].

    The class that a training part with a single class predicts is that class.
    """
    with cli.starting_up():
        from sklearn.svm import SVC

    if not len(y_test):
        return Scores([float("nan")] * len(sizes))
    if scale == "unit":
        centre, span = X_train.min(axis=0), np.ptp(X_train, axis=0)
    else:
        centre, span = X_train.mean(axis=0), X_train.std(axis=0)
    span[span == 0] = 1.0
    X_train, X_test = (X_train - centre) / span, (X_test - centre) / span
    if y_train.min() == y_train.max():
        predictions = np.full((len(sizes), y_test.size), y_train[0])
    else:
        predictions = np.array(
            [
                SVC(kernel=kernel, C=C).fit(X_train[:, :k], y_train).predict(X_test[:, :k])
                for k in sizes
            ]
        ).reshape(len(sizes), y_test.size)
    return Scores([float(np.mean(row == y_test)) for row in predictions], predictions)


#: What a study may name under `accuracy: {classifiers: {…: {use: …}}}`.
CLASSIFIERS = {"knn": _knn, "svm": _svm}

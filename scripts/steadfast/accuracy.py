"""Accuracy of one selector's subsets on one data set, by size."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast import cli
from steadfast.errors import look_up
from steadfast.resample import Fold

HEADER = ("classifier", "ratio", "k", "fold", "value")

Row = tuple[str, float, int, str, float]


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
    wanted, `sizes` and `ratios`.
    """
    params = dict(settings)
    use = params.pop("use", name)
    sizes = params.pop("sizes", sizes)
    ratios = params.pop("ratios", None)
    score = look_up("classifier", use, CLASSIFIERS)
    for fold in folds:
        if ratios is not None and fold.ratio not in ratios:
            continue
        ordered = X[:, sequences[fold.name]]
        wanted = [k for k in sizes or range(1, ordered.shape[1] + 1) if k <= ordered.shape[1]]
        values = score(
            ordered[fold.train], y[fold.train], ordered[fold.test], y[fold.test], wanted, **params
        )
        for k, value in zip(wanted, values, strict=True):
            yield name, fold.ratio, k, fold.name, value


def _knn(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    k: int = 3,
) -> np.ndarray:
    """k-nearest neighbours; see `steadfast.classifiers.prefix_knn`."""
    with cli.starting_up():
        from steadfast.classifiers import prefix_knn

    curve = prefix_knn(X_train, y_train, X_test, y_test, n_neighbours=k)
    return curve[np.array(sizes, dtype=int) - 1]


def _svm(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    kernel: str = "rbf",
    C: float = 1.0,
) -> list[float]:
    """Support vector machine on features scaled by the training rows.

    The class that a training part with a single class predicts is that class.
    """
    with cli.starting_up():
        from sklearn.svm import SVC

    if not len(y_test):
        return [float("nan")] * len(sizes)
    centre, scale = X_train.mean(axis=0), X_train.std(axis=0)
    scale[scale == 0] = 1.0
    X_train, X_test = (X_train - centre) / scale, (X_test - centre) / scale
    if y_train.min() == y_train.max():
        return [float(np.mean(y_test == y_train[0]))] * len(sizes)
    return [
        SVC(kernel=kernel, C=C).fit(X_train[:, :k], y_train).score(X_test[:, :k], y_test)
        for k in sizes
    ]


#: What a study may name under `accuracy: {classifiers: {…: {use: …}}}`.
CLASSIFIERS = {"knn": _knn, "svm": _svm}

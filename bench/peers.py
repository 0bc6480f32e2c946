"""Builders of the peers' calls, each as its package documents it; see `cases`."""

from collections.abc import Callable
from typing import Any


def fast_select(method: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Numba; the information of all pairs of features, however few are wanted."""
    from fast_select import mRMR

    selector = mRMR(n_features_to_select=first, method=method, backend="cpu")
    return lambda: selector.fit(data["bins"], data["y"]).top_features_


def pymrmr(method: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Peng's C++; the class is the first column, the others have names."""
    import numpy as np
    import pandas as pd
    from pymrmr import mRMR

    names = ["class", *map(str, range(data["bins"].shape[1]))]
    values = np.column_stack([data["y"], data["bins"]]).astype(np.int32)
    frame = pd.DataFrame(values, columns=names)
    return lambda: [int(name) for name in mRMR(frame, method, first)]


def mrmr_selection(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """pandas and scikit-learn's F statistic, with the package's defaults."""
    import pandas as pd
    from mrmr import mrmr_classif

    frame, classes = pd.DataFrame(data["X"]), pd.Series(data["y"])
    return lambda: mrmr_classif(frame, classes, K=first, n_jobs=1, show_progress=False)


def skfeature(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Dictionaries of counts in Python.

    `MRMR.mrmr` is this call, but what it returns are ranks among the selected features, from which
    the selection cannot be read.
    """
    from skfeature.function.information_theoretical_based.LCSI import lcsi

    return lambda: lcsi(data["bins"], data["y"], mode="index", gamma=0, n_selected_features=first)


def itmo_fs(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Dictionaries of counts in Python, anew for every pair at every step."""
    from ITMO_FS.filters.multivariate import MultivariateFilter

    def call() -> Any:
        chosen = MultivariateFilter("MRMR", first)
        chosen.fit(data["bins"], data["y"])
        return chosen.selected_features

    return call


def scipy_matching(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The assignment problem solved anew at every size."""
    from scipy.optimize import linear_sum_assignment

    weights = data["weights"]

    def total(k: int) -> float:
        rows, columns = linear_sum_assignment(weights[:k, :k], maximize=True)
        return weights[rows, columns].sum()

    return lambda: [total(k) for k in range(1, len(weights) + 1)]


def sklearn_neighbours(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Fitted and scored anew at every size."""
    from sklearn.neighbors import KNeighborsClassifier

    def accuracy(k: int) -> float:
        model = KNeighborsClassifier(n_neighbors=3, n_jobs=1)
        model.fit(data["X_train"][:, :k], data["y_train"])
        return model.score(data["X_test"][:, :k], data["y_test"])

    return lambda: [accuracy(k) for k in range(1, data["X_train"].shape[1] + 1)]

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


def fast_select_relieff(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Numba; every row a probe."""
    from fast_select import ReliefF

    selector = ReliefF(
        n_features_to_select=data["X"].shape[1], n_neighbors=10, backend="cpu", n_jobs=1
    )
    return lambda: selector.fit(data["X"], data["y"]).feature_importances_


def skfeature_relieff(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """numpy, row by row."""
    from skfeature.function.similarity_based.reliefF import reliefF

    return lambda: reliefF(data["X"], data["y"], mode="raw", k=10)


def mutual_information(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """scikit-learn's estimate from nearest neighbours, the closest thing it has."""
    from sklearn.feature_selection import mutual_info_classif

    return lambda: mutual_info_classif(data["X"], data["y"], random_state=0)


def sklearn_elimination(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """A machine trained on the remaining features in each round."""
    import numpy as np
    from sklearn.svm import SVC

    X, y = data["X"], data["y"]
    Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)

    def call() -> Any:
        remaining, dropped = np.arange(Z.shape[1]), []
        while remaining.size:
            weights = SVC(kernel="linear", C=0.5).fit(Z[:, remaining], y).coef_[0] ** 2
            n = min(max(1, int((remaining.size + 1) * 0.1)), remaining.size)
            gone = np.lexsort((-remaining, weights))[:n]
            dropped.extend(remaining[gone])
            remaining = np.delete(remaining, gone)
        return dropped[::-1][:first]

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


def python_curves(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Sets of each prefix, intersected pair by pair."""
    m, lists = data["m"], [sequence.tolist() for sequence in data["sequences"]]

    def call() -> Any:
        jaccard, kuncheva = [], []
        for k in range(1, first + 1):
            tops = [set(ranked[:k]) for ranked in lists]
            shared = [len(a & b) for i, a in enumerate(tops) for b in tops[i + 1 :]]
            jaccard.append(sum(r / (2 * k - r) for r in shared) / len(shared))
            kuncheva.append(sum((r * m - k * k) / (k * (m - k)) for r in shared) / len(shared))
        return [*jaccard, *kuncheva, *(_nogueira(lists, k, m) for k in range(1, first + 1))]

    return call


def python_subsets(name: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Sets intersected pair by pair; frequencies by a Counter."""
    lists = [subset.tolist() for subset in data["subsets"]]
    if name == "nogueira":
        return lambda: [_nogueira(lists, None, data["m"])]

    def call() -> Any:
        sets = [set(chosen) for chosen in lists]
        values = [len(a & b) / len(a | b) for i, a in enumerate(sets) for b in sets[i + 1 :]]
        return [sum(values) / len(values)]

    return call


def _nogueira(lists: list[list[int]], k: int | None, m: int) -> float:
    from collections import Counter

    runs = len(lists)
    counts = Counter(feature for chosen in lists for feature in chosen[:k])
    size = sum(counts.values()) / runs
    spread = sum(n / runs * (1 - n / runs) for n in counts.values()) / m
    return 1 - runs / (runs - 1) * spread / (size / m * (1 - size / m))


def stabm(function: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """R's package, in a process of its own that answers every line it is sent."""
    import shutil
    import subprocess

    if shutil.which("Rscript") is None:
        raise RuntimeError("R is not installed")
    features = f", p = {data['m']}" if function == "stabilityNogueira" else ""
    code = (
        'library(stabm); asked <- file("stdin"); open(asked);'
        f' sets <- lapply(strsplit(readLines(asked, {len(data["subsets"])}), ","), as.integer);'
        " while (length(readLines(asked, 1)) > 0) {"
        f' cat(format(stabm::{function}(sets{features}), digits = 17), "\\n"); flush(stdout()) }}'
    )
    process = subprocess.Popen(
        ["Rscript", "-e", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )

    process.stdin.write("".join(",".join(map(str, s + 1)) + "\n" for s in data["subsets"]))

    def call() -> Any:
        try:
            process.stdin.write("go\n")
            process.stdin.flush()
        except BrokenPipeError:
            raise RuntimeError("R's stabm is not installed") from None
        answer = process.stdout.readline()
        if not answer:
            raise RuntimeError("R's stabm is not installed")
        return [float(answer)]

    return call


def mlxtend_search(
    classifier: str, floating: bool, data: dict[str, Any], first: int
) -> Callable[[], Any]:
    """mlxtend's sequential search over all sizes, on the same splits."""
    from mlxtend.feature_selection import SequentialFeatureSelector
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    estimator = {
        "knn": KNeighborsClassifier(3),
        "gaussian": QuadraticDiscriminantAnalysis(reg_param=1e-6, tol=0.0),
        "svm": SVC(),
    }[classifier]
    m = data["X"].shape[1]

    def call() -> Any:
        search = SequentialFeatureSelector(
            estimator,
            k_features=m,
            floating=floating,
            scoring="accuracy",
            cv=[(split.train, split.test) for split in data["splits"]],
        )
        found = search.fit(data["X"], data["y"]).subsets_
        return [found[size]["avg_score"] for size in sorted(found)]

    return call


def one_ranking(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """MID of this project, to see what the iterations of mRSmR cost."""
    import ours

    return ours.ranking("mid", data, first)


def _former() -> Any:
    """The kernels of version 1.0.0, which the tests keep."""
    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "unit"))
    import plain_mrmr

    return plain_mrmr


def choosing_one_by_one(alphas: list[float], data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The same choice with each α counted by itself."""
    from ours import chooser

    from steadfast.selectors.running.select import create
    from steadfast.selectors.tuned import Tuned

    class OneByOne(Tuned):
        def _sequences(self, X: Any, y: Any, points: Any, wanted: int, seed: int) -> Any:
            made = (create(self._settings(point, wanted), seed % 2**32) for point in points)
            return [one.fit(X, y).sequence_ for one in made]

    return chooser(OneByOne, alphas, data, first)


def former_ranking(criterion: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The same selector with the kernel of version 1.0.0."""
    import numpy as np

    from steadfast.selectors import MRMR

    kernel = _former().mrmr_sequence

    class Former(MRMR):
        def _rank(self, X: Any, y: Any) -> None:
            bins = np.ascontiguousarray(X.T)
            self._set_sequence(*kernel(bins, y, self.criterion, self.alpha, self.n_ranked()))

    selector = Former(criterion, n_features_to_select=first)
    return lambda: selector.fit(data["bins"], data["y"]).sequence_


def former_uncertainty(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The matrix with the kernel of version 1.0.0."""
    import numpy as np

    kernel, bins = _former().symmetrical_uncertainty, np.ascontiguousarray(data["bins"].T[:first])
    return lambda: kernel(bins).ravel()

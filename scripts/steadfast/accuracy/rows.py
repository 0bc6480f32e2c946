"""Accuracy of one selector's subsets on one data set, by size."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError, look_up
from steadfast.core.seeds import derive_seed
from steadfast.data.encoding import Levels, filled, one_hot
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import CHOSEN, OWN_SIZE, Selection

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
    selections: Mapping[str, Selection],
    X: np.ndarray,
    y: np.ndarray,
    sizes: Sequence[int] | str | None = None,
    classes: Mapping[str, np.ndarray] | None = None,
    place: tuple[int, str] = (0, ""),
    levels: Levels = (),
) -> Iterator[Row]:
    """Share of test rows classified correctly, trained on the fold's training rows.

    `settings` name the classifier (`use`), its parameters and, where not every size and ratio is
    wanted, `sizes` and `ratios`. Sizes may be `chosen`, the subset that the selector chose; its
    rows have `OWN_SIZE` as their size, and a choice of no feature leaves the most frequent class.
    With `outcomes`, a row also names the test rows that were wrong. A fold without a selection has
    no rows. `classes` stand for `y` in the folds that they name; see `fold_classes`.
    Draws derive from `place` (seed and data set) and the fold: the same for all selectors.
    Categories (`levels`) are a column each, missing numbers the median of the training rows.
    """
    params = dict(settings)
    params.pop("truth", None)
    use = params.pop("use", name)
    sizes = params.pop("sizes", sizes)
    ratios, outcomes = params.pop("ratios", None), params.pop("outcomes", False)
    score = look_up("classifier", use, CLASSIFIERS)
    for fold in folds:
        selection = selections[fold.name]
        wanted_fold = fold.scored and (ratios is None or fold.ratio in ratios)
        if not wanted_fold or selection.note:
            continue
        columns = selection.chosen if sizes == CHOSEN else selection.sequence
        largest = columns.size
        if sizes == CHOSEN:
            wanted = [largest]
        else:
            wanted = [k for k in sizes or range(1, largest + 1) if k <= largest]
        ordered, widths = _encoded(X, columns[: max(wanted, default=0)], fold.train, levels)
        own = (classes or {}).get(fold.name, y)
        truth = own[fold.test]
        if sizes == CHOSEN and not largest:
            most = np.bincount(own[fold.train]).argmax()
            value = float(np.mean(truth == most)) if truth.size else float("nan")
            yield name, fold.ratio, OWN_SIZE, fold.name, value, truth.size, ""
            continue
        if use == "kmeans":
            params["seed"] = _seed_of_starts(place, fold)
        parts = (ordered[fold.train], own[fold.train], ordered[fold.test], truth)
        try:
            scores = score(*parts, [widths[k - 1] for k in wanted], **params)
        except ValueError as error:
            raise UserError(f"classifier {name} on fold {fold.name}: {error}") from None
        for at, k in enumerate(wanted):
            wrong = ""
            if outcomes and scores.predictions is not None:
                wrong = " ".join(map(str, fold.test[scores.predictions[at] != truth]))
            size = OWN_SIZE if sizes == CHOSEN else k
            yield name, fold.ratio, size, fold.name, scores.values[at], truth.size, wrong


def _encoded(
    X: np.ndarray, columns: np.ndarray, train: np.ndarray, levels: Levels
) -> tuple[np.ndarray, np.ndarray]:
    """Complete columns in this order, and how many of them the first k stand for."""
    ordered = X[:, columns]
    ordered = filled(ordered, ordered[train])
    if not levels:
        return ordered, np.arange(1, columns.size + 1)
    own = [levels[column] for column in columns]
    encoded = one_hot(ordered, own)
    return encoded.X, np.cumsum(np.bincount(encoded.owner, minlength=columns.size))


def fold_classes(
    settings: Mapping[str, Any],
    folds: Sequence[Fold],
    X: np.ndarray,
    place: tuple[int, str],
    levels: Levels = (),
) -> dict[str, np.ndarray]:
    """What a classifier's predictions are compared with in each fold, where it is not the classes.

    With `truth: all_features` (kmeans), the clusters of the training rows by all features; a row
    that does not train belongs to the cluster of the nearest centre.
    """
    if settings.get("truth") != "all_features":
        return {}
    from steadfast.transforms.kmeans import CLUSTERS, cluster, nearest_centre

    found = {}
    for fold in folds:
        if fold.scored:
            every, _ = _encoded(X, np.arange(X.shape[1]), fold.train, levels)
            rows = every[fold.train]
            if "scale" in settings:
                rows, every = _scaled(rows, every, settings["scale"])
            clusters = settings.get("clusters", CLUSTERS)
            centres = cluster(rows, clusters, _seed_of_starts(place, fold)).centres
            found[fold.name] = nearest_centre(every, centres)
    return found


def _seed_of_starts(place: tuple[int, str], fold: Fold) -> int:
    """Starts of k-means are the same for all subsets of a fold: these are all that differs."""
    return derive_seed(*place, fold.name, "k-means") % 2**32


def _kmeans(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    clusters: int | None = None,
    scale: str | None = None,
    seed: int = 0,
) -> Scores:
    """Share of test rows in the cluster of their class.

    Clusters of the training rows (k-means) get the class that the best matching on these rows gives
    them; a test row belongs to the cluster of the nearest centre.
    """
    from steadfast.transforms.kmeans import CLUSTERS, best_matching, cluster, nearest_centre

    if not len(y_test):
        return Scores([float("nan")] * len(sizes))
    if scale:
        X_train, X_test = _scaled(X_train, X_test, scale)
    values = []
    for k in sizes:
        found = cluster(X_train[:, :k], clusters or CLUSTERS, seed)
        class_of = best_matching(found.labels, y_train)
        assigned = nearest_centre(X_test[:, :k], found.centres)
        predicted = np.array([class_of.get(int(one), -1) for one in assigned])
        values.append(float(np.mean(predicted == y_test)))
    return Scores(values)


def _knn(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    k: int = 3,
    scale: str | None = None,
) -> Scores:
    """k-nearest neighbours, on features as they are or scaled; see `classifiers.prefix_knn`."""
    with cli.starting_up():
        from steadfast.accuracy.prefix_knn import prefix_knn

    if scale:
        X_train, X_test = _scaled(X_train, X_test, scale)
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
    tune: str | None = None,
) -> Scores:
    """Support vector machine on features scaled by the training rows: to variance 1, or to [0, 1].

    With `tune`, C and the kernel's width come from the training rows: see `tuning`. The class that
    a training part with a single class predicts is that class.
    """
    with cli.starting_up():
        import sklearn.svm  # noqa: F401

        from steadfast.accuracy.tuning import fitted_machine, tuned

    if not len(y_test) or not len(sizes):
        return Scores([float("nan")] * len(sizes))
    X_train, X_test = _scaled(X_train, X_test, scale)
    if y_train.min() == y_train.max():
        predictions = np.full((len(sizes), y_test.size), y_train[0])
    else:
        chosen = dict.fromkeys(sizes, (C, 1.0))
        if tune:
            chosen = tuned(X_train, y_train, sizes, tune, kernel)
        found = []
        for k in sizes:
            machine = fitted_machine(X_train[:, :k], y_train, kernel, *chosen[k])
            found.append(machine.predict(X_test[:, :k]))
        predictions = np.array(found).reshape(len(sizes), y_test.size)
    return Scores([float(np.mean(row == y_test)) for row in predictions], predictions)


def _gaussian(
    X_train: np.ndarray,
    y_train: np.ndarray,
    X_test: np.ndarray,
    y_test: np.ndarray,
    sizes: Sequence[int],
    *,
    ridge: float = 1e-6,
) -> Scores:
    """One mean and covariance a class, features scaled to [0, 1]: the criterion of the wrappers."""
    from steadfast.wrappers.base import Split
    from steadfast.wrappers.gaussian import GaussianCriterion

    if not len(y_test):
        return Scores([float("nan")] * len(sizes))
    X = np.concatenate(_scaled(X_train, X_test, "unit"))
    rows = np.arange(len(X))
    split = Split(rows[: len(y_train)], rows[len(y_train) :])
    criterion = GaussianCriterion(X, np.concatenate([y_train, y_test]), [split], ridge)
    values = {}
    for k in range(1, max(sizes, default=0) + 1):
        if k in sizes:
            values[k] = criterion.accuracy(criterion.scores_with([k - 1])[0])
        criterion.add(k - 1)
    return Scores([values[k] for k in sizes])


def _scaled(X_train: np.ndarray, X_test: np.ndarray, scale: str) -> tuple[np.ndarray, np.ndarray]:
    """Both parts by what the training part says: to [0, 1], or to mean 0 and variance 1."""
    if scale == "unit":
        centre, span = X_train.min(axis=0), np.ptp(X_train, axis=0)
    else:
        centre, span = X_train.mean(axis=0), X_train.std(axis=0)
    span = np.where(span == 0, 1.0, span)
    return (X_train - centre) / span, (X_test - centre) / span


#: What a study may name under `accuracy: {classifiers: {…: {use: …}}}`.
CLASSIFIERS = {"knn": _knn, "svm": _svm, "gaussian": _gaussian, "kmeans": _kmeans}

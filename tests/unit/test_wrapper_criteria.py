"""Criteria of wrappers against their classifiers, scikit-learn's or plain, and their splits."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn import __version__ as scikit_learn_version
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from steadfast.data.discretise import unit_range
from steadfast.selectors import SequentialSearch
from steadfast.wrappers.base import Split, dealt_splits, random_splits
from steadfast.wrappers.gaussian import GaussianCriterion
from steadfast.wrappers.machines import MachineCriterion
from steadfast.wrappers.neighbours import NeighbourCriterion
from steadfast.wrappers.ordinary import OrdinaryCriterion

#: Before, its quadratic discriminant divided a covariance by one row less.
SAME_DISCRIMINANT = pytest.mark.skipif(
    tuple(map(int, scikit_learn_version.split(".")[:2])) < (1, 9),
    reason="scikit-learn's quadratic discriminant is this Gaussian classifier since 1.9",
)
WITH_PEERS = ["knn", pytest.param("gaussian", marks=SAME_DISCRIMINANT), "svm"]
PATH = (("add", 2), ("add", 0), ("add", 4), ("drop", 0), ("add", 1), ("drop", 2), ("add", 0))


def blobs(n, n_classes, m=5, seed=0):
    """Overlapping classes of unequal sizes, no two values equal."""
    draw = np.random.default_rng([seed, n, n_classes])
    y = np.sort(np.arange(n) ** 2 // n * n_classes // n)
    X = draw.normal(size=(n, m)) + draw.normal(size=(n_classes, m))[y]
    X[:, 1] += X[:, 0]
    return unit_range(X), y


def folds(n, n_folds=3, seed=0):
    """Folds of unequal sizes if n is no multiple of their number."""
    parts = np.array_split(np.random.default_rng(seed).permutation(n), n_folds)
    return [Split(np.setdiff1d(np.arange(n), part), np.sort(part)) for part in parts]


def fitted_hits(classifier):
    def hits(X_train, y_train, X_test, y_test):
        return int(np.sum(classifier.fit(X_train, y_train).predict(X_test) == y_test))

    return hits


def neighbour_hits(k):
    """The k nearest rows, equally near ones in their order, equal votes to the lower class."""

    def predict(x, X, y):
        distance = [sum((a - b) ** 2 for a, b in zip(x, row)) for row in X.tolist()]
        votes = y[sorted(range(len(X)), key=lambda row: (distance[row], row))[:k]].tolist()
        return min(votes, key=lambda label: (-votes.count(label), label))

    def hits(X_train, y_train, X_test, y_test):
        found = [predict(x, X_train, y_train) for x in X_test.tolist()]
        return np.count_nonzero(found == y_test)

    return hits


def gaussian_hits(ridge):
    """The class with the highest share · density."""

    def log_share_and_density(x, rows, share):
        m = rows.shape[1]
        own = (
            np.cov(rows, rowvar=False, ddof=0).reshape(m, m) if len(rows) > 1 else np.zeros((m, m))
        )
        covariance = (1 - ridge) * own + ridge * np.eye(m)
        return np.log(share) + multivariate_normal(rows.mean(axis=0), covariance).logpdf(x)

    def hits(X_train, y_train, X_test, y_test):
        labels, counts = np.unique(y_train, return_counts=True)
        values = [
            np.atleast_1d(log_share_and_density(X_test, X_train[y_train == label], share))
            for label, share in zip(labels, counts / counts.sum())
        ]
        return np.count_nonzero(labels[np.argmax(values, axis=0)] == y_test)

    return hits


def assert_follows(criterion, hits, path=PATH):
    """Along a path, each candidate has in each split the hits that its subset has by itself."""
    X, y, m = criterion.X, criterion.y, criterion.X.shape[1]

    def wanted(subsets):
        subsets = [sorted(subset) for subset in subsets]
        return [
            [hits(X[train][:, s], y[train], X[test][:, s], y[test]) for s in subsets]
            for train, test in criterion.splits
        ]

    subset = set()
    outside = list(range(m))
    assert criterion.hits_with(outside).tolist() == wanted([{f} for f in outside])
    for action, feature in path:
        (criterion.add if action == "add" else criterion.drop)(feature)
        subset ^= {feature}
        inside, outside = sorted(subset), sorted(set(range(m)) - subset)
        assert criterion.subset == inside
        if outside:
            assert criterion.hits_with(outside).tolist() == wanted([subset | {f} for f in outside])
        if len(inside) > 1:
            assert criterion.hits_without(inside).tolist() == wanted([subset - {f} for f in inside])


def test_any_classifier_is_fitted_anew():
    X, y = blobs(50, 3)
    criterion = OrdinaryCriterion(X, y, folds(50), GaussianNB())
    assert_follows(criterion, fitted_hits(GaussianNB()))


def test_a_score_is_exactly_the_mean_accuracy_over_folds_of_unequal_sizes():
    X, y = blobs(50, 2)
    splits = folds(50, 4)
    assert {split.test.size for split in splits} == {12, 13}
    criterion = OrdinaryCriterion(X, y, splits, GaussianNB())
    hits = fitted_hits(GaussianNB())
    for f, score in enumerate(criterion.scores_with(range(5))):
        accuracies = [
            Fraction(hits(X[train][:, [f]], y[train], X[test][:, [f]], y[test]), test.size)
            for train, test in splits
        ]
        assert Fraction(int(score), int(criterion.perfect)) == sum(accuracies) / 4
        assert criterion.accuracy(score) == pytest.approx(float(sum(accuracies) / 4), abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("k", [1, 3, 5])
def test_neighbours_are_scikit_learns_where_no_distances_tie(n_classes, k):
    for n in (50, 130):
        X, y = blobs(n, n_classes)
        criterion = NeighbourCriterion(X, y, folds(n, 4), n_neighbors=k)
        assert_follows(criterion, fitted_hits(KNeighborsClassifier(k)))


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [30, 150])
def test_equally_near_rows_are_taken_in_their_order(n, k):
    draw = np.random.default_rng([n, k])
    X, y = draw.integers(0, 3, (n, 5)) / 2, draw.integers(0, 3, n)
    X[n // 2 : n // 2 + 5] = X[:5]
    assert_follows(NeighbourCriterion(X, y, folds(n), n_neighbors=k), neighbour_hits(k))


def test_more_neighbours_than_training_rows_are_all_of_them():
    X, y = blobs(12, 2)
    assert_follows(NeighbourCriterion(X, y, folds(12, 5), n_neighbors=9), neighbour_hits(9))
    assert_follows(NeighbourCriterion(X, y, folds(12, 4), n_neighbors=50), neighbour_hits(9))


@pytest.mark.parametrize("made", [NeighbourCriterion, MachineCriterion, GaussianCriterion])
def test_hits_do_not_depend_on_how_the_subset_came_about(made):
    """Thirds, tenths and sevenths, whose sums depend on their order in floating point."""
    draw = np.random.default_rng(5)
    y = draw.integers(0, 3, 60)
    X = (draw.integers(0, 4, (60, 6)) + y[:, None]) / [3, 10, 7, 6, 9, 5] / 2
    criteria = [made(X, y, folds(60)) for _ in range(3)]
    paths = ["+0+1+2+3", "+3+2+1+0", "+5+1+4+0-4-1-5+2+1+5+3-5"]
    for criterion, path in zip(criteria, paths):
        for sign, feature in zip(path[::2], path[1::2]):
            (criterion.add if sign == "+" else criterion.drop)(int(feature))
    first = criteria[0]
    for other in criteria[1:]:
        assert other.subset == first.subset
        assert (other.hits_with([4, 5]) == first.hits_with([4, 5])).all()
        assert (other.hits_without(other.subset) == first.hits_without(first.subset)).all()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ridge", [0.0, 1e-6, 1e-2])
def test_gaussian_is_share_times_density(n_classes, ridge):
    X, y = blobs(100, n_classes)
    assert_follows(GaussianCriterion(X, y, folds(100, 3), ridge), gaussian_hits(ridge))


@SAME_DISCRIMINANT
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ridge", [0.0, 1e-6])
def test_gaussian_is_scikit_learns_quadratic_discriminant(n_classes, ridge):
    X, y = blobs(100, n_classes)
    reference = QuadraticDiscriminantAnalysis(reg_param=ridge, tol=0.0)
    assert_follows(GaussianCriterion(X, y, folds(100, 3), ridge), fitted_hits(reference))


def singular_data(kind):
    X, y = blobs(60, 3)
    if kind == "constant":
        X[:, 2] = 0
    elif kind == "copied":
        X[:, 2] = X[:, 0]
    elif kind == "sum of others":
        X[:, 2] = (X[:, 0] + X[:, 1]) / 2
    elif kind == "fewer rows than features":
        y = np.where(np.arange(60) % 12 == 0, 0, 1 + y % 2)
    return X, y


@pytest.mark.parametrize(
    "kind", ["constant", "copied", "sum of others", "fewer rows than features"]
)
def test_gaussian_stands_singular_covariances(kind):
    X, y = singular_data(kind)
    assert_follows(GaussianCriterion(X, y, folds(60, 2)), gaussian_hits(1e-6))


def test_gaussian_stands_a_class_of_one_row_and_constant_columns_alone():
    X, y = blobs(40, 2)
    y[0] = 2
    splits = [Split(np.arange(0, 40, 2), np.arange(1, 40, 2))]
    assert_follows(GaussianCriterion(X, y, splits), gaussian_hits(1e-6))
    # With nothing to tell the classes apart, the most frequent one is predicted.
    most = np.bincount(y[splits[0].train]).argmax()
    hits = GaussianCriterion(np.zeros_like(X), y % 2, splits).hits_with([0, 1])
    assert hits.tolist() == [[np.count_nonzero(y[splits[0].test] == most)] * 2]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("gamma", ["scale", "auto", 3.0])
@pytest.mark.parametrize("C", [0.5, 1, 100])
def test_machines_are_scikit_learns(n_classes, gamma, C):
    # The tolerance is tight so that no test row lies between two admissible solutions.
    X, y = blobs(61, n_classes)
    criterion = MachineCriterion(X, y, folds(61, 2), C=C, gamma=gamma, tol=1e-6)
    assert_follows(criterion, fitted_hits(SVC(C=C, gamma=gamma, tol=1e-6)), PATH[:5])


def test_machines_stand_columns_that_hardly_vary_or_not_at_all():
    X, y = blobs(61, 3)
    X[:, 2] = 0
    X[:, 0] /= 100
    criterion = MachineCriterion(X, y, folds(61, 2), tol=1e-6)
    assert_follows(criterion, fitted_hits(SVC(tol=1e-6)), PATH[:4])


CRITERIA = [
    (NeighbourCriterion, neighbour_hits(3)),
    (GaussianCriterion, gaussian_hits(1e-6)),
    (MachineCriterion, fitted_hits(SVC())),
]


@pytest.mark.parametrize(("made", "hits"), CRITERIA)
def test_a_class_without_training_rows_is_never_predicted(made, hits):
    X, y = blobs(60, 3)
    for missing in range(3):
        train = np.flatnonzero((y != missing) & (np.arange(60) % 3 != 0))
        splits = [Split(train, np.arange(0, 60, 3))]
        assert_follows(made(X, y, splits), hits, PATH[:4])


@pytest.mark.parametrize("made", [made for made, _ in CRITERIA])
def test_a_single_class_to_learn_from_is_always_predicted(made):
    X, y = blobs(60, 3)
    for label in range(3):
        splits = [Split(np.flatnonzero(y == label)[:4], np.arange(0, 60, 2))]
        wanted = np.count_nonzero(y[::2] == label)
        assert made(X, y, splits).hits_with([0, 3]).tolist() == [[wanted, wanted]]


def test_random_splits_keep_the_shares_of_the_classes():
    y = np.repeat([0, 1, 2], [60, 31, 1])
    splits = random_splits(y, 8, 2 / 3, np.random.default_rng(0))
    assert len(splits) == 8
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(92))
        # A class of one row trains.
        assert np.bincount(y[train]).tolist() == [40, 21, 1]
    assert len({tuple(split.train) for split in splits}) == 8


def test_random_splits_of_all_rows_alike_keep_their_size_only():
    y = np.repeat([0, 1, 2], [60, 31, 1])
    splits = random_splits(y, 20, 2 / 3, np.random.default_rng(0), stratified=False)
    assert all(sorted([*train, *test]) == list(range(92)) for train, test in splits)
    counts = np.array([np.bincount(y[train], minlength=3) for train, _ in splits])
    assert set(counts.sum(axis=1)) == {61}
    assert set(counts[:, 2]) == {0, 1}
    assert len(set(counts[:, 0])) > 2


def test_dealt_splits_test_every_row_once_and_spread_the_classes():
    y = np.repeat([0, 1, 2], [21, 10, 2])
    splits = dealt_splits(y, 4, np.random.default_rng(0))
    assert sorted(row for split in splits for row in split.test) == list(range(33))
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(33))
        counts = np.bincount(y[test], minlength=3)
        assert counts[0] in (5, 6)
        assert counts[1] in (2, 3)
        assert counts[2] in (0, 1)


class Recorder(ClassifierMixin, BaseEstimator):
    """Notes the rows that train and test, whose numbers are all that the features tell."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.trained_ = tuple(np.rint(X[:, 0] * 59).astype(int).tolist())
        return self

    def predict(self, X):
        self.seen.append((self.trained_, tuple(np.rint(X[:, 0] * 59).astype(int).tolist())))
        return np.zeros(len(X), dtype=int)


def record_splits(**params):
    """All splits that subsets were tried with, and the different ones among them."""
    Recorder.seen.clear()
    X = np.column_stack([np.arange(60.0)] * 3)
    SequentialSearch(Recorder(), n_splits=4, **params).fit(X, np.repeat([0, 1, 2], [30, 18, 12]))
    return list(Recorder.seen), set(Recorder.seen)


def test_splits_are_drawn_once_and_shared_by_all_subsets_and_searches():
    fits, splits = record_splits(random_state=5)
    assert len(splits) == 4
    # Three, two and one candidates of the three sizes.
    assert all(fits.count(split) == 6 for split in splits)
    for train, test in splits:
        assert sorted(train + test) == list(range(60))
        assert np.histogram(train, [0, 30, 48, 60])[0].tolist() == [20, 12, 8]
    assert record_splits(random_state=5, floating=True)[1] == splits
    assert record_splits(random_state=6)[1] != splits
    halves = record_splits(random_state=5, train_share=0.5)[1]
    assert all(len(train) == len(test) == 30 for train, test in halves)

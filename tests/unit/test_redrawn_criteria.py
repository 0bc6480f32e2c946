"""Splits drawn anew for every evaluation, and criteria on them against plain classifiers."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from test_wrapper_criteria import (
    PATH,
    WITH_PEERS,
    blobs,
    fitted_hits,
    folds,
    gaussian_hits,
    neighbour_hits,
    record_splits,
)

from steadfast.selectors import SequentialSearch
from steadfast.wrappers.gaussian import GaussianCriterion
from steadfast.wrappers.machines import RedrawnMachines
from steadfast.wrappers.ordinary import RedrawnOrdinary
from steadfast.wrappers.redrawn import OUT, TEST, TRAIN, Redraw, splits_of
from steadfast.wrappers.redrawn_gaussian import RedrawnGaussian
from steadfast.wrappers.redrawn_neighbours import RedrawnNeighbours


def redraw(y, seed=0, **params):
    given = {"n_splits": 3, "train_share": 2 / 3, "sample_share": 0.8, **params}
    return Redraw(y, draw=np.random.default_rng(seed), **given)


def first_mean_hits(ridge):
    """A Gaussian with covariances of its own, about the mean of the first class."""

    def hits(X_train, y_train, X_test, y_test):
        labels, counts = np.unique(y_train, return_counts=True)
        mean, m = X_train[y_train == 0].mean(axis=0), X_train.shape[1]
        values = []
        for label, count in zip(labels, counts):
            own = np.cov(X_train[y_train == label], rowvar=False, ddof=0).reshape(m, m)
            covariance = (1 - ridge) * own + ridge * np.eye(m)
            apart = X_test - mean
            distance = np.einsum("ij,jk,ik->i", apart, np.linalg.inv(covariance), apart)
            value = np.log(count) - (np.linalg.slogdet(covariance)[1] + distance) / 2
            values.append(value)
        return np.count_nonzero(labels[np.argmax(values, axis=0)] == y_test)

    return hits


def assert_follows(criterion, hits, path=PATH):
    """Along a path, each candidate has in each split drawn for it the hits of its subset."""
    X, y, m = criterion.X, criterion.y, criterion.X.shape[1]

    def check(candidates, *, added):
        roles = criterion.redraw.roles(len(candidates))
        wanted = [
            [
                hits(X[train][:, subset], y[train], X[test][:, subset], y[test])
                for train, test in splits_of(own)
            ]
            for own, subset in (
                (own, criterion.subset_with(f, added=added)) for own, f in zip(roles, candidates)
            )
        ]
        assert criterion.hits_on(candidates, roles, added=added).tolist() == wanted

    check(list(range(m)), added=True)
    for action, feature in path:
        (criterion.add if action == "add" else criterion.drop)(feature)
        outside = [f for f in range(m) if f not in criterion.subset]
        if outside:
            check(outside, added=True)
        if len(criterion.subset) > 1:
            check(criterion.subset, added=False)


def test_a_split_takes_its_share_of_every_class_and_divides_it():
    y = np.tile([0, 1, 1, 2, 1, 1], 10)
    roles = redraw(y, n_splits=4).roles(50)
    assert roles.shape == (50, 4, 60)
    for label, (trained, tested) in {0: (5, 3), 1: (21, 11), 2: (5, 3)}.items():
        own = roles[..., y == label]
        assert ((own == TRAIN).sum(axis=2) == trained).all()
        assert ((own == TEST).sum(axis=2) == tested).all()
    # No split is another one, and each row has each role as often as the others of its class.
    assert len({tuple(split) for split in roles.reshape(-1, 60)}) == 200
    frequency = np.array([(roles == role).mean(axis=(0, 1)) for role in (OUT, TRAIN, TEST)])
    assert np.ptp(frequency[:, y == 1], axis=1).max() < 0.25
    assert frequency[1, y == 1].mean() == pytest.approx(21 / 40)


def test_shares_of_all_rows_alike_keep_their_size_only():
    y = np.repeat([0, 1], [12, 48])
    roles = redraw(y, stratified=False, n_splits=5).roles(20).reshape(100, 60)
    assert set((roles == TRAIN).sum(axis=1)) == {32}
    assert set((roles == TEST).sum(axis=1)) == {16}
    assert len(set((roles[:, :12] == TRAIN).sum(axis=1))) > 3


@pytest.mark.parametrize("k", [1, 3, 5])
@pytest.mark.parametrize("n", [20, 70])
def test_neighbours_with_and_without_ties(n, k):
    X, y = blobs(n, 3)
    assert_follows(RedrawnNeighbours(X, y, redraw(y), k), neighbour_hits(k))
    tied = np.round(X * 2) / 2
    assert_follows(RedrawnNeighbours(tied, y, redraw(y, 1), k), neighbour_hits(k))


def test_neighbours_where_hardly_any_row_trains():
    X, y = blobs(90, 2)
    drawn = redraw(y, sample_share=0.4, train_share=0.2)
    assert_follows(RedrawnNeighbours(X, y, drawn, 3), neighbour_hits(3))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_gaussian_is_share_times_density(n_classes):
    X, y = blobs(100, n_classes)
    assert_follows(RedrawnGaussian(X, y, redraw(y)), gaussian_hits(1e-6))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_gaussian_about_the_mean_of_the_first_class(n_classes):
    X, y = blobs(100, n_classes)
    drawn = RedrawnGaussian(X, y, redraw(y), mean="first_class")
    assert_follows(drawn, first_mean_hits(1e-6))
    hits = first_mean_hits(1e-6)
    fixed = GaussianCriterion(X, y, folds(100), mean="first_class")
    wanted = [
        [hits(X[train][:, [f]], y[train], X[test][:, [f]], y[test]) for f in range(5)]
        for train, test in fixed.splits
    ]
    assert fixed.hits_with(list(range(5))).tolist() == wanted


@pytest.mark.parametrize("gamma", ["scale", "auto", "all", 2.0])
def test_machines_are_scikit_learns(gamma):
    X, y = blobs(61, 3)
    plain = SVC(C=10, gamma=1 / 5 if gamma == "all" else gamma, tol=1e-6)
    drawn = RedrawnMachines(X, y, redraw(y, n_splits=2), C=10, gamma=gamma, tol=1e-6)
    assert_follows(drawn, fitted_hits(plain), PATH[:4])


def test_any_classifier_is_fitted_anew():
    X, y = blobs(50, 3)
    assert_follows(RedrawnOrdinary(X, y, redraw(y), GaussianNB()), fitted_hits(GaussianNB()))


def test_every_evaluation_draws_its_own_splits():
    fits, splits = record_splits(random_state=5, splits="evaluation", sample_share=0.8)
    # Three, two and one candidates of the three sizes, four splits each.
    assert len(fits) == len(splits) == 24
    for train, test in splits:
        assert np.histogram(train, [0, 30, 48, 60])[0].tolist() == [16, 9, 7]
        assert np.histogram(test, [0, 30, 48, 60])[0].tolist() == [8, 5, 3]
        assert not set(train) & set(test)
    assert record_splits(random_state=5, splits="evaluation", sample_share=0.8)[1] == splits
    assert record_splits(random_state=6, splits="evaluation", sample_share=0.8)[1] != splits


def test_a_share_of_the_rows_may_be_drawn_once_too():
    fits, splits = record_splits(random_state=5, sample_share=0.8)
    assert len(splits) == 4
    assert {len(train) + len(test) for train, test in splits} == {48}
    assert all(fits.count(split) == 6 for split in splits)


@pytest.mark.parametrize("classifier", WITH_PEERS)
def test_a_fast_path_finds_what_the_ordinary_way_finds(classifier):
    X, y = blobs(60, 2)
    params = {"splits": "evaluation", "floating": True, "n_splits": 3, "random_state": 3}
    found = [SequentialSearch(classifier, fast=fast, **params).fit(X, y) for fast in (True, False)]
    assert found[0].search_ == found[1].search_


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"splits": "always"}, "splits must be run or evaluation, got 'always'"),
        ({"splits": "evaluation", "n_folds": 3}, "n_folds: folds are dealt once"),
        ({"sample_share": 1.5}, "sample_share must lie above 0 and up to 1, got 1.5"),
        (
            {"classifier": "gaussian", "classifier_params": {"mean": "all"}},
            "classifier_params: mean must be own or first_class, got 'all'",
        ),
        (
            {
                "classifier": "gaussian",
                "classifier_params": {"mean": "first_class"},
                "fast": False,
            },
            "has no class of scikit-learn",
        ),
    ],
)
def test_settings_that_cannot_be_are_named(params, message):
    X, y = blobs(40, 2)
    with pytest.raises(ValueError, match=message):
        SequentialSearch(**params).fit(X, y)

"""k-means before selection and as a judge of it, against scikit-learn and by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_transforms import PLACE, truncated, use
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from steadfast.accuracy.classifiers import create
from steadfast.accuracy.rows import accuracy_rows, fold_classes
from steadfast.core.errors import UserError
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection
from steadfast.transforms.cluster_labels import ClusterLabels
from steadfast.transforms.kmeans import best_matching, cluster, nearest_centre
from steadfast.transforms.local_svd import LocalSVD
from steadfast.transforms.running import transform_rows


def kmeans(*parts, **settings):
    """Scores of k-means as a judge."""
    return create({"use": "kmeans", **settings}).score(*parts)


@pytest.mark.parametrize("state", range(6))
def test_local_svd_starts_from_the_clusters_that_cluster_labels_has(state):
    X = np.random.default_rng(state).random((40, 6))  # noise: starts find different clusters
    baseline = ClusterLabels(clusters=5, random_state=state)
    assert (baseline.fit_transform(X, np.zeros(40, dtype=int)) == X).all()
    assert set(baseline.labels_) == set(range(5))
    local = LocalSVD(rank=2, clusters=5, random_state=state)
    found = local.fit_transform(X, np.arange(40) % 2)
    for label in range(5):
        rows = baseline.labels_ == label
        assert found[rows] == pytest.approx(truncated(X[rows], 2), abs=1e-9)


def test_local_svd_is_k_means_then_svd_of_each_cluster_then_k_means():
    rng = np.random.default_rng(2)
    centres = np.array([[8.0, 0, 0, 1], [0, 8, 0, 1], [0, 0, 8, 1]])
    X = rng.normal(centres[rng.integers(3, size=36)], 0.3)
    first = KMeans(3, n_init=10, random_state=0).fit_predict(X)
    smooth = np.empty_like(X)
    for label in range(3):
        smooth[first == label] = truncated(X[first == label], 1)
    second = KMeans(3, n_init=10, random_state=0).fit_predict(smooth)
    local = LocalSVD(rank=1, clusters=3, random_state=11)
    assert local.fit_transform(X, np.zeros(36, dtype=int)) == pytest.approx(smooth, abs=1e-9)
    assert adjusted_rand_score(local.labels_, second) == 1
    labels = transform_rows(use("local_svd", rank=1, clusters=3), X, np.zeros(36, int), **PLACE)[1]
    assert adjusted_rand_score(labels, second) == 1


def test_the_second_clusters_are_those_of_the_approximated_rows():
    rng = np.random.default_rng(7)
    changed = 0
    for state in range(6):
        X = rng.random((40, 5))
        local = LocalSVD(rank=1, clusters=3, random_state=state)
        found = local.fit_transform(X, np.zeros(40, dtype=int))
        first = ClusterLabels(clusters=3, random_state=state)
        first.fit_transform(X, np.zeros(40, dtype=int))
        means = np.array([found[local.labels_ == label].mean(axis=0) for label in range(3)])
        distances = np.linalg.norm(found[:, None] - means, axis=2)
        nearest = distances[np.arange(40), local.labels_]
        assert nearest == pytest.approx(distances.min(axis=1), abs=0.01)
        changed += adjusted_rand_score(local.labels_, first.labels_) < 1
    assert changed  # or the rows before would do as well


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=30))
def test_the_best_matching_is_that_of_all_one_to_one_matchings(pairs):
    clusters, classes = (np.array(side) for side in zip(*pairs))
    found = best_matching(clusters, classes)
    assert len(set(found.values())) == len(found)
    agree = sum(found.get(one) == other for one, other in pairs)
    padded = [*range(4), None, None, None, None, None]
    best = max(
        sum(order[one] == other for one, other in pairs)
        for order in set(itertools.permutations(padded, 5))
    )
    assert agree == best


def test_rows_belong_to_the_nearest_centre_and_to_the_lower_one_of_equals():
    centres = np.array([[0.0, 0], [4, 0], [0, 4]])
    X = np.array([[1.0, 0], [3, 1], [2, 0], [0, 9], [2, 2]])
    assert nearest_centre(X, centres).tolist() == [0, 1, 0, 2, 0]


def test_k_means_is_that_of_scikit_learn():
    X = np.random.default_rng(1).random((40, 3))
    found, wanted = cluster(X, 4, 5), KMeans(4, n_init=10, random_state=5).fit(X)
    assert (found.labels == wanted.labels_).all()
    assert (nearest_centre(X, found.centres) == found.labels).all()
    assert set(cluster(np.ones((4, 2)), 2, 0).labels) == {0}


def test_clusters_are_classified_by_the_class_of_most_of_their_training_rows():
    X = np.array([[0.0], [0.1], [0.2], [10], [10.1], [10.2]])
    y = np.array([1, 1, 0, 0, 0, 0])
    test = np.array([[0.5], [9], [4.9], [5.3]])  # the border is at 5.1
    assert kmeans(X, y, test, np.array([1, 0, 0, 0]), [1]).values == [0.75]
    assert kmeans(X, y, test, np.array([0, 1, 0, 1]), [1]).values == [0.0]
    assert np.isnan(kmeans(X, y, test[:0], y[:0], [1]).values).all()


def test_a_cluster_without_a_class_is_always_wrong():
    X = np.array([[0.0], [0.1], [0.2], [5], [5.1], [10], [10.1], [10.2]])
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1])  # both upper clusters are of class 1; the larger gets it
    test = np.array([[0.0], [5], [10]])
    assert kmeans(X, y, test, np.array([0, 1, 1]), [1], clusters=3).values == [2 / 3]


def test_k_means_scales_by_the_training_rows_if_asked():
    X = np.column_stack([np.repeat([0.0, 1.0], 4), np.tile([0.0, 30, 60, 90], 2)])
    y = np.repeat([0, 1], 4)
    assert kmeans(X, y, X, y, [1, 2]).values == [1, 0.5]
    for scale in ("unit", "standard"):
        assert kmeans(X, y, X, y, [1, 2], scale=scale).values == [1, 1]
        test = np.array([[0.2, 40.0], [0.4, 50.0]])  # both are low, though not among themselves
        assert kmeans(X, y, test, np.array([0, 0]), [2], scale=scale).values == [1]


#: By all features the first, which is the wider one, parts the rows; the classes follow the second.
BOTH = np.array([[0.0, 0], [0, 0], [0, 1], [9, 1], [9, 1], [9, 0], [1, 0], [8, 1], [8, 0]])
Y_BOTH = BOTH[:, 1].astype(int)
STARTS = (1, "data")
FOLD = Fold("f01", 1, 1.0, np.arange(6), np.arange(6, 9), "", "r01")


def accuracies(sequence, **settings):
    selections = {"f01": Selection(np.array(sequence), np.array([2.0, 1.0]))}
    truth = fold_classes("kmeans", settings, [FOLD], BOTH, STARTS)
    settings = {"use": "kmeans", **settings}
    rows = accuracy_rows("mine", settings, [FOLD], selections, BOTH, Y_BOTH, None, truth)
    return {k: value for _, _, k, _, value, _, _ in rows}


def test_clusters_are_compared_with_the_classes_or_with_those_by_all_features():
    two_thirds = pytest.approx(2 / 3)
    assert accuracies([1, 0]) == {1: 1, 2: two_thirds}
    assert accuracies([0, 1]) == {1: two_thirds, 2: two_thirds}
    assert accuracies([1, 0], truth="classes") == {1: 1, 2: two_thirds}
    assert accuracies([1, 0], truth="all_features") == {1: two_thirds, 2: 1}
    assert accuracies([0, 1], truth="all_features") == {1: 1, 2: 1}


def test_every_row_belongs_to_a_cluster_by_all_features():
    truth = fold_classes("kmeans", {"truth": "all_features"}, [FOLD], BOTH, STARTS)["f01"]
    parts = {tuple(np.flatnonzero(truth == one)) for one in (0, 1)}
    assert parts == {(0, 1, 2, 6), (3, 4, 5, 7, 8)}
    three = fold_classes("kmeans", {"truth": "all_features", "clusters": 3}, [FOLD], BOTH, STARTS)[
        "f01"
    ]
    assert set(three) == {0, 1, 2}
    assert fold_classes("kmeans", {}, [FOLD], BOTH, STARTS) == {}
    assert fold_classes("kmeans", {"truth": "classes"}, [FOLD], BOTH, STARTS) == {}


def test_the_clusters_by_all_features_are_learnt_from_the_training_rows():
    X = np.array([[0.0], [1], [2], [3], [1000]])
    fold = Fold("f01", 1, 1.0, np.arange(4), np.array([4]), "", "r01")
    unscored = Fold("d01", 1, 1.0, np.arange(4), np.array([4]), "", "", False)
    found = fold_classes("kmeans", {"truth": "all_features"}, [fold, unscored], X, STARTS)
    assert set(found) == {"f01"}
    truth = found["f01"]
    assert truth[0] == truth[1] != truth[2]
    assert truth[2] == truth[3] == truth[4]


def test_more_clusters_than_rows_are_one_line():
    X, y = np.eye(4), np.array([0, 1, 0, 1])
    fold = Fold("f01", 1, 1.0, np.arange(3), np.array([3]))
    selections = {"f01": Selection(np.arange(4), np.ones(4))}
    with pytest.raises(UserError, match="classifier kmeans on fold f01: clusters: 9 are more"):
        list(accuracy_rows("kmeans", {"clusters": 9}, [fold], selections, X, y))


def test_clusters_by_all_features_are_scaled_as_those_of_subsets_are():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(np.repeat([0, 1], 20), 0.05), rng.uniform(0, 90, 40)])
    fold = Fold("f01", 1, 1.0, np.arange(0, 40, 2), np.arange(1, 40, 2))
    settings = {"truth": "all_features", "scale": "unit", "clusters": 2}
    truth = {"f01": fold_classes("kmeans", settings, [fold], X, (1, "data"))["f01"]}
    selections = {"f01": Selection(np.arange(2), np.ones(2))}
    y = np.repeat([0, 1], 20)
    rows = accuracy_rows("kmeans", settings, [fold], selections, X, y, [2], truth, (1, "data"))
    assert [row[4] for row in rows] == [1.0]


def blobs(seed, n=30):
    rng = np.random.default_rng(seed)
    centres = np.array([[8.0, 0, 2, 1], [0, 8, 2, 1]])
    y = np.arange(n) % 2
    return rng.normal(centres[y], 0.5), y


def test_frozen_local_svd_sends_rows_to_learnt_centres_and_onto_learnt_directions():
    learnt, X = blobs(1)[0], blobs(2, 12)[0]
    one = LocalSVD(rank=1, random_state=3).fit(learnt, np.zeros(30, dtype=int))
    found = one.transform(X, np.zeros(12, dtype=int))
    truth = blobs(2, 12)[1]
    assert adjusted_rand_score(one.labels_, truth) == 1
    for label in (0, 1):
        first = np.linalg.svd(learnt[blobs(1)[1] == label])[2][0]
        wanted = np.outer(X[truth == label] @ first, first)
        assert found[truth == label] == pytest.approx(wanted)
    clusters = ClusterLabels(random_state=3).fit(learnt, np.zeros(30, dtype=int))
    assert (clusters.transform(X, np.zeros(12, dtype=int)) == X).all()
    assert adjusted_rand_score(clusters.labels_, truth) == 1


@pytest.mark.parametrize("seed", range(4))
def test_the_other_ways_of_section_6_6(seed):
    X, nothing = np.random.default_rng(seed).normal(1, 1, (40, 6)), np.zeros(40, dtype=int)
    usual, first, rounds = (
        LocalSVD(clusters=3, random_state=seed, **more)
        for more in ({}, {"relabel": False}, {"rounds": 3})
    )
    found = usual.fit_transform(X, nothing)
    assert (first.fit_transform(X, nothing) == found).all()
    baseline = ClusterLabels(clusters=3, random_state=seed)
    baseline.fit(X, nothing)
    assert (first.labels_ == baseline.labels_).all()
    wanted, labels = found, usual.labels_
    for _ in range(2):
        wanted = np.empty_like(X)
        for label in np.unique(labels):
            wanted[labels == label] = truncated(X[labels == label], 1)
        state = int(np.random.default_rng(seed).integers(2**31))
        labels = cluster(wanted, 3, state).labels
    assert rounds.fit_transform(X, nothing) == pytest.approx(wanted)
    assert (rounds.labels_ == labels).all()

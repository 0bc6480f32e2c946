"""Prefix nearest neighbours against scikit-learn, and the SVM path."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from steadfast.accuracy.prefix_knn import prefix_knn
from steadfast.accuracy.rows import accuracy_rows
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection


def selection_of(sequence, n_chosen=None):
    """A selection without weights."""
    return Selection(np.array(sequence), np.zeros(len(sequence)), n_chosen)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(2, 4))
def test_every_size_scores_as_scikit_learn_does(seed, neighbours, n_classes):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 6)), rng.integers(0, n_classes, 60)
    train, test = np.arange(40), np.arange(40, 60)
    curve = prefix_knn(X[train], y[train], X[test], y[test], n_neighbours=neighbours)
    for k in range(1, 7):
        peer = KNeighborsClassifier(neighbours).fit(X[train, :k], y[train])
        assert curve[k - 1] == peer.score(X[test, :k], y[test])


def test_copies_of_a_bootstrap_vote_once_each():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(300, 5)), rng.integers(0, 3, 300)
    drawn = rng.integers(0, 300, 300)
    test = np.setdiff1d(np.arange(300), drawn)
    curve = prefix_knn(X[drawn], y[drawn], X[test], y[test])
    for k in range(1, 6):
        peer = KNeighborsClassifier(3, algorithm="brute").fit(X[drawn, :k], y[drawn])
        assert curve[k - 1] == pytest.approx(peer.score(X[test, :k], y[test]), abs=1e-12)


def test_the_memory_layout_does_not_matter():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    columns_first = np.asfortranarray(X)
    assert (prefix_knn(X, y, X, y) == prefix_knn(columns_first, y, columns_first, y)).all()


def test_ties_go_to_the_earlier_row_and_the_lower_class():
    X_train, y_train = np.array([[1.0], [1.0], [3.0]]), np.array([1, 0, 0])
    at_one = prefix_knn(X_train, y_train, np.array([[1.0]]), np.array([1]), n_neighbours=1)
    assert at_one[0] == 1  # rows 0 and 1 tie; row 0 comes first
    two_votes = prefix_knn(X_train, y_train, np.array([[1.0]]), np.array([0]), n_neighbours=2)
    assert two_votes[0] == 1  # one vote each; class 0 is lower


def test_more_neighbours_than_rows_and_no_test_rows_are_fine():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 0])
    assert prefix_knn(X, y, X, y, n_neighbours=5)[0] == 1
    assert np.isnan(prefix_knn(X, y, X[:0], y[:0])).all()


def test_huge_values_do_not_crash():
    X, y = np.array([[1e308], [-1e308], [1e308]]), np.array([0, 1, 0])
    assert prefix_knn(X, y, X, y).shape == (1,)


def test_the_svm_is_scaled_by_the_training_rows_and_scored_at_the_chosen_sizes():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(80, 4)) * [1, 10, 100, 0.1], rng.integers(0, 2, 80)
    fold = Fold("b01_r0.5", 1, 0.5, np.arange(50), np.arange(50, 80))
    sequence = np.array([2, 0, 3, 1])
    settings = {"use": "svm", "kernel": "linear", "C": 0.5, "sizes": [1, 3, 9], "ratios": [0.5]}
    rows = list(accuracy_rows("svm", settings, [fold], {fold.name: selection_of(sequence)}, X, y))
    assert [row[2] for row in rows] == [1, 3]
    for _, ratio, k, name, value, tested, _ in rows:
        assert tested == 30
        peer = make_pipeline(StandardScaler(), SVC(kernel="linear", C=0.5))
        peer.fit(X[:50, sequence[:k]], y[:50])
        assert (ratio, name) == (0.5, "b01_r0.5")
        assert value == peer.score(X[50:, sequence[:k]], y[50:])


def test_sizes_beyond_the_features_are_left_out():
    X, y = np.zeros((4, 2)), np.array([0, 0, 1, 1])
    fold = Fold("b01_r1", 1, 1.0, np.array([0, 2]), np.array([1, 3]))
    selections = {"b01_r1": selection_of([0, 1])}
    assert list(accuracy_rows("knn", {"sizes": [50]}, [fold], selections, X, y)) == []


def test_a_training_part_of_one_class_predicts_that_class():
    X, y = np.zeros((4, 1)), np.array([0, 0, 1, 0])
    fold = Fold("b01_r1", 1, 1.0, np.array([0, 1]), np.array([2, 3]))
    rows = list(accuracy_rows("svm", {}, [fold], {"b01_r1": selection_of([0])}, X, y))
    assert rows[0][4] == 0.5


def test_outcomes_name_the_rows_that_were_wrong():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    fold = Fold("o01", 1, 1.0, np.arange(40), np.arange(40, 60))
    settings = {"use": "svm", "outcomes": True, "scale": "unit", "kernel": "linear"}
    rows = list(accuracy_rows("svm", settings, [fold], {"o01": selection_of(range(3))}, X, y))
    for row in rows:
        wrong = [int(number) for number in row[-1].split()]
        assert len(wrong) == round((1 - row[4]) * 20)
        assert all(40 <= number < 60 for number in wrong)

"""What `tuned` chooses by: accuracy and stability of every prefix, shared counts, and the rule."""

import warnings

import numpy as np
import plain_tuned
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import CategoricalNB
from test_forward import tables

from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.selectors import MRMR
from steadfast.selectors.kernels import forward
from steadfast.selectors.kernels.prefix_bayes import PrefixBayes
from steadfast.selectors.running.grid import BY, Grid
from steadfast.statistics import information as counting
from steadfast.statistics.corrected_stability import (
    corrected_stability,
    prefix_parts,
    prefix_stability,
)

ALPHAS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]


@st.composite
def split_bins(draw, most=6):
    """Bins and classes of rows to train and to test on, rows by features, and a sequence.

    Values and classes may be missing on either side.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, rest = draw(st.integers(1, 25)), draw(st.integers(1, 25))
    m, n_classes = draw(st.integers(1, most)), draw(st.integers(1, 4))
    sides = [draw(st.integers(1, 5)), draw(st.integers(1, 5))]
    train, test = (rng.integers(0, bins, (rows, m)) for bins, rows in zip(sides, (n, rest)))
    y_train, y_test = rng.integers(0, n_classes, n), rng.integers(0, n_classes, rest)
    if draw(st.booleans()):
        train[:, 0] = y_train
    return train, y_train, test, y_test, rng.permutation(m)[: draw(st.integers(1, m))]


def accuracies(train, y_train, test, y_test, sequence):
    """What the project computes; it has one row per feature."""
    made = PrefixBayes(by_feature(train), y_train, by_feature(test), y_test)
    return made.accuracies(np.asarray(sequence))


def by_feature(bins):
    return np.ascontiguousarray(bins.T.astype(np.uint8))


def quiet_balanced_accuracy(y, found):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes that are predicted and do not occur
        return balanced_accuracy_score(y, found)


@settings(max_examples=60, deadline=None)
@given(split_bins())
def test_accuracy_of_every_size_is_that_of_the_naive_bayes_of_scikit_learn(data):
    train, y_train, test, y_test, sequence = data
    # Classes without training rows cannot be fitted there.
    labels, codes = np.unique(y_train, return_inverse=True)
    kept = np.isin(y_test, labels)
    if not kept.any():
        return
    test, y_test = test[kept], np.searchsorted(labels, y_test[kept])
    found = accuracies(train, codes, test, y_test, sequence)
    n_bins = max(train.max(), test.max()) + 1
    for k in range(1, sequence.size + 1):
        first = sequence[:k]
        model = CategoricalNB(alpha=1, fit_prior=False, min_categories=n_bins)
        model.fit(train[:, first], codes)
        worth = np.sort(model.predict_joint_log_proba(test[:, first]), axis=1)
        clear = worth.shape[1] < 2 or (worth[:, -1] - worth[:, -2] > 1e-9).all()
        if clear:
            predicted = model.predict(test[:, first])
            assert found[k - 1] == pytest.approx(quiet_balanced_accuracy(y_test, predicted))


@settings(max_examples=40, deadline=None)
@given(split_bins(most=3))
def test_accuracy_of_every_size_is_that_of_exact_fractions_where_no_classes_tie(data):
    train, y_train, test, y_test, sequence = data
    found = accuracies(*data)
    n_bins = max(train.max(), test.max()) + 1
    n_classes = max(y_train.max(), y_test.max()) + 1
    in_logarithms = plain_tuned.bayes_accuracies(*data)
    for k in range(1, sequence.size + 1):
        first = sequence[:k]
        exact, tied = plain_tuned.bayes_classes(
            train[:, first], y_train, test[:, first], n_bins, n_classes
        )
        expected = plain_tuned.balanced_accuracy(exact, y_test)
        assert in_logarithms[k - 1] == pytest.approx(expected), "the reference of other tests"
        if not tied:
            assert found[k - 1] == pytest.approx(expected)


def test_equally_likely_classes_of_unequal_size_give_the_lowest():
    # (1 + 1) / (2 + 2) = (2 + 1) / (4 + 2): both classes have value 0 in half of their rows.
    train = np.array([[0], [1], [0], [0], [1], [1]])
    y = np.array([0, 0, 1, 1, 1, 1])
    assert accuracies(train, y, np.array([[0]]), np.array([0]), [0]) == [1.0]


def test_equally_likely_classes_of_equal_size_give_the_lowest():
    train, y = np.array([[0], [1], [0], [1], [0], [1]]), np.array([0, 0, 1, 1, 2, 2])
    assert accuracies(train, y, np.array([[0], [1]]), np.array([0, 1]), [0]) == [0.5]


def test_a_value_that_no_training_row_has_is_least_likely_in_the_largest_class():
    train, y = np.zeros((5, 1), int), np.array([0, 0, 0, 1, 1])
    # 1 / (3 + 2) against 1 / (2 + 2)
    assert accuracies(train, y, np.array([[1]]), np.array([1]), [0]) == [1.0]


def test_classes_without_test_rows_do_not_count():
    train, y = np.array([[0], [0], [1], [1], [2], [2]]), np.array([0, 0, 1, 1, 2, 2])
    test, y_test = np.array([[0], [2], [2], [0]]), np.array([0, 2, 2, 2])
    assert accuracies(train, y, test, y_test, [0])[0] == pytest.approx((1 + 2 / 3) / 2)


def test_one_class_is_always_right():
    bins = np.arange(6).reshape(3, 2) % 3
    assert accuracies(bins, np.zeros(3, int), bins, np.zeros(3, int), [1, 0]).tolist() == [1, 1]


def test_without_rows_to_test_on_there_is_no_accuracy():
    bins, y = np.zeros((3, 2), int), np.array([0, 1, 1])
    assert np.isnan(accuracies(bins, y, bins[:0], y[:0], [0, 1])).all()


@settings(max_examples=40, deadline=None)
@given(split_bins(), st.randoms(use_true_random=False))
def test_what_other_sequences_were_asked_before_changes_nothing(data, random):
    train, y_train, test, y_test, sequence = data
    m = train.shape[1]
    made = PrefixBayes(by_feature(train), y_train, by_feature(test), y_test)
    for _ in range(3):
        made.accuracies(np.array(random.sample(range(m), random.randint(1, m))))
    np.testing.assert_array_equal(made.accuracies(sequence), accuracies(*data))


@settings(max_examples=40, deadline=None)
@given(split_bins())
def test_accuracy_does_not_depend_on_the_order_of_the_rows(data):
    train, y_train, test, y_test, sequence = data
    rows, others = np.argsort(train[:, 0]), np.argsort(test[:, 0])
    found = accuracies(train[rows], y_train[rows], test[others], y_test[others], sequence)
    np.testing.assert_allclose(found, accuracies(*data), rtol=1e-12)
    assert ((found >= 0) & (found <= 1)).all()


# Stability of every prefix


@st.composite
def rankings(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    runs, m = draw(st.integers(2, 8)), draw(st.integers(1, 12))
    depth = draw(st.integers(1, m))
    found = [rng.permutation(m)[:depth] for _ in range(runs)]
    if draw(st.booleans()):
        found[1] = found[0].copy()
    return found, m


@settings(max_examples=60, deadline=None)
@given(rankings())
def test_stability_of_every_prefix_is_that_of_the_definition_and_of_the_measure(data):
    sequences, m = data
    found = prefix_stability(sequences, m)
    measured = np.ravel(load("nogueira").curves(Runs(m, sequences), sequences[0].size).values)
    assert found == pytest.approx(measured, abs=1e-12, nan_ok=True)
    for k in range(1, len(found) + 1):
        expected = plain_tuned.stability([set(one[:k].tolist()) for one in sequences], m)
        assert found[k - 1] == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert np.isnan(found[k - 1]) == (k == m)


def test_equal_sequences_are_wholly_stable_and_sequences_apart_are_below_chance():
    assert prefix_stability([np.arange(4)] * 3, 9).tolist() == [1] * 4
    assert (prefix_stability([np.arange(4), np.arange(4, 8)], 9) < 0).all()


def test_stability_of_no_features_is_undefined():
    zero = np.zeros(1)
    assert np.isnan(corrected_stability(3, 5, zero, zero)).all()


# Counts that sequences share


@pytest.mark.parametrize("room", ["all", "one row"])
@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 30), st.sampled_from([True, False, None]))
def test_sequences_from_shared_counts_are_the_bytes_of_each_alone(room, data, n_steps, lazy):
    bins, y = data
    n_steps, counted = min(n_steps, len(bins)), counting.prepare(bins)
    relevances = counting.relevance_of(counted, y)
    with pytest.MonkeyPatch.context() as patch:
        if room == "one row":
            patch.setattr(forward, "MOST_SHARED", 8 * len(bins))
        shared = forward.share(len(bins), len(ALPHAS) + 1, n_steps)
        assert len(shared.values) == 1 or room == "all"
        for criterion, alpha in [*(("mid_alpha", alpha) for alpha in ALPHAS), ("miq", 0.5)]:
            found = forward.forward(
                counted, relevances, criterion, alpha, n_steps, lazy, shared=shared
            )
            expected = forward.forward(counted, relevances, criterion, alpha, n_steps, lazy)
            for one, other in zip(found, expected, strict=True):
                assert one.tobytes() == other.tobytes(), (criterion, alpha)


@settings(max_examples=30, deadline=None)
@given(tables(), st.integers(1, 30), st.booleans())
def test_selectors_ranked_together_have_the_sequence_of_each_fitted_alone(data, wanted, bins_given):
    bins, y = data
    X = np.ascontiguousarray(bins.T)
    X, wanted = X if bins_given else X.astype(float), min(wanted, len(bins))
    made = [MRMR("mid_alpha", alpha, wanted) for alpha in ALPHAS] + [MRMR("mid", 0.5, wanted)]
    found = made[0].sequences_of(X, y, made, wanted)
    for one, sequence in zip(made, found, strict=True):
        assert sequence.tolist() == one.fit(X, y).sequence_.tolist()


def test_selectors_ranked_together_have_bins_of_their_own():
    X, y = load_wine(return_X_y=True)
    made = [MRMR("mid", bins=bins) for bins in (3, 20)]
    for one, sequence in zip(made, made[0].sequences_of(X, y, made, 13), strict=True):
        assert sequence.tolist() == one.fit(X, y).sequence_.tolist()


def test_information_is_counted_once_for_all_sequences():
    rng = np.random.default_rng(0)
    bins, y = rng.integers(0, 4, (6, 50)).astype(np.uint8), rng.integers(0, 2, 50)
    counted = counting.prepare(bins)
    relevances, shared = counting.relevance_of(counted, y), forward.share(6, 2, 6)
    forward.forward(counted, relevances, "mid_alpha", 1, 6, False, shared=shared)
    # What is left at each step against what was selected last: 5 + 4 + 3 + 2 + 1 pairs.
    assert np.isfinite(shared.values[: shared.taken[0]]).sum() == 15
    shared.values[:] = np.where(np.isnan(shared.values), np.nan, 0.0)
    again = forward.forward(counted, relevances, "mid_alpha", 1, 6, False, shared=shared)
    assert again[1].tolist() == [0] * 6, "the second sequence takes what the first one counted"


def test_a_single_sequence_shares_nothing():
    assert forward.share(9, 1, 5).values.size == 0


# The choice


def equal_grid(stability, accuracy=0.5):
    stability = np.array(stability, dtype=float)
    points = [{"alpha": at} for at in range(len(stability))]
    parts = np.broadcast_to(stability, (3, *stability.shape))
    return Grid(points, stability, np.full((3, *stability.shape), accuracy), 0.25, parts)


@pytest.mark.parametrize(
    ("stability", "chosen"),
    [
        ([[1, 1, 1], [1, 1, 1]], (0, 0)),
        ([[0, 1, 1], [0, 1, 1]], (0, 1)),
        ([[0, 0, 1], [0, 1, 1]], (1, 1)),
        ([[0, 1 - 1e-15, 1]], (0, 1)),
        ([[-0.5, -0.2, np.nan]], (0, 2)),
        ([[np.nan], [np.nan]], (0, 0)),
    ],
)
def test_of_equals_the_smallest_size_and_then_the_first_parameters_are_chosen(stability, chosen):
    for by, weight in ((BY[0], None), ("stability", None), (BY[0], 0.5), (BY[0], 1)):
        assert equal_grid(stability).choice(by, weight) == chosen


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_whole_weight_is_stability_alone_and_no_weight_is_accuracy_alone(seed):
    rng = np.random.default_rng(seed)
    grid = equal_grid(rng.integers(0, 5, (3, 4)) / 4)._replace(accuracy=rng.random((3, 3, 4)))
    assert grid.choice(BY[0], 1) == grid.choice("stability", None)
    assert grid.choice(BY[0], 0) == grid.choice("accuracy", None)
    for by, weight in ((BY[0], None), ("accuracy", None), ("stability", None), (BY[0], 0.3)):
        assert grid.choice(by, weight) == plain_tuned.choose(*grid[1:4], by, weight)


def test_the_file_has_the_value_by_which_the_choice_was_made():
    columns = equal_grid([[-0.5, np.nan]]).columns((0, 1), 0.5, sizes=True)
    assert columns["value"] == [0, 0.25]


def noisy_grid(stability, accuracy, seed=0):
    """Ten samples whose values differ by a hundredth or so."""
    rng = np.random.default_rng(seed)
    grid = equal_grid(stability)
    shape = (10, *grid.stability.shape)
    parts = grid.stability + 0.01 * rng.normal(size=shape)
    own = np.array(accuracy)[:, None] + 0.01 * rng.normal(size=shape)
    return grid._replace(stability=parts.mean(axis=0), parts=parts, accuracy=own)


@pytest.mark.parametrize(
    ("stability", "accuracy", "chosen"),
    [
        ([[0.500], [0.505], [0.500]], [0.8, 0.8, 0.8], 2),  # nothing is better: as preferred
        ([[0.500], [0.700], [0.500]], [0.8, 0.8, 0.8], 1),  # more stable
        ([[0.700], [0.700], [0.500]], [0.8, 0.8, 0.8], 1),  # of two that are, the nearer one
        ([[0.500], [0.500], [0.500]], [0.9, 0.8, 0.8], 0),  # more accurate
        ([[0.500], [0.900], [0.500]], [0.9, 0.8, 0.8], 0),  # what is less accurate does not count
    ],
)
def test_what_is_preferred_is_left_only_for_what_is_significantly_better(
    stability, accuracy, chosen
):
    grid = noisy_grid(stability, accuracy)
    assert grid.choice(BY[0], None, {"alpha": 2}) == (chosen, 0)


def test_without_a_preferred_value_the_smallest_good_size_is_taken():
    grid = noisy_grid([[0.3, 0.6, 0.61, 0.6]], [0.8])
    assert grid.choice(BY[0], None, {}) == (0, 1)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 6), st.integers(2, 8))
def test_parts_of_stability_are_those_of_the_measure(seed, n_runs, m):
    rng = np.random.default_rng(seed)
    sequences = [rng.permutation(m) for _ in range(n_runs)]
    expected = load("nogueira").curves(Runs(m, sequences), m).units
    np.testing.assert_allclose(prefix_parts(sequences, m), expected, atol=1e-12)
    whole = prefix_stability(sequences, m)
    np.testing.assert_allclose(prefix_parts(sequences, m).mean(axis=0), whole, atol=1e-12)


def test_two_runs_have_no_parts():
    assert np.isnan(prefix_parts([np.arange(3), np.arange(3)], 5)).all()

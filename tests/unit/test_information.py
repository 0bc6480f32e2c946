"""Mutual information and symmetrical uncertainty against plain definitions and scikit-learn."""

from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from steadfast.statistics.information import relevance, symmetrical_uncertainty


def entropy(values) -> float:
    n = len(values)
    return -sum(count / n * log2(count / n) for count in Counter(values).values())


def information(first, second) -> float:
    """I(x;y) = H(x) + H(y) − H(x,y), by counting."""
    first, second = list(first), list(second)
    return entropy(first) + entropy(second) - entropy(list(zip(first, second)))


@st.composite
def binned_data(draw):
    seed = draw(st.integers(0, 2**32 - 1))
    n, m = draw(st.integers(2, 60)), draw(st.integers(1, 7))
    n_bins, n_classes = draw(st.integers(1, 12)), draw(st.integers(1, 5))
    rng = np.random.default_rng(seed)
    return (
        rng.integers(0, n_bins, (m, n)).astype(np.uint8),
        rng.integers(0, n_classes, n),
    )


@settings(max_examples=60, deadline=None)
@given(binned_data())
def test_relevance_is_mutual_information_with_the_class(data):
    bins, y = data
    expected = [information(row, y) for row in bins]
    np.testing.assert_allclose(relevance(bins, y), expected, atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(binned_data())
def test_symmetrical_uncertainty_follows_its_definition(data):
    bins, _ = data
    computed = symmetrical_uncertainty(bins)
    for i, first in enumerate(bins):
        for j, second in enumerate(bins):
            entropies = entropy(first) + entropy(second)
            expected = 2 * information(first, second) / entropies if entropies > 1e-12 else 0
            assert computed[i, j] == pytest.approx(expected, abs=1e-10)
    assert (computed == computed.T).all()
    assert computed.min() >= 0
    assert computed.max() <= 1


def test_scikit_learn_agrees_on_information():
    rng = np.random.default_rng(0)
    bins = rng.integers(0, 10, (4, 500)).astype(np.uint8)
    y = rng.integers(0, 3, 500)
    expected = [mutual_info_score(row, y) / np.log(2) for row in bins]
    np.testing.assert_allclose(relevance(bins, y), expected, atol=1e-12)


def test_a_constant_feature_is_similar_to_nothing_not_even_itself():
    bins = np.array([[3, 3, 3, 3], [0, 1, 0, 1], [5, 5, 5, 5]], dtype=np.uint8)
    similarity = symmetrical_uncertainty(bins)
    assert similarity[0].tolist() == [0, 0, 0]
    assert similarity[1, 1] == 1


def test_more_classes_than_a_byte_holds_are_counted_apart():
    rng = np.random.default_rng(2)
    bins, y = rng.integers(0, 10, (1, 900)).astype(np.uint8), np.arange(900) % 300
    expected = mutual_info_score(bins[0], y) / np.log(2)
    assert relevance(bins, y)[0] == pytest.approx(expected, abs=1e-12)


def test_many_bins_and_rows_do_not_overflow():
    rng = np.random.default_rng(1)
    bins = rng.integers(0, 256, (2, 5000)).astype(np.uint8)
    expected = mutual_info_score(bins[0], bins[1]) / np.log(2)
    joint = symmetrical_uncertainty(bins)[0, 1]
    entropies = entropy(bins[0].tolist()) + entropy(bins[1].tolist())
    assert joint == pytest.approx(2 * expected / entropies, abs=1e-12)

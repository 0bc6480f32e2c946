"""Prefix matching against scipy's optimum at every size."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from steadfast.measures.kernels.matching import prefix_matching


def optimum(weights: np.ndarray) -> float:
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return weights[rows, columns].sum()


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.sampled_from(["real", "tied", "negative"]))
def test_every_prefix_is_matched_as_well_as_scipy_does(seed, m, kind):
    rng = np.random.default_rng(seed)
    weights = {
        "real": rng.random((m, m)),
        "tied": rng.integers(0, 3, (m, m)).astype(float),
        "negative": rng.normal(size=(m, m)),
    }[kind]
    totals = prefix_matching(weights)
    expected = [optimum(weights[:k, :k]) for k in range(1, m + 1)]
    np.testing.assert_allclose(totals, expected, rtol=0, atol=1e-12)


def test_a_large_matching_stays_exact():
    rng = np.random.default_rng(5)
    weights = rng.random((200, 200)) ** 4
    totals = prefix_matching(weights)
    for k in (1, 50, 137, 200):
        assert totals[k - 1] == pytest.approx(optimum(weights[:k, :k]), abs=1e-12)


def test_equal_sequences_match_perfectly():
    weights = np.eye(30)
    np.testing.assert_array_equal(prefix_matching(weights), np.arange(1, 31))


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(ValueError, match="square"):
        prefix_matching(np.zeros((2, 3)))

"""Ranks with ties, and what tables print of them."""

import numpy as np
import pytest

from steadfast.statistics.ranks import competition_ranks, mean_and_sd, share_better


def test_ties_share_the_smaller_rank():
    values = np.array([[0.9, 0.5], [0.9, 0.5], [0.1, 0.5], [1.0, 0.4]])
    assert competition_ranks(values).T.tolist() == [[2, 2, 4, 1], [1, 1, 1, 4]]


def test_rounding_does_not_break_a_tie():
    values = np.array([[0.1 + 0.2], [0.3]])
    assert competition_ranks(values).ravel().tolist() == [1, 1]


def test_mean_and_standard_deviation_run_over_the_sizes():
    means, spreads = mean_and_sd(np.array([[1, 2, 3], [2, 2, 2]]))
    assert means.tolist() == [2, 2]
    assert spreads.tolist() == pytest.approx([1, 0])


def test_share_better_counts_ties_apart():
    assert share_better(np.array([2.0, 1, 1, 0]), np.array([1.0, 1, 1, 1])) == (0.25, 0.5)

"""Kernels of wrappers against plain loops, to the last bit, and candidates that are given up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_machine import plain_solve
from test_wrapper_criteria import blobs

from steadfast.core.compiled import njit
from steadfast.core.compiled.vectors import padded
from steadfast.wrappers.base import Split
from steadfast.wrappers.kernels import moment_passes
from steadfast.wrappers.kernels.kernel_rows import Kernel, kernel_row
from steadfast.wrappers.kernels.solver import solve
from steadfast.wrappers.machines import MachineCriterion, RedrawnMachines
from steadfast.wrappers.neighbours import NeighbourCriterion
from steadfast.wrappers.redrawn import Redraw
from steadfast.wrappers.redrawn_gaussian import RedrawnGaussian
from steadfast.wrappers.redrawn_neighbours import RedrawnNeighbours

PARTS = 2.0**40


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(2, 45),
    levels=st.sampled_from([2, 5, 10**6]),
    cost=st.sampled_from([0.1, 1.0, 1000.0]),
    rate=st.sampled_from([0.05, 1.0, 30.0]),
    shared=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_machines_are_solved_as_row_by_row(n, levels, cost, rate, shared, seed):
    """Ties included: few levels make equal rows."""
    draw = np.random.default_rng(seed)
    X = draw.integers(levels, size=(n + 3, 2)) / levels
    distance = np.rint(((X[:, None] - X) ** 2).sum(axis=2) * PARTS)
    room, known = np.empty((n + 3, padded(n + 3))), np.zeros(n + 3, dtype=bool)
    kernel = Kernel(
        *(distance, np.zeros(n + 3), 1.0, PARTS, rate / PARTS),
        *(shared, np.empty_like(distance), known),
    )
    rows = np.sort(draw.permutation(n + 3)[:n])
    n_first = int(draw.integers(1, n))
    matrix = np.empty((n, n))
    for i in range(n):
        kernel_row(kernel, rows[i], rows, matrix[i])
    np.testing.assert_allclose(
        matrix, np.exp(-rate * distance[np.ix_(rows, rows)] / PARTS), atol=1e-12
    )
    weights, offset = solve(kernel, rows, n_first, cost, 1e-3, room)
    expected, plain_offset = plain_solve(matrix.tolist(), n_first, cost, 1e-3)
    assert weights.tolist() == expected
    assert offset == plain_offset


@njit()
def centre_and_multiply(table, rows, mean, centred, products):
    moment_passes.centre(table, rows, rows.size, mean, centred)
    moment_passes.sum_products(centred, rows.size, products)


@settings(max_examples=30, deadline=None)
@given(n=st.integers(1, 20), k=st.integers(1, 30), seed=st.integers(0, 10**6))
def test_moments_are_summed_in_the_order_of_the_rows(n, k, seed):
    draw = np.random.default_rng(seed)
    width = padded(k)
    table = np.zeros((25, width))
    table[:, :k] = draw.normal(size=(25, k))
    rows = draw.permutation(25)[:n]
    mean, centred, products = np.empty(width), np.empty((25, width)), np.empty((width, width))
    centre_and_multiply(table, rows, mean, centred, products)
    total = np.zeros(width)
    for row in rows:
        total += table[row]
    assert mean.tolist() == (total / n).tolist()
    assert centred[:n].tolist() == (table[rows] - total / n).tolist()
    expected = np.zeros((width, width))
    for row in centred[:n]:
        expected += row[:, None] * row
    lower = np.tril_indices(k)
    assert products[lower].tolist() == expected[lower].tolist()


def redrawn(made, seed, **params):
    X, y = blobs(70, 3)
    redraw = Redraw(y, 4, 2 / 3, 0.8, np.random.default_rng(seed))
    return made(X, y, redraw, **params)


def fixed(made, seed, **params):
    X, y = blobs(71, 3)
    parts = np.array_split(np.random.default_rng(seed).permutation(71), 4)
    splits = [Split(np.setdiff1d(np.arange(71), part), np.sort(part)) for part in parts]
    return made(X, y, splits, **params)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("how", "made", "params"),
    [
        (redrawn, RedrawnMachines, {"C": 100, "gamma": "all"}),
        (redrawn, RedrawnMachines, {"gamma": "scale"}),
        (redrawn, RedrawnGaussian, {}),
        (redrawn, RedrawnNeighbours, {}),
        (fixed, MachineCriterion, {}),
        (fixed, NeighbourCriterion, {}),
    ],
)
def test_what_is_given_up_could_not_have_won(how, made, params, seed):
    """The best candidate and its score are those of all, counted to the end."""
    quick, whole = how(made, seed, **params), how(made, seed, **params)
    for feature in (3, 0, 1):
        outside = [other for other in range(5) if other not in quick.subset]
        scores = quick.scores_with(outside)
        every = whole._weights @ whole.hits_with(outside)
        best = int(every.argmax())
        assert (int(scores.argmax()), scores[best]) == (best, every[best])
        assert (scores <= every).all()
        quick.add(feature)
        whole.add(feature)
    for above in (0, None):
        every = whole._weights @ whole.hits_without(whole.subset)
        best = int(every.argmax())
        limit = int(every[best]) if above is None else above
        scores = quick.scores_without(above=limit)
        assert (scores.max() > limit) == (every[best] > limit)
        if above == 0:
            assert (int(scores.argmax()), scores[best]) == (best, every[best])

"""Lazy and plain selection and counts by planes and by rows against the kernels of version 1.0.0.

Results have to be the same bytes, ties and rounding included.
"""

import numpy as np
import plain_mrmr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_information import information

from steadfast.selectors import mrsmr
from steadfast.selectors.kernels import forward
from steadfast.selectors.mrmr import mrmr_sequence
from steadfast.statistics import bit_planes
from steadfast.statistics import information as counting

CASES = settings(max_examples=80, deadline=None)


@st.composite
def tables(draw):
    """Bins and classes with what makes ties: copies, relabelled copies, constants, independence."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m = draw(st.sampled_from([2, 5, 30, 64, 65, 200])), draw(st.integers(1, 25))
    n_bins, n_classes = draw(st.sampled_from([1, 2, 3, 5, 10, 17])), draw(st.integers(1, 20))
    bins = rng.integers(0, n_bins, (m, n)).astype(np.uint8)
    y = rng.integers(0, n_classes, n)
    if draw(st.booleans()):
        bins[rng.random(m) < 0.5] = np.minimum(y, 255).astype(np.uint8)
    if draw(st.booleans()):
        copied = rng.integers(m, size=max(1, m // 2))
        bins = np.vstack([bins, bins[copied], n_bins - 1 - np.minimum(bins[copied], n_bins - 1)])
    if draw(st.booleans()):
        bins = np.vstack([bins, np.full((2, n), 3, np.uint8)])
    return np.ascontiguousarray(bins[rng.permutation(len(bins))]), y


@pytest.fixture(params=["planes", "rows"])
def counted_by(request, monkeypatch):
    """Both ways to count, whatever would be faster."""
    monkeypatch.setattr(counting, "planes_pay", lambda *sizes: request.param == "planes")
    return request.param


def assert_equal_bytes(found, expected):
    (sequence, steps), (other, others) = found, expected
    assert sequence.tobytes() == other.tobytes()
    assert list(steps) == list(others)
    for term, values in steps.items():
        assert values.tobytes() == others[term].tobytes(), term


def selected(bins, y, criterion, alpha, n_steps, lazy):
    counted = counting.prepare(bins)
    relevances = counting.relevance_of(counted, y)
    sequence, redundancies, scores = forward.forward(
        counted, relevances, criterion, alpha, n_steps, lazy
    )
    steps = {"relevance": relevances[sequence], "redundancy": redundancies, "score": scores}
    return sequence, steps


def selected_lazily_to_the_end(bins, y, criterion, alpha, n_steps):
    """The lazy way at every step, however little it saves."""
    counted, m = counting.prepare(bins), len(bins)
    relevances = counting.relevance_of(counted, y)
    terms = forward.Terms(forward.CRITERIA[criterion], alpha, relevances, np.zeros(m))
    redundancy, scores = forward.no_redundancy(m), np.empty(m)
    sequence, left = np.empty(n_steps, np.int64), np.arange(m)
    redundancies, best_scores = np.zeros(n_steps), np.empty(n_steps)
    for step in range(n_steps):
        best = forward.first_of_largest(left, relevances)
        best_scores[step] = forward.score_of(terms, best, 0.0)
        if step:
            forward._update_leaders(counted, terms, redundancy, left, sequence, step, scores)
            best = forward._best(left, scores, relevances)
            redundancies[step], best_scores[step] = redundancy.sums[best] / step, scores[best]
        sequence[step], left = best, left[left != best]
    steps = {"relevance": relevances[sequence], "redundancy": redundancies, "score": best_scores}
    return sequence, steps


@CASES
@given(
    tables(),
    st.sampled_from(["mid", "miq", "mid_alpha"]),
    st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 1.0]),
    st.integers(1, 60),
)
def test_every_way_gives_the_sequence_and_terms_of_the_plain_kernel(
    data, criterion, alpha, n_steps
):
    bins, y = data
    n_steps = min(n_steps, len(bins))
    expected = plain_mrmr.mrmr_sequence(bins, y, criterion, alpha, n_steps)
    for by_planes in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "planes_pay", lambda *sizes, way=by_planes: way)
            for lazy in (True, False):
                assert_equal_bytes(selected(bins, y, criterion, alpha, n_steps, lazy), expected)
            found = selected_lazily_to_the_end(bins, y, criterion, alpha, n_steps)
            assert_equal_bytes(found, expected)


@CASES
@given(tables(), st.integers(0, 4), st.sampled_from([0.0, 0.3, 2.0]), st.integers(1, 30))
def test_mrsmr_is_that_of_the_plain_kernel(data, n_earlier, kappa, n_steps):
    bins, y = data
    n_steps = min(n_steps, len(bins))
    rng = np.random.default_rng(n_steps)
    earlier = [rng.permutation(len(bins))[:n_steps] for _ in range(n_earlier)]
    earlier = np.array(earlier, dtype=np.int64).reshape(n_earlier, n_steps)
    expected = plain_mrmr.stable_sequence(bins, y, earlier, kappa, n_steps)
    for lazy in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mrsmr, "lazy_pays", lambda *sizes, way=lazy: way)
            assert_equal_bytes(mrsmr.stable_sequence(bins, y, earlier, kappa, n_steps), expected)


@CASES
@given(tables())
def test_relevance_and_uncertainty_are_the_same_bytes_by_planes_and_by_rows(data):
    bins, y = data
    for by_planes in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counting, "planes_pay", lambda *sizes, way=by_planes: way)
            uncertainty = counting.symmetrical_uncertainty(bins)
            assert uncertainty.tobytes() == plain_mrmr.symmetrical_uncertainty(bins).tobytes()
            assert counting.relevance(bins, y).tobytes() == plain_mrmr.relevance(bins, y).tobytes()


@pytest.mark.parametrize("n", [1, 63, 64, 65, 129, 9000, 20001])
@pytest.mark.parametrize("n_bins", [2, 4, 9, 10, 16, 23, 32])
def test_planes_count_as_rows_do_whatever_the_number_of_rows_and_bins(n, n_bins, counted_by):
    rng = np.random.default_rng(n)
    bins = rng.integers(0, n_bins, (7, n)).astype(np.uint8)
    bins[3] //= 2
    bins[4] = 1
    found = counting.symmetrical_uncertainty(bins)
    assert found.tobytes() == plain_mrmr.symmetrical_uncertainty(bins).tobytes()


def test_a_plane_holds_the_rows_of_its_bin():
    rng = np.random.default_rng(0)
    bins = rng.choice(np.array([0, 3, 4, 7], np.uint8), (3, 150))
    bins[1] = 7
    planes = bit_planes.bit_planes(bins, 8)
    assert planes.used.tolist() == [4, 1, 4]
    for feature, row in enumerate(bins):
        for lane, value in enumerate(np.unique(row)):
            words = np.ascontiguousarray(planes.bits[feature, :, lane])
            bits = np.unpackbits(words.view(np.uint8), bitorder="little")
            assert bits[:150].tolist() == (row == value).tolist()
            assert not bits[150:].any()
            assert planes.counts[feature, lane] == np.sum(row == value)


def test_information_of_pairs_is_that_of_the_definition(counted_by):
    rng = np.random.default_rng(1)
    bins = rng.integers(0, 10, (9, 171)).astype(np.uint8)
    counted, out = counting.prepare(bins), np.full(9, -1.0)
    firsts, seconds = rng.integers(9, size=9), rng.integers(9, size=9)
    counting.information_of(counted, firsts, seconds, 2, 9, out)
    expected = [information(bins[f], bins[s]) for f, s in zip(firsts[2:], seconds[2:])]
    np.testing.assert_allclose(out[2:], expected, atol=1e-12)
    assert out[:2].tolist() == [-1, -1]


def near_ties(below: float) -> tuple[counting.Counted, np.ndarray]:
    """Three independent pairs of equal features, whose relevances are told, not counted."""
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 4, (4, 500)).astype(np.uint8)
    bins = np.ascontiguousarray(rows[[0, 1, 1, 2, 2, 3, 3]])
    return counting.prepare(bins), np.array([2, 1, 1 + below, 1 - below, 1, 1 + 3 * below, 1.0])


@pytest.mark.parametrize("criterion", ["mid", "miq", "mid_alpha"])
@pytest.mark.parametrize("below", [0.0, 1e-14, 4e-11, 0.9e-10, 1.1e-10, 1e-9])
def test_bounds_within_the_tolerance_do_not_change_the_choice(criterion, below):
    counted, relevances = near_ties(below)
    lazily = forward.forward(counted, relevances, criterion, 0.75, 4, lazy=True)
    plainly = forward.forward(counted, relevances, criterion, 0.75, 4, lazy=False)
    for found, expected in zip(lazily, plainly):
        assert found.tobytes() == expected.tobytes()


def test_the_lazy_way_leaves_out_what_cannot_be_chosen():
    rng = np.random.default_rng(4)
    y = np.arange(300) % 3
    bins = rng.integers(0, 5, (200, 300)).astype(np.uint8)
    bins[:10] = (y + rng.integers(0, 2, (10, 300))).astype(np.uint8)
    counted = counting.prepare(bins)
    relevances = counting.relevance_of(counted, y)
    terms = forward.Terms(0, 0.5, relevances, np.zeros(200))
    redundancy = forward.no_redundancy(200)
    forward._forward(counted, terms, redundancy, 10, True)
    assert redundancy.added.sum() < 10 * 200 / 4


def test_the_selector_takes_the_faster_way():
    rng = np.random.default_rng(5)
    bins, y = rng.integers(0, 10, (40, 90)).astype(np.uint8), rng.integers(0, 3, 90)
    for n_steps in (3, 20, 40):
        found = mrmr_sequence(bins, y, "mid", 0.5, n_steps)
        assert_equal_bytes(found, plain_mrmr.mrmr_sequence(bins, y, "mid", 0.5, n_steps))


@pytest.mark.parametrize("processor", counting.LIMITS)
def test_planes_are_taken_where_bins_are_few_for_the_rows(processor, monkeypatch):
    monkeypatch.setattr(counting, "_limits", lambda: counting.LIMITS[processor])
    assert counting.planes_pay(90, 10, 10)
    assert counting.planes_pay(100_000, 4, 4)
    assert not counting.planes_pay(100_000, 30, 30)
    assert not counting.planes_pay(30, 10, 300)

"""In which class a feature is highest, against plain counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steadfast.advice.evidence import directions
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold


def direction_of(values, y, classes, levels=(), folds=None):
    table = Table(
        np.asarray(values, dtype=float)[:, None], np.asarray(y), ("f",), classes, (levels,)
    )
    folds = folds or [Fold("a", 1, 1.0, np.arange(len(y)), np.arange(1))]
    (found,) = directions(table, folds, [0])
    return found["direction"], found["agreement"]


def test_a_number_is_higher_in_the_class_of_the_higher_mean_rank():
    outlier = [0, 1, 2, 3, 900, 4, 5, 6, 7, 8]
    assert direction_of(outlier, [0] * 5 + [1] * 5, ("no", "yes")) == ("higher in yes", 1.0)
    assert direction_of([1, 2, 5, np.nan], [0, 0, 1, 1], ("no", "yes")) == ("higher in yes", 1.0)
    assert direction_of([9, 3, 2, 4], [0, 0, 1, 1], ("no", "yes")) == ("higher in no", 1.0)
    three = direction_of([1, 2, 8, 9, 5, 6], [0, 0, 1, 1, 2, 2], ("a", "b", "c"))
    assert three == ("highest in b", 1.0)
    gone = direction_of([1, 2, np.nan, np.nan, 5, 6], [0, 0, 1, 1, 2, 2], ("a", "b", "c"))
    assert gone == ("highest in c", 1.0)
    assert direction_of([1, 3, 3, 1], [0, 0, 1, 1], ("no", "yes")) == ("", None)
    assert direction_of([np.nan, np.nan, 3, 1], [0, 0, 1, 1], ("no", "yes")) == ("", None)


def test_agreement_is_the_share_of_folds_that_say_the_same():
    folds = [Fold(n, 1, 1.0, np.array(r), np.arange(1)) for n, r in (("a", [0, 3]), ("b", [1, 2]))]
    assert direction_of([1, 8, 5, 9], [0, 0, 1, 1], ("no", "yes"), folds=folds) == ("", 0.5)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 2**31))
def test_a_category_goes_with_the_class_that_it_exceeds_expectation_in_most(a, b, seed):
    draw = np.random.default_rng(seed)
    counts = draw.integers(1, 9, size=(a, b))
    places = [(i, j) for i in range(a) for j in range(b) for _ in range(counts[i, j])]
    values, y = map(list, zip(*places, strict=True))
    direction, _ = direction_of(values, y, tuple("wxyz"[:b]), tuple("ABCD"[:a]))
    expected = stats.contingency.expected_freq(counts)
    excess = (counts - expected) / np.sqrt(expected)
    if excess.max() < 1e-9:
        assert direction == ""
        return
    level, _, label = direction.partition(": more often ")
    assert excess["ABCD".index(level), "wxyz".index(label)] == pytest.approx(excess.max())

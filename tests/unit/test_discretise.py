"""Equal-width bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.preprocessing import KBinsDiscretizer

from steadfast.data import discretise
from steadfast.data.discretise import EqualWidth


def test_bins_are_of_equal_width_and_the_maximum_is_in_the_last():
    X = np.array([[0.0], [0.99], [1.0], [5.0], [9.99], [10.0]])
    assert EqualWidth(10).fit(X).transform(X).ravel().tolist() == [0, 0, 1, 5, 9, 9]


def test_scikit_learn_agrees():
    X = np.random.default_rng(0).normal(size=(300, 4))
    peer = KBinsDiscretizer(10, encode="ordinal", strategy="uniform").fit_transform(X)
    assert (EqualWidth(10).fit(X).transform(X) == peer).all()


@pytest.mark.parametrize("order", "CF")
def test_a_large_table_is_put_into_bins_by_parts(monkeypatch, order):
    X = np.asarray(np.random.default_rng(1).normal(size=(50, 4)), order=order)
    fitted = EqualWidth(5).fit(X)
    whole = fitted.transform(X)
    monkeypatch.setattr(discretise, "BLOCK", 12)
    parts = fitted.transform(X)
    assert (parts == whole).all()
    assert parts.flags[f"{order}_CONTIGUOUS"]


def test_a_constant_column_has_one_bin():
    X = np.array([[7.0, 1.0], [7.0, 2.0]])
    assert EqualWidth(10).fit(X).transform(X).tolist() == [[0, 0], [0, 9]]


def test_values_outside_the_fitted_range_go_to_the_nearest_bin():
    fitted = EqualWidth(4).fit(np.array([[0.0], [8.0]]))
    assert fitted.transform(np.array([[-5.0], [3.0], [99.0]])).ravel().tolist() == [0, 1, 3]


@given(
    hnp.arrays(
        np.float64,
        (5, 3),
        elements=st.floats(-1.7e308, 1.7e308, allow_nan=False, allow_infinity=False),
    )
)
def test_bins_stay_in_range_and_in_order_for_any_finite_numbers(X):
    bins = EqualWidth(10).fit(X).transform(X)
    assert bins.max() <= 9
    for column in range(3):
        order = np.argsort(X[:, column], kind="stable")
        assert (np.diff(bins[order, column].astype(int)) >= 0).all()


@pytest.mark.parametrize("bins", [1, 257])
def test_numbers_of_bins_that_cannot_be_are_refused(bins):
    with pytest.raises(ValueError, match="bins must be 2 to 256"):
        EqualWidth(bins).fit(np.zeros((2, 1)))

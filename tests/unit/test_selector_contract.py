"""What every selector promises, run on every one that is declared."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.utils.estimator_checks import check_estimator

from steadfast import registry
from steadfast.discretise import EqualWidth

DECLARED = registry.declarations()
X, Y = load_wine(return_X_y=True)


@pytest.fixture(params=sorted(DECLARED))
def declared(request):
    return DECLARED[request.param]


def ranked(declared, X, y, **params):
    """A fitted selector on what it wants: bins or numbers."""
    prepared = EqualWidth(10).fit(X).transform(X) if declared.discrete else X
    if "random_state" in declared.parameters:
        params.setdefault("random_state", 0)
    return declared.create(params).fit(prepared, y)


def test_scikit_learns_own_checks_pass(declared):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not derived from BaseEstimator: on purpose
        results = check_estimator(declared.create({}))
    assert {result["status"] for result in results} <= {"passed", "skipped"}


def test_every_column_is_ranked_once_and_weights_fall_with_the_rank(declared):
    fitted = ranked(declared, X, Y)
    assert sorted(fitted.sequence_) == list(range(13))
    assert (np.argsort(fitted.ranking_) == fitted.sequence_).all()
    assert (np.diff(fitted.scores_[fitted.sequence_]) <= 0).all()
    assert all(len(values) == 13 for values in fitted.steps_.values())


def test_the_same_data_give_the_same_ranking(declared):
    assert (ranked(declared, X, Y).sequence_ == ranked(declared, X, Y).sequence_).all()


def test_copies_of_a_column_are_ranked_by_their_position(declared):
    if declared.name == "random":
        pytest.skip("it does not look at the columns")
    copies = np.column_stack([X[:, 6], X[:, 0], X[:, 6]])
    sequence = ranked(declared, copies, Y).sequence_.tolist()
    assert sequence.index(0) < sequence.index(2)


def test_constant_columns_and_two_rows_a_class_are_fine(declared):
    tiny = np.array([[1.0, 5, 0], [2, 5, 0], [8, 5, 1], [9, 5, 1]])
    assert sorted(ranked(declared, tiny, np.array([0, 0, 1, 1])).sequence_) == [0, 1, 2]


def test_the_documentation_has_formula_parameters_and_reference(declared):
    text = registry.load_class(f"{declared.module}.{declared.class_name}").__doc__
    assert "Parameters" in text
    assert "References" in text
    assert declared.reference

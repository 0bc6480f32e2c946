"""The contract of `make check-selector`: every declared selector keeps it, spoilt ones do not."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.utils.estimator_checks import check_estimator

from steadfast.core import registry
from steadfast.data.discretise import EqualWidth
from steadfast.selectors.running.contract import (
    BEST,
    PROMISES,
    NotRun,
    Ranking,
    cases,
    check_promises,
    outcomes_in_process,
)

DECLARED = registry.declared("selector")
BINS = {"method": "equal_width", "bins": 10}
X, Y = load_wine(return_X_y=True)

#: Promises that ask nothing of a selector, beside that about names, which is for rules.
NOT_ASKED = {
    "boruta": {"does not depend on the order of columns", "ranks the lower of two identical"},
    "votes": {"does not depend on the order of columns"},
    "random": {"does not depend on the order of columns", "ranks the lower of two identical"},
    "knockoffs": {"does not depend on the order of columns", "ranks the lower of two identical"},
    "l1_svm": {"ranks the lower of two identical"},  # liblinear visits columns in random order
}

#: Forests are slow; what is promised does not depend on their size.
CHEAP = {"boruta": {"n_runs": 5, "n_trees": 2}, "votes": {"n_samples": 1, "n_trees": 1}}


@pytest.fixture(params=sorted(DECLARED))
def declaration(request):
    return DECLARED[request.param]


def test_every_declared_selector_keeps_the_contract(declaration):
    bins = BINS if declaration.discrete else None
    settings = {"use": declaration.name, "params": CHEAP.get(declaration.name, {})}
    found = check_promises(*outcomes_in_process(settings, bins))
    assert [str(check) for check in found if check.status == "fail"] == []
    expected = {"manages names with quotes", *NOT_ASKED.get(declaration.name, ())}
    not_applicable = [check.promise for check in found if check.status == "–"]
    assert len(not_applicable) == len(expected)
    assert all(promise.startswith(tuple(expected)) for promise in not_applicable)


def test_scikit_learns_own_checks_pass(declaration):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not derived from BaseEstimator: on purpose
        results = check_estimator(declaration.create(CHEAP.get(declaration.name, {})))
    assert {result["status"] for result in results} <= {"passed", "skipped"}


def test_every_column_is_ranked_once_and_weights_fall_with_the_rank(declaration):
    prepared = EqualWidth(10).fit(X).transform(X) if declaration.discrete else X
    params = {"random_state": 0} if "random_state" in declaration.parameters else {}
    params |= CHEAP.get(declaration.name, {})
    fitted = declaration.create(params).fit(prepared, Y)
    assert sorted(fitted.sequence_) == list(range(13))
    assert (np.argsort(fitted.ranking_) == fitted.sequence_).all()
    assert (np.diff(fitted.scores_[fitted.sequence_]) <= 0).all()
    assert all(len(values) == 13 for values in fitted.steps_.values())


def test_the_documentation_has_formula_parameters_and_reference(declaration):
    text = registry.load_class(f"{declaration.module}.{declaration.class_name}").__doc__
    assert "Parameters" in text
    assert "References" in text
    assert declaration.reference


def weigh(X, y):
    """The absolute difference of two class means, or the spread of more; constant columns last."""
    if not np.isfinite(X).all():
        raise ValueError("some values are missing")
    means = np.array([X[y == label].mean(axis=0) for label in np.unique(y)])
    return means.std(axis=0)


class Base:
    """A selector by `weigh`, which the others spoil in one way each."""

    def fit(self, X, y):
        self.sequence_ = np.argsort(-weigh(X, y), kind="stable")
        self.scores_ = weigh(X, y)
        return self


class TwiceTheBest(Base):
    def fit(self, X, y):
        super().fit(X, y)
        self.sequence_ = self.sequence_[[0, 0, *range(1, X.shape[1])]]
        return self


class OneColumnTooMany(Base):
    def fit(self, X, y):
        super().fit(X, y)
        self.sequence_ = np.append(self.sequence_, X.shape[1])
        self.scores_ = np.append(self.scores_, 0.0)
        return self


class WithoutSeed(Base):
    def fit(self, X, y):
        self.sequence_ = np.random.permutation(X.shape[1])
        self.scores_ = np.zeros(X.shape[1])
        return self


class ByPosition(Base):
    def fit(self, X, y):
        self.scores_ = weigh(X, y) + 0.5 * np.arange(X.shape[1])[::-1] * (weigh(X, y) > 0)
        self.sequence_ = np.argsort(-self.scores_, kind="stable")
        return self


class ConstantFirst(Base):
    def fit(self, X, y):
        self.scores_ = np.where(np.ptp(X, axis=0) == 0, np.inf, weigh(X, y))
        self.sequence_ = np.argsort(-self.scores_, kind="stable")
        return self


class LastOfTies(Base):
    def fit(self, X, y):
        self.scores_ = weigh(X, y)
        self.sequence_ = np.argsort(self.scores_, kind="stable")[::-1]
        return self


class NeedsThreeRows(Base):
    def fit(self, X, y):
        if np.bincount(y.astype(int)).max() < 3 if y.dtype.kind in "iu" else False:
            raise ZeroDivisionError("no third row")
        return super().fit(X, y)


class TwoClassesOnly(Base):
    def fit(self, X, y):
        if np.unique(y).size > 2:
            raise ValueError("two classes only")
        return super().fit(X, y)


class ReadsCodes(Base):
    def fit(self, X, y):
        self.scores_ = np.abs(X[y == 0].sum(axis=0) - X[y == 1].sum(axis=0))
        self.sequence_ = np.argsort(-self.scores_, kind="stable")
        return self


class NoNames(Base):
    def fit(self, X, y):
        if y.dtype.kind == "U":
            raise KeyError("a, b")
        return super().fit(X, y)


class NarrowOnly(Base):
    def fit(self, X, y):
        if X.shape[1] > len(X):
            raise ValueError("more columns than rows")
        return super().fit(X, y)


class Scales(Base):
    def fit(self, X, y):
        X -= X.mean(axis=0)
        return super().fit(X, y)


class BlindToMissing(Base):
    def fit(self, X, y):
        return super().fit(np.where(np.isnan(X), 1e9, X), y)


SPOILT = {
    TwiceTheBest: "ranks columns of the table",
    OneColumnTooMany: "ranks columns of the table",
    WithoutSeed: "gives the same ranking twice",
    ByPosition: "does not depend on the order of columns",
    ConstantFirst: "ranks a constant column after",
    LastOfTies: "ranks the lower of two identical",
    NeedsThreeRows: "manages two rows per class",
    TwoClassesOnly: "manages four classes",
    ReadsCodes: "does not depend on the codes",
    NoNames: "takes classes of any name",
    NarrowOnly: "manages many more columns",
    Scales: "leaves the table",
    BlindToMissing: "says no clearly to missing values",
}


def check_own(name):
    return check_promises(*outcomes_in_process({"use": f"{__name__}.{name}"}))


def test_a_class_and_a_function_of_the_users_own_keep_the_contract():
    for name in ("Base", "weigh"):
        assert "fail" not in {check.status for check in check_own(name)}, name


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_broken_promise_is_told(spoilt):
    broken = [check for check in check_own(spoilt.__name__) if check.status == "fail"]
    assert any(check.promise.startswith(SPOILT[spoilt]) for check in broken)
    assert all(check.text and "\n" not in check.text for check in broken)


def test_a_class_that_ranks_nothing_breaks_one_promise_and_the_rest_do_not_apply():
    first, *rest = check_promises(
        *outcomes_in_process({"use": "sklearn.preprocessing.StandardScaler"})
    )
    assert first.status == "fail"
    assert "after fit it has none of ranking_" in first.text
    assert {check.status for check in rest} == {"–"}


def test_a_case_that_was_not_run_makes_a_promise_not_applicable():
    outcomes, written = outcomes_in_process({"use": f"{__name__}.Base"})
    outcomes["wide"] = NotRun("no time")
    found = {check.promise: check for check in check_promises(outcomes, written)}
    assert found["manages many more columns than rows"][::2] == ("–", "no time")


def test_tied_columns_may_swap_when_columns_are_permuted():
    outcomes, written = outcomes_in_process({"use": f"{__name__}.Base"})
    m = cases()["plain"].X.shape[1]
    equal = Ranking(np.arange(m), np.ones(m))
    outcomes |= dict.fromkeys(("plain", "again", "permuted columns"), equal)
    promise = next(name for name, _ in PROMISES if "order of columns" in name)
    found = {check.promise: check for check in check_promises(outcomes, written)}
    assert found[promise].status == "pass"
    falling = Ranking(np.arange(m), np.arange(m, 0, -1.0))
    outcomes |= dict.fromkeys(("plain", "again", "permuted columns", "another seed"), falling)
    found = {check.promise: check for check in check_promises(outcomes, written)}
    assert found[promise].status == "fail"


def test_the_cases_are_as_hard_as_they_say():
    every = cases()
    X, y = every["plain"].X, every["plain"].y
    assert weigh(X, y).argmax() == BEST
    assert np.ptp(every["constant column"].X[:, 0]) == 0
    assert (every["copied columns"].X[:, -2] == X[:, BEST]).all()
    assert np.isnan(every["missing values"].X).any(axis=0).all()
    assert np.bincount(every["two rows per class"].y).tolist() == [2, 2]
    assert (cases()["wide"].X == every["wide"].X).all()

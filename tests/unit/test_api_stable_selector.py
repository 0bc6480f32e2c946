"""`StableSelector`: scikit-learn's protocol, and what it keeps."""

import warnings

import numpy as np
import plain_measures as plain
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    SelectKBest,
    VarianceThreshold,
    f_regression,
)
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import steadfast
from steadfast.selectors import MRMR

X, Y = load_wine(return_X_y=True)
FRAME, TARGET = load_wine(return_X_y=True, as_frame=True)

BASES = {
    "default": "fisher",
    "bins": "mid",
    "own class": MRMR("mid", n_features_to_select=2),
    "best": SelectKBest(k=2),
    "no target": VarianceThreshold(),
    "importances": RandomForestClassifier(n_estimators=3),
}


@pytest.mark.parametrize("base", BASES)
def test_scikit_learns_own_checks_pass(base):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(steadfast.StableSelector(BASES[base], n_subsamples=4))
    assert {result["status"] for result in results} <= {"passed", "skipped"}


def test_what_is_kept_is_what_is_selected_often():
    subsets, m = [], X.shape[1]

    class Recorder(SelectKBest):
        def fit(self, rows, y):
            super().fit(rows, y)
            subsets.append(set(self.get_support(indices=True).tolist()))
            counts.append(np.bincount(y))
            return self

    counts: list[np.ndarray] = []
    stable = steadfast.StableSelector(Recorder(k=5), n_subsamples=30, random_state=3).fit(X, Y)
    frequencies = np.array([sum(f in run for run in subsets) / 30 for f in range(m)])
    assert stable.frequencies_ == pytest.approx(frequencies)
    assert (stable.get_support() == (frequencies >= 0.8)).all()
    assert stable.stability_.value == pytest.approx(plain.nogueira(subsets, m))
    assert stable.stability_ == steadfast.stability(subsets, m)
    # Halves, each class in its share.
    assert {tuple(one) for one in counts} == {(30, 36, 24)}
    order = stable.sequence_
    assert (np.diff(frequencies[order]) <= 0).all()
    assert (stable.ranking_[order] == np.arange(1, order.size + 1)).all()
    assert stable.support_[order[: stable.support_.sum()]].all()


def test_seeds_and_processes():
    def frequencies(**options):
        options = {"n_subsamples": 6, "random_state": 0, **options}
        base = RandomForestClassifier(n_estimators=3)
        return steadfast.StableSelector(base, **options).fit(X, Y).frequencies_.tolist()

    assert frequencies() == frequencies() == frequencies(n_jobs=2)
    assert frequencies() != frequencies(random_state=1)
    assert frequencies() == frequencies(random_state=np.random.default_rng(0))


def test_so_many_are_kept_if_asked_for():
    for wanted in (1, 4, 13, 50):
        stable = steadfast.StableSelector(
            "relieff", n_features_to_select=wanted, n_subsamples=5, random_state=0
        ).fit(X, Y)
        assert stable.transform(X).shape[1] == min(wanted, 13)


def test_a_ranking_of_all_features_is_cut_to_half_of_them():
    stable = steadfast.StableSelector("fisher", n_subsamples=5, random_state=0).fit(X, Y)
    assert stable.frequencies_.sum() == pytest.approx(13 // 2)
    everything = steadfast.StableSelector(VarianceThreshold(), n_subsamples=5).fit(X)
    assert everything.get_support().all()
    assert "every run selects every feature" in everything.stability_.note


def test_where_none_is_frequent_the_most_frequent_is_kept_with_a_warning():
    base = SelectKBest(k=1)
    noise = np.random.default_rng(0).normal(size=X.shape)
    stable = steadfast.StableSelector(base, n_subsamples=10, random_state=0)
    with pytest.warns(UserWarning, match="no feature is selected in 80% of the subsamples"):
        stable.fit(noise, Y)
    assert stable.get_support(indices=True).tolist() == [stable.frequencies_.argmax()]


def test_it_works_in_pipelines_and_searches():
    stable = steadfast.StableSelector(
        MRMR("mid", n_features_to_select=5, bins=5), n_subsamples=5, random_state=0
    )
    assert "selector__n_features_to_select" in stable.get_params()
    copy = clone(stable.set_params(selector__n_features_to_select=3))
    assert copy.selector.n_features_to_select == 3
    assert copy.selector is not stable.selector
    chain = make_pipeline(stable.set_output(transform="pandas"), GaussianNB())
    grid = {"stableselector__selector__n_features_to_select": [2, 5]}
    search = GridSearchCV(chain, grid, cv=3, error_score="raise").fit(FRAME, TARGET)
    assert search.best_score_ > 0.85
    fitted = search.best_estimator_[0]
    assert list(fitted.transform(FRAME).columns) == fitted.get_feature_names_out().tolist()
    assert steadfast.stability([search, search]).value == pytest.approx(1)


def test_targets_that_are_no_classes_are_for_selectors_that_take_them():
    rows, numbers = load_diabetes(return_X_y=True)
    base = SelectKBest(f_regression, k=3)
    stable = steadfast.StableSelector(base, n_subsamples=10, random_state=0).fit(rows, numbers)
    assert {2, 8} <= set(stable.get_support(indices=True))
    with pytest.raises(ValueError, match="Unknown label type"):
        steadfast.StableSelector().fit(rows, numbers + 0.25)


def test_it_takes_part_in_a_report():
    stable = steadfast.StableSelector(SelectKBest(k=4), n_subsamples=5)
    report = steadfast.StabilityReport({"stable": stable}, cv=3, classifiers=[], probes=False)
    (own,) = report.fit(FRAME, TARGET).evidence_["selectors"]
    assert 1 <= own["own"]["size"] <= 8
    assert 0 < own["own"]["stability"]["value"] <= 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_subsamples": 1}, "n_subsamples must be a whole number of at least 2"),
        ({"share": 0}, "share must lie above 0"),
        ({"threshold": 1.5}, "threshold must lie above 0"),
        ({"n_features_to_select": 0}, "n_features_to_select must be a whole number"),
        ({"selector": "fischer"}, "unknown selector 'fischer'; did you mean 'fisher'"),
    ],
)
def test_a_mistake_is_one_line(options, message):
    with pytest.raises(ValueError, match=message):
        steadfast.StableSelector(**options).fit(X, Y)

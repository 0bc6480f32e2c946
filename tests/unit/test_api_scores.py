"""`stability`, `stability_curve` and `compare`: every form of input, against plain computation."""

import numpy as np
import pandas as pd
import plain_measures as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import steadfast
from steadfast.selectors import MRMR, FisherScore

WINE = load_wine(return_X_y=True)
#: Runs of four sizes over eight features.
RUNS = [{0, 1, 2}, {0, 1, 2, 5}, {0, 2, 7}, {0, 1}]
#: The example of R's stabm 1.1.3.
STABM = [{1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 4, 5}]

subsets = st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=7), min_size=2, max_size=6)
rankings = st.lists(st.permutations(range(6)), min_size=2, max_size=5)


def matrix_of(runs, m) -> np.ndarray:
    return np.array([[int(feature in run) for feature in range(m)] for run in runs])


def named(runs) -> list:
    return [{f"f{feature}" for feature in run} for run in runs]


def long_frame(runs) -> pd.DataFrame:
    rows = [(at, f"f{feature}") for at, run in enumerate(runs) for feature in run]
    return pd.DataFrame(rows, columns=["run", "feature"])


FORMS = {
    "sets of numbers": lambda runs: (runs, 8),
    "lists of numbers": lambda runs: ([sorted(run) for run in runs], 8),
    "arrays of numbers": lambda runs: ([np.array(sorted(run)) for run in runs], 8),
    "sets of names": lambda runs: (named(runs), 8),
    "a generator": lambda runs: ((run for run in named(runs)), 8),
    "a mapping": lambda runs: ({f"run {at}": run for at, run in enumerate(runs)}, 8),
    "an array": lambda runs: (matrix_of(runs, 8), None),
    "an array of booleans": lambda runs: (matrix_of(runs, 8).astype(bool), None),
    "an array of floats": lambda runs: (matrix_of(runs, 8).astype(float), None),
    "lists of 0 and 1": lambda runs: (matrix_of(runs, 8).tolist(), None),
    "lists of booleans": lambda runs: (matrix_of(runs, 8).astype(bool).tolist(), None),
    "masks": lambda runs: (list(matrix_of(runs, 8) > 0), None),
    "a data frame": lambda runs: (pd.DataFrame(matrix_of(runs, 8)).add_prefix("f"), None),
    "a long data frame": lambda runs: (long_frame(runs), 8),
}


@settings(deadline=None, max_examples=40)
@given(subsets)
def test_every_form_gives_one_value(runs):
    expected = plain.nogueira(runs, 8)
    for form, of in FORMS.items():
        found = steadfast.stability(*of(runs))
        assert (found.runs, found.n_features) == (len(runs), 8), form
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True), form


@settings(deadline=None, max_examples=40)
@given(subsets, st.sampled_from(["jaccard", "dice", "ochiai", "anhd"]))
def test_measures_of_pairs_are_means_over_pairs(runs, name):
    expected = plain.mean_over_pairs(getattr(plain, name), runs, 8)
    found = steadfast.stability(runs, 8, measure=name)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.measure == name
    if len(runs) > 2:
        assert found.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.high


@settings(deadline=None, max_examples=25)
@given(rankings)
def test_a_curve_is_the_value_at_every_size(given_rankings):
    curve = steadfast.stability_curve(given_rankings, n_features=6)
    weights = np.array([[-run.index(f) for f in range(6)] for run in given_rankings])
    same = steadfast.stability_curve(weights, form="weights")
    assert len(curve) == 6
    for k in range(1, 6):
        cut = [set(run[:k]) for run in given_rankings]
        assert curve.at(k).value == pytest.approx(plain.nogueira(cut, 6), abs=1e-12)
        whole = steadfast.stability(given_rankings, 6, k=k)
        assert (whole.value, whole.low, whole.high) == pytest.approx(
            (curve.value[k - 1], curve.low[k - 1], curve.high[k - 1]), abs=1e-9, nan_ok=True
        )
        assert same.value[k - 1] == pytest.approx(curve.value[k - 1], abs=1e-12)
    assert np.isnan(curve.value[-1])  # every feature selected: nothing to disagree on


def test_values_that_others_print():
    for name, printed in (("lustgarten", 0.5333333), ("cw_rel", 0.8), ("phi", 0.7576447)):
        found = steadfast.stability(STABM, 10, measure=name)
        assert found.value == pytest.approx(printed, abs=5e-8)
    similarity = 0.92 ** np.abs(np.subtract.outer(np.arange(10), np.arange(10)))
    found = steadfast.stability(STABM, 10, measure="zucknick", similarity=similarity)
    assert found.value == pytest.approx(0.7603667, abs=5e-8)
    both = [set(range(1, 11)), set(range(6, 16))]
    assert steadfast.stability(both, 100, measure="dice").value == 0.5


@pytest.mark.parametrize("name", ["spearman", "kendall", "average_overlap", "rbo", "canberra"])
def test_measures_of_rankings_take_rankings(name):
    orders = [[0, 1, 2, 3, 4], [1, 0, 2, 3, 4], [0, 1, 2, 4, 3]]
    found = steadfast.stability(orders, 5, measure=name)
    assert 0 <= found.value <= 1 or found.note
    with pytest.raises(steadfast.UserError, match=f"runs: {name} compares rankings"):
        steadfast.stability([set(run) for run in orders], 5, measure=name)


def test_weights_are_correlated():
    weights = np.random.default_rng(0).normal(size=(4, 30))
    found = steadfast.stability(weights, measure="pearson", form="weights")
    pairs = np.corrcoef(weights)[np.triu_indices(4, 1)]
    assert found.value == pytest.approx(pairs.mean())
    frame = pd.DataFrame(
        [(run, f"f{column:02d}", weights[run, column]) for run in range(4) for column in range(30)],
        columns=["run", "feature", "weight"],
    )
    assert steadfast.stability(frame, 30, measure="pearson").value == pytest.approx(pairs.mean())
    with pytest.raises(steadfast.UserError, match="compares weights, of which there are none"):
        steadfast.stability(RUNS, 8, measure="pearson")


def test_ranks_of_a_long_frame_are_an_order():
    frame = pd.DataFrame(
        {"run": [1, 1, 2, 2], "feature": ["a", "b", "b", "a"], "rank": [1, 2, 1, 2]}
    )
    assert steadfast.stability(frame, 5, k=1).value == pytest.approx(-0.25)
    assert steadfast.stability_curve(frame, 5).value.tolist() == pytest.approx([-0.25, 1.0])


# Similar features


def test_similar_features_come_from_data_or_a_matrix():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(200, 4))
    X = np.hstack([X, X + 1e-6])  # columns f and f + 4 tell the same
    runs = [[0, 1], [4, 5], [0, 5]]
    assert steadfast.stability(runs, 8).value < 0.3
    for name in ("su_matching", "correlation_matching"):
        assert steadfast.stability(runs, X=X, measure=name).value == pytest.approx(1, abs=0.02)
    similarity = np.abs(np.corrcoef(X.T)).clip(0, 1)
    found = steadfast.stability(runs, 8, similarity=similarity, measure="zucknick")
    expected = plain.mean_over_pairs(
        lambda a, b, m: plain.zucknick(a, b, similarity.tolist(), 0.9), [set(r) for r in runs], 8
    )
    assert found.value == pytest.approx(expected)
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    by_name = [["a", "b"], ["e", "f"], ["a", "f"]]
    curve = steadfast.stability_curve(by_name, X=frame, measure="su_matching")
    assert curve.value.min() > 0.98
    with pytest.raises(steadfast.UserError, match="'z' is no feature"):
        steadfast.stability([["a"], ["z"]], X=frame)
    with pytest.raises(steadfast.UserError, match="X: su_matching looks at similar features"):
        steadfast.stability(runs, 8, measure="su_matching")
    with pytest.raises(steadfast.UserError, match="similarity: must be a symmetric matrix, 8 by 8"):
        steadfast.stability(runs, 8, similarity=np.eye(3), measure="zucknick")
    with pytest.raises(steadfast.UserError, match="X: has 8 columns, but n_features says 9"):
        steadfast.stability(runs, 9, X=X, measure="su_matching")


# Estimators


def estimators_of(estimator, **options):
    return cross_validate(estimator, *WINE, return_estimator=True, cv=4, **options)


def test_selectors_of_a_cross_validation():
    chain = make_pipeline(StandardScaler(), SelectKBest(k=4), SVC())
    found = estimators_of(chain)
    masks = np.array([one[1].get_support() for one in found["estimator"]])
    expected = steadfast.stability(masks)
    assert steadfast.stability(found["estimator"]) == steadfast.stability(found) == expected
    assert expected.n_features == 13
    curve = steadfast.stability_curve(found["estimator"])
    assert len(curve) == 13  # by its scores
    assert curve.at(4).value == pytest.approx(expected.value)


@pytest.mark.parametrize(
    "estimator",
    [
        MRMR("mid", n_features_to_select=4),
        RFE(LogisticRegression(max_iter=5000), n_features_to_select=4),
        make_pipeline(FisherScore(n_features_to_select=4), GaussianNB()),
        GridSearchCV(make_pipeline(SelectKBest(), GaussianNB()), {"selectkbest__k": [4]}, cv=2),
    ],
    ids=["own", "RFE", "own in a pipeline", "search"],
)
def test_other_fitted_estimators(estimator):
    scaled = StandardScaler().fit_transform(WINE[0]).round(1)
    halves = [slice(at, None, 3) for at in range(3)]
    fitted = [_fresh(estimator).fit(scaled[part], WINE[1][part]) for part in halves]
    found = steadfast.stability(fitted)
    assert (found.runs, found.n_features) == (3, 13)
    assert 0 < found.value <= 1


def _fresh(estimator):
    from sklearn.base import clone

    return clone(estimator)


def test_estimators_that_rank_are_cut():
    forests = estimators_of(RandomForestClassifier(n_estimators=10, random_state=0))["estimator"]
    assert "every run selects every feature" in steadfast.stability(forests).note
    assert steadfast.stability(forests, k=3).value == steadfast.stability_curve(forests).at(3).value


@pytest.mark.parametrize(
    ("estimators", "message"),
    [
        ([SelectKBest(), SelectKBest()], "runs: run 1: SelectKBest is not fitted"),
        ([make_pipeline(StandardScaler(), SVC())] * 2, "no step of the pipeline .* is a selector"),
        ([StandardScaler().fit(WINE[0])] * 2, "after fit it has none of ranking_"),
    ],
    ids=["not fitted", "no selector", "no weights"],
)
def test_estimators_that_say_nothing(estimators, message):
    with pytest.raises(steadfast.UserError, match=message):
        steadfast.stability(estimators)


# Comparisons


def test_a_comparison_is_nogueiras_test():
    steady, restless = [{0, 1, 2}] * 3 + [{0, 1, 3}], [{0, 1}, {2, 3}, {0, 4}, {5, 6, 7}]
    found = steadfast.compare(steady, restless, n_features=12)
    values = [plain.nogueira(runs, 12) for runs in (steady, restless)]
    spread = sum(plain.nogueira_variance(runs, 12) for runs in (steady, restless)) ** 0.5
    assert found.difference == pytest.approx(values[0] - values[1])
    assert found.statistic == pytest.approx((values[0] - values[1]) / spread)
    assert found.first == steadfast.stability(steady, 12)
    other_way = steadfast.compare(matrix_of(restless, 12), matrix_of(steady, 12))
    assert other_way.statistic == pytest.approx(-found.statistic)
    assert other_way.p == pytest.approx(found.p)
    assert "two-sided p" in repr(found)


def test_equal_runs_have_no_test():
    found = steadfast.compare([{0}] * 3, [{1}] * 3, n_features=5)
    assert np.isnan(found.p)
    assert found.note in repr(found)
    with pytest.raises(steadfast.UserError, match="second: stability is undefined: no run selects"):
        steadfast.compare([{0}] * 3, [set(), set()], n_features=5)


# Results


def test_results_are_readable_and_frozen():
    found = steadfast.stability(RUNS, 8)
    assert repr(found).startswith("nogueira 0.")
    assert "4 runs of 8 features" in repr(found)
    assert float(found) == found.value
    with pytest.raises(AttributeError):
        found.value = 1
    empty = steadfast.stability([set(), set()], 4)
    assert np.isnan(empty.value)
    assert repr(empty) == "nogueira nan, 2 runs of 4 features; no run selects anything"
    assert "80% interval" in repr(steadfast.stability(RUNS, 8, level=0.8))
    wide, narrow = (steadfast.stability(RUNS, 8, level=level) for level in (0.95, 0.5))
    assert wide.low < narrow.low <= narrow.value <= narrow.high < wide.high
    curve = steadfast.stability_curve([[0, 1], [1, 0]], 4)
    frame = curve.to_frame()
    assert frame["k"].tolist() == [1, 2]
    assert frame["value"].tolist() == curve.value.tolist()
    with pytest.raises(steadfast.UserError, match="k: must be a whole number from 1 to 2, got 3"):
        curve.at(3)


def test_distances_say_so():
    assert "smaller is more stable" in steadfast.stability(RUNS, 8, measure="anhd").note


def test_a_set_of_another_measure_has_its_chance():
    found = steadfast.stability([{0, 1}, {0, 2}], 4, measure="jaccard")
    # Overlaps 0, 1, 2 of two random pairs of four: probabilities 1/6, 4/6, 1/6.
    assert found.chance == pytest.approx(4 / 6 / 3 + 1 / 6)


MISTAKES = {
    "n_features: say how many features there are": lambda: steadfast.stability(RUNS),
    "n_features: is 3, but the runs name 4 features": lambda: steadfast.stability(
        [{"a", "b"}, {"c", "d"}], 3
    ),
    "run 3: 7 is no column number: n_features says 6": lambda: steadfast.stability(RUNS, 6),
    "n_features: must be a whole number of at least 1": lambda: steadfast.stability(RUNS, 0),
    "n_features: is 5, but the matrix has 8": lambda: steadfast.stability(matrix_of(RUNS, 8), 5),
    "one run has nothing to be compared with": lambda: steadfast.stability([{0, 1}], 4),
    "runs: run 2: names feature 'a' twice": lambda: steadfast.stability(
        [["a", "b"], ["a", "c", "a"]], 5
    ),
    "rows of a matrix have one length, these have 2 to 3": lambda: steadfast.stability(
        [[True, False], [True, False, True]]
    ),
    "rows of a matrix have one length": lambda: steadfast.stability([[0, 0], [1, 1, 0]]),
    "runs: run 1: column 1 is NaN": lambda: steadfast.stability(
        np.array([[1, np.nan, 0], [1, 0, 1]])
    ),
    "run 2: column 0 is NaN": lambda: steadfast.stability(
        pd.DataFrame({"a": [1, None], "b": [0, 1]})
    ),
    "a feature is NaN": lambda: steadfast.stability([["a"], [float("nan")]], 4),
    "rankings: run 1: column 0 is NaN": lambda: steadfast.stability_curve(
        [[np.nan, 1], [0.5, 0.2]], form="weights"
    ),
    "0.3 is no feature; for weights say form='weights'": lambda: steadfast.stability(
        [[0.3, 0.1], [0.4, 0.2]], 2
    ),
    "holds 0 and 1; for weights say form='weights'": lambda: steadfast.stability(
        pd.DataFrame({"a": [0.5, 1], "b": [0, 1]})
    ),
    "'dosis' is no feature; did you mean 'dose'": lambda: steadfast.stability(
        [["dose"], ["dosis"]], features=["age", "dose"]
    ),
    "n_features: is 3, but the features are about 2": lambda: steadfast.stability(
        [["dose"], ["age"]], 3, features=["age", "dose"]
    ),
    "unknown measure 'noguera'; did you mean 'nogueira'": lambda: steadfast.stability(
        RUNS, 8, measure="noguera"
    ),
    "form: must be one of subsets, rankings": lambda: steadfast.stability(RUNS, 8, form="list"),
    "a set has no order": lambda: steadfast.stability(RUNS, 8, form="rankings"),
    "rankings: these runs are subsets without order": lambda: steadfast.stability_curve(RUNS, 8),
    "largest: must be a whole number from 1 to 2": lambda: steadfast.stability_curve(
        [[0, 1], [1, 0]], 4, largest=3
    ),
    "k: the runs are subsets without order": lambda: steadfast.stability(RUNS, 8, k=2),
    "level: must lie between 0 and 1": lambda: steadfast.stability(RUNS, 8, level=95),
    "runs: must be a list of runs, got str": lambda: steadfast.stability("ab", 8),
    "run 1: must list features, got 'ab'": lambda: steadfast.stability(["ab", "cd"], 8),
    "run 1: must list features, got 1": lambda: steadfast.stability([1, 2, 3], 8),
    "row 3: run '1' names feature 'a' a second time": lambda: steadfast.stability(
        pd.DataFrame({"run": [1, 1, 1], "feature": ["a", "b", "a"]}), 5
    ),
    "n_features: is 2, but the runs name 3 features": lambda: steadfast.stability(
        pd.DataFrame({"run": [1, 2, 2], "feature": ["a", "b", "c"]}), 2
    ),
    "row 2: rank: must be a number": lambda: steadfast.stability(
        pd.DataFrame({"run": [1, 2], "feature": ["a", "b"], "rank": [1, None]}), 5
    ),
    "runs: the data frame has no rows": lambda: steadfast.stability(
        pd.DataFrame({"run": [], "feature": []}), 5
    ),
    "[1, 2] is no feature": lambda: steadfast.stability([[[1, 2]], [[3]]], 5),
    "runs: one run has nothing to be compared with; give": lambda: steadfast.stability([], 5),
    "run 1: must list features, got 3": lambda: steadfast.stability(np.array([3, 4]), 5),
    "runs: must be a list of runs, got int": lambda: steadfast.stability(3, 5),
    "second: one run has nothing": lambda: steadfast.compare(RUNS, [{0}], 8),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_a_mistake_is_one_line(message):
    import re

    with pytest.raises(steadfast.UserError, match=re.escape(message)) as error:
        MISTAKES[message]()
    assert "\n" not in str(error.value)
    assert isinstance(error.value, ValueError)


def test_column_numbers_stand_for_names_where_these_are_known():
    names = ["age", "dose", "weight"]
    by_number = steadfast.stability([[0, 1], [0, 2]], features=names)
    assert by_number.value == steadfast.stability([["age", "dose"], ["age", "weight"]], 3).value


def test_an_array_of_0_and_1_is_a_matrix_unless_it_is_said_to_be_rankings():
    array = np.array([[0, 1], [1, 0]])
    assert steadfast.stability(array).n_features == 2
    assert steadfast.stability(array, 6, form="rankings").value == pytest.approx(1)
    assert steadfast.stability(array.tolist(), 6).value == pytest.approx(1)
    assert steadfast.stability(np.array([[0, 1, 5], [5, 1, 0]]), 6).value == pytest.approx(1)


def test_two_runs_have_a_value_but_neither_interval_nor_test():
    """By the formula their variance is 0, and any difference would be beyond doubt."""
    found = steadfast.stability([{"a", "b"}, {"a", "c"}], 6)
    assert found.value == pytest.approx(0.25)
    assert np.isnan([found.low, found.high]).all()
    test = steadfast.compare([{1, 2}, {1, 3}], [{1, 2}, {1, 2}, {1, 2}], n_features=10)
    assert np.isnan([test.statistic, test.p]).all()
    assert test.note == "no test: the spread of two runs is not known; give three or more of each"
    same = steadfast.compare([{1, 2}] * 3, [{3, 4}] * 3, n_features=10)
    assert same.note == "no test: on neither side do the runs differ from each other"

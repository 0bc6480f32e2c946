"""A budget of time: what a run costs, and what is run on fewer rows to keep within it."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits

import steadfast
from steadfast.advice.words.fewer import fewer_in_words
from steadfast.command.advising.estimate import budgets, tell_costs
from steadfast.core import registry
from steadfast.core.home import project_folder
from steadfast.data.table import Table
from steadfast.experiments.q_values import find_q_values
from steadfast.resampling.fewer_rows import FewerRows
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.select import select
from steadfast.study import costs
from steadfast.study.budget import FEWEST_ROWS, FEWEST_RUNS, Budget
from steadfast.study.costs import Shape, minutes, shape_of
from steadfast.study.plan.budget import fewer
from steadfast.study.run import load_run, over_default

SMALL = Shape(569, 30, 30, 2)
LARGE = {"200,000 × 30": Shape(200_000, 30, 30, 2), "1,000,000 × 10": Shape(1_000_000, 10, 10, 2)}


def advice(**changes):
    """The study of `advise`, with some of its keys changed."""
    overrides = {"advise": changes} if changes else {}
    config = over_default({"data": "wine", "overrides": overrides}, project_folder())
    (study,) = load_run(config, project_folder()).studies.values()
    return study


@pytest.fixture(scope="module")
def usual():
    return advice()


def test_costs_are_of_selectors_that_exist():
    assert set(costs._SELECTING) <= set(registry.declared("selector"))


def test_a_table_that_fits_is_run_whole(usual):
    budget = Budget(usual, "wine", SMALL)
    assert budget.fits
    assert budget.allowance is None
    assert not budget.fewer_rows()


@pytest.mark.parametrize("shape", LARGE.values(), ids=LARGE)
def test_a_large_table_fits_on_fewer_rows(usual, shape):
    budget = Budget(usual, "wine", shape)
    fewer = budget.fewer_rows()
    assert budget.fits
    assert {"relieff", "svm_rfe", "forest"} <= set(fewer["select"])
    assert all(FEWEST_ROWS <= rows < shape.rows for own in fewer.values() for rows in own.values())
    assert sum(budget.seconds().values()) <= 2 * 60 * usual.budget


def test_wide_tables_are_run_whole(usual):
    """There is nothing to gain from fewer of a hundred rows."""
    budget = Budget(usual, "wine", Shape(100, 100_000, 100_000, 2))
    assert budget.fits
    assert not budget.fewer_rows()


@settings(max_examples=40, deadline=None)
@given(
    rows=st.integers(50, 3_000_000),
    features=st.integers(2, 20_000),
    classes=st.integers(2, 20),
    spent=st.floats(0.5, 100),
)
def test_more_time_never_means_fewer_rows(rows, features, classes, spent):
    shape = Shape(rows, features, features, classes)
    short, long = (Budget(_with_budget(spent * times), "wine", shape) for times in (1, 3))
    for task in short.tasks:
        most = task.rows
        assert (short.rows(*task[:2]) or most) <= (long.rows(*task[:2]) or most)


def _with_budget(number, known={}):  # noqa: B006
    """The study with a budget; loaded once."""
    if not known:
        known["study"] = advice()
    study = known["study"]
    return type(study)(**{**_fields(study), "budget": number})


def _fields(study):
    return {name: getattr(study, name) for name in study.__dataclass_fields__}


def test_fewer_subsamples_come_last(usual):
    about = {"rows": 20_000, "features": 2_000, "classes": {"a": 1, "b": 2}}
    (cost,) = budgets(_with_budget(5), {"wine": about})
    assert cost.fits
    assert FEWEST_RUNS <= cost.runs < 30
    lines = tell_costs([cost], 30, cores=2)
    assert "to end within 5 min on 2 cores:" in lines
    assert lines[-1] == f"  {cost.runs} subsamples instead of 30"
    (cost,) = budgets(usual, {"wine": about | {"rows": 500, "features": 30}})
    assert cost.runs == 30


def test_a_budget_that_cannot_be_kept_is_not_promised():
    about = {"rows": 20_000, "features": 2_000, "classes": {"a": 1, "b": 2}}
    (cost,) = budgets(_with_budget(0.5), {"wine": about})
    assert (cost.fits, cost.runs) == (False, FEWEST_RUNS)
    lines = tell_costs([cost], 30, cores=2)
    assert "0.5 min on 2 cores are too few even so:" in lines
    assert not any("to end within" in line for line in lines)


def test_a_study_that_asks_for_few_subsamples_is_not_made_smaller(usual):
    few = Budget(usual, "wine", SMALL).with_runs(10)
    assert fewer(few, 30) == {}


def test_costs_are_told_before_a_run(usual):
    about = {"rows": 200_000, "features": 30, "classes": {"a": 1, "b": 2}}
    lines = tell_costs(budgets(usual, {"wine": about}), 30, cores=2)
    assert lines[0].endswith("on 2 cores; by stage, with the memory of a job:")
    assert any(line.startswith("  shuffled copies") and line.endswith(" GB") for line in lines)
    assert "to end within 10 min on 2 cores:" in lines
    assert any("ReliefF: selected on at most" in line for line in lines)
    assert not any("subsamples" in line for line in lines)
    small = tell_costs(budgets(usual, {"wine": about | {"rows": 500}}), 30, cores=1)
    assert not any("to end within" in line for line in small)


def test_words_name_every_part():
    told = {
        "minutes": 10,
        "rows": {"select": {"a": 500, "b": 500}, "accuracy": {"svm": 900}, "trust": {"": 10_000}},
        "labels": {"a": "ReliefF", "b": "Forest", "svm": "SVM"},
        "training": 80_000,
        "all": 100_000,
        "runs": [10, 30],
    }
    assert fewer_in_words(told) == [
        "ReliefF, Forest: selected on at most 500 of 80,000 training rows",
        "SVM: trained on at most 900 of 80,000 rows, tested on a quarter as many",
        "q-values: from 10,000 of 100,000 rows",
        "10 subsamples instead of 30",
    ]


def test_categories_count_as_columns():
    about = {"rows": 9, "features": 3, "classes": {"a": 4, "b": 5}, "categories": {"c": [*"xyz"]}}
    assert shape_of(json.loads(json.dumps(about))) == Shape(9, 3, 5, 2)


def test_budgets_are_minutes():
    assert [minutes(one) for one in (7, "7", "10 min", "1.5 h", None)] == [7, 7, 10, 90, None]


@given(st.lists(st.integers(0, 3), min_size=8, max_size=200), st.integers(1, 60))
def test_the_first_rows_keep_classes_and_order(labels, most):
    y = np.array(labels)
    fewer = FewerRows(y, 1, "wine")
    rows = np.arange(y.size)[::2]
    first = fewer.first(rows, most)
    assert first.size == min(most, rows.size)
    assert np.array_equal(first, np.sort(first))
    assert set(first) <= set(rows)
    assert set(fewer.first(rows, max(1, most // 2))) <= set(first), "rows are only added"


def test_classes_keep_their_shares_and_small_ones_stay():
    y = np.repeat([0, 1, 2], [60_000, 30_000, 12])
    first = FewerRows(y, 1, "wine").first(np.arange(y.size), 900)
    counts = np.bincount(y[first])
    assert counts[2] == 10
    assert abs(counts[0] - 2 * counts[1]) < 20


def test_folds_of_fewer_rows_share_as_large_a_part_as_whole_ones():
    y = np.random.default_rng(1).integers(0, 2, 4000)
    fewer = FewerRows(y, 1, "wine")
    draws = [np.sort(np.random.default_rng(at).permutation(4000)[:3200]) for at in (1, 2)]
    folds = [Fold(f"s{at}", at, 1.0, rows, rows[:100]) for at, rows in enumerate(draws)]
    one, other = (fewer.both(fold, 800) for fold in folds)
    assert one.train.size == 800
    assert one.test.size == 100
    assert np.intersect1d(one.train, other.train).size / 800 == pytest.approx(0.8, abs=0.05)


RELIEFF = {"use": "relieff", "params": {}}
FOREST = {"use": "sklearn.ensemble.RandomForestClassifier", "params": {"n_estimators": 30}}


@pytest.mark.parametrize("use", [RELIEFF, FOREST], ids=["relieff", "forest"])
@pytest.mark.parametrize("load", [load_breast_cancer, load_digits])
def test_stability_on_fewer_rows_agrees_with_that_on_all(use, load):
    """Their intervals overlap, on tables where all rows are no trouble."""
    X, y = load(return_X_y=True)
    fewer, folds = FewerRows(y, 1, "real"), _subsamples(len(y))
    small = [fewer.training(fold, int(0.6 * len(y))) for fold in folds]
    one, other = (_stability(use, X, y, own) for own in (folds, small))
    assert max(one.low, other.low) <= min(one.high, other.high)


SVM_RFE = {"use": "svm_rfe", "params": {}}
CUT = {"relieff": RELIEFF, "svm_rfe": SVM_RFE, "forest": FOREST}


@pytest.fixture(scope="module")
def graded():
    """A table of 3,000 rows, six features that tell less and less, and nine that tell nothing."""
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 3000)
    X = random.normal(size=(3000, 15))
    X[:, :6] += y[:, None] * np.array([1.0, 0.8, 0.6, 0.4, 0.25, 0.15])
    return X, y


@pytest.mark.parametrize("name", CUT)
def test_as_cut_by_a_budget_stability_agrees_up_to_the_features_that_tell(graded, name):
    X, y = graded
    rows = Budget(_with_budget(0.5), "wine", Shape(*X.shape, X.shape[1], 2)).rows("select", name)
    assert rows < 0.8 * len(y)
    fewer, folds = FewerRows(y, 1, "graded"), _subsamples(len(y), 8)
    small = [fewer.training(fold, rows) for fold in folds]
    one, other = (_stability(CUT[name], X, y, own, 5) for own in (folds, small))
    assert max(one.low, other.low) <= min(one.high, other.high)


def test_as_cut_by_a_budget_what_is_trusted_is_trusted_of_all_rows(graded):
    X, y = graded
    rows = Budget(_with_budget(0.2), "wine", Shape(*X.shape, X.shape[1], 2)).rows("trust")
    assert rows < 0.3 * len(y)
    table = Table(X, y, tuple(f"f{at}" for at in range(15)), ("a", "b"))
    part = table.take(FewerRows(y, 1, "graded").first(np.arange(y.size), rows))
    whole, fewer = (find_q_values(one, seed=1, dataset="graded").trusted for one in (table, part))
    assert not (fewer & ~whole).any()
    assert fewer[:4].all()


def test_trust_on_fewer_rows_agrees_with_that_on_all():
    X, y = load_breast_cancer(return_X_y=True)
    table = Table(X, y, tuple(f"f{at}" for at in range(X.shape[1])), ("a", "b"))
    part = table.take(FewerRows(y, 1, "real").first(np.arange(y.size), 400))
    whole, fewer = (find_q_values(one, seed=1, dataset="real").trusted for one in (table, part))
    assert not (fewer & ~whole).any()
    assert np.count_nonzero(fewer) >= 0.9 * np.count_nonzero(whole)


def _subsamples(rows, number=12):
    draws = (np.random.default_rng(at).permutation(rows) for at in range(number))
    size = int(0.8 * rows)
    return [
        Fold(f"s{at}", at, 1.0, np.sort(one[:size]), np.sort(one[size:]))
        for at, one in enumerate(draws)
    ]


def _stability(use, X, y, folds, size=10):
    """Nogueira's measure of the first features."""
    runs = [select(use, X[one.train], y[one.train], seed=1, names=(one.name,)) for one in folds]
    subsets = [run.sequence_[:size].tolist() for run in runs]
    return steadfast.stability(subsets, n_features=X.shape[1], measure="nogueira")

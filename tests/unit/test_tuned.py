"""Parameters and size that the data choose, against the description written out (plain_tuned)."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import plain_tuned
import pytest
from sklearn import datasets
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from steadfast.core.errors import UserError
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.selectors import MRMR, Tuned, tuned
from steadfast.selectors.running.auto import expand
from steadfast.selectors.running.fold_file import parse_selection, selection_to_bytes
from steadfast.selectors.running.select import select
from steadfast.selectors.running.select_fold import select_fold
from steadfast.study.selectors import complete_selector

ALPHAS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
TABLES = {
    name: getattr(datasets, f"load_{name}")(return_X_y=True)
    for name in ("iris", "wine", "breast_cancer")
}
X, Y = TABLES["wine"]
NAMES = [f"f{column}" for column in range(13)]
PLACE = {"seed": 1, "names": ("wine", "s001")}
FOREST = "sklearn.ensemble.RandomForestClassifier"
BINS = {"method": "equal_width", "bins": 10}

#: What the size and the parameters are asked for, and how they are chosen.
ASKED = {
    "alpha": {"over": {"alpha": ALPHAS}},
    "size": {"over": {"alpha": [0.5]}, "n_features_to_select": "auto"},
    "both": {"over": None, "n_features_to_select": "auto"},
}
RULES = [
    *({"by": by} for by in ("stability_and_accuracy", "stability", "accuracy")),
    *({"weight": weight} for weight in (0, 0.5, 1)),
]


@pytest.fixture
def samples(monkeypatch):
    """The rows of all samples that are drawn."""
    drawn, draw = [], tuned.draw_share_of_groups

    def spy(*args):
        drawn.append(draw(*args))
        return drawn[-1]

    monkeypatch.setattr(tuned, "draw_share_of_groups", spy)
    return drawn


def completed(name, entry):
    """A selector as a study completes it."""
    return complete_selector(name, entry, f"selectors.{name}")


def file_of(settings, rows=X, **options):
    return selection_to_bytes(select(settings, rows, Y, **PLACE, **options), NAMES)


@cache
def plain_grid(name, samples):
    """The grid of the reference, once for the same samples."""
    rows, y = TABLES[name]
    samples = [np.array(sample) for sample in samples]
    return plain_tuned.grid(rows, y, samples, ALPHAS, rows.shape[1])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: "{} {}".format(*next(iter(rule.items()))))
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("name", TABLES)
def test_the_choice_is_that_of_the_description_written_out(name, asked, rule, samples):
    found = Tuned("mid_alpha", **ASKED[asked], **rule, random_state=3).fit(*TABLES[name])
    stable, accuracy, ratio = plain_grid(name, tuple(tuple(rows.tolist()) for rows in samples))
    alphas = [0.5] if asked == "size" else ALPHAS
    kept = [ALPHAS.index(alpha) for alpha in alphas]
    stable, accuracy = stable[kept], accuracy[:, kept]
    if asked == "alpha":
        stable, accuracy = plain_tuned.over_sizes(stable, accuracy)
    point, size = plain_tuned.choose(stable, accuracy, ratio, **rule)
    assert found.params_ == {"alpha": alphas[point]}
    assert found.size_ == (None if asked == "alpha" else size + 1)
    grid = found.grid_
    assert grid["alpha"] == [alpha for alpha in alphas for _ in range(stable.shape[1])]
    assert grid["stability"] == pytest.approx(stable.ravel(), abs=1e-12, nan_ok=True)
    assert grid["accuracy"] == pytest.approx(accuracy.mean(axis=0).ravel(), abs=1e-12)
    assert grid["accuracy_sd"] == pytest.approx(accuracy.std(axis=0, ddof=1).ravel(), abs=1e-12)
    accurate = plain_tuned.as_accurate(accuracy, ratio)
    accurate[point, size] = True
    assert [bool(word) for word in grid["choice"]] == accurate.ravel().tolist()
    assert grid["choice"].index("chosen") == np.ravel_multi_index((point, size), stable.shape)
    alone = MRMR("mid_alpha", alphas[point]).fit(*TABLES[name])
    assert found.sequence_.tolist() == alone.sequence_.tolist()


# One set of parameters


@pytest.mark.parametrize("discretise", [None, BINS])
def test_a_grid_of_one_half_gives_the_bytes_of_mid(discretise, samples):
    options = {"discretise": discretise}
    expected = file_of({"use": "mid", "params": {}}, **options)
    given = {"use": "mid_alpha", "params": {}, "tuned": {"over": {"alpha": [0.5]}}}
    in_study = completed("chosen", given).settings
    use, params = expand("mid_alpha", {}, given["tuned"])
    assert use == "tuned"
    for settings in (given, in_study, {"use": use, "params": params}):
        assert file_of(settings, **options) == expected
    assert not samples, "there is nothing to choose"


def test_equal_random_states_give_equal_files_and_others_do_not():
    files = {
        state: selection_to_bytes(Tuned(random_state=state).fit(X, Y), NAMES) for state in (1, 2)
    }
    assert files[1] == selection_to_bytes(Tuned(random_state=1).fit(X, Y), NAMES)
    assert files[1] != files[2]


# Rows


def test_rows_of_a_group_are_never_selected_on_and_tested_on(samples):
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 60, len(Y))
    table = Table(X, Y, tuple(NAMES), ("a", "b", "c"), (), groups)
    fold = Fold("s001", 1, 1.0, np.arange(0, 178, 2), np.arange(1, 178, 2), "", "all")
    settings = completed("chosen", {"use": "mid_alpha", "alpha": "auto"}).settings
    select_fold(settings, table, fold, seed=1, dataset="wine")
    own = groups[fold.train]
    assert len(samples) == 20
    for rows in samples:
        rest = np.setdiff1d(np.arange(own.size), rows)
        assert rest.size
        assert not set(own[rows]) & set(own[rest])


@pytest.mark.parametrize("discretise", [None, BINS])
def test_what_a_fold_tests_on_leaves_its_file_as_it_is(discretise):
    fold = Fold("s001", 1, 1.0, np.arange(0, 178, 2), np.arange(1, 178, 2), "", "all")
    entry = {"use": "mid_alpha", "alpha": "auto", "n_features_to_select": "auto"}

    def bytes_with(rows):
        changed, classes = X.copy(), Y.copy()
        changed[rows], classes[rows] = changed[rows[::-1]] * 3 + 1, 0
        table = Table(changed, classes, tuple(NAMES), ("a", "b", "c"))
        settings, place = completed("chosen", entry).settings, {"seed": 1, "dataset": "wine"}
        return select_fold(settings, table, fold, **place, discretise=discretise)[0]

    untouched = bytes_with(fold.test[:0])
    assert bytes_with(fold.test) == untouched
    assert bytes_with(fold.train[40:60]) != untouched


# Other selectors


class Short:
    """Ranks three columns on fewer than all rows, and two on all of them."""

    def __init__(self, first=0):
        self.first = first

    def fit(self, X, y):
        self.sequence_ = np.array([self.first, 4, 5])[: 3 - (len(y) == 178)]
        self.scores_ = np.ones(X.shape[1])
        return self


@pytest.mark.parametrize(
    ("base", "over"),
    [
        ("relieff", {"n_neighbours": [1, 10]}),
        ("svm_rfe", {"C": [0.1, 10.0]}),
        (FOREST, {"n_estimators": [5, 10], "max_depth": [1, None]}),
        ("sklearn.feature_selection.mutual_info_classif", {"n_neighbors": [1, 8]}),
    ],
)
def test_parameters_of_any_selector_can_be_chosen(base, over):
    found = Tuned(base, over=over, n_samples=2, n_features_to_select=4, random_state=0).fit(X, Y)
    assert len(set(zip(found.grid_["stability"], found.grid_["accuracy"]))) > 1
    assert all(found.params_[name] in values for name, values in over.items())
    assert found.sequence_.size == 4
    found = Tuned(base, over=over, n_samples=2, n_features_to_select="auto", random_state=0)
    assert found.fit(X, Y).get_support().sum() == found.size_


def test_a_forest_of_the_chosen_size_is_fitted_on_all_rows():
    entry = {"use": FOREST, "tuned": {"over": {"n_estimators": [5, 10]}, "n_samples": 2}}
    found = select(completed("forest", entry).settings, X, Y, **PLACE)
    assert sorted(found.sequence_) == list(range(13))
    assert found.params_["n_estimators"] in (5, 10)


def test_no_more_are_selected_than_are_ranked_where_all_rows_give_a_shorter_ranking():
    found = Tuned("test_tuned.Short", n_features_to_select="auto", by="accuracy", random_state=0)
    assert set(found.fit(X, Y).get_support(indices=True)) <= set(found.sequence_)


def test_parameters_of_an_estimator_object_are_tried_or_refused():
    made = Tuned(DecisionTreeClassifier(random_state=0), over={"max_depth": [1, 9]}, random_state=0)
    assert len(set(made.fit(X, Y).grid_["accuracy"])) == 2


# The size


def test_a_chosen_size_is_the_support_and_stands_in_the_file():
    found = Tuned("mid", n_features_to_select="auto", weight=0.5, random_state=0).fit(X, Y)
    size = found.size_
    assert 1 <= size < 13
    assert set(found.get_support(indices=True)) == set(found.sequence_[:size])
    assert found.transform(X).shape == (178, size)
    assert found.get_feature_names_out(NAMES).size == size
    content = selection_to_bytes(found, NAMES)
    lines = [line.split("\t") for line in content.decode().splitlines()]
    marks = [line[lines[0].index("selected")] for line in lines[1:14]]
    assert marks == ["yes"] * size + ["no"] * (13 - size)
    read = parse_selection(content, NAMES, Path("s001.tsv"))
    assert read.sequence.tolist() == found.sequence_.tolist()
    assert read.n_chosen == size
    assert len(lines) == 1 + 13 + 13, "ranks, and sizes that were tried"


def test_the_file_of_a_grid_is_read_as_that_of_the_ranking():
    found = Tuned(random_state=0).fit(X, Y)
    content = selection_to_bytes(found, NAMES, "a note")
    read = parse_selection(content, NAMES, Path("s001.tsv"))
    assert read.sequence.tolist() == found.sequence_.tolist()
    assert read.weights.tolist() == found.scores_[found.sequence_].tolist()
    assert (read.n_chosen, read.iterations) == (None, 0)
    assert len(content.decode().splitlines()) == 1 + 13 + 11


def test_no_column_stands_twice_in_a_file():
    found = Tuned("mrsmr", over={"kappa": [0.0, 1.0]}, n_samples=2, random_state=0).fit(X, Y)
    header = selection_to_bytes(found, NAMES).decode().splitlines()[0].split("\t")
    assert len(set(header)) == len(header)


def test_sizes_are_looked_at_up_to_the_largest():
    found = Tuned("mid", n_features_to_select="auto", largest=4, random_state=0).fit(X, Y)
    assert found.grid_["size"] == [1, 2, 3, 4]
    assert found.sequence_.size == 4


@pytest.mark.parametrize("kind", [Tuned, MRMR])
def test_a_second_fit_forgets_the_first(kind):
    found = kind("mid_alpha", random_state=0).set_params(n_features_to_select="auto").fit(X, Y)
    assert found.set_params(n_features_to_select=6).fit(X, Y).get_support().sum() == 6


def test_it_works_inside_scikit_learn():
    made = Tuned(over={"alpha": [0.2, 0.8]}, n_features_to_select="auto", random_state=0)
    assert clone(made).get_params() == made.get_params()
    machine = make_pipeline(made, DecisionTreeClassifier()).fit(X, Y)
    assert machine[-1].n_features_in_ == machine[0].size_


@pytest.mark.parametrize("left", [{"alpha": "auto"}, {"n_features_to_select": "auto"}])
def test_auto_of_mrmr_is_what_tuned_chooses_of_it(left):
    fixed = {"n_features_to_select": None, **left}
    found = MRMR("mid_alpha", **fixed, random_state=4).fit(X, Y)
    fixed.pop("alpha", None)
    over = None if "alpha" in left else {"alpha": [0.5]}
    expected = Tuned("mid_alpha", over=over, **fixed, random_state=4).fit(X, Y)
    assert found.sequence_.tolist() == expected.sequence_.tolist()
    assert found.get_support().tolist() == expected.get_support().tolist()
    assert found.grid_["stability"] == pytest.approx(expected.grid_["stability"], nan_ok=True)
    sized = MRMR("mid", n_features_to_select="auto", random_state=4).fit(X, Y)
    assert sized.get_support().sum() == sized.size_ < 13


# Mistakes


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({"over": {"alhpa": [0, 1]}}, "alhpa"),
        ({"over": {"alpha": 0.5}}, "over: alpha must be a list of values, got 0.5"),
        ({"over": {"alpha": "auto"}}, "over: alpha"),
        ({"over": {"alpha": []}}, "over: alpha"),
        ({"over": {"alpha": [0, 2]}}, "alpha must lie between 0 and 1, got 2"),
        ({"over": {}}, "nothing to choose"),
        ({"base": "relieff"}, "nothing to choose"),
        ({"by": "speed"}, "by must be one of"),
        ({"weight": 1.5}, "weight must be None or lie between 0 and 1, got 1.5"),
        ({"weight": True}, "weight"),
        ({"weight": 0.5, "by": "accuracy"}, "weight: goes with by"),
        ({"n_samples": 1}, "n_samples must be a whole number of at least 2"),
        ({"share": 0}, "share"),
        ({"largest": 0}, "largest"),
        ({"n_features_to_select": "all"}, "n_features_to_select"),
    ],
)
def test_a_mistake_is_named_in_one_line(params, named):
    with pytest.raises(UserError, match=named) as caught:
        select({"use": "tuned", "params": params}, X, Y, **PLACE)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            {"use": "relieff", "n_neighbours": "auto"},
            r"n_neighbours: auto: .* tuned: {over: {n_nei",
        ),
        ({"use": "miq", "alpha": "auto"}, "alpha: auto"),
        ({"use": "tuned", "over": {"alhpa": [1]}}, "over.alhpa: .* 'alpha'"),
        ({"use": "tuned", "over": {"alpha": 1}}, "over.alpha: must be a list"),
        ({"use": "tuned", "over": {"alpha": ["1"]}}, "over.alpha: must be a number"),
        ({"use": "mid_alpha", "tuned": {"over": {"bins": [3]}}}, "over.bins: .*discretise.bins"),
        ({"use": "tuned", "base": "ensemble"}, "base: ensemble runs another selector itself"),
        ({"use": "ensemble", "tuned": {"over": {"n_samples": [2, 3]}}}, "base: ensemble runs"),
    ],
)
def test_a_study_names_the_entry_with_the_mistake(entry, message):
    with pytest.raises(UserError, match=rf"^selectors\.S\.{message}") as caught:
        completed("S", entry)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    [
        {"use": "tuned", "over": [1]},
        {"use": "mid", "tuned": {"over": [1]}},
        {"use": "mid", "tuned": {}},
        {"use": "tuned", "base": FOREST, "over": {"max_depth": 5}},
        {"use": "mid", "tuned": {"over": {"n_features_to_select": [2, 3]}}},
    ],
)
def test_a_study_with_nothing_to_choose_from_is_refused(entry):
    with pytest.raises(UserError, match=r"^selectors\.S\.(tuned|over)"):
        completed("S", entry)


def test_auto_keeps_its_meaning_in_classes_of_other_packages():
    use = "sklearn.linear_model.RidgeClassifier"
    assert completed("S", {"use": use, "solver": "auto"}).use == use


def test_the_cost_of_a_choice_is_the_same_however_it_is_written():
    short = completed("S", {"use": "mid_alpha", "alpha": "auto"})
    assert completed("S", {"use": "tuned"}).passes == short.passes == {"rankings": 80, "share": 0.5}


# Tables with little in them


@pytest.mark.parametrize("size", [None, "auto"])
@pytest.mark.parametrize("discretise", [None, BINS])
def test_constant_columns_one_column_and_classes_of_one_row_are_ranked(size, discretise):
    single = np.where(np.arange(178) == 5, 3, Y)
    tables = [
        (np.column_stack([np.ones(178), X[:, :2], np.zeros(178)]), Y),
        (np.ones((178, 3)), Y),
        (X[:, :1], Y),
        (X[:, :3], single),
        (X[[0, 1, 60, 61], :3], Y[[0, 1, 60, 61]]),
    ]
    settings = {"use": "tuned", "params": {"n_features_to_select": size, "n_samples": 3}}
    for rows, y in tables:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = select(settings, rows, y, **PLACE, discretise=discretise)
        assert sorted(found.sequence_) == list(range(rows.shape[1]))
        assert (found.size_ is None) == (size is None)


def test_the_file_of_a_table_with_categories_says_what_was_tried():
    rows = np.column_stack([X[:, 0], np.arange(178) % 3])
    found = select({"use": "tuned"}, rows, Y, **PLACE, levels=((), ("a", "b", "c")))
    assert "chosen" in selection_to_bytes(found, NAMES).decode()

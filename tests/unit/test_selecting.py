"""Any selector, from here or another package, becomes a ranking with ties to the lower column."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.selectors.running.fold_file import read_selections, selection_to_bytes
from steadfast.selectors.running.select import ranking_of, select

X, Y = load_wine(return_X_y=True)
PLACE = {"seed": 1, "names": ("wine", "b01_r1")}


def use(name, **params):
    return {"use": name, "params": params}


def test_declared_selectors_are_found_by_name_with_their_parameters():
    found = registry.declared("selector")
    assert {"mid", "miq", "mid_alpha"} <= set(found)
    assert found["mid_alpha"].parameters["alpha"] == 0.5
    assert "alpha" not in found["mid"].parameters
    assert all(declaration.reference for declaration in found.values())


def test_a_selector_file_is_found_by_itself(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from steadfast.core.registry import selector\n"
        "@selector('first_columns', discrete=False, reference='me')\n"
        "class FirstColumns:\n"
        "    def __init__(self, *, reverse=False): self.reverse = reverse\n"
    )
    found = registry.declared("selector", tmp_path)["first_columns"]
    assert (found.class_name, found.parameters) == ("FirstColumns", {"reverse": False})


def test_a_selector_file_that_does_not_parse_is_named(tmp_path):
    (tmp_path / "broken.py").write_text("class Broken(\n")
    with pytest.raises(UserError, match=r"broken\.py: line 1"):
        registry.declared("selector", tmp_path)


def test_scores_rankings_and_coefficients_of_other_packages_are_understood():
    chi2 = select(use("sklearn.feature_selection.SelectKBest", k=3), X, Y, **PLACE)
    assert chi2.sequence_[0] == 6  # flavanoids have the largest F
    tree = select(use("sklearn.tree.DecisionTreeClassifier"), X, Y, **PLACE)
    again = select(use("sklearn.tree.DecisionTreeClassifier"), X, Y, **PLACE)
    assert (tree.sequence_ == again.sequence_).all()
    svm = select(use("sklearn.linear_model.RidgeClassifier"), X, Y, **PLACE)
    assert sorted(svm.sequence_) == list(range(13))


def test_ties_of_other_packages_go_to_the_lower_column():
    copies = np.column_stack([X[:, 6], X[:, 6], X[:, 0]])
    fitted = select(use("sklearn.feature_selection.SelectKBest", k=1), copies, Y, **PLACE)
    assert fitted.sequence_.tolist() == [0, 1, 2]


def test_nan_comes_last():
    from types import SimpleNamespace

    for attribute in ("ranking_", "scores_", "coef_"):
        fitted = SimpleNamespace(**{attribute: np.array([np.nan, 1.0, 2.0])})
        assert ranking_of(fitted, 3).sequence_[-1] == 0


def test_a_class_that_states_no_preference_is_refused():
    with pytest.raises(UserError, match="none of ranking_, scores_"):
        select(use("sklearn.preprocessing.StandardScaler"), X, Y, **PLACE)


def test_a_missing_package_is_named():
    with pytest.raises(UserError, match=r"use: no_such\.Thing: cannot be imported"):
        select(use("no_such.Thing"), X, Y, **PLACE)


def test_bins_can_be_fitted_inside_the_fold():
    inside = select(use("mid"), X, Y, discretise={"method": "equal_width", "bins": 5}, **PLACE)
    assert (inside.sequence_ == select(use("mid", bins=5), X, Y, **PLACE).sequence_).all()


def test_a_fold_file_tells_what_was_picked_and_why(tmp_path):
    features = [f"f{i}" for i in range(13)]
    fitted = select(use("mid"), X, Y, **PLACE)
    path = tmp_path / "b01_r1.tsv"
    write_with_manifest({path: selection_to_bytes(fitted, features)}, tmp_path / "batch0.sha256")
    header, first, *_ = path.read_text().splitlines()
    assert header.split("\t") == ["rank", "feature", "weight", "relevance", "redundancy", "score"]
    assert first.split("\t")[:3] == ["1", "f6", "1.0"]
    back = read_selections([tmp_path / "batch0.sha256"], ["b01_r1"], features)
    assert (back["b01_r1"].sequence == fitted.sequence_).all()
    assert back["b01_r1"].weights[0] == 1
    with pytest.raises(UserError, match="b02_r1"):
        read_selections([tmp_path / "batch0.sha256"], ["b02_r1"], features)


class Witness:
    """A selector that keeps what it was given."""

    takes_gaps = True

    def __init__(self, discrete=False):
        self.discrete = discrete

    def get_params(self, deep=True):
        return {"discrete": self.discrete}

    def fit(self, X, y, groups=None):
        self.seen_, self.groups_ = X, groups
        self.scores_ = np.arange(X.shape[1], dtype=float)
        self.sequence_ = np.arange(X.shape[1])[::-1]
        return self


def test_groups_and_gaps_reach_a_selector_that_takes_them_and_numbers_for_categories():
    rows = np.column_stack([X[:, 0], np.arange(len(Y)) % 3])
    rows[4, 0] = np.nan
    groups, levels = np.arange(len(Y)) // 2, ((), ("a", "b", "c"))
    given = select(use(Witness()), rows, Y, groups=groups, levels=levels, **PLACE)
    np.testing.assert_array_equal(given.seen_[:, 0], rows[:, 0])
    np.testing.assert_array_equal(given.groups_, groups)
    assert given.discrete is False
    assert np.unique(given.seen_[:, 1]).size == len(Y)
    binned = {"method": "equal_width", "bins": 3}
    filled = select(use(Witness()), rows, Y, discretise=binned, levels=levels, **PLACE)
    assert np.isfinite(filled.seen_).all()


def test_groups_and_gaps_are_kept_from_a_selector_that_knows_of_none():
    rows = X.copy()
    rows[4, 0] = np.nan
    fitted = select(use("fisher"), rows, Y, groups=np.arange(len(Y)), **PLACE)
    assert sorted(fitted.sequence_) == list(range(13))


def test_a_fold_hands_on_the_groups_of_its_training_rows():
    from steadfast.data.table import Table
    from steadfast.resampling.folds import Fold
    from steadfast.selectors.running.select_fold import select_fold

    names = tuple(f"f{column}" for column in range(13))
    groups = np.arange(len(Y)) // 2
    table = Table(X, Y, names, ("a", "b", "c"), (), groups)
    fold = Fold("s001", 1, 1.0, np.arange(0, 178, 3), np.arange(1, 178, 3), "", "all")
    _, fitted = select_fold(use(Witness()), table, fold, seed=1, dataset="wine")
    np.testing.assert_array_equal(fitted.groups_, groups[::3])

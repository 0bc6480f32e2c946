"""Information gain on MDL bins, chi-square, Fisher score and functions of scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.feature_selection import f_classif
from sklearn.metrics import mutual_info_score

from steadfast.data.discretise import MDL, EqualWidth, create
from steadfast.data.mdl import mdl_cuts
from steadfast.selectors import ChiSquare, FisherScore, InformationGain
from steadfast.selectors.running.select import select

WINE = load_wine(return_X_y=True)


def entropy(labels):
    shares = [labels.count(label) / len(labels) for label in set(labels)]
    return -sum(share * math.log2(share) for share in shares)


def plain_cuts(values, labels):
    """Fayyad and Irani's recursion, written as the paper has it."""
    rows = sorted(zip(values, labels, strict=True))
    n, best = len(rows), None
    for at in range(1, n):
        if rows[at - 1][0] == rows[at][0]:
            continue
        left, right = ([label for _, label in part] for part in (rows[:at], rows[at:]))
        inside = (at * entropy(left) + (n - at) * entropy(right)) / n
        if best is None or inside < best[0] - 1e-12:
            best = inside, at, left, right
    if best is None:
        return []
    inside, at, left, right = best
    whole = [label for _, label in rows]
    c, c1, c2 = (len(set(part)) for part in (whole, left, right))
    delta = math.log2(3**c - 2) - (c * entropy(whole) - c1 * entropy(left) - c2 * entropy(right))
    if entropy(whole) - inside <= (math.log2(n - 1) + delta) / n:
        return []
    cut = (rows[at - 1][0] + rows[at][0]) / 2
    sides = [([v for v, _ in part], [y for _, y in part]) for part in (rows[:at], rows[at:])]
    return [*plain_cuts(*sides[0]), cut, *plain_cuts(*sides[1])]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=4, max_size=60))
def test_cut_points_are_those_of_the_plain_recursion(rows):
    values = np.array([value for value, _ in rows], dtype=float)
    labels = np.array([label for _, label in rows])
    cuts, counts, _ = mdl_cuts(values[:, None], labels)
    assert cuts.tolist() == plain_cuts(values.tolist(), labels.tolist())
    assert counts.tolist() == [cuts.size]


def test_structured_columns_are_cut_where_the_plain_recursion_cuts():
    X, y = load_breast_cancer(return_X_y=True)
    cuts, counts, _ = mdl_cuts(X, y)
    ends = np.cumsum(counts)
    for column in range(0, 30, 4):
        own = cuts[ends[column] - counts[column] : ends[column]]
        assert own.tolist() == pytest.approx(plain_cuts(X[:, column].tolist(), y.tolist()))


@pytest.mark.parametrize("block", [1, 569 * 7, 569 * 30])
def test_columns_by_blocks_are_cut_as_all_at_once(block, monkeypatch):
    X, y = load_breast_cancer(return_X_y=True)
    whole = mdl_cuts(X, y)
    monkeypatch.setattr("steadfast.data.mdl.BLOCK", block)
    for found, wanted in zip(mdl_cuts(X, y), whole, strict=True):
        assert found.tolist() == wanted.tolist()


def test_information_gain_is_the_mutual_information_of_the_bins_in_bits():
    X, y = WINE
    fitted = InformationGain().fit(X, y)
    bins = MDL().fit(X, y).transform(X)
    for column in range(X.shape[1]):
        wanted = mutual_info_score(bins[:, column], y) / math.log(2)
        assert fitted.scores_[column] == pytest.approx(wanted, abs=1e-12)
    counts = [len(text.split()) for text in fitted.steps_["cuts"]]
    assert counts == [bins[:, column].max() for column in fitted.sequence_]


def test_a_feature_that_is_cut_nowhere_has_one_bin_and_no_gain():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 5))
    y = np.arange(60) % 2
    assert InformationGain().fit(X, y).scores_.tolist() == [0] * 5
    assert (MDL().fit(X, y).transform(X) == 0).all()


def test_a_study_may_name_mdl_bins():
    X, y = WINE
    made = create({"method": "mdl", "bins": 10}).fit(X, y)
    assert made.transform(X).dtype == np.uint8
    assert (made.transform(X[:5]) == made.transform(X)[:5]).all()


def test_chi_square_is_that_of_the_table_of_bins_and_classes():
    X, y = WINE
    bins = EqualWidth(10).fit(X).transform(X)
    weights = ChiSquare().fit(bins, y).scores_
    for column in range(X.shape[1]):
        table = np.zeros((10, 3))
        np.add.at(table, (bins[:, column], y), 1)
        wanted = chi2_contingency(table[table.any(axis=1)], correction=False).statistic
        assert weights[column] == pytest.approx(wanted, rel=1e-10)


def test_fisher_score_is_the_f_statistic_up_to_its_degrees_of_freedom():
    X, y = WINE
    n, classes = len(y), 3
    wanted = f_classif(X, y)[0] * (classes - 1) / (n - classes)
    assert FisherScore().fit(X, y).scores_ == pytest.approx(wanted, rel=1e-9)


def test_fisher_score_of_constant_and_of_perfect_features():
    X = np.array([[1.0, 3, 7], [1, 3, 7], [2, 3, 8], [2, 3, 9]])
    scores = FisherScore().fit(X, np.array([0, 0, 1, 1])).scores_
    assert scores[0] == np.inf
    assert scores[1] == 0
    assert 0 < scores[2] < np.inf


@pytest.mark.parametrize("name", ["f_classif", "mutual_info_classif"])
def test_scoring_functions_of_scikit_learn_are_config_lines(name):
    X, y = WINE
    place = {"seed": 1, "names": ("wine", "b01")}
    use = {"use": f"sklearn.feature_selection.{name}", "params": {}}
    fitted = select(use, X, y, **place)
    assert (np.diff(fitted.scores_[fitted.sequence_]) <= 0).all()
    assert (select(use, X, y, **place).sequence_ == fitted.sequence_).all()

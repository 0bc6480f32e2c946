"""MID, MIQ and MID_alpha against a plain reference, and scikit-learn's contract."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from test_information import information

from steadfast.selectors import MRMR
from steadfast.selectors.mrmr import criterion_along


def score_of(criterion, alpha, v, w):
    if criterion == "miq":
        return v / w if w > 1e-12 else float("inf")
    return v - w if criterion == "mid" else alpha * v - (1 - alpha) * w


def reference(bins, y, criterion, alpha):
    """Forward selection from the definition: all scores anew at each step, ties to the lower."""
    relevances = [information(column, y) for column in bins.T]
    chosen = [max(range(len(relevances)), key=lambda f: (round(relevances[f], 9), -f))]
    while len(chosen) < bins.shape[1]:
        keys = {}
        for f in set(range(bins.shape[1])) - set(chosen):
            w = np.mean([information(bins[:, f], bins[:, s]) for s in chosen])
            score = score_of(criterion, alpha, relevances[f], w)
            among_infinite = relevances[f] if score == float("inf") else 0
            keys[f] = (round(score, 9), round(among_infinite, 9), -f)
        chosen.append(max(keys, key=keys.get))
    return chosen


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(4, 40),
    st.integers(1, 7),
    st.sampled_from(["mid", "miq", "mid_alpha"]),
    st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    st.booleans(),
)
def test_the_order_is_that_of_the_definition(seed, n, m, criterion, alpha, with_ties):
    rng = np.random.default_rng(seed)
    bins = rng.integers(0, rng.integers(1, 6), (n, m)).astype(np.uint8)
    if with_ties:  # a copy, a relabelled copy and a constant
        bins = np.column_stack([bins, bins[:, 0], 9 - bins[:, 0], np.full(n, 4)]).astype(np.uint8)
    y = rng.integers(0, 3, n)
    fitted = MRMR(criterion, alpha).fit(bins, y)
    assert fitted.sequence_.tolist() == reference(bins, y, criterion, alpha)


def wine():
    X, y = load_wine(return_X_y=True)
    return X, y


def test_mid_and_mid_alpha_at_one_half_give_the_same_order():
    X, y = wine()
    half = MRMR("mid_alpha", 0.5).fit(X, y)
    assert (MRMR("mid").fit(X, y).sequence_ == half.sequence_).all()


def test_alpha_one_ranks_by_relevance_alone():
    X, y = wine()
    fitted = MRMR("mid_alpha", 1.0).fit(X, y)
    assert (np.diff(fitted.steps_["relevance"]) <= 1e-10).all()


def test_a_shorter_selection_is_the_beginning_of_the_longer():
    X, y = wine()
    whole = MRMR("miq").fit(X, y)
    short = MRMR("miq", n_features_to_select=4).fit(X, y)
    assert (short.sequence_ == whole.sequence_[:4]).all()
    assert short.transform(X).shape == (178, 4)
    assert short.ranking_[short.get_support()].max() == 4
    assert (short.scores_[~short.get_support()] == 0).all()


def test_steps_explain_the_choice():
    X, y = wine()
    steps = MRMR("mid").fit(X, y).steps_
    np.testing.assert_allclose(steps["score"], steps["relevance"] - steps["redundancy"])


def test_column_order_does_not_matter_without_ties():
    X, y = wine()
    order = np.random.default_rng(0).permutation(X.shape[1])
    there = MRMR().fit(X, y).sequence_
    back = order[MRMR().fit(X[:, order], y).sequence_]
    assert (there == back).all()


def test_the_criterion_along_the_own_sequence_repeats_the_steps():
    X, y = wine()
    fitted = MRMR("miq").fit(X, y)
    from steadfast.data.discretise import EqualWidth

    bins = np.ascontiguousarray(EqualWidth(10).fit(X).transform(X).T)
    again = criterion_along(bins, y, fitted.sequence_, "miq", 0.5)
    for term, values in fitted.steps_.items():
        np.testing.assert_allclose(again[term], values, rtol=1e-12)


def test_it_works_in_a_pipeline_and_can_be_cloned():
    X, y = wine()
    pipeline = make_pipeline(MRMR(n_features_to_select=5), KNeighborsClassifier(3))
    assert clone(pipeline).fit(X, y).score(X, y) > 0.8


def test_data_frames_go_in_and_come_out():
    frame, y = load_wine(return_X_y=True, as_frame=True)
    fitted = MRMR(n_features_to_select=3).set_output(transform="pandas").fit(frame, y)
    assert list(fitted.transform(frame)) == list(fitted.get_feature_names_out())
    refitted = fitted.fit(frame.to_numpy()[:, :4], y.to_numpy())
    assert all(name.startswith("x") for name in refitted.get_feature_names_out())


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"criterion": "mad"}, "criterion"),
        ({"alpha": 1.5}, "alpha"),
        ({"bins": 1}, "bins"),
        ({"n_features_to_select": 0}, "n_features_to_select"),
    ],
)
def test_wrong_parameters_are_named(params, message):
    X, y = wine()
    with pytest.raises(ValueError, match=message):
        MRMR(**params).fit(X, y)


def test_selecting_does_not_import_scikit_learn():
    program = (
        "import sys, numpy as np\n"
        "from steadfast.selectors import MRMR\n"
        "MRMR().fit(np.eye(6), np.arange(6) % 2)\n"
        "sys.exit('sklearn' in sys.modules)"
    )
    path = {"PYTHONPATH": ":".join(sys.path)}
    assert subprocess.run([sys.executable, "-c", program], env=path, check=False).returncode == 0

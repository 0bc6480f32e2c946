"""Selectors that choose a set: their tests are those of scipy, their sets what they say."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steadfast.core import registry
from steadfast.selectors import votes as votes_module
from steadfast.selectors.boruta import Boruta, tails
from steadfast.selectors.running.probes import votes_needed
from steadfast.selectors.significant import Significant
from steadfast.selectors.votes import Votes, voters

ROOT = Path(__file__).parents[2]
DRAW = np.random.default_rng(3)
Y = DRAW.permutation(np.arange(90) % 3)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(1, 30), st.integers(8, 40))
def test_every_column_is_tested_as_scipy_tests_it(seed, classes, levels, n):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = np.column_stack([draw.integers(levels, size=n), draw.normal(size=n), np.ones(n)])
    p = 10.0 ** -Significant().fit(X, y).scores_
    for column in range(2):
        if np.ptp(X[:, column]):
            known = stats.kruskal(*(X[y == label, column] for label in range(classes)))
            assert p[column] == pytest.approx(known.pvalue)
    assert p[2] == 1


def test_categories_are_tested_by_their_table_with_the_classes():
    codes = DRAW.integers(4, size=90).astype(float)
    codes[Y == 1] = np.minimum(codes[Y == 1], 2)
    fitted = Significant(discrete=[1]).fit(np.column_stack([DRAW.normal(size=90), codes]), Y)
    table = np.array([[np.sum((codes == k) & (c == Y)) for k in range(4)] for c in range(3)])
    known = stats.chi2_contingency(table, correction=False)
    assert 10 ** -fitted.scores_[1] == pytest.approx(known.pvalue)


def test_the_chosen_set_is_that_of_benjamini_and_hochberg():
    X = DRAW.normal(size=(90, 40))
    X[:, :8] += np.outer(Y, np.linspace(0.2, 0.8, 8))
    fitted = Significant(fdr=0.05).fit(X, Y)
    p = np.sort(10**-fitted.scores_)
    k = max((i for i in range(1, 41) if p[i - 1] <= 0.05 * i / 40), default=0)
    assert 0 < fitted.support_.sum() == k
    assert fitted.support_[fitted.sequence_[:k]].all()
    wider = Significant(fdr=0.3).fit(X, Y)
    assert (fitted.support_ <= wider.support_).all()


def test_a_column_that_does_not_vary_is_never_chosen():
    fitted = Significant(fdr=1.0, discrete=[0]).fit(np.ones((90, 2)), Y)
    assert fitted.scores_.tolist() == [0, 0]


def test_borutas_test_is_the_binomial_one():
    hits = np.array([0, 1, 7, 10])
    more, fewer = tails(hits, 10)
    for at, k in enumerate(hits):
        known = [stats.binomtest(k, 10, alternative=side).pvalue for side in ("greater", "less")]
        assert [more[at], fewer[at]] == pytest.approx(known)


def test_boruta_confirms_what_tells_the_classes_apart_and_rejects_noise():
    X = DRAW.normal(size=(90, 8))
    X[:, 2] += 2 * Y
    fitted = Boruta(n_runs=25, n_trees=15, random_state=1).fit(X, Y)
    assert fitted.support_.tolist() == [column == 2 for column in range(8)]
    assert fitted.sequence_[0] == 2
    assert fitted.steps_["decision"][0] == "confirmed"
    assert "rejected" in fitted.steps_["decision"]


def test_the_voters_are_those_of_the_advice():
    advised = yaml.safe_load((ROOT / "config/advise.yaml").read_text())
    assert {key: advised["discretise"][key] for key in ("method", "bins")} == votes_module._BINS
    known = registry.declared("selector")
    wanted = {}
    for name, entry in advised["selectors"].items():
        if name == "random":
            continue
        if name == "mrmr":  # votes are a method of their own, in which α is 0.5
            name, entry = "mid", {"n_features_to_select": entry["n_features_to_select"]}
        params = {k: v for k, v in entry.items() if k not in ("use", "label", "params")}
        settings = {"use": entry.get("use", name), "params": {**params, **entry.get("params", {})}}
        wanted[name] = repr(registry.create("selector", settings, known, 0))
    made = {name: voter for name, (voter, _) in voters().items()}
    for voter in made.values():
        if getattr(voter, "random_state", 0) is None:
            voter.random_state = 0
    assert {name: repr(voter) for name, voter in made.items()} == wanted
    assert {name for name, (_, bins) in voters().items() if bins} == {
        name for name in wanted if name in known and known[name].discrete
    }


def test_votes_choose_what_enough_selectors_keep_ahead_of_the_copies(monkeypatch):
    seen = []

    def six(n_trees):
        return {name: (name, False) for name in "abcdef"}

    def ahead(settings, X, y, *, groups, **place):
        seen.append((len(y), groups))
        return np.array({"a": [0, 1], "b": [0, 1], "c": [0]}.get(settings["use"], []), dtype=int)

    monkeypatch.setattr(votes_module, "voters", six)
    monkeypatch.setattr(votes_module, "ahead_of_copies", ahead)
    groups = np.repeat(np.arange(30), 3)
    y = np.repeat(np.arange(30) % 2, 3)
    fitted = Votes(n_samples=4, random_state=1).fit(DRAW.normal(size=(90, 3)), y, groups)
    assert votes_needed(6) == 3
    assert fitted.support_.tolist() == [True, False, False]
    assert fitted.steps_["votes"].tolist() == [3, 2, 0]
    # 80% of 15 groups of each class, each with its three rows.
    for rows, own in seen:
        assert rows == 72
        assert (np.unique(own, return_counts=True)[1] == 3).all()

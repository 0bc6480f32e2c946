"""Ranks under many seeds, the rule for constant features, and percentiles among the seeds."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_wine

from steadfast.accuracy.rows import accuracy_rows
from steadfast.core.config import read_yaml
from steadfast.data.discretise import EqualWidth
from steadfast.experiments.seed_file import KEYS, OTHER_RULE, read_seeds
from steadfast.experiments.seed_ranks import RankedData, alpha_sequences, seed_ranks
from steadfast.measures.similar_features import Matching
from steadfast.measures.similarity import Similarities
from steadfast.measuring.constant_features import constant_credit
from steadfast.measuring.curves import measure_stability
from steadfast.resampling.schemes import create
from steadfast.selectors import MRMR
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.percentiles import distance_from_others, percentile, row_percentile
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

ROOT = Path(__file__).parents[2]
SEEDS = ROOT / "config/seeds/gulgezen2009.csv"
ALPHAS = {f"mid_alpha_{alpha:g}": alpha for alpha in (0, 0.25, 0.5, 0.75, 1)}
X, Y = load_wine(return_X_y=True)


def with_constants(X):
    """Two constant features, one of them first, so that ties and rules come into play."""
    return np.column_stack([np.ones(len(X)), X, np.zeros(len(X))])


def data_of(X):
    return RankedData(X, Y, np.ascontiguousarray(EqualWidth(10).fit(X).transform(X).T), 3)


def folds_of(repeats, seed=1):
    scheme = create({"scheme": "shrinking_bootstrap", "repeats": repeats, "ratios": [0.25, 1]})
    return list(scheme.folds(Y, ["a", "b", "c"], seed, ("gulgezen2009", "wine")))


def study_curves(data, folds):
    """Stability and accuracy by selector and size, as the stages of the workflow find them."""
    stability, accuracy = [], []
    similarities = Similarities(lambda: data.bins)
    for alpha in ALPHAS.values():
        selections = {}
        for fold in folds:
            fitted = MRMR("mid_alpha", alpha).fit(data.bins.T[fold.train], data.y[fold.train])
            weights = 1 - np.arange(len(data.bins)) / len(data.bins)
            selections[fold.name] = Selection(fitted.sequence_, weights)
        use = {"measure": "su_matching", "compare": "reference"}
        found = measure_stability(use, folds, selections, similarities, len(data.bins), 1)
        stability.append(next(one for one in found if one.ratio == 0.25).estimate.values)
        rows = list(accuracy_rows("knn", {"k": 3}, folds, selections, data.X, data.y))
        values = [[r[4] for r in rows if r[1] == 0.25 and r[3] == fold.name] for fold in folds]
        accuracy.append(np.mean([curve for curve in values if curve], axis=0))
    return np.array(stability), np.array(accuracy)


@pytest.mark.parametrize("X", [X, with_constants(X)], ids=["wine", "with constant features"])
def test_the_lean_path_gives_the_ranks_of_the_study(X):
    data, folds = data_of(X), folds_of(3)
    wanted = {"stability": {0.25}, "accuracy": {0.25}}
    rows = {
        (row.of, row.rule): row for row in seed_ranks(data, folds, list(ALPHAS.values()), wanted)
    }
    stability, accuracy = study_curves(data, folds)
    for curves, row in ((stability, ("stability", "0")), (accuracy, ("accuracy", ""))):
        means, sds = mean_and_sd(competition_ranks(curves))
        assert rows[row].means.tolist() == means.tolist()
        assert rows[row].sds.tolist() == sds.tolist()
    assert (("stability", OTHER_RULE) in rows) == (len(X[0]) == 15)


def test_all_alphas_share_the_information_of_a_fold():
    data, rows = data_of(X), folds_of(1)[0].train
    for alpha, sequence in zip(ALPHAS.values(), alpha_sequences(data, rows, [*ALPHAS.values()])):
        fitted = MRMR("mid_alpha", alpha).fit(data.bins.T[rows], Y[rows])
        assert sequence.tolist() == fitted.sequence_.tolist()


def test_the_kept_file_is_whole_and_has_what_is_computed_now():
    rows = read_seeds(SEEDS)
    kept = {}
    for row in rows:
        key = tuple(row[name] for name in KEYS[:-1])
        kept.setdefault(key, []).append(int(row["seed"]))
    for key, seeds in kept.items():
        assert seeds == list(range(1, len(seeds) + 1)), key
    study = read_yaml(ROOT / "config/studies/gulgezen2009.yaml")
    shown = {(name, of, "0.25") for name in study["datasets"] for of in ("stability", "accuracy")}
    shown |= {
        (name, of, str(ratio))
        for name in ("musk1", "mfeat")
        for of in ("stability", "accuracy")
        for ratio in (0.1, 0.25, 0.5, 0.75)
    }
    assert shown <= {(dataset, of, ratio) for dataset, of, _, ratio in kept}
    wanted = {"stability": {0.25}, "accuracy": {0.25}}
    data, seed = data_of(X), 7
    for row in seed_ranks(data, folds_of(10, seed), list(ALPHAS.values()), wanted):
        assert {
            key: str(value) for key, value in row.cells("wine", seed, [*ALPHAS]).items()
        } in rows


@given(st.integers(0, 10**6))
def test_constant_features_count_as_much_as_a_matching_with_itself_would(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 9))
    constant = rng.random(m) < 0.4
    similarity = rng.random((m, m))
    similarity = (similarity + similarity.T) / 2
    similarity[constant] = similarity[:, constant] = 0
    np.fill_diagonal(similarity, np.where(constant, 0, 1))
    counted = similarity + np.diag(constant.astype(float))
    first, second = rng.permutation(m), rng.permutation(m)
    own = Matching(similarity).curve(first, second)
    for k in range(1, m + 1):
        weights = counted[np.ix_(first[:k], second[:k])]
        best = weights[linear_sum_assignment(weights, maximize=True)].sum() / k
        assert own[k - 1] + constant_credit(first, second, constant)[k - 1] == pytest.approx(best)


def test_a_percentile_counts_ties_half():
    repetitions = np.array([1.0, 2.0, 2.0, 3.0])
    assert [percentile(value, repetitions) for value in (0, 1, 2, 2.5, 9)] == [0, 12.5, 50, 75, 100]


def test_distances_are_to_the_mean_of_the_others():
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 5.0]])
    assert distance_from_others(rows).tolist() == [(1.5 + 3) / 2, (0 + 1.5) / 2, (1.5 + 4.5) / 2]
    assert row_percentile(rows[0], rows[1:]) == (2.25, 50)


def test_one_more_repetition_has_any_percentile_alike():
    rng = np.random.default_rng(1)
    found = [row_percentile(rows[0], rows[1:])[1] for rows in rng.normal(size=(400, 40, 5))]
    assert np.mean(found) == pytest.approx(50, abs=5)
    assert np.mean(np.array(found) > 95) == pytest.approx(0.05, abs=0.03)

"""Stability of selections, by measure, comparison, ratio and size."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from steadfast.information import symmetrical_uncertainty
from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.resample import shrinking_bootstrap
from steadfast.selections import Selection
from steadfast.stability import HEADER, measure_stability


def made_up(m=8):
    rng = np.random.default_rng(0)
    bins = rng.integers(0, 4, (m, 100)).astype(np.uint8)
    bins[3] = bins[2]
    folds = list(shrinking_bootstrap(100, repeats=4, ratios=[0.5, 1], seed=1, names=["s", "d"]))
    weights = np.linspace(1, 0.1, m)
    selections = {fold.name: Selection(rng.permutation(m), weights) for fold in folds}
    return bins, folds, selections


def stability(measure, compare="reference", sizes=None, selections=None, m=8):
    bins, folds, made = made_up(m)
    found = measure_stability(
        {"measure": measure, "compare": compare},
        folds,
        selections or made,
        Similarities(lambda: bins, lambda: bins.astype(float)),
        m,
        seed=1,
    )
    return {
        (row[2], row[3]): dict(zip(HEADER, row, strict=True))
        for one in found
        for row in one.rows(sizes)
    }


def test_the_value_is_the_mean_over_pairs_of_the_best_matching():
    bins, _, selections = made_up()
    similarity = symmetrical_uncertainty(bins)
    rows = stability("su_matching")
    for k in range(1, 9):
        values = []
        for repeat in range(1, 5):
            first = selections[f"b{repeat:02d}_r1"].sequence[:k]
            second = selections[f"b{repeat:02d}_r0.5"].sequence[:k]
            weights = similarity[np.ix_(first, second)]
            matched = linear_sum_assignment(weights, maximize=True)
            values.append(weights[matched].sum() / k)
        row = rows[0.5, k]
        assert row["value"] == pytest.approx(np.mean(values), abs=1e-12)
        assert row["sd"] == pytest.approx(np.std(values, ddof=1), abs=1e-12)
        assert row["pairs"] == 4
        half = 3.182446305284263 * np.std(values, ddof=1) / 2
        assert row["high"] == pytest.approx(min(1, row["value"] + half), abs=1e-9)


def test_all_pairs_compare_the_folds_of_a_ratio_with_each_other():
    _, _, selections = made_up()
    rows = stability("jaccard", "all_pairs")
    tops = [set(selections[f"b{repeat:02d}_r0.5"].sequence[:3].tolist()) for repeat in range(1, 5)]
    values = [len(a & b) / len(a | b) for i, a in enumerate(tops) for b in tops[i + 1 :]]
    assert rows[0.5, 3]["value"] == pytest.approx(np.mean(values), abs=1e-12)
    assert rows[0.5, 3]["sd"] == pytest.approx(np.std(values, ddof=1), abs=1e-12)
    assert rows[0.5, 3]["pairs"] == 6


def test_a_fold_that_is_its_own_reference_is_perfectly_stable():
    rows = stability("su_matching")
    assert [rows[1, k]["value"] for k in range(1, 9)] == [1.0] * 8


def test_exchanging_copies_of_a_feature_costs_nothing():
    bins, _, _ = made_up()
    measure = load("su_matching", Similarities(lambda: bins))
    curve = measure.curves(Runs(8, [np.array([2, 0]), np.array([3, 0])]), 2).values
    assert curve.tolist() == pytest.approx([1, 1], abs=1e-12)


def test_only_the_sizes_asked_for_are_reported():
    assert sorted({k for _, k in stability("jaccard", sizes=[2, 5, 99])}) == [2, 5]


def test_an_undefined_value_says_why():
    rows = stability("kuncheva")
    assert np.isnan(rows[0.5, 8]["value"])
    assert rows[0.5, 8]["note"] == "run b01_r1 selects every feature"
    assert rows[0.5, 7]["note"] == ""


def test_weights_of_some_features_have_no_pearson_correlation():
    _, _, selections = made_up()
    short = {name: Selection(s.sequence[:5], s.weights[:5]) for name, s in selections.items()}
    rows = stability("pearson", selections=short)
    assert {row["note"] for row in rows.values()} == {"run b01_r1 gives weights of 5 of 8 features"}
    assert not np.isnan(stability("spearman", selections=short)[0.5, 5]["value"])


def test_units_have_the_mean_over_the_sizes():
    _, folds, selections = made_up()
    for compare in ("reference", "all_pairs"):
        asked = {"measure": "kuncheva", "compare": compare}
        found = list(measure_stability(asked, folds, selections, Similarities(), 8, seed=1))
        for one in found:
            units = [row[-1] for row in one.unit_rows(None)]
            assert np.mean(units) == pytest.approx(np.nanmean(one.estimate.values), abs=1e-12)
            assert [row[3] for row in one.unit_rows(None)] == [
                fold.name for fold in folds if fold.ratio == one.ratio
            ]

"""Stability of selections, by measure, comparison, ratio and size."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from steadfast.core.files import write_with_manifest
from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.measuring.curves import HEADER, measure_stability, zero_weight_rows
from steadfast.resampling.schemes import create
from steadfast.selectors.running.fold_file import Selection, read_selections, selection_to_bytes
from steadfast.statistics.information import symmetrical_uncertainty


def made_up(m=8):
    rng = np.random.default_rng(0)
    bins = rng.integers(0, 4, (m, 100)).astype(np.uint8)
    bins[3] = bins[2]
    scheme = create({"scheme": "shrinking_bootstrap", "repeats": 4, "ratios": [0.5, 1]})
    folds = list(scheme.folds(np.arange(100) % 2, ["a", "b"], 1, ["s", "d"]))
    weights = np.linspace(1, 0.1, m) ** 2
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
        use = {"measure": "kuncheva", "compare": compare}
        found = list(measure_stability(use, folds, selections, Similarities(), 8, seed=1))
        for one in found:
            units = [row[-1] for row in one.unit_rows(None)]
            assert np.mean(units) == pytest.approx(np.nanmean(one.estimate.values), abs=1e-12)
            assert [row[3] for row in one.unit_rows(None)] == [
                fold.name for fold in folds if fold.ratio == one.ratio
            ]


def test_several_groups_of_folds_are_means_of_their_own_stability():
    scheme = create({"scheme": "nested_cv", "folds": 3, "inner": 4})
    folds = list(scheme.folds(np.arange(60) % 2, ["a", "b"], 1, ["s", "d"]))
    draw = np.random.default_rng(1)
    weights = np.linspace(1, 0.1, 6) ** 2
    selections = {fold.name: Selection(draw.permutation(6), weights) for fold in folds}
    use = {"measure": "jaccard", "compare": "all_pairs"}
    (found,) = measure_stability(use, folds, selections, Similarities(), 6, seed=1)
    values = []
    for outer in ("o01", "o02", "o03"):
        tops = [set(selections[f"{outer}_i{i:02d}"].sequence[:2].tolist()) for i in range(1, 5)]
        pairs = [len(a & b) / len(a | b) for i, a in enumerate(tops) for b in tops[i + 1 :]]
        values.append(np.mean(pairs))
    assert found.estimate.values[1] == pytest.approx(np.mean(values))
    assert found.estimate.units[:, 1].tolist() == pytest.approx(values)
    assert found.units == ["o01", "o02", "o03"]


def test_ties_in_random_order_agree_no_more_than_chance(tmp_path):
    """Two features of a hundred have weight: by column the others look stable."""
    _, folds, _ = made_up()
    weights = np.array([2.0, 1.0, *[0.0] * 98])
    features = [f"f{i}" for i in range(100)]
    fitted = SimpleNamespace(sequence_=np.arange(100), scores_=weights)
    content = selection_to_bytes(fitted, features)
    names = [fold.name for fold in folds]
    manifest = tmp_path / "batch0.sha256"
    write_with_manifest({tmp_path / f"{name}.tsv": content for name in names}, manifest)
    use = {"measure": "jaccard", "compare": "all_pairs"}
    for ties, least, most in (("column", 1, 1), ("random", 0.3, 0.45)):
        selections = read_selections([manifest], names, features, ties=ties, seed=1)
        found = measure_stability(use, folds, selections, Similarities(), 100, seed=1)
        value = next(iter(found)).estimate.values
        assert value[1] == 1
        assert least <= value[49] <= most


def test_selectors_that_state_ranks_have_no_weights_to_correlate():
    _, folds, selections = made_up()
    ranks = 1 - np.arange(8) / 8
    stated = {name: Selection(s.sequence, ranks) for name, s in selections.items()}
    rows = stability("pearson", selections=stated)
    assert {row["note"] for row in rows.values()} == {"the runs state no weights"}
    assert list(zero_weight_rows(folds, stated, 8)) == []
    some = {
        name: Selection(s.sequence, np.array([1.0, 0.5, *[0] * 6]))
        for name, s in selections.items()
    }
    assert {row[-1] for row in zero_weight_rows(folds, some, 8)} == {0.75}

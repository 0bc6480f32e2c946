"""SU matching of selections, by ratio and size."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from steadfast.information import symmetrical_uncertainty
from steadfast.measures import MEASURES, load_measure
from steadfast.resample import shrinking_bootstrap
from steadfast.stability import stability_rows


def made_up():
    rng = np.random.default_rng(0)
    bins = rng.integers(0, 4, (8, 100)).astype(np.uint8)
    bins[3] = bins[2]
    folds = list(shrinking_bootstrap(100, repeats=4, ratios=[0.5, 1], seed=1, names=["s", "d"]))
    return bins, folds, {fold.name: rng.permutation(8) for fold in folds}


def test_the_value_is_the_mean_over_pairs_of_the_best_matching():
    bins, folds, sequences = made_up()
    similarity = symmetrical_uncertainty(bins)
    rows = {(row[1], row[2]): row for row in stability_rows("su_matching", folds, sequences, bins)}
    for k in range(1, 9):
        values = []
        for repeat in range(1, 5):
            first = sequences[f"b{repeat:02d}_r1"][:k]
            second = sequences[f"b{repeat:02d}_r0.5"][:k]
            weights = similarity[np.ix_(first, second)]
            matched = linear_sum_assignment(weights, maximize=True)
            values.append(weights[matched].sum() / k)
        _, _, _, value, sd, pairs = rows[0.5, k]
        assert value == pytest.approx(np.mean(values), abs=1e-12)
        assert sd == pytest.approx(np.std(values, ddof=1), abs=1e-12)
        assert pairs == 4


def test_a_fold_that_is_its_own_reference_is_perfectly_stable():
    bins, folds, sequences = made_up()
    rows = [row for row in stability_rows("su_matching", folds, sequences, bins) if row[1] == 1]
    assert [row[3] for row in rows] == [1.0] * 8


def test_exchanging_copies_of_a_feature_costs_nothing():
    bins, _, _ = made_up()
    measure = load_measure("su_matching")(bins)
    curve = measure.curve(np.array([2, 0]), np.array([3, 0]))
    assert curve.tolist() == pytest.approx([1, 1], abs=1e-12)


def test_only_the_sizes_asked_for_are_reported():
    bins, folds, sequences = made_up()
    rows = list(stability_rows("su_matching", folds, sequences, bins, [2, 5, 99]))
    assert sorted({row[2] for row in rows}) == [2, 5]


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_cites_its_source(name):
    assert "References" in load_measure(name).__doc__

"""Characteristics, variances and rules of the study of α, each against something independent."""

from pathlib import Path

import numpy as np
import pytest

from steadfast.core.errors import UserError
from steadfast.core.seeds import generator
from steadfast.data.table import Table
from steadfast.experiments.alpha import choices, prediction
from steadfast.experiments.alpha.curves import criteria
from steadfast.experiments.alpha.facts import facts
from steadfast.experiments.alpha.prediction import Known, rule_rows
from steadfast.experiments.alpha.variance import _noise, variance_rows
from steadfast.selectors.mrmr import criterion_along, mrmr_sequence
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

BINS = {"method": "equal_width", "bins": 4}
ALPHAS = [0, 0.5, 1]


def table(X, y):
    names = tuple(f"x{at}" for at in range(X.shape[1]))
    return Table(np.asarray(X, dtype=float), np.asarray(y), names, ("a", "b"), (), None)


def facts_of(X, y):
    return facts(table(X, y), BINS, 1, "made")


# Characteristics


def test_copies_count_as_one_feature_and_independent_ones_as_many():
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 2
    one = rng.normal(size=(4000, 1))
    assert facts_of(np.repeat(one, 5, axis=1), y)["effective_features"] == pytest.approx(1 / 5)
    assert facts_of(rng.normal(size=(4000, 5)), y)["effective_features"] > 0.99
    both = np.hstack([one, one, rng.normal(size=(4000, 2))])
    # Two copies and two others: eigenvalues 2, 1, 1, 0.
    assert facts_of(both, y)["effective_features"] == pytest.approx(16 / 6 / 4, rel=0.01)


def test_more_features_than_rows_give_the_same_share_by_the_other_product():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 60)), np.arange(20) % 2
    correlations = np.corrcoef(X.T)
    expected = 60**2 / (correlations**2).sum() / 60
    assert facts_of(X, y)["effective_features"] == pytest.approx(expected)


def test_relevance_is_a_share_of_the_classes_entropy():
    y = np.repeat([0, 1], [60, 20])
    found = facts_of(np.column_stack([y, np.zeros(80)]), y)
    assert found["relevance_mean"] == pytest.approx(0.5)
    assert found["relevance_sd"] == pytest.approx(0.5)
    assert found["class_entropy"] == pytest.approx(-(0.75 * np.log2(0.75) + 0.25 * np.log2(0.25)))
    assert found["rows_per_feature"] == 40


def test_redundancy_is_the_mean_uncertainty_of_pairs():
    y = np.arange(80) % 2
    blocks = np.repeat([0, 1, 0, 1], 20)  # independent of y
    found = facts_of(np.column_stack([y, y, blocks]), y)
    assert found["redundancy"] == pytest.approx(1 / 3)


def test_label_noise_is_0_in_clusters_and_what_was_flipped_where_some_are():
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = 50.0 * y[:, None] + rng.normal(size=(200, 3))
    assert facts_of(X, y)["label_noise"] == 0
    flipped = y.copy()
    flipped[:10] = 1 - flipped[:10]
    assert facts_of(X, flipped)["label_noise"] == pytest.approx(0.05)


# Variance


def test_the_variance_is_that_of_the_score_along_the_sequence():
    """Against the code of the paper's Figures 1 and 2, on the same bootstraps."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    bins = rng.integers(0, 3, (8, 90)).astype(np.uint8)
    bins[0], bins[1] = y, np.where(rng.random(90) < 0.3, bins[1], y)
    found = {row[0]: row[1:] for row in variance_rows(bins, y, ALPHAS, 7, 1, ("study", "made"))}
    for name, one in criteria(ALPHAS).items():
        sequence, _ = mrmr_sequence(bins, y, one.criterion, one.alpha, 8)
        drawn = []
        for number in range(1, 8):
            rows = generator(1, "study", "made", "variance", number).integers(90, size=90)
            terms = criterion_along(bins[:, rows], y[rows], sequence, one.criterion, one.alpha)
            drawn.append([terms[term][1:] for term in ("score", "relevance", "redundancy")])
        expected = np.var(drawn, axis=0, ddof=1).mean(axis=1)
        variance, noise, *of_terms = found[name]
        assert variance == pytest.approx(expected[0])
        assert of_terms == pytest.approx(expected[1:])
        assert 0 < noise < 1


def test_noise_does_not_depend_on_the_scale_of_the_criterion():
    spread, mean = np.array([0.1, 0.4, 0.3]), np.array([1.0, 2.0, 4.0])
    assert _noise(spread, mean) == pytest.approx(_noise(9 * spread, 3 * mean))
    assert _noise(spread, mean) == pytest.approx(0.8 / 3 / (0.8 / 3 + mean.var()))


def test_a_quotient_that_is_infinite_has_no_variance():
    """Constant features share nothing with any other: W = 0."""
    y, bins = np.arange(60) % 2, np.zeros((6, 60), dtype=np.uint8)
    rows = {row[0]: row for row in variance_rows(bins, y, [0.5], 3, 1, ("a", "b"))}
    assert rows["0.5"][1:3] == (0, 0)
    assert np.isnan(rows["miq"][1:3]).all()


# Rules for the size


def size_curve(stability, accuracy, spread=0.03):
    n = len(stability)
    values = (np.array(values, dtype=float) for values in (stability, accuracy))
    return choices.SizeCurve(np.arange(1, n + 1), *values, np.full(n, spread), 9)


def test_one_standard_error_takes_the_smallest_size_within_it():
    curve = size_curve([0.5] * 5, [0.7, 0.795, 0.8, 0.805, 0.79])
    assert choices.one_standard_error(curve) == (2, True)


def test_the_knot_is_the_end_of_the_plateau_and_the_most_stable_size_where_there_is_none():
    assert choices.knot(size_curve([0.5, 0.8, 0.8, 0.5, 0.4], [0.8] * 5)) == (3, True)
    assert choices.knot(size_curve([0.8, 0.5, 0.4, 0.3, 0.2], [0.8] * 5)) == (1, False)


def test_the_peak_is_the_highest_and_the_most_stable_size_where_none_stands_out():
    curve = size_curve([0.3, 0.6, 0.3, 0.8, 0.2], [0.8] * 5)
    assert choices.peak(curve) == (4, True)
    assert choices.peak(size_curve([0.3, 0.4, 0.5, np.nan], [0.8] * 4)) == (3, False)


# Rules that learn from other data sets


def known(best, facts_value, kin, depth=3):
    """A data set whose stability falls with the distance of α from the best one."""
    alphas = np.array([0, 0.25, 0.5, 0.75, 1])
    stability = np.repeat((1 - np.abs(alphas - best))[:, None], depth, axis=1)
    named = {name: float(facts_value) for name in prediction.PREDICTORS}
    accuracy = np.full(stability.shape, 0.5)
    return Known(alphas, stability, accuracy, np.array([3, 2, 1, 2, 3.0]), named, [], kin)


def test_regression_finds_an_alpha_that_follows_from_the_facts():
    sets = {
        f"{word}{at}": known(at / 8, np.exp(at), [f"{word}{at}"])
        for word in ("d", "e", "f")
        for at in (0, 2, 4, 6, 8)
    }
    rows = [row for row in rule_rows(sets) if row[:2] == ("alpha", "stability")]
    taken = {(row[2], row[3]): row[4] for row in rows}
    for at in (0, 2, 4, 6, 8):
        assert taken[f"d{at}", "best"] == at / 8
        assert taken[f"d{at}", "regression"] == at / 8
        assert taken[f"d{at}", "least_variance"] == 0.5
    assert taken["d8", "average"] == 0.5


def test_the_average_is_that_of_data_sets_that_are_no_kin():
    sets = {"a": known(0, 1, ["a", "b"]), "b": known(0, 1, ["a", "b"]), "c": known(1, 1, ["c"])}
    rows = {(row[2], row[3]): row for row in rule_rows(sets) if row[:2] == ("alpha", "stability")}
    assert rows["a", "average"][4] == rows["b", "average"][4] == 1
    assert rows["c", "average"][4] == 0
    assert rows["a", "average"][9] == pytest.approx(1)  # the whole stability is lost


AVERAGE_SIZE = ("size", "both", "average")


def test_sizes_beyond_those_of_another_data_set_go_on_as_it_ends():
    """The other one, best at its second and last size, says that of all sizes from 2 on."""
    sets = {"a": known(0.5, 1, ["a"], depth=6), "b": known(0.5, 2, ["b"], depth=2)}
    sets["b"].stability[:, 0] -= 0.1
    rows = {row[2]: row for row in rule_rows(sets) if (*row[:2], row[3]) == AVERAGE_SIZE}
    assert rows["a"][5] == 2
    assert rows["b"][5] == 1  # all sizes of the other one are equal: the first


def test_a_rule_learns_nothing_from_the_results_on_the_data_set_itself():
    sets = {f"d{at}": known(at / 8, np.exp(at), [f"d{at}"]) for at in (0, 1, 2, 4, 6, 7, 8)}
    changed = {**sets, "d2": known(1, np.exp(2), ["d2"])}
    taken = [
        {row[3]: row[4] for row in rule_rows(of) if row[:3] == ("alpha", "both", "d2")}
        for of in (sets, changed)
    ]
    for rule in ("average", "nearest", "regression"):
        assert taken[0][rule] == taken[1][rule]
    assert taken[0]["best"] != taken[1]["best"]


# Mistakes in a study


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": {"kin": [["wine", "irris"]]}}, "alpha.kin: unknown data set 'irris'"),
        ({"alpha": {"families": {"Made": ["irris"]}}}, "alpha.families: unknown data set 'irris'"),
        ({"alpha": {"selectors": {"size": {"auto": "auto_alpha"}}}}, "auto_alpha: must be mid"),
        ({"alpha": {"selectors": {"alpha": {"auto": "auto_both"}}}}, "not for alpha"),
        ({"alpha": {"selectors": {"alpha": {"auto": "mid"}}}}, "leave something to the data"),
        ({"alpha": {"classifier": "svm"}}, "alpha.classifier: unknown classifier 'svm'"),
        ({"selectors": {"settled": {"tuned": {"over": {"alpha": [0.5, 0.9]}}}}}, "the same α"),
        ({"selectors": {"auto_size": {"use": "miq"}}}, "auto_size: must be mid"),
        ({"selectors": {"auto_both": {"time_limit": 5}}}, "without a time_limit"),
        ({"sizes": "all"}, "sizes: must have a largest one"),
        ({"discretise": {"fit_on": "all"}}, "discretise.fit_on: must be train"),
        ({"accuracy": {"classifiers": {"knn": {"sizes": [1, 2]}}}}, "at every size"),
    ],
)
def test_a_study_of_alpha_that_could_not_be_run_is_refused_in_a_line(change, message):
    root = Path(__file__).parents[2]
    with pytest.raises(UserError, match=message) as caught:
        load_study(
            root / "tests/data/alphas.yaml",
            study_schema(root / "workflow/schemas"),
            ["iris", "wine", "blocks_base"],
            changes=change,
        )
    assert "\n" not in str(caught.value)

"""Perturbed samples, samples without a common row, and how similar samples are."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.preprocessing import minmax_scale

from steadfast.core.errors import UserError
from steadfast.experiments.surface import mixed_order
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.resampling.folds import read_plan, write_plan
from steadfast.resampling.sample_similarity import READINGS, row_distances, training_distance
from steadfast.resampling.schemes import create
from steadfast.resampling.schemes.cross_validation import DISJOINT

CLASSES = ["a", "b", "c", "d"]


def round_half_up(share, number):
    return int(np.floor(share * number + 0.5))


def folds_of(y, seed=1, names=("study", "data"), **settings):
    made = create(settings)
    folds = list(made.folds(np.asarray(y), CLASSES, seed, names))
    assert [fold.name for fold in folds] == made.names()
    return folds


def perturb(y, **settings):
    return folds_of(y, scheme="perturbed", **settings)


sizes_of_classes = st.lists(st.integers(2, 25), min_size=2, max_size=4)
alphas = st.lists(st.integers(0, 10).map(lambda tenth: tenth / 10), min_size=1, unique=True)


@settings(max_examples=60, deadline=None)
@given(sizes_of_classes, alphas, st.sampled_from([0.2, 0.25, 0.4, 0.5, 0.7]), st.integers(0, 99))
def test_perturbed_samples_keep_their_size_their_classes_and_enough_of_the_first(
    sizes, perturbations, share, seed
):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    folds = perturb(y, seed=seed, repeats=3, share=share, perturbations=perturbations)
    assert len(folds) == 3 * len(perturbations)
    wanted = [max(1, round_half_up(share, size)) for size in sizes]
    firsts = {tuple(fold.train) for fold in folds if fold.repeat == 1}
    assert len(firsts) == 1
    first = set(next(iter(firsts)))
    for fold in folds:
        assert np.bincount(y[fold.train], minlength=len(sizes)).tolist() == wanted
        assert len(set(fold.train)) == fold.train.size
        assert sorted([*fold.train, *fold.test]) == list(range(len(y)))
        assert (fold.comparison, fold.reference, fold.scored) == ("all", "", True)
        assert fold.ratio in perturbations
        kept = [row for row in fold.train if row in first]
        assert len(kept) >= sum(wanted) - round_half_up(fold.ratio, sum(wanted))


def test_without_perturbation_all_samples_are_the_same():
    y = np.repeat([0, 1], [30, 50])
    folds = perturb(y, repeats=6, perturbations=[0, 0.5])
    assert {tuple(fold.train) for fold in folds if fold.ratio == 0} == {tuple(folds[0].train)}
    assert len({tuple(fold.train) for fold in folds if fold.ratio == 0.5}) > 1


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_new_rows_are_drawn_from_all_that_a_sample_did_not_keep(alpha):
    """Some of the rows that were given up are drawn again, as often as any other."""
    y = np.repeat([0, 1], [40, 80])
    folds = perturb(y, repeats=400, share=0.25, perturbations=[alpha])
    first = set(folds[0].train)
    wanted = 0.0
    for n, size in ((40, 10), (80, 20)):
        kept = size - round_half_up(alpha, size)
        wanted += kept + (size - kept) * (size - kept) / (n - kept)
    overlaps = [len(first & set(fold.train)) for fold in folds[1:]]
    error = np.std(overlaps) / np.sqrt(len(overlaps))
    assert abs(np.mean(overlaps) - wanted) <= 4 * error + 1e-9


def test_wholly_perturbed_samples_overlap_as_independent_draws_do():
    y = np.repeat([0, 1], [40, 80])
    samples = [set(fold.train) for fold in perturb(y, repeats=60, perturbations=[1])]
    overlaps = [len(one & two) for one, two in itertools.combinations(samples, 2)]
    assert np.mean(overlaps) == pytest.approx(10 * 10 / 40 + 20 * 20 / 80, abs=0.25)
    drawn = np.bincount(np.concatenate([list(one) for one in samples]), minlength=120)
    assert (drawn > 0).all()


def test_another_perturbation_or_repeat_leaves_the_other_samples_alone():
    y = np.repeat([0, 1], [30, 50])
    few = perturb(y, repeats=2, perturbations=[0.5])
    many = {f.name: f for f in perturb(y, repeats=5, perturbations=[0.1, 0.5, 0.25, 1])}
    assert len(many) == 20
    for fold in few:
        assert (many[fold.name].train == fold.train).all()
        assert (many[fold.name].repeat, many[fold.name].ratio) == (fold.repeat, fold.ratio)
    other = perturb(y, repeats=2, perturbations=[0.5], seed=2)
    assert (few[0].train != other[0].train).any()
    elsewhere = perturb(y, repeats=2, perturbations=[0.5], names=("study", "other"))
    assert (few[0].train != elsewhere[0].train).any()
    assert (few[1].train != few[0].train).any()


def test_a_share_that_leaves_nothing_to_test_is_refused():
    with pytest.raises(UserError, match=r"study/data: resample\.share: 0\.9 of 4 rows leaves"):
        perturb([0, 0, 1, 1], share=0.9)


@settings(max_examples=40, deadline=None)
@given(sizes_of_classes, st.sampled_from([0.2, 0.3, 0.4, 0.5]), st.integers(0, 99))
def test_the_last_of_the_disjoint_samples_shares_no_row_with_the_others(sizes, share, seed):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    scheme = {"scheme": "cv", "folds": 2, "seed": seed}
    folds = {fold.name: fold for fold in folds_of(y, disjoint=share, **scheme)}
    samples = [folds[name] for name in DISJOINT]
    assert list(folds)[-11:] == DISJOINT == [f"d{i:02d}" for i in range(1, 12)]
    last = set(samples[-1].train)
    for sample in samples:
        assert len(set(sample.train)) == sample.train.size
        assert sorted([*sample.train, *sample.test]) == list(range(len(y)))
        counts = np.bincount(y[sample.train], minlength=len(sizes))
        assert (np.abs(counts - share * np.array(sizes)) <= 1).all()
        assert (sample.comparison, sample.reference, sample.scored) == ("", "", False)
        assert sample is samples[-1] or not last & set(sample.train)
    plain = folds_of(y, **scheme)
    assert len(plain) + 11 == len(folds)
    for fold in plain:
        assert (folds[fold.name].train == fold.train).all()
        assert (folds[fold.name].test == fold.test).all()
        assert (folds[fold.name].comparison, folds[fold.name].scored) == ("r01", True)


def test_the_first_ten_disjoint_samples_are_draws_of_their_own(tmp_path):
    y = np.repeat([0, 1], [30, 50])
    folds = folds_of(y, scheme="cv", folds=5, disjoint=0.25)
    samples = folds[-11:]
    assert len({tuple(fold.train) for fold in samples}) == 11
    overlaps = [
        len(set(one.train) & set(two.train)) for one, two in itertools.combinations(samples[:10], 2)
    ]
    sizes, rest = np.bincount(y[samples[0].train]), 80 - samples[-1].train.size
    assert sizes.sum() < rest
    wanted = (sizes**2 / np.bincount(y[np.setdiff1d(np.arange(80), samples[-1].train)])).sum()
    assert np.mean(overlaps) == pytest.approx(wanted, abs=1)
    write_plan(folds, y, ["a", "b"], tmp_path / "plan.npz")
    back = read_plan(tmp_path / "plan.npz")[-11:]
    assert [(f.name, f.comparison, f.scored) for f in back] == [
        (name, "", False) for name in DISJOINT
    ]


def test_disjoint_samples_of_more_than_half_the_rows_are_refused():
    with pytest.raises(UserError, match=r"study/data: resample\.disjoint: 0\.6 of 40 rows"):
        folds_of(np.arange(40) % 2, scheme="cv", disjoint=0.6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 6))
def test_distances_of_rows_are_those_of_scipy_on_unit_ranges(seed, n, m):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m)) * 10.0 ** rng.integers(-3, 4, m)
    X[:, rng.integers(m)] = 5.0  # constant
    X[-1] = X[0]
    scaled = minmax_scale(X)
    found = row_distances(X)
    assert found == pytest.approx(cdist(scaled, scaled) / np.sqrt(m), abs=1e-7)
    assert (np.diagonal(found) == 0).all()
    assert found.max() <= 1 + 1e-12


def plain_training_distance(distances, y, samples):
    """The formula with loops: pairs of samples, classes, rows."""
    of_pairs = []
    for i in range(len(samples)):
        for j in range(i + 1, len(samples)):
            of_classes = []
            for label in sorted(set(y.tolist())):
                one = [row for row in samples[i] if y[row] == label]
                two = [row for row in samples[j] if y[row] == label]
                if one and two:
                    total = sum(distances[r][k] for r in one for k in two)
                    of_classes.append(total / (len(one) * len(two)))
            if of_classes:
                of_pairs.append(sum(of_classes) / len(of_classes))
    return sum(of_pairs) / len(of_pairs) if of_pairs else float("nan")


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(1, 4))
def test_the_distance_of_training_samples_is_the_formula(seed, n_samples, n_classes):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, 12)
    distances = row_distances(rng.normal(size=(12, 3)))
    samples = [  # small ones lack classes, and bootstraps hold copies
        rng.integers(0, 12, rng.integers(1, 6)) for _ in range(n_samples)
    ]
    found = training_distance(distances, y, samples)
    wanted = plain_training_distance(distances, y, samples)
    assert found == pytest.approx(wanted, nan_ok=True, abs=1e-12)


def test_samples_without_a_common_class_have_no_distance():
    y, distances = np.array([0, 0, 1, 1]), row_distances(np.arange(8.0).reshape(4, 2))
    assert np.isnan(training_distance(distances, y, [np.array([0, 1]), np.array([2, 3])]))
    assert np.isnan(training_distance(distances, y, [np.array([0, 1])]))
    mixed = [np.array([0, 1]), np.array([1, 2]), np.array([3])]
    wanted = (distances[0, 1] / 2 + distances[2, 3]) / 2
    assert training_distance(distances, y, mixed) == pytest.approx(wanted)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 9), min_size=1), min_size=1, max_size=6))
def test_overlaps_are_those_of_sets(subsets):
    found = jaccard_matrix([np.array(sorted(one)) for one in subsets], 10)
    for (i, one), (j, two) in itertools.product(enumerate(subsets), repeat=2):
        assert found[i, j] == pytest.approx(len(one & two) / len(one | two))
    pairs = [len(a & b) / len(a | b) for a, b in itertools.combinations(subsets, 2)]
    wanted = np.mean(pairs) if pairs else np.nan
    assert mean_of_pairs(found) == pytest.approx(wanted, nan_ok=True)


@pytest.mark.parametrize(
    ("value", "m", "size"),
    [
        (10, 100, 10),
        (1, 100, 1),
        (500, 100, 100),
        (0.05, 100, 5),
        (0.01, 166, 2),
        (0.01, 10, 1),
        (0.25, 10, 3),
        ("sqrt", 100, 10),
        ("sqrt", 13, 4),
        ("sqrt", 12, 3),
        ("sqrt", 1, 1),
    ],
)
def test_sizes_are_numbers_shares_or_the_square_root(value, m, size):
    assert size_of(value, m) == size


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=3), st.integers(0, 99))
def test_every_first_part_of_the_mixed_order_has_the_classes_shares(sizes, seed):
    draw = np.random.default_rng(seed)
    y = draw.permutation(np.repeat(np.arange(len(sizes)), sizes))
    order = mixed_order(y, draw)
    assert sorted(order) == list(range(len(y)))
    for n in range(1, len(y) + 1):
        counts = np.bincount(y[order[:n]], minlength=len(sizes))
        assert (np.abs(counts - n * np.array(sizes) / len(y)) <= 1).all()


def test_the_mixed_order_is_random_within_a_class():
    y = np.repeat([0, 1], 30)
    orders = {tuple(mixed_order(y, np.random.default_rng(seed))) for seed in range(20)}
    assert len(orders) == 20
    assert len({order[0] for order in orders}) > 5
    one = mixed_order(y, np.random.default_rng(0))
    assert (one == mixed_order(y, np.random.default_rng(0))).all()


def test_the_share_of_new_rows_is_controlled_where_classes_are_small():
    y = np.repeat(np.arange(4), 12)  # three rows of a class in a sample
    for alpha in (0.1, 0.3, 0.5, 0.8):
        folds = perturb(y, repeats=200, share=0.25, perturbations=[alpha])
        first = set(folds[0].train)
        gone = round_half_up(alpha, 12)
        new = [12 - len(first & set(fold.train)) for fold in folds[1:]]
        assert max(new) <= gone
        assert np.mean(new) > 0.5 * gone  # some of those given up are drawn again


def test_perturbations_that_share_a_name_are_refused():
    with pytest.raises(UserError, match=r"resample\.perturbations: two of them are equal"):
        create({"scheme": "perturbed", "perturbations": [0.1, 0.1000001]})


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 99))
def test_without_own_pairs_no_row_is_beside_itself(seed):
    rng = np.random.default_rng(seed)
    y, matrix = np.arange(12) % 2, rng.random((12, 12))
    samples = [np.sort(rng.choice(12, 6, replace=False)) for _ in range(3)]
    values = []
    for first, second in itertools.combinations(samples, 2):
        by_class = []
        for label in (0, 1):
            one, two = (part[y[part] == label] for part in (first, second))
            pairs = [matrix[r, k] for r in one for k in two if r != k]
            by_class += [np.mean(pairs)] if pairs else []
        values += [np.mean(by_class)] if by_class else []
    assert training_distance(matrix, y, samples, own=False) == pytest.approx(np.mean(values))


@pytest.mark.parametrize(
    ("name", "metric", "scaled"),
    [
        ("squared", lambda d, m: d**2 / m, "unit"),
        ("inverse", lambda d, m: 1 / (1 + d), "unit"),
        ("inverse_z", lambda d, m: 1 / (1 + d), "z"),
        ("correlation", "correlation", ""),
        ("cosine", "cosine", ""),
    ],
)
def test_readings_of_similarity_are_those_of_scipy(name, metric, scaled):
    X = np.random.default_rng(3).gamma(2, size=(9, 7)) * np.arange(1, 8)
    if isinstance(metric, str):
        wanted = cdist(X, X, metric)
    else:
        unit = (X - X.min(axis=0)) / np.ptp(X, axis=0)
        Z = unit if scaled == "unit" else (X - X.mean(axis=0)) / X.std(axis=0)
        wanted = metric(cdist(Z, Z), X.shape[1])
    assert READINGS[name][1](X) == pytest.approx(wanted, abs=1e-7)

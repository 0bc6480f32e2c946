"""Transforms before selection, against numpy and scikit-learn; what a study makes of them."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_transforms import PLACE, truncated, use
from sklearn.decomposition import NMF

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.selectors.running.select import select
from steadfast.transforms.low_rank import LowRank
from steadfast.transforms.running import transform_rows


@st.composite
def tables(draw, largest=4):
    """Rows of several scales, whose classes stand in any order and need not be 0, 1, …"""
    n, m = draw(st.integers(2, 14)), draw(st.integers(1, 8))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    y = rng.choice(rng.permutation(9)[: draw(st.integers(1, largest))], n)
    X = rng.normal(draw(st.sampled_from([0, 5])), 1, (n, m)) * 10.0 ** rng.integers(-2, 3)
    return X, y


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 5))
def test_low_rank_by_class_is_the_truncated_svd_of_each_class_in_its_rows(table, rank):
    X, y = table
    before = X.copy()
    found = LowRank(rank=rank).fit_transform(X, y)
    assert found.shape == X.shape
    assert (before == X).all()
    for label in set(y.tolist()):
        rows = [row for row in range(len(y)) if y[row] == label]
        scale = np.abs(X[rows]).max()
        assert found[rows] == pytest.approx(truncated(X[rows], rank), rel=1e-9, abs=1e-9 * scale)
        assert np.linalg.matrix_rank(found[rows], tol=1e-8 * scale * len(y)) <= rank


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 5))
def test_low_rank_of_the_whole_matrix_does_not_look_at_the_classes(table, rank):
    X, y = table
    found = LowRank(rank=rank, by="none").fit_transform(X, y)
    assert found == pytest.approx(truncated(X, rank), rel=1e-9, abs=1e-9 * np.abs(X).max())
    assert (found == LowRank(rank=rank, by="none").fit_transform(X, y[::-1].copy())).all()


@settings(max_examples=40, deadline=None)
@given(tables(), st.sampled_from(["class", "none", "random"]))
def test_a_rank_that_no_part_exceeds_gives_the_data_back_exactly(table, by):
    X, y = table
    assert (LowRank(rank=min(X.shape), by=by, random_state=0).fit_transform(X, y) == X).all()
    assert (LowRank(rank=100, by=by, random_state=0).fit_transform(X, y) == X).all()


def collinear_rows(rows):
    """Groups of rows that are multiples of one vector."""
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    parallel = np.abs(unit @ unit.T) > 1 - 1e-9
    return {tuple(np.flatnonzero(row)) for row in parallel}


@pytest.mark.parametrize("seed", range(5))
def test_random_parts_have_the_sizes_of_the_classes_and_other_rows(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(23, 9)), rng.permutation(np.repeat([0, 1, 2], [11, 8, 4]))
    found = LowRank(rank=1, by="random", random_state=seed).fit_transform(X, y)
    parts = collinear_rows(found)
    assert sorted(map(len, parts)) == [4, 8, 11]
    for part in map(list, parts):
        assert found[part] == pytest.approx(truncated(X[part], 1), abs=1e-9)
    assert parts != {tuple(np.flatnonzero(y == label)) for label in range(3)}
    again = LowRank(rank=1, by="random", random_state=seed).fit_transform(X, y)
    assert (found == again).all()
    other = LowRank(rank=1, by="random", random_state=seed + 100).fit_transform(X, y)
    assert (found != other).any()


@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("offset", [0.0, 4.0, -7.0])
def test_nmf_is_that_of_scikit_learn_on_values_shifted_above_zero(rank, offset):
    rng = np.random.default_rng(3)
    X, y = rng.random((20, 8)) + offset, np.repeat([3, 1], [12, 8])
    lowest = min(0.0, min(X.ravel()))
    found = LowRank(rank=rank, method="nmf", random_state=1).fit_transform(X, y)
    assert (found - lowest >= -1e-12).all()
    for label in (1, 3):
        part = X[y == label] - lowest
        model = NMF(rank, init="nndsvda", random_state=9, max_iter=400, tol=1e-4)
        wanted = model.fit_transform(part) @ model.components_
        assert found[y == label] - lowest == pytest.approx(wanted, abs=1e-6)
        scale = 1e-8 * np.abs(part).max()
        assert np.linalg.matrix_rank(found[y == label] - lowest, tol=scale) <= rank
    assert np.abs(found - X).mean() < 0.5  # on their own scale, whatever the offset


def test_nmf_of_rank_1_is_the_svd_of_rank_1_where_no_value_is_negative():
    rng = np.random.default_rng(5)
    X, y = rng.random((30, 10)) + 0.1, np.arange(30) % 3
    svd = LowRank(rank=1).fit_transform(X, y)
    nmf = LowRank(rank=1, method="nmf", random_state=0).fit_transform(X, y)
    assert nmf == pytest.approx(svd, abs=1e-3)


def test_the_shift_of_nmf_is_that_of_all_rows_and_positive_rows_are_not_shifted():
    rng = np.random.default_rng(6)
    X, y = rng.random((16, 6)) + 2, np.repeat([0, 1], 8)
    apart = LowRank(rank=1, method="nmf", random_state=0).fit_transform(X, y)
    assert apart == pytest.approx(LowRank(rank=1).fit_transform(X, y), abs=1e-3)
    X[0, 0] = -1.0
    found = LowRank(rank=1, method="nmf", random_state=0).fit_transform(X, y)
    second = truncated(X[y == 1] + 1.0, 1) - 1.0
    assert found[y == 1] == pytest.approx(second, abs=1e-3)


@pytest.mark.parametrize("method", ["svd", "nmf"])
def test_parts_of_one_row_or_of_equal_values_are_kept(method):
    X = np.array([[0.0, 0, 0], [0, 0, 0], [1, 2, 3], [4, 4, 4], [4, 4, 4]])
    y = np.array([0, 0, 1, 2, 2])
    found = LowRank(rank=2, method=method, random_state=0).fit_transform(X, y)
    assert found == pytest.approx(X, abs=1e-2)


WRONG = [
    {"rank": 0},
    {"rank": 1.5},
    {"rank": True},
    {"rank": "1"},
    {"rank": None},
    {"rank": -1},
    {"by": "x"},
    {"by": None},
    {"method": "pca"},
]


@pytest.mark.parametrize("params", WRONG)
def test_a_wrong_parameter_of_low_rank_is_refused_and_named(params):
    X, y = np.arange(12.0).reshape(4, 3), np.array([0, 0, 1, 1])
    (name,) = params
    with pytest.raises(ValueError, match=name):
        LowRank(**params).fit_transform(X, y)
    with pytest.raises(UserError) as caught:
        transform_rows(use("low_rank", **params), X, y, **PLACE)
    assert str(caught.value).startswith("transform low_rank on wine/f01: ")
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("cluster_labels", {"clusters": 1}, "clusters"),
        ("cluster_labels", {"clusters": 2.0}, "clusters"),
        ("cluster_labels", {"clusters": 99}, "clusters: 99 are more than the 4 rows"),
        ("local_svd", {"clusters": True}, "clusters"),
        ("local_svd", {"rank": 0}, "rank"),
        ("local_svd", {"clusters": 5}, "clusters: 5 are more than the 4 rows"),
    ],
)
def test_a_wrong_parameter_of_the_clusters_is_refused(name, params, words):
    X, y = np.arange(12.0).reshape(4, 3), np.array([0, 0, 1, 1])
    with pytest.raises(UserError, match=f"transform {name} on wine/f01: .*{words}"):
        transform_rows(use(name, **params), X, y, **PLACE)


RNG = np.random.default_rng(0)
NOISE = RNG.normal(3, 1, (30, 6))
CLASSES = np.repeat([0, 1], 15)


def test_a_class_of_another_package_is_a_transform():
    found, labels = transform_rows(
        use("sklearn.preprocessing.StandardScaler"), NOISE, CLASSES, **PLACE
    )
    assert found == pytest.approx((NOISE - NOISE.mean(axis=0)) / NOISE.std(axis=0))
    assert (labels == CLASSES).all()
    unscaled = use("sklearn.preprocessing.StandardScaler", with_std=False)
    found, _ = transform_rows(unscaled, NOISE, CLASSES, **PLACE)
    assert found == pytest.approx(NOISE - NOISE.mean(axis=0))
    assert found.flags.c_contiguous
    assert found.dtype == np.float64


class FitThenTransform:
    """A transform without `fit_transform`, with labels of its own."""

    def __init__(self, labels=None, add=1.0, random_state=None):
        self.labels, self.add, self.random_state = labels, add, random_state

    def fit(self, X, y):
        self.learnt = y.max()
        if self.labels is not None:
            self.labels_ = self.labels
        return self

    def transform(self, X):
        return (X + self.add + self.learnt).tolist()


class GivesNaN:
    def fit_transform(self, X, y):
        return np.where(X[0, 0] == X, self.value, X)

    value = np.nan


class GivesInfinity(GivesNaN):
    value = -np.inf


class FewerRows:
    def fit_transform(self, X, y):
        return X[1:]


class Draws:
    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit_transform(self, X, y):
        return np.full(X.shape, float(self.random_state))


@pytest.fixture
def here(monkeypatch):
    """Classes of this file by path, under whatever name pytest has imported it."""
    load = registry.load_class
    monkeypatch.setattr(
        registry,
        "load_class",
        lambda path: globals()[path[5:]] if path.startswith("here.") else load(path),
    )


@pytest.mark.usefixtures("here")
def test_a_transform_may_have_fit_and_transform_and_give_lists():
    found, labels = transform_rows(use("here.FitThenTransform", add=2.0), NOISE, CLASSES, **PLACE)
    assert found == pytest.approx(NOISE + 3)
    assert (labels == CLASSES).all()


@pytest.mark.usefixtures("here")
def test_labels_that_a_transform_states_replace_the_classes_and_are_coded_from_zero():
    names = ["late", "early", "none"] * 10
    _, labels = transform_rows(use("here.FitThenTransform", labels=names), NOISE, CLASSES, **PLACE)
    assert labels.tolist() == [1, 0, 2] * 10
    with pytest.raises(UserError, match=r"on wine/f01: labels_ must have one label .* 30 rows"):
        transform_rows(use("here.FitThenTransform", labels=names[1:]), NOISE, CLASSES, **PLACE)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("sklearn.decomposition.PCA", {"n_components": 2}, "it gives 30 × 2 for 30 × 6"),
        ("sklearn.decomposition.PCA", {"n_components": 99}, "n_components=99"),
        ("here.FewerRows", {}, "it gives 29 × 6 for 30 × 6"),
        ("here.GivesNaN", {}, "values that are missing or infinite"),
        ("here.GivesInfinity", {}, "values that are missing or infinite"),
    ],
)
def test_what_a_transform_may_not_give_is_one_line_with_its_name_and_place(name, params, message):
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        transform_rows(use(name, **params), NOISE, CLASSES, **PLACE)
    assert str(caught.value).startswith(f"transform {name} on wine/f01: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("low_rnak", {}, "unknown transform 'low_rnak'; did you mean 'low_rank'?"),
        ("low_rank", {"rnak": 2}, "transform low_rank: .*'rnak'"),
        ("sklearn.preprocessing.StandardScaler", {"with_sdt": 1}, "transform sklearn.*'with_sdt'"),
        ("no_such.Thing", {}, r"use: no_such\.Thing: cannot be imported"),
        ("sklearn.preprocessing.NoSuch", {}, "cannot be imported"),
    ],
)
def test_an_unknown_transform_or_parameter_is_one_line(name, params, message):
    with pytest.raises(UserError, match=message) as caught:
        transform_rows(use(name, **params), NOISE, CLASSES, **PLACE)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("here")
def test_a_transform_that_draws_depends_on_seed_and_names_unless_it_is_told():
    def state(seed=1, names=("wine", "f01"), **params):
        found, _ = transform_rows(
            use("here.Draws", **params), NOISE, CLASSES, seed=seed, names=names
        )
        return found[0, 0]

    assert state() == state()
    assert len({state(), state(2), state(names=("wine", "f02")), state(names=("iris", "f01"))}) == 4
    assert state(random_state=7) == 7
    random = use("low_rank", by="random")
    first, again = (transform_rows(random, NOISE, CLASSES, **PLACE)[0] for _ in range(2))
    assert (first == again).all()
    other, _ = transform_rows(random, NOISE, CLASSES, seed=1, names=("wine", "f02"))
    assert (first != other).any()


def test_a_selector_sees_the_transformed_rows_and_bins_are_cut_after_that():
    X, y = NOISE.copy(), CLASSES
    X[:, 4] += 5 * y
    low = use("low_rank", rank=1)
    wanted = LowRank(rank=1).fit_transform(X, y)
    bins = {"method": "equal_width", "bins": 4}
    found = select(use("chi2"), X, y, transform=low, discretise=bins, **PLACE)
    direct = select(use("chi2"), wanted, y, discretise=bins, **PLACE)
    assert (found.scores_ == direct.scores_).all()
    plain = select(use("chi2"), X, y, discretise=bins, **PLACE)
    assert (found.scores_ != plain.scores_).any()
    clusters = select(use("fisher"), X, y, transform=use("cluster_labels", clusters=3), **PLACE)
    _, labels = transform_rows(use("cluster_labels", clusters=3), X, y, **PLACE)
    assert (clusters.scores_ == select(use("fisher"), X, labels, **PLACE).scores_).all()
    assert len(clusters.classes_) == 3


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(1, 5), st.sampled_from(["class", "none", "random"]))
def test_learnt_from_the_rows_themselves_frozen_low_rank_is_the_approximation(table, rank, by):
    X, y = table
    one = LowRank(rank=rank, by=by, random_state=5)
    wanted = one.fit_transform(X, y)
    found = one.fit(X, y).transform(X, y)
    assert found == pytest.approx(wanted, rel=1e-8, abs=1e-9 * np.abs(X).max())


def test_frozen_low_rank_is_the_nearest_point_in_what_spans_the_class_of_other_rows():
    rng = np.random.default_rng(4)
    learnt, X = rng.normal(3, 1, (20, 6)), rng.normal(3, 1, (9, 6))
    classes, y = np.arange(20) % 2, np.array([0, 1, 0, 1, 1, 0, 0, 0, 1])
    found, labels = transform_rows(
        use("low_rank", rank=2), X, y, **PLACE, learn_from=(learnt, classes)
    )
    assert labels is y
    for row, label in enumerate(y):
        span = np.linalg.svd(learnt[classes == label])[2][:2]
        weights = np.linalg.lstsq(span.T, X[row], rcond=None)[0]
        assert found[row] == pytest.approx(weights @ span)
        alone = transform_rows(
            use("low_rank", rank=2), X[[row]], y[[row]], **PLACE, learn_from=(learnt, classes)
        )[0]
        assert alone[0] == pytest.approx(found[row])  # no other row matters


def test_frozen_nmf_keeps_the_parts_that_were_learnt():
    rng = np.random.default_rng(4)
    learnt, X = rng.random((30, 5)) + 1, rng.random((8, 5)) + 1
    zeros = np.zeros(30, dtype=int)
    one = LowRank(rank=1, method="nmf", random_state=0).fit(learnt, zeros)
    found = one.transform(X, np.zeros(8, dtype=int))
    first = np.linalg.svd(learnt)[2][:1]  # of positive rows, both methods find one direction
    assert found == pytest.approx(X @ first.T @ first, rel=1e-3)


def test_a_transform_that_cannot_be_frozen_and_a_class_that_was_not_there_are_one_line():
    rows = np.eye(4), np.array([0, 0, 0, 0])
    with pytest.raises(UserError, match="no row of class 1 was there to learn from"):
        transform_rows(use("low_rank"), np.eye(4), np.array([0, 1, 0, 1]), **PLACE, learn_from=rows)
    other = use("sklearn.manifold.TSNE")
    with pytest.raises(UserError, match="it cannot be frozen: it needs fit and transform"):
        transform_rows(other, np.eye(4), rows[1], **PLACE, learn_from=rows)


def test_a_class_of_another_package_can_be_frozen():
    rng = np.random.default_rng(1)
    learnt, X = rng.normal(size=(20, 3)), rng.normal(size=(5, 3))
    found = transform_rows(
        use("sklearn.preprocessing.StandardScaler"),
        *(X, np.zeros(5, dtype=int)),
        **PLACE,
        learn_from=(learnt, np.zeros(20, dtype=int)),
    )[0]
    assert found == pytest.approx((X - learnt.mean(axis=0)) / learnt.std(axis=0))

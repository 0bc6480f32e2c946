"""Rows of one group stay together in every split of every scheme."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.data.table import Table
from steadfast.resampling.grouped import draw
from steadfast.resampling.schemes import create

CLASSES = ("a", "b")
SETTINGS = {
    "shrinking_bootstrap": {"repeats": 2, "ratios": [0.5, 1.0]},
    "cv": {"folds": 3, "small_classes": "spread"},
    "repeated_cv": {"folds": 3, "repeats": 2, "small_classes": "spread"},
    "nested_cv": {"folds": 3, "inner": 2, "small_classes": "spread"},
    "subsample": {"repeats": 3, "share": 0.7},
    "halves": {"repeats": 3},
    "repeated_halves": {"experiments": 2, "repeats": 2},
    "pairs": {"repeats": 2},
    "perturbed": {"repeats": 2, "share": 0.5, "perturbations": [0.0, 0.5, 1.0]},
}
NAMES = ("study", "data")


def table_of(y, groups):
    return Table(np.zeros((len(y), 1)), np.asarray(y), ("f",), CLASSES, (), groups)


@st.composite
def grouped_tables(draws, smallest=8):
    """Groups of one to six rows, of one class or of both, the rows in any order."""
    sizes = draws(st.lists(st.integers(1, 6), min_size=smallest, max_size=20))
    groups = np.repeat(np.arange(len(sizes)), sizes)
    generator = np.random.default_rng(draws(st.integers(0, 2**31)))
    y = (np.arange(len(sizes)) % 2)[groups]
    mixed = draws(st.booleans())
    if mixed:
        y = np.where(generator.random(groups.size) < 0.2, 1 - y, y)
    order = generator.permutation(groups.size)
    return table_of(y[order], groups[order])


def test_every_scheme_is_tested():
    assert set(SETTINGS) == set(registry.declared("scheme"))


@settings(max_examples=25, deadline=None)
@given(grouped_tables(), st.integers(0, 3))
def test_pairs_are_complementary_in_groups(table, seed):
    folds = list(draw(create({"scheme": "pairs", "repeats": 2}), table, seed, NAMES))
    for first, second in zip(folds[::2], folds[1::2], strict=True):
        halves = [set(table.groups[fold.train]) for fold in (first, second)]
        n_groups = int(table.groups.max()) + 1
        assert not halves[0] & halves[1]
        assert {len(half) for half in halves} == {n_groups // 2}
        assert set(second.train) <= set(first.test)
        assert set(first.train) <= set(second.test)


@pytest.mark.parametrize("name", sorted(SETTINGS))
@settings(max_examples=25, deadline=None)
@given(grouped_tables(), st.integers(0, 3))
def test_no_group_is_on_both_sides_of_a_split(name, table, seed):
    scheme = create({"scheme": name, **SETTINGS[name]})
    folds = list(draw(scheme, table, seed, NAMES))
    assert [fold.name for fold in folds] == scheme.names()
    for fold in folds:
        train, test = (set(table.groups[part]) for part in (fold.train, fold.test))
        assert train
        assert not train & test
        for part in (fold.train, fold.test):
            # A group comes as a whole, as often as it was drawn.
            rows, times = np.unique(part, return_counts=True)
            for group in set(table.groups[part]):
                own = np.flatnonzero(table.groups == group)
                assert set(own) <= set(rows)
                assert len(set(times[np.isin(rows, own)])) == 1


@pytest.mark.parametrize("name", sorted(SETTINGS))
@settings(max_examples=15, deadline=None)
@given(grouped_tables())
def test_rows_train_or_test_wherever_groups_would(name, table):
    """A plan of groups, drawn as if each was one row, says what every row does."""
    scheme = create({"scheme": name, **SETTINGS[name]})
    n_groups = int(table.groups.max()) + 1
    most = [int(np.mean(table.y[table.groups == group]) > 0.5) for group in range(n_groups)]
    wanted = scheme.folds(np.array(most), CLASSES, 1, NAMES)
    for fold, plain in zip(draw(scheme, table, 1, NAMES), wanted, strict=True):
        for part, groups in ((fold.train, plain.train), (fold.test, plain.test)):
            rows = [row for group in groups for row in np.flatnonzero(table.groups == group)]
            assert part.tolist() == sorted(rows)
        assert (fold.name, fold.ratio, fold.reference, fold.comparison, fold.scored) == (
            *(plain.name, plain.ratio, plain.reference, plain.comparison, plain.scored),
        )


@pytest.mark.parametrize("name", ["cv", "repeated_cv", "subsample", "halves"])
@settings(max_examples=20, deadline=None)
@given(grouped_tables())
def test_every_row_trains_or_tests(name, table):
    for fold in draw(create({"scheme": name, **SETTINGS[name]}), table, 1, NAMES):
        assert sorted([*fold.train, *fold.test]) == list(range(len(table.y)))


@settings(max_examples=25, deadline=None)
@given(st.integers(10, 20), st.integers(6, 10), st.integers(1, 5), st.integers(0, 9))
def test_classes_keep_their_shares_where_groups_allow_it(n_first, n_second, size, seed):
    """Groups of one size and one class each: as if they were rows."""
    y = np.repeat(np.repeat([0, 1], [n_first, n_second]), size)
    groups = np.repeat(np.arange(n_first + n_second), size)
    table = table_of(y, groups)
    (fold,) = draw(create({"scheme": "subsample", "repeats": 1}), table, seed, NAMES)
    wanted = [int(0.8 * count + 0.5) * size for count in (n_first, n_second)]
    assert np.bincount(y[fold.train]).tolist() == wanted
    counts = [
        np.bincount(y[fold.test], minlength=2) // size
        for fold in draw(create({"scheme": "cv", "folds": 5}), table, seed, NAMES)
    ]
    assert (np.ptp(counts, axis=0) <= 1).all()


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_a_table_without_groups_has_the_folds_of_its_rows(name):
    y = np.arange(40) % 2
    scheme = create({"scheme": name, **SETTINGS[name]})
    for fold, plain in zip(
        draw(scheme, table_of(y, None), 1, NAMES), scheme.folds(y, CLASSES, 1, NAMES), strict=True
    ):
        assert fold.name == plain.name
        assert (fold.train == plain.train).all()
        assert (fold.test == plain.test).all()


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_groups_of_one_row_are_rows(name):
    y = np.arange(40) % 2
    scheme = create({"scheme": name, **SETTINGS[name]})
    for fold, plain in zip(
        draw(scheme, table_of(y, np.arange(40)), 1, NAMES),
        draw(scheme, table_of(y, None), 1, NAMES),
        strict=True,
    ):
        assert (fold.train == plain.train).all()
        assert (fold.test == plain.test).all()


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_the_same_seed_draws_the_same_groups(name):
    groups = np.repeat(np.arange(12), 4)
    table = table_of((np.arange(12) % 2)[groups], groups)
    scheme = create({"scheme": name, **SETTINGS[name]})
    first, again, other = (list(draw(scheme, table, seed, NAMES)) for seed in (1, 1, 2))
    assert all((a.train == b.train).all() for a, b in zip(first, again, strict=True))
    assert any(a.train.tolist() != b.train.tolist() for a, b in zip(first, other, strict=True))


def test_too_few_groups_are_refused_as_groups():
    groups = np.repeat([0, 1], 20)
    table = table_of(groups, groups)
    with pytest.raises(UserError, match="rows here are groups"):
        list(draw(create({"scheme": "subsample"}), table, 1, NAMES))
    with pytest.raises(UserError, match="rows here are groups"):
        list(draw(create({"scheme": "cv"}), table, 1, NAMES))

"""Shuffled copies: noise does not stay ahead of them, clear features do, ties do not count."""

import numpy as np
import pytest

from steadfast.data.table import Table
from steadfast.resampling.grouped import draw
from steadfast.resampling.schemes import create
from steadfast.resampling.shuffled import shuffle_copies
from steadfast.selectors.running.probes import AHEAD, ahead_of_copies

BINS = {"method": "equal_width", "bins": 5}
RANKED = {"n_features_to_select": 100}
SELECTORS = {
    "mid": ({"use": "mid", "params": RANKED}, BINS),
    "info_gain": ({"use": "info_gain", "params": RANKED}, None),
    "fisher": ({"use": "fisher", "params": RANKED}, None),
    "relieff": ({"use": "relieff", "params": RANKED}, None),
}


def table_of(X, y, levels=(), groups=None):
    names = tuple(f"f{column}" for column in range(X.shape[1]))
    return Table(X, y, names, ("no", "yes"), levels, groups)


def shares(table, repeats=10, selectors=SELECTORS, copies_by_group=True, seed=1):
    """Share of the runs in which each column is ahead, by selector."""
    folds = list(draw(create({"scheme": "subsample", "repeats": repeats}), table, seed, ("s", "d")))
    found = {}
    for name in selectors:
        use, bins = SELECTORS[name]
        counts = np.zeros(table.X.shape[1])
        for fold in folds:
            groups = (
                table.groups[fold.train] if copies_by_group and table.groups is not None else None
            )
            ahead = ahead_of_copies(
                *(use, table.X[fold.train], table.y[fold.train]),
                seed=seed,
                names=("d", fold.name),
                groups=groups,
                discretise=bins,
                levels=table.levels,
            )
            assert len(set(ahead)) == ahead.size
            counts[ahead] += 1
        found[name] = counts / repeats
    return found


def vouched_columns(found):
    """Columns that at least half of the selectors vouch for."""
    votes = sum((share >= AHEAD).astype(int) for share in found.values())
    return set(np.flatnonzero(votes >= len(found) / 2).tolist())


@pytest.mark.parametrize(("rows", "columns"), [(60, 20), (40, 120), (150, 6)])
def test_no_feature_of_noise_stays_ahead(rows, columns):
    wrong = 0
    for seed in range(6):
        X = np.random.default_rng(seed).normal(size=(rows, columns))
        wrong += bool(vouched_columns(shares(table_of(X, np.arange(rows) % 2), seed=seed)))
    assert wrong <= 1


def test_clear_features_stay_ahead():
    for seed in range(3):
        y = np.arange(120) % 2
        X = np.random.default_rng(seed).normal(size=(120, 25))
        X[:, [3, 11]] += 1.5 * y[:, None]
        assert vouched_columns(shares(table_of(X, y), seed=seed)) >= {3, 11}


@pytest.mark.parametrize("name", sorted(SELECTORS))
def test_a_feature_that_ties_with_a_copy_is_not_ahead(name):
    """Nor are the first 100 of 130 columns without any weight, among which there is no copy."""
    use, bins = SELECTORS[name]
    y = np.tile([0, 1], 30)
    constant = np.zeros((60, 130))
    assert not ahead_of_copies(use, constant, y, seed=1, names=("d", "f"), discretise=bins).size


@pytest.mark.parametrize("name", ["mid", "info_gain", "fisher"])
def test_a_feature_that_is_alike_in_all_classes_is_not_ahead(name):
    """It has no gain at all, and copies have little or none."""
    use, bins = SELECTORS[name]
    y, values = np.tile([0, 1], 30), np.repeat([0.0, 1.0], 30)
    X = np.tile(values[:, None], (1, 130))
    assert not ahead_of_copies(use, X, y, seed=1, names=("d", "f"), discretise=bins).size


def test_columns_come_best_first_under_their_own_numbers():
    y = np.arange(80) % 2
    X = np.random.default_rng(4).normal(size=(80, 8))
    X[:, 6] += 5 * y
    X[:, 2] += 2.5 * y
    found = ahead_of_copies({"use": "fisher", "params": {}}, X, y, seed=1, names=("d", "f"))
    assert found[:2].tolist() == [6, 2]


def test_copies_hold_the_values_of_their_column_in_another_order_each():
    X = np.arange(200.0).reshape(50, 4) % 50
    copies = shuffle_copies(X, None, np.random.default_rng(0))
    assert (np.sort(copies, axis=0) == np.sort(X, axis=0)).all()
    orders = [tuple(np.argsort(copies[:, column])) for column in range(4)]
    assert len(set(orders)) == 4


def test_copies_of_groups_are_those_of_other_groups_as_a_whole():
    draws = np.random.default_rng(2)
    groups = draws.permutation(np.repeat(np.arange(9) * 10, [1, 2, 3, 4, 5, 6, 3, 3, 3]))
    constant = draws.normal(size=100)[groups]
    within = draws.normal(size=groups.size)
    X = np.column_stack([constant, within])
    copies = shuffle_copies(X, groups, draws)
    sources = []
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        assert np.ptp(copies[own, 0]) == 0
        # The second column is that of one other group, in any order, again from the first value.
        fits = [
            source
            for source in np.unique(groups)
            if set(copies[own, 1]) <= set(within[groups == source])
            and len(set(copies[own, 1])) == min(own.size, np.sum(groups == source))
        ]
        assert len(fits) == 1
        sources.append(fits[0])
    assert sorted(sources) == sorted(np.unique(groups))


def test_noise_of_groups_is_trusted_only_if_copies_ignore_them():
    """Twelve patients of ten rows, everything the same in all rows of one: twelve rows, really."""
    wrong = {True: 0, False: 0}
    for seed in range(5):
        draws = np.random.default_rng(seed)
        groups = np.repeat(np.arange(12), 10)
        y = (np.arange(12) % 2)[groups]
        X = draws.normal(size=(12, 20))[groups] + 0.01 * draws.normal(size=(120, 20))
        table = table_of(X, y, groups=groups)
        for by_group in wrong:
            found = shares(table, 6, ("info_gain", "fisher", "mid"), by_group, seed)
            wrong[by_group] += bool(vouched_columns(found))
    assert wrong[True] <= 1
    assert wrong[False] >= 4


def test_the_same_seed_and_names_give_the_same_features():
    y = np.arange(60) % 2
    X = np.random.default_rng(1).normal(size=(60, 15)) + 0.5 * y[:, None]
    use = {"use": "fisher", "params": {}}
    found = [
        ahead_of_copies(use, X, y, seed=seed, names=("d", fold)).tolist()
        for seed, fold in ((1, "a"), (1, "a"), (2, "a"), (1, "b"), (3, "a"), (4, "a"))
    ]
    assert found[0] == found[1]
    assert len(set(map(tuple, found))) > 1

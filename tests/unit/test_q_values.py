"""q-values: their parts against scipy and plain code, what they find, and what they let through."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from steadfast.resampling.shuffled import shuffle_classes
from steadfast.selectors.relieff import relieff_terms
from steadfast.selectors.trust import LEVEL
from steadfast.selectors.trust.columns import column_ranks, describe_columns
from steadfast.selectors.trust.marginal import bins_p, marginal_p, score_p
from steadfast.selectors.trust.partial import own_or_borrowed
from steadfast.selectors.trust.rule import shares_of_noise, trust
from steadfast.selectors.trust.together import tail_probability
from steadfast.selectors.trusted import Trusted


def table(seed, n=120, m=12, relevant=3, effect=1.2, classes=2):
    draw = np.random.default_rng(seed)
    y = draw.permutation(n) % classes
    X = draw.normal(size=(n, m))
    X[:, :relevant] += effect * (y[:, None] == 0)
    return X, y


def members(y):
    return [(y[None, :] == code).astype(float) for code in range(y.max() + 1)]


@pytest.mark.parametrize("classes", [2, 3])
def test_tests_of_ranks_and_bins_are_those_of_scipy(classes):
    X, y = table(0, classes=classes)
    X = np.round(X, 1)  # with ties
    columns = describe_columns(X)
    parts = [X[y == code] for code in range(classes)]
    by_rank = stats.kruskal(*parts).pvalue
    assert score_p(columns.ranks, members(y))[0] == pytest.approx(by_rank)
    for at in range(X.shape[1]):
        counts = stats.contingency.crosstab(columns.bins[:, at], y).count
        expected = stats.chi2_contingency(counts, correction=False).pvalue
        assert bins_p(columns.bins, 5, members(y))[0, at] == pytest.approx(expected)


def test_ranks_are_those_of_scipy_and_bins_hold_equal_counts():
    X, _ = table(1)
    X[::7, 2] = np.nan
    columns = describe_columns(X)
    wanted = 2 * stats.rankdata(X, axis=0) - len(X) - 1
    whole = np.arange(12) != 2
    assert (columns.ranks[:, whole] == wanted[:, whole]).all()
    assert (np.bincount(columns.bins[:, 0]) == 24).all()
    assert (columns.bins[::7, 2] == 5).all()
    assert (columns.ranks[::7, 2] == 0).all()
    assert columns.ranks.sum(axis=0) == pytest.approx(0)


@pytest.mark.parametrize("block", [1, 200, 10_000])
def test_ranks_of_ties_beside_gaps_are_those_of_the_numbers_alone(block, monkeypatch):
    draw = np.random.default_rng(2)
    X = draw.integers(-3, 4, (50, 9)).astype(float)
    X[X == 0] *= draw.choice([-1.0, 1.0], np.count_nonzero(X == 0))
    X[draw.random(X.shape) < 0.2] = np.nan
    X[:, 4] = np.nan
    monkeypatch.setattr("steadfast.selectors.trust.columns.BLOCK", block)
    ranks = column_ranks(X)
    for column, found in zip(X.T, ranks.T):
        known = ~np.isnan(column)
        wanted = 2 * stats.rankdata(column[known]) - np.count_nonzero(known) - 1
        assert found[known].tolist() == wanted.tolist()
        assert (found[~known] == 0).all()


def test_rare_categories_are_one_bin():
    codes = np.repeat([0, 1, 2, 3], [40, 30, 3, 2]).astype(float)[:, None]
    found = describe_columns(codes, [tuple("abcd")])
    assert np.bincount(found.bins[:, 0]).tolist() == [40, 30, 5]
    assert (found.ranks == 0).all()


def test_shuffled_classes_leave_groups_together():
    y, groups = np.repeat([0, 1, 0, 1, 1], 4), np.repeat(np.arange(5), 4)
    shuffled = np.concatenate(list(shuffle_classes(y, groups, 50, np.random.default_rng(0))))
    assert shuffled.shape == (50, 20)
    by_group = shuffled.reshape(50, 5, 4)
    assert (by_group == by_group[:, :, :1]).all()
    assert (by_group[:, :, 0].sum(axis=1) == 3).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_q_values_are_benjamini_and_hochbergs(p):
    found = shares_of_noise(len(p) * np.array(p))
    assert found == pytest.approx(stats.false_discovery_control(p))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(30, 300))
def test_tails_fall_and_are_counted_where_they_can_be(seed, size):
    chance = np.random.default_rng(seed).normal(size=size)
    values = np.linspace(-3, 8, 40)
    found = tail_probability(values, chance)
    counted = (1 + (chance[None, :] >= values[:, None]).sum(axis=1)) / (1 + size)
    assert ((found > 0) & (found <= 1)).all()
    enough = (chance[None, :] >= values[:, None]).sum(axis=1) >= 10
    assert found[enough] == pytest.approx(counted[enough])


def test_far_out_a_normal_tail_is_not_underestimated():
    chance = np.random.default_rng(0).normal(size=20_000)
    values = np.array([3.5, 4.0, 5.0])
    assert (tail_probability(values, chance) >= 0.7 * stats.norm.sf(values)).all()


def test_weights_beside_copies_are_those_of_relieff(monkeypatch):
    """With the columns and their copies as one table, ReliefF by its own code says the same."""
    from steadfast.selectors.trust import together

    X, y = table(3, n=40, m=5)
    seen = []
    plain = together._weights

    def keep(both, *rest):
        seen.append((both, plain(both, *rest)))
        return seen[-1][1]

    monkeypatch.setattr(together, "_weights", keep)
    together.together_p(describe_columns(X), y, None, np.random.default_rng(0))
    labels = np.sort(y, kind="stable")
    for both, found in seen[:3]:
        # Places lie between 0 and 1; with two rows that span it, ReliefF scales nothing.
        low, span = both.min(axis=0), np.ptp(both, axis=0)
        assert span == pytest.approx(span[0])
        hit, miss = relieff_terms(both, labels, np.arange(40), together.NEIGHBOURS)
        assert found / span == pytest.approx(miss - hit)
        assert (low > 0).all()


def test_q_values_do_not_depend_on_scale_or_the_order_of_columns():
    X, y = table(4)
    found = trust(X, y, seed=1)
    order = np.random.default_rng(0).permutation(X.shape[1])
    assert trust(X[:, order], y, seed=1).q == pytest.approx(found.q[order], abs=1e-12)
    # By their values columns are put in order before anything is drawn.
    assert trust(np.exp(X), y, seed=1).q == pytest.approx(found.q, abs=1e-12)


def test_what_tells_something_is_trusted_and_noise_is_not():
    false = found = 0
    for seed in range(5):
        X, y = table(seed, relevant=4)
        q = trust(X, y, seed=seed).q
        found += (q[:4] <= LEVEL).sum()
        false += (q[4:] <= LEVEL).sum()
    assert found >= 18
    assert false <= 2


def test_tables_of_noise_rarely_have_a_trusted_feature():
    noise = [table(seed, n=60, m=8, relevant=0) for seed in range(12)]
    passed = sum((trust(X, y, seed=1).q <= LEVEL).any() for X, y in noise)
    assert passed <= 3  # 0.4 are expected; more than 3 have a probability of 0.001


@pytest.mark.parametrize(("first", "second"), [(3, 3), (9, 1), (2, 1)])
def test_a_handful_of_rows_shows_nothing(first, second):
    """Weights of so few rows are equal in many features and copies: rounding must not decide."""
    draw = np.random.default_rng(0)
    y = np.repeat([0, 1], [first, second])
    passed = [trust(draw.normal(size=(y.size, 20)), y, seed=at).q <= LEVEL for at in range(5)]
    assert sum(one.any() for one in passed) <= 1


def test_classes_that_differ_inside_groups_are_shuffled_inside_them():
    draw = np.random.default_rng(0)
    groups, y = np.repeat(np.arange(10), 12), np.tile(np.repeat([0, 1], 6), 10)
    X = draw.normal(size=(120, 6)) + draw.normal(size=(10, 6))[groups]
    X[:, 0] += 2 * y
    assert (trust(X, y, seed=1, groups=groups).q <= LEVEL).tolist() == [True] + [False] * 5


def test_features_that_tell_something_in_pairs_are_trusted_together():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(250, 12))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    found = trust(X, y, seed=1)
    assert (found.q[:2] <= LEVEL).all()
    assert not found.alone[:2].any()
    assert (marginal_p(describe_columns(X), y, None, draw)[:2] > 0.01).all()


def test_spread_gaps_and_categories_tell_something():
    draw = np.random.default_rng(0)
    y = draw.permutation(200) % 2
    X = draw.normal(size=(200, 8))
    X[:, 0] *= 1 + 2 * y
    X[draw.random(200) < 0.4 * y, 1] = np.nan
    X[:, 2] = np.where(draw.random(200) < 0.5, y, draw.integers(0, 3, 200))
    levels = [(), (), tuple("abc"), *[()] * 5]
    assert (trust(X, y, seed=1, levels=levels).q <= LEVEL).tolist() == [True] * 3 + [False] * 5


def test_rows_that_belong_together_pass_only_where_groups_are_not_named():
    draw = np.random.default_rng(1)
    groups = np.repeat(np.arange(24), 6)
    y = (draw.permutation(24) % 2)[groups]
    X = draw.normal(size=(24, 10))[groups] + 0.3 * draw.normal(size=(144, 10))
    assert (trust(X, y, seed=1).q <= LEVEL).sum() >= 5
    assert not (trust(X, y, seed=1, groups=groups).q <= LEVEL).any()


def test_what_is_its_own_and_what_is_borrowed():
    """A noisy copy borrows; near doubles cannot be told apart; alone is its own."""
    draw = np.random.default_rng(0)
    y = draw.permutation(400) % 2
    X = draw.normal(size=(400, 5))
    X[:, :3] += 1.2 * y[:, None]
    X[:, 3] = X[:, 0] + draw.normal(size=400)
    X[:, 4] = X[:, 1] + 0.01 * draw.normal(size=400)
    every = np.arange(5)
    columns, alone = describe_columns(X), np.ones(5, dtype=bool)
    found = own_or_borrowed(columns, y, every, alone)
    assert found == ["own", "cannot tell", "own", "borrowed", "cannot tell"]
    assert own_or_borrowed(columns, y, every[:1], alone[:1]) == ["own"]
    assert own_or_borrowed(columns, y, every[:2], np.array([True, False])) == ["own", "cannot tell"]
    few = describe_columns(X[:12])
    assert own_or_borrowed(few, y[:12], every, alone) == ["cannot tell"] * 5


def test_the_selector_chooses_what_is_trusted_and_respects_groups():
    X, y = table(5)
    fitted = Trusted(random_state=0).fit(X, y)
    assert fitted.get_support(indices=True).tolist() == [0, 1, 2]
    assert set(fitted.sequence_[:3]) == {0, 1, 2}
    assert (np.diff(fitted.steps_["q"]) >= 0).all()
    one_each = Trusted(random_state=0).fit(X, y, groups=np.arange(len(y)))
    assert one_each.get_support(indices=True).tolist() == [0, 1, 2]
    pairs = np.arange(len(y)) // 40  # of three groups nothing can be shown
    assert not Trusted(random_state=0).fit(X, np.repeat([0, 1, 0], 40), groups=pairs).support_.any()

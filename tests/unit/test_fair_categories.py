"""A column of categories that tells nothing is treated like a column of noise, by all selectors."""

import numpy as np
import pytest
from scipy import stats

import steadfast
from steadfast.api.choices import to_selectors
from steadfast.api.defaults import BINS, SELECTORS
from steadfast.selectors.running.category_scores import (
    category_scores,
    effective_rows,
    fair_separation,
    score_categories,
)
from steadfast.selectors.running.fold_file import Selection, shuffle_ties
from steadfast.selectors.running.select import select

COUNTS = (0, 0, 0, 0, 2, 3, 5, 10, 25)
LEVELS = tuple(tuple(f"level {number}" for number in range(count)) for count in COUNTS)


def advised():
    """What `steadfast advise` runs, with a fixed α, and a small forest, for the sake of speed."""
    given = {name: entry for name, entry in SELECTORS.items() if name != "mrmr"}
    given["forest"] = {**SELECTORS["forest"], "params": {"n_estimators": 5}}
    for alpha in (1.0, 0.5):
        given[f"mrmr {alpha}"] = {"use": "mid_alpha", "alpha": alpha}
    return to_selectors(given, 100)


ADVISED = advised()


def rank(name, X, y, levels, place, **more):
    """The columns, best first, as a report has them: with bins where they are wanted."""
    chosen = ADVISED[name]
    bins = BINS if chosen.discrete else None
    names = ("mixed", str(place))
    found = select(
        chosen.settings, X, y, seed=1, names=names, discretise=bins, levels=levels, **more
    )
    selection = Selection(found.sequence_, found.scores_[found.sequence_])
    return shuffle_ties(selection, 1, str(place)).sequence


def noise_table(seed, n=120, n_classes=2, groups=None):
    """Numbers and categories that tell nothing, and classes; all constant in groups if any."""
    draw = np.random.default_rng(seed)
    rows = n if groups is None else groups.max() + 1
    columns = [
        draw.integers(count, size=rows) if count else draw.normal(size=rows) for count in COUNTS
    ]
    X, y = np.column_stack(columns), np.arange(rows) % n_classes
    return (X, y) if groups is None else (X[groups], y[groups])


def mean_rank_errors(ranked, n_columns):
    """How far each column's mean rank is off, in standard errors of uniform ranks."""
    ranks = np.argsort(np.array(ranked), axis=1) + 1
    error = np.sqrt((n_columns**2 - 1) / 12 / len(ranks))
    return (ranks.mean(axis=0) - (n_columns + 1) / 2) / error


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", sorted(ADVISED))
def test_no_selector_prefers_a_column_of_noise_for_its_number_of_categories(name, n_classes):
    """With a column for each category, or codes, all but ReliefF's were off by 10 or more."""
    ranked = [
        rank(name, *noise_table(seed, n_classes=n_classes), LEVELS, seed) for seed in range(100)
    ]
    assert np.abs(mean_rank_errors(ranked, len(COUNTS))).max() < 4.5


@pytest.mark.parametrize("name", ["relieff", "fisher", "mrmr 1.0"])
def test_nor_where_a_class_is_small(name):
    """ReliefF, by codes, preferred all categories but those of two levels."""
    y = (np.arange(120) % 4 == 0).astype(int)
    ranked = [rank(name, noise_table(seed)[0], y, LEVELS, seed) for seed in range(150)]
    assert np.abs(mean_rank_errors(ranked, len(COUNTS))).max() < 4.5


def test_nor_for_categories_that_are_the_same_in_a_whole_group():
    groups = np.repeat(np.arange(60), 3)
    ranked = [
        rank("fisher", *noise_table(seed, groups=groups), LEVELS, seed, groups=groups)
        for seed in range(400)
    ]
    assert np.abs(mean_rank_errors(ranked, len(COUNTS))).max() < 4.5


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_levels", [2, 3, 5, 25])
def test_a_category_of_noise_separates_the_classes_as_a_number_of_noise_does(n_levels, n_classes):
    draw = np.random.default_rng(n_levels)
    y = np.arange(200) % n_classes
    found = []
    for _ in range(600):
        scored = category_scores(draw.integers(n_levels, size=200), y, draw)
        means = np.array([scored[y == label].mean() for label in range(n_classes)])[y]
        found.append(means.var() / scored.var())
    expected = stats.beta((n_classes - 1) / 2, (200 - n_classes) / 2)
    # Two categories have but as many separations as there are tables.
    assert stats.kstest(found, expected.cdf).pvalue > (1e-6 if n_levels == 2 else 1e-3)


@pytest.mark.parametrize(("n_levels", "n_classes"), [(6, 2), (4, 3)])
def test_a_median_trace_separates_as_noise_does_in_the_median(n_levels, n_classes):
    draw = np.random.default_rng(2)
    codes, y = np.arange(90) % n_levels, np.arange(90) % n_classes
    tables = [
        np.histogram2d(codes, draw.permutation(y), (n_levels, n_classes))[0] for _ in range(1000)
    ]
    traces = [stats.chi2_contingency(table).statistic / 90 for table in tables]
    middle = fair_separation(np.median(traces), n_levels, n_classes, 90)
    of_noise = stats.beta((n_classes - 1) / 2, (90 - n_classes) / 2)
    assert of_noise.cdf(middle) == pytest.approx(0.5, abs=0.05)


def test_what_noise_exceeds_is_known_for_two_categories_and_at_the_ends():
    assert fair_separation(0.1, 2, 2, 50) == pytest.approx(0.1)  # the column is one of numbers
    assert fair_separation(0.1, 2, 3, 50) == pytest.approx(0.1)
    assert fair_separation(1.0, 50, 2, 50) == 0  # a category in every row
    assert fair_separation(0.9, 20, 2, 10**5) == pytest.approx(1)  # p is too small for a number


def test_scores_of_two_classes_are_the_shares_of_a_class():
    draw = np.random.default_rng(4)
    y, codes = np.repeat([0, 1], 3000), draw.integers(4, size=6000)
    codes[:2000] = np.minimum(codes[:2000], 1)
    scored = category_scores(codes, y, draw)
    means = [scored[codes == code].mean() for code in range(4)]
    shares = [y[codes == code].mean() for code in range(4)]
    assert abs(np.corrcoef(means, shares)[0, 1]) > 0.999


@pytest.mark.parametrize("name", sorted(set(ADVISED) - {"random"}))
def test_a_category_that_tells_the_class_comes_first(name):
    for seed in range(5):
        X, y = noise_table(seed)
        draw = np.random.default_rng(seed)
        X[:, 5] = np.where(draw.random(120) < 0.75, 2 * y + draw.integers(2, size=120), X[:, 5])
        levels = (*LEVELS[:5], tuple("abcd"), *LEVELS[6:])
        assert rank(name, X, y, levels, seed)[0] == 5


def test_random_selection_of_columns_is_stable_by_chance_alone():
    X, y = noise_table(0)
    draw = np.random.default_rng(0)
    chosen = [
        rank("random", X[rows], y[rows], LEVELS, at)[:4].tolist()
        for at in range(30)
        for rows in [np.sort(draw.permutation(120)[:96])]
    ]
    found = steadfast.stability(chosen, n_features=len(COUNTS))
    assert found.low <= 0 <= found.high


@pytest.mark.parametrize("name", sorted(ADVISED))
def test_a_table_without_categories_is_left_as_it_is(name):
    X, y = noise_table(1)
    numbers = np.ascontiguousarray(X[:, :4])
    bare = rank(name, numbers, y, (), 1)
    assert bare.tolist() == rank(name, numbers, y, ((),) * 4, 1).tolist()
    assert bare.tolist() == rank(name, numbers, y, (), 1, groups=np.arange(120)).tolist()


def test_noise_derives_from_the_seed_and_the_names():
    X, y = noise_table(2)

    def scored(seed, name):
        return score_categories(X, y, LEVELS, seed=seed, names=("mixed", name))

    assert (scored(1, "s001") == scored(1, "s001")).all()
    for other in (scored(2, "s001"), scored(1, "s002")):
        assert (other[:, :4] == X[:, :4]).all()
        assert (other[:, 4:] != scored(1, "s001")[:, 4:]).all()


@pytest.mark.parametrize(
    ("codes", "y"),
    [
        ([0, 0, 0, 0], [0, 1, 0, 1]),
        ([0, 1, 2, 3], [0, 1, 0, 1]),
        ([0, 1], [0, 1]),
        ([0, 1, 0, 1], [0, 1, 0, 1]),
        ([0, 0, 1, 1], [0, 1, 0, 1]),
        ([5, 7, 7, 5, 5, 7], [2, 4, 4, 2, 2, 4]),
        ([0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 1, 2]),
        ([np.nan, 1, 1, np.nan, np.nan], [0, 1, 1, 0, 1]),
    ],
)
def test_small_and_odd_columns_become_numbers(codes, y):
    codes, y = np.array(codes, dtype=float), np.array(y)
    for groups in (None, np.arange(y.size) // 2, np.zeros(y.size, dtype=int)):
        scored = category_scores(codes, y, np.random.default_rng(0), groups)
        assert np.isfinite(scored).all()
        assert (np.ptp(scored) == 0) == (np.unique(codes).size == 1)


def test_rows_of_a_group_count_once_where_they_never_differ():
    groups = np.repeat(np.arange(30), 4)
    codes, y = (np.arange(30) % 5)[groups], (np.arange(30) % 2)[groups]
    assert effective_rows(codes, y, groups) == pytest.approx(30)
    assert effective_rows(codes, y, np.arange(120)) == 120
    inside = np.random.default_rng(0).integers(5, size=120)
    assert effective_rows(inside, y, groups) > 90

"""Surfaces, precision on known features, and peaks, against plain computation."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_transforms import use
from scipy.stats import rankdata
from sklearn.feature_selection import f_classif

from steadfast.core.errors import UserError
from steadfast.data.sources.synthetic import synthetic
from steadfast.data.table import Table
from steadfast.experiments import precision, surface
from steadfast.experiments.precision import expected_precision, precision_rows
from steadfast.experiments.surface import surface_rows
from steadfast.selectors import FisherScore
from steadfast.selectors.running.select import select
from steadfast.statistics.correlation import partial, spearman
from steadfast.statistics.curve import Curve
from steadfast.statistics.knots import peaks

GRID = {
    "relevant": 4,
    "irrelevant_after": 10,
    "rows_from": 12,
    "rows_step": 14,
    "irrelevant_from": 6,
    "irrelevant_step": 5,
    "folds": 5,
}


def made_table(seed=0, n=40, m=30):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, m))
    X[:, ::3] += y[:, None] * np.linspace(0.2, 2, X[:, ::3].shape[1])
    names = tuple(f"f{i}" for i in range(m))
    return Table(X, y, names, ("a", "b"))


def rows_of(selector="fisher", table=None, size=6, grid=GRID, seed=1, **options):
    names = ("study", "data")
    return list(
        surface_rows(
            table or made_table(), use(selector), grid, size, seed=seed, names=names, **options
        )
    )


def test_a_surface_has_the_rows_and_features_that_the_grid_asks_for():
    rows = rows_of()
    assert [(n, m) for n, m, _ in rows] == [
        (n, 4 + count) for n in (12, 26, 40) for count in (6, 11, 16, 20)
    ]  # the last is the whole
    assert all(0 <= value <= 1 for _, _, value in rows)
    assert len({value for _, _, value in rows}) > 3
    assert rows == rows_of()
    assert rows != rows_of(seed=2)


def test_a_smaller_grid_has_the_same_values():
    """Each part is drawn by its own name; all irrelevant features are nested."""
    few = rows_of(grid={**GRID, "rows_step": 28, "irrelevant_step": 10})
    assert len(few) == 6
    assert set(few) <= set(rows_of())


@pytest.fixture
def calls(monkeypatch):
    """One entry for every selection of a surface."""
    found, plain = [], surface.select
    monkeypatch.setattr(surface, "select", lambda *a, **k: found.append(1) or plain(*a, **k))
    return found


def test_one_ranking_of_all_features_has_those_of_fewer(monkeypatch, calls):
    quick = rows_of("fisher")
    assert len(calls) == 1 + 3 * 5
    calls.clear()
    monkeypatch.setattr(FisherScore, "independent", False)
    assert rows_of("fisher") == quick
    assert len(calls) == 1 + 3 * 5 * 4


@pytest.mark.parametrize("name", ["fisher", "info_gain", "chi2", "svm_one", "relieff", "mid"])
def test_a_selector_that_says_so_weighs_every_feature_for_itself(name):
    table, some = made_table(), np.array([0, 7, 12, 3, 29, 18])
    place = {"seed": 1, "names": ("study", "data")}
    place["discretise"] = {"method": "mdl"} if name == "chi2" else None
    whole = select(use(name), table.X, table.y, **place)
    part = select(use(name), np.ascontiguousarray(table.X[:, some]), table.y, **place)
    assert whole.independent == (name in ("fisher", "info_gain", "chi2"))
    assert np.array_equal(whole.scores_[some], part.scores_) == whole.independent


def test_a_selector_that_looks_at_features_together_is_asked_for_every_width(calls):
    rows_of("relieff")
    assert len(calls) == 1 + 3 * 5 * 4


def test_a_surface_from_the_parts_that_its_selector_saw(monkeypatch):
    """Values are all different, so that a part tells which rows and columns it holds."""
    rng = np.random.default_rng(4)
    base = made_table()
    X = rng.permutation(40 * 30).reshape(40, 30).astype(float)
    X += np.arange(30) * 100000.25  # column 29 has the largest weight on all rows
    table = Table(X, base.y, base.features, base.classes)
    place = {value: (r, c) for r, row in enumerate(X) for c, value in enumerate(row)}
    seen = []

    def select(settings, part, y, **_):
        rows = [place[value][0] for value in part[:, 0]]
        columns = [place[value][1] for value in part[0]]
        assert (X[np.ix_(rows, columns)] == part).all()
        assert (table.y[rows] == y).all()
        weights = part.mean(axis=0) if len(rows) == 40 else rng.permutation(len(columns)) * 1.0
        best = np.array(columns)[np.argsort(-weights)]
        seen.append((rows, columns, set(best[:6].tolist())))
        return SimpleNamespace(scores_=weights, sequence_=np.argsort(-weights))

    monkeypatch.setattr(surface, "select", select)
    found = rows_of(table=table)
    (rows, columns, _), *parts = seen
    assert (sorted(rows), sorted(columns)) == (list(range(40)), list(range(30)))
    by_part, before = {}, set()
    for n in (12, 26, 40):
        folds, parts = parts[:20], parts[20:]
        tested = []
        everyone = {row for rows, _, _ in folds for row in rows}
        assert len(everyone) == n
        assert before < everyone
        before = everyone
        for at in range(0, 20, 4):
            widths = folds[at : at + 4]
            assert len({tuple(rows) for rows, _, _ in widths}) == 1
            tested += sorted(everyone - set(widths[0][0]))
            nested = [columns for _, columns, _ in widths]
            assert nested[0] == nested[1][:10] == nested[2][:10]
            for rows, columns, chosen in widths:
                assert set(columns[:4]) == {29, 28, 27, 26}
                assert max(columns[4:]) < 20  # ranks 5 to 10 are left out
                assert len(rows) == len(set(rows))
                by_part.setdefault((n, len(columns)), []).append(chosen)
        assert sorted(tested) == sorted(everyone)  # a cross-validation: each row is left out once
    assert not parts
    for n, m, value in found:
        pairs = [len(a & b) / len(a | b) for a, b in itertools.combinations(by_part[n, m], 2)]
        assert value == pytest.approx(np.mean(pairs))


def test_features_of_equal_weight_are_in_random_order():
    table = made_table(n=60)
    table.X[:, :] = 1.0  # nothing to tell them apart
    values = [value for _, _, value in rows_of(table=table, size=5)]
    chance = [5 / (2 * m - 5) for _, m, _ in rows_of(table=table, size=5)]
    assert np.mean(values) == pytest.approx(np.mean(chance), abs=0.1)
    assert max(values) < 1


@pytest.mark.parametrize(
    "change", [{"irrelevant_from": 21}, {"irrelevant_after": 3}, {"irrelevant_after": 27}]
)
def test_a_grid_that_does_not_fit_is_one_line(change):
    with pytest.raises(UserError, match=r"study/data: grid: .*irrelevant_after") as caught:
        rows_of(grid={**GRID, **change})
    assert "\n" not in str(caught.value)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6).filter(
        lambda pairs: any(relevant for _, relevant in pairs)
    )
)
def test_the_expected_precision_is_the_mean_over_all_orders_of_ties(pairs):
    weights = np.array([weight for weight, _ in pairs], dtype=float)
    relevant = np.array([flag for _, flag in pairs])
    k = int(relevant.sum())
    found = []
    for order in itertools.permutations(range(len(pairs))):
        ranked = sorted(order, key=lambda column: -weights[column])  # stable: ties as in the order
        found.append(sum(relevant[column] for column in ranked[:k]) / k)
    assert expected_precision(weights, relevant) == pytest.approx(np.mean(found))


def test_without_information_the_precision_is_the_share_of_relevant_features():
    relevant = np.arange(40) % 4 == 0
    assert expected_precision(np.zeros(40), relevant) == pytest.approx(0.25)
    assert expected_precision(relevant * 1.0, relevant) == 1
    assert expected_precision(~relevant * 1.0, relevant) == 0
    infinite = np.where(relevant, np.inf, 0.0)
    assert expected_precision(infinite, relevant) == 1


def precision_settings(**changes):
    low = {"use": "low_rank", "params": {"rank": 1}}
    runs = {}
    for name, discrete in (("fisher", False), ("chi2", True)):
        runs[f"{name}+plain"] = {**use(name), "discrete": discrete}
        runs[f"{name}+low"] = {**runs[f"{name}+plain"], "transform": low}
    return {
        "sets": 2,
        "rows": 20,
        "relevant": 0.25,
        "separation": 2.0,
        "offset": 3.0,
        "noise": [0, 0.5],
        "label_noise": [0, 0.1, 0.26],
        "selectors": ["fisher", "chi2"],
        "transforms": ["plain", "low"],
        "discretise": {"method": "equal_width", "bins": 5},
        "runs": runs,
    } | changes


def test_precision_has_a_row_for_every_set_noise_selector_and_transform():
    rows = list(precision_rows(12, precision_settings(), seed=1, study="mine"))
    assert len(rows) == len({row[:6] for row in rows}) == 2 * 2 * 3 * 2 * 2
    assert {row[0] for row in rows} == {12}
    assert {row[4:6] for row in rows} == set(
        itertools.product(["fisher", "chi2"], ["plain", "low"])
    )
    assert all(0 <= row[6] <= 1 for row in rows)
    assert rows == list(precision_rows(12, precision_settings(), seed=1, study="mine"))
    other = list(precision_rows(12, precision_settings(), seed=2, study="mine"))
    assert [row[:6] for row in rows] == [row[:6] for row in other]
    assert rows != other
    fewer = precision_settings(sets=1, noise=[0.5], label_noise=[0.26], transforms=["low"])
    assert set(precision_rows(12, fewer, seed=1, study="mine")) < set(rows)


def record_inputs(monkeypatch, settings):
    """What every selector got, by set, noise in values and classes, selector and transform."""
    seen = []
    plain = precision.select

    def select(run, X, y, **options):
        fitted = plain(run, X, y, **options)
        seen.append((X.copy(), y.copy(), options["discretise"], fitted.scores_))
        return fitted

    monkeypatch.setattr(precision, "select", select)
    rows = list(precision_rows(12, settings, seed=1, study="mine"))
    return {row[1:6]: (*what, row[6]) for row, what in zip(rows, seen, strict=True)}


def test_label_noise_gives_exactly_its_share_of_the_rows_the_other_class(monkeypatch):
    seen = record_inputs(monkeypatch, precision_settings(rows=30))
    for one, noise, wrong, selector, transform in seen:
        right = seen[one, noise, 0, selector, transform][1]
        labels = seen[one, noise, wrong, selector, transform][1]
        assert set(labels) <= {0, 1}
        assert np.count_nonzero(labels != right) == {0: 0, 0.1: 3, 0.26: 8}[wrong]


def test_noise_is_added_in_multiples_of_the_largest_value(monkeypatch):
    seen = record_inputs(
        monkeypatch, precision_settings(rows=400, noise=[0, 0.5, 2], label_noise=[0])
    )
    for one in (1, 2):
        clean = seen[one, 0, 0, "fisher", "plain"][0]
        for noise in (0.5, 2):
            added = seen[one, noise, 0, "fisher", "plain"][0] - clean
            assert added.std() == pytest.approx(noise * np.abs(clean).max(), rel=0.05)
            assert abs(added.mean()) < 0.1 * added.std()
    assert (seen[1, 0, 0, "fisher", "plain"][0] != seen[2, 0, 0, "fisher", "plain"][0]).any()


def test_values_are_shifted_and_transforms_and_bins_come_where_they_are_asked_for(monkeypatch):
    seen = record_inputs(monkeypatch, precision_settings(rows=400))
    X, y, bins, _, _ = seen[1, 0, 0, "fisher", "plain"]
    assert bins is None
    assert np.median(X) == pytest.approx(3, abs=0.2)
    low, same, *_ = seen[1, 0, 0, "fisher", "low"]
    assert (y == same).all()
    for label in (0, 1):
        assert np.linalg.matrix_rank(low[y == label], tol=1e-8 * 400) == 1
    assert seen[1, 0, 0, "chi2", "low"][2] == {"method": "equal_width", "bins": 5}
    assert (seen[1, 0, 0, "chi2", "low"][0] == low).all()


def test_precision_is_the_share_of_relevant_features_among_those_of_largest_weight(monkeypatch):
    frames = []
    monkeypatch.setattr(
        precision, "synthetic", lambda *a: frames.append(synthetic(*a)) or frames[-1]
    )
    seen = record_inputs(monkeypatch, precision_settings(rows=40, separation=10.0))
    for (one, *_, selector, _), (X, y, _, _, value) in seen.items():
        if selector != "fisher":
            continue
        features = frames[one - 1][0].features
        best = np.argsort(-f_classif(X, y)[0])[:3]
        hits = sum(features[column].startswith("relevant") for column in best)
        assert value == pytest.approx(hits / 3)
    strong = [value for key, (*_, value) in seen.items() if key[1:] == (0, 0, "fisher", "plain")]
    assert np.mean(strong) > 0.8


def curve(values, sizes=None):
    values = np.array(values, dtype=float)
    sizes = np.arange(1, values.size + 1) if sizes is None else np.array(sizes)
    return Curve(sizes, values, np.zeros_like(values))


def test_peaks_stand_out_on_both_sides_and_a_flat_one_has_its_middle():
    values = [0.2, 0.5, 0.3, 0.3, 0.34, 0.31, 0.6, 0.6, 0.6, 0.1, 0.13]
    found = peaks(curve(values, [1, 2, 3, 5, 8, 10, 20, 30, 50, 70, 90]))
    assert [(peak.size, peak.stability) for peak in found] == [(2, 0.5), (30, 0.6)]
    assert [peak.prominence for peak in found] == pytest.approx([0.2, 0.4])


def test_a_rising_a_falling_and_a_flat_curve_have_no_peak():
    assert peaks(curve(np.linspace(0, 1, 9))) == []
    assert peaks(curve(np.linspace(1, 0, 9))) == []
    assert peaks(curve(np.ones(9))) == []
    assert peaks(curve([0.5])) == []
    assert peaks(curve([0.5, 0.54, 0.5])) == []
    assert [peak.size for peak in peaks(curve([0.5, 0.56, 0.5]))] == [2]


def test_features_that_are_equal_up_to_rounding_are_tied():
    """All columns of a matrix of rank 1 are proportional: Fisher scores are all the same."""
    rng = np.random.default_rng(3)
    X = np.outer(rng.normal(size=40), rng.normal(size=30))
    y = np.repeat([0, 1], 20)
    weights = FisherScore().fit(X, y).scores_
    assert len(set(weights)) > 1  # rounding
    relevant = np.arange(30) < 6
    assert expected_precision(weights, relevant) == pytest.approx(0.2)
    assert expected_precision(np.where(relevant, np.inf, weights), relevant) == 1


def test_a_partial_correlation_is_that_of_what_the_third_leaves():
    draw = np.random.default_rng(1)
    first, second, third = (draw.permutation(30).astype(float) for _ in range(3))
    second += third
    left = []
    for values in (first, second):
        ranks, given = (np.argsort(np.argsort(each)) for each in (values, third))
        ranks = ranks if len(set(values)) == 30 else rankdata(values)
        left.append(ranks - np.polyval(np.polyfit(given, ranks, 1), given))
    assert partial(first, second, third) == pytest.approx(np.corrcoef(left)[0, 1])
    assert np.isnan(partial(first, third, third))
    assert spearman(first, first) == pytest.approx(1)

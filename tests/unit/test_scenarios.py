"""Scenarios of known truth: what their names say is what is in the data."""

import numpy as np
import pytest
from scipy import stats

from steadfast.core.errors import UserError
from steadfast.data import loader
from steadfast.data.catalogue import check_catalogue
from steadfast.data.sources.scenario import scenario, truth

MANY = 20_000


def drawn(**settings):
    """Columns by name, and the code of each row's class."""
    frame = scenario("drawn", {"features": 20, **settings})
    codes = np.array([int(label.split("_")[1]) - 1 for label in frame.labels])
    return dict(zip(frame.features, frame.X.T, strict=True)), codes, frame


def gap(column, y):
    return column[y == 1].mean() - column[y == 0].mean()


def test_shifted_features_are_apart_by_their_effect_and_noise_is_not():
    columns, y, frame = drawn(rows=MANY, relevant=6, effect=[0.3, 0.8])
    gaps = [gap(columns[f"relevant_{i}"], y) for i in range(1, 7)]
    assert gaps == pytest.approx(np.linspace(0.3, 0.8, 6), abs=0.05)
    noise = [gap(columns[name], y) for name in columns if name.startswith("noise")]
    assert (len(noise), noise) == (14, pytest.approx([0] * 14, abs=0.06))
    assert truth(frame.features).relevant.sum() == 6
    assert truth(frame.features).noise.sum() == 14


def test_members_of_a_block_go_together_and_are_all_relevant():
    columns, y, frame = drawn(
        kind="blocks", rows=MANY, relevant=8, block=4, correlation=0.9, effect=0.8
    )
    first = columns["relevant_1_in_1"][y == 1]
    assert np.corrcoef(first, columns["relevant_4_in_1"][y == 1])[0, 1] == pytest.approx(
        0.9, abs=0.01
    )
    assert abs(np.corrcoef(first, columns["relevant_1_in_2"][y == 1])[0, 1]) < 0.05
    assert gap(columns["relevant_2_in_2"], y) == pytest.approx(0.8 * 0.9**0.5, abs=0.05)
    assert sorted(truth(frame.features).block)[-8:] == [1] * 4 + [2] * 4


def test_correlated_noise_goes_with_a_relevant_feature_inside_classes_alone():
    columns, y, _ = drawn(rows=MANY, relevant=2, correlated=4, correlation=0.5, effect=2)
    near = columns["noise_3_beside_1"]
    inside = np.corrcoef(near[y == 0], columns["relevant_1"][y == 0])[0, 1]
    assert inside == pytest.approx(0.5, abs=0.03)
    assert gap(near, y) == pytest.approx(0, abs=0.06)


def test_pairs_tell_the_class_together_and_nothing_alone():
    columns, y, _ = drawn(kind="pairs", rows=MANY, relevant=4, effect=[1, 0.5])
    pair = columns["relevant_1"] * columns["relevant_2"]
    weaker = columns["relevant_3"] * columns["relevant_4"]
    assert gap(pair, y) > gap(weaker, y) > 0.3
    for i in range(1, 5):
        alone = columns[f"relevant_{i}"]
        assert stats.ks_2samp(alone[y == 0], alone[y == 1]).pvalue > 0.001


def test_spread_means_tails_and_leaks():
    columns, y, _ = drawn(kind="spread", rows=MANY, relevant=2, effect=2)
    assert columns["relevant_1"][y == 1].std() == pytest.approx(2, abs=0.05)
    assert columns["relevant_1"][y == 0].std() == pytest.approx(1, abs=0.03)
    columns, y, _ = drawn(kind="means", rows=400, relevant=10, classes=4, effect=5)
    means = [columns["relevant_1"][y == label].mean() for label in range(4)]
    assert np.ptp(means) > 1
    columns, y, frame = drawn(rows=200, tails=2, leaks=1, class_rows=[180, 20])
    wrong = np.abs(columns["leak_1"] - y) > 0.5
    assert 0 < wrong.mean() < 0.15
    assert np.abs(columns["noise_1"]).max() > 5
    assert np.bincount(y).tolist() == [180, 20]
    known = truth(frame.features)
    assert not (known.relevant | known.noise)[frame.features.index("leak_1")]


def test_categories_and_gaps_pass_as_those_of_a_table_of_ones_own():
    settings = {"kind": "categories", "rows": 3000, "features": 8, "relevant": 3, "effect": 1}
    settings |= {"categories": 2, "missing": 0.05}
    entry = {"title": "Codes", "source": "scenario", "scenario": settings, "missing": "median"}
    checked = check_catalogue({"codes": entry}, "datasets.yaml")["codes"]
    table, about = loader.load("codes", checked, root=None, cache=None)
    kinds = {name: len(levels) for name, levels in zip(table.features, table.levels, strict=True)}
    assert [kinds[f"relevant_{i}"] for i in (1, 2, 3)] == [3, 4, 5]
    assert sorted(about["categories"]) == sorted(name for name in kinds if kinds[name])
    assert np.isnan(table.X[:, table.features.index("noise_1")]).mean() == pytest.approx(0.05, 0.3)
    column = table.X[:, table.features.index("relevant_2")]
    # Level a of four, e times as frequent as each of the others in the first class.
    assert np.mean(column[table.y == 0] == 0) == pytest.approx(np.e / (np.e + 3), abs=0.03)


def test_rows_of_a_group_resemble_each_other_and_are_of_one_class():
    settings = {"rows": 200, "relevant": 5, "groups": 40, "effect": 1.2}
    columns, y, frame = drawn(**settings)
    group = np.array(frame.groups)
    assert all(len(set(y[group == one])) == 1 for one in group)
    inside = np.mean([columns["noise_1"][group == one].std() for one in set(group)])
    assert inside < 0.6 < columns["noise_1"].std()
    unnamed = scenario("drawn", {"features": 20, **settings, "named": False})
    assert unnamed.groups is None
    np.testing.assert_array_equal(unnamed.X, frame.X)


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "blocks", "relevant": 8},
        {"kind": "means", "relevant": 4, "classes": 5},
        {"kind": "pairs", "relevant": 4},
        {"relevant": 4, "groups": 40, "classes": 4},
    ],
    ids=lambda settings: settings.get("kind", "groups"),
)
def test_label_noise_replaces_that_share_of_the_classes_and_no_number(settings):
    _, clean, plain = drawn(rows=200, missing=0.02, **settings)
    _, same, without = drawn(rows=200, missing=0.02, label_noise=0, **settings)
    _, noisy, frame = drawn(rows=200, missing=0.02, label_noise=0.3, **settings)
    np.testing.assert_array_equal(same, clean)
    assert plain.X.tobytes() == without.X.tobytes() == frame.X.tobytes()
    assert plain.features == frame.features
    assert np.mean(clean != noisy) == pytest.approx(0.3)
    assert set(noisy) == set(clean)
    if frame.groups:
        group = np.array(frame.groups)
        assert all(len(set(noisy[group == one])) == 1 for one in group)


def test_every_other_class_may_take_the_place_of_one():
    _, clean, _ = drawn(rows=MANY, classes=4)
    _, noisy, _ = drawn(rows=MANY, classes=4, label_noise=1)
    counts = np.bincount((noisy - clean) % 4, minlength=4)
    assert counts[0] == 0
    assert counts[1:] / MANY == pytest.approx(1 / 3, abs=0.02)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"relevant": 21}, "features: 21 are asked for"),
        ({"kind": "blocks", "relevant": 6}, "relevant: 6 are no whole number of blocks"),
        ({"correlated": 3}, "correlated: correlated noise needs relevant features"),
        ({"groups": 7}, "groups: must divide the rows"),
        ({"class_rows": [90, 9]}, "class_rows: must be 2 numbers that add up to 100"),
    ],
)
def test_what_does_not_fit_is_one_line(settings, message):
    with pytest.raises(UserError, match=message):
        drawn(rows=100, **settings)


def test_a_name_and_a_seed_settle_every_number():
    one, again = (scenario("one", {"rows": 20, "features": 5}) for _ in range(2))
    np.testing.assert_array_equal(one.X, again.X)
    other = scenario("one", {"rows": 20, "features": 5, "seed": 2})
    assert not np.array_equal(one.X, other.X)

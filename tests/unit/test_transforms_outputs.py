"""Tables, figures and claims about transforms, and about precision on made data."""

import numpy as np
import pytest
from figure_cases import (
    accuracy,
    hidden_texts,
    legend_of,
    made,
    segments,
    stability,
    write_study,
)

from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import Table, save
from steadfast.outputs.figures import panels
from steadfast.outputs.verdict import AGAINST, FOR, OPEN
from steadfast.statistics.intervals import resampled_half_width, t_half_width

LOW = {"use": "low_rank"}
OF_STUDY = {
    "discretise": {"fit_on": "train"},
    "selectors": {"mid": {"label": "MID"}, "miq": {"label": "MIQ"}},
    "transforms": {
        "original": {"use": "none", "label": "X"},
        "svd1": {**LOW, "rank": 1, "label": "SVD"},
        "svd2": {**LOW, "rank": 2, "label": "SVD r=2"},
        "svd1_published": {**LOW, "rank": 1, "learn": "all", "label": "SVD"},
    },
}
#: Stability, its low and high end, and the accuracies of two folds at two features.
TREATED = {
    "original": (0.4, 0.3, 0.5, (0.6, 0.8)),
    "svd1": (0.7, 0.6, 0.9, (0.9, 1.0)),
    "svd2": (0.5, 0.45, 0.6, (0.7, 0.7)),
    "svd1_published": (0.8, 0.75, 0.95, (0.8, 0.9)),
}
AT_TWO = {"size": 2, "baseline": "original"}
ANEW = ["original", "svd1", "svd2"]
GAINS = {"kind": "gain_by_size", "baseline": "original", "transforms": ["svd1"], "sizes": [2]}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


def curves_of(selector, change=0.0):
    """Rows of the curves and of the folds of a selector whose stability is higher by a change."""
    curves, units = [], []
    for name, (*ends, scores) in TREATED.items():
        curves += stability(selector, [np.add(ends, change)], [2], transform=name)
        units += accuracy(selector, {2: scores}, transform=name)
    return {"curves": curves, "units": units}


@pytest.fixture
def study(tmp_path):
    """The folder of a study with the curves of two selectors after all transforms."""
    first, second = curves_of("mid"), curves_of("miq", -0.2)
    write_study(tmp_path, **{key: [*first[key], *second[key]] for key in first})
    return tmp_path


def of_study(folder, sort, entry, **changes):
    return made(folder, sort, entry, **OF_STUDY, **changes)


def test_the_best_of_a_row_is_bold_and_means_and_counts_stand_below(study):
    entry = {"kind": "treatments", "of": "stability", "transforms": ["svd1", "svd2"], **AT_TWO}
    table = of_study(study, "table", entry)
    rows = table.texts({})[1]
    assert rows[0] == ["mid", "wine", "0.400", "**0.700**", "0.500"]
    assert rows[2:] == [
        ["Average", "", "0.300", "0.600", "0.400"],
        ["Average improvement", "", "", "+100.0%", "+33.3%"],
        ["Number of max", "", "0", "2", "0"],
    ]
    assert list(table.frame) == [
        "row",
        *(f"{name} stability" for name in ("original", "svd1", "svd2")),
    ]
    assert table.notes[0].startswith("Stability at 2 selected; accuracies are on the rows")


def test_gains_have_means_over_data_sets_and_selectors(study):
    entry = {
        "kind": "gain_by_size",
        "baseline": "original",
        "transforms": ["svd1"],
        "sizes": [2, 4],
    }
    table = of_study(study, "table", entry)
    frame = table.frame.set_index(["selector", "dataset", "size"])
    assert frame.loc[("mid", "wine", 2), "stability_gain"] == pytest.approx(0.3)
    assert frame.loc[("mean", "mean", 2), "stability"] == pytest.approx(0.6)
    header, rows = table.texts({})
    assert header[3:] == ["k = 2", "k = 4"]
    assert rows[-1] == ["Average", "Average", "svd1", "+0.30 (+0.25)", "–"]


def rows_of_classes(folder):
    X = np.random.default_rng(1).normal(3, 1, (10, 5))
    save(
        Table(X, np.arange(10) % 2, tuple("vwxyz"), ("a", "b")),
        {"title": "Wine"},
        folder / "data/wine.npz",
    )
    return X


def test_singular_values_are_those_of_each_class_with_and_without_its_mean(tmp_path):
    X = rows_of_classes(tmp_path)[::2]
    table = made(tmp_path, "table", {"kind": "singular_values", "largest": 7})
    own = table.frame[table.frame["class"] == "a"]
    for form, rows in (("rows", X), ("centred", X - X.mean(axis=0))):
        values = own[own["rows"] == form]["value"]
        assert values.to_numpy() == pytest.approx(np.linalg.svd(rows, compute_uv=False))
    assert table.texts({})[1][0][-3:-1] == ["–", "–"], "the sixth and the seventh of five"
    (ax,) = made(tmp_path, "figure", {"kind": "singular_values"}).axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


def intervals(ax):
    """The ends of all intervals of a panel, from left to right."""
    ends = [pair for lines in ax.collections for pair in segments(lines) if pair]
    return [(low, high) for (_, low), (_, high) in sorted(ends)]


BY_RANK = {"kind": "by_matrix_rank", "family": "mid", "size": 2}


def test_values_by_rank_and_their_baseline_have_intervals(study):
    figure = of_study(study, "figure", {**BY_RANK, "series": {"Learnt anew": ANEW}})
    of_stability, of_accuracy = figure.axes
    assert intervals(of_stability) == [(0.3, 0.5), (0.6, 0.9), (0.45, 0.6)]
    half = float(resampled_half_width(np.array([0.6, 0.8]), 1.0))
    assert intervals(of_accuracy)[0] == pytest.approx((0.7 - half, 1))
    ticks = [label.get_text() for label in of_accuracy.get_xticklabels()]
    assert ticks == ["none", "1", "2"]
    assert hidden_texts(figure, 100) == []


def test_each_series_of_ranks_is_named_in_the_legend(study):
    series = {"As published": ["original", "svd1_published"], "Learnt anew": ANEW}
    figure = of_study(study, "figure", {**BY_RANK, "series": series})
    assert legend_of(figure) == [*series, "Baseline", "95% interval"]


def test_gains_are_a_mark_for_each_data_set_and_a_line_for_their_mean(study):
    entry = {**GAINS, "families": ["mid"], "labels": {"svd1": "Learnt anew"}}
    figure = of_study(study, "figure", entry)
    assert legend_of(figure) == ["Learnt anew: mean", "Wine"]
    for ax, gain in zip(figure.axes, (0.3, 0.25), strict=True):
        mark, mean = ax.lines[:2]
        assert [mark.get_marker(), mark.get_linestyle()] == ["o", "None"]
        assert [*mark.get_ydata(), *mean.get_ydata()] == pytest.approx([gain, gain])


GAIN = {"kind": "gain", "text": "T", "of": "stability", "expect": {"above": 0.2}, **AT_TWO}


@pytest.mark.parametrize(
    ("changes", "sides"),
    [
        ({}, [FOR, AGAINST]),
        ({"learn": "training"}, [FOR, AGAINST]),
        ({"learn": "training", "remains": 0.8}, [AGAINST]),
        ({"learn": "training", "remains": 0.7}, [FOR]),
        ({"average": True}, [OPEN]),
        ({"average": True, "relative": True, "expect": {"above": 99}}, [AGAINST]),
    ],
)
def test_a_gain_is_claimed_as_published_or_of_what_remains(tmp_path, changes, sides):
    first, second = curves_of("mid"), curves_of("miq")
    for row in second["curves"]:
        row["value"] = 0.5
    write_study(tmp_path, first["curves"] + second["curves"], first["units"] + second["units"])
    gains = {"gains": [["svd1_published", "svd1"]]}
    claim = of_study(tmp_path, "claim", {**GAIN, **gains, **changes})
    assert [case.side for case in claim.cases] == sides
    if "remains" in changes:
        assert "Their mean gain is +0.400 as published, and +0.300 so." in claim.sentence


#: Shares of the relevant features that two data sets have at each share of wrong classes.
SHARES = {"original": (0.5, 0.7), "svd1": (0.9, 1.0)}
MADE = {"features": [8], "sets": 2, "noise": [0, 1], "label_noise": [0.1, 0.3]}
MADE |= {"selectors": ["mid"], "transforms": ["original", "svd1"], "relevant": 0.25}


@pytest.fixture
def precise(tmp_path):
    """The folder of a study of precision, in which more wrong classes cost 0.2."""
    rows = [
        (8, number, noise, wrong, "mid", name, found[number] - (wrong - 0.1))
        for number in (0, 1)
        for noise in (0, 1)
        for wrong in (0.1, 0.3)
        for name, found in SHARES.items()
    ]
    header = ("features", "set", "noise", "label_noise", "selector", "transform", "precision")
    write_study(tmp_path)
    write_with_manifest({tmp_path / "mine/precision/features8.tsv": table_to_bytes(header, rows)})
    return tmp_path


def of_precision(folder, sort, entry):
    return of_study(folder, sort, entry, precision=MADE)


def test_shares_of_relevant_features_have_intervals_that_end_at_1(precise):
    entry = {"kind": "precision", "labels": {"original": "No reduction"}, "numbers": ["5.3"]}
    figure = of_precision(precise, "figure", {**entry, "label_noise": [0.1]})
    assert legend_of(figure) == ["No reduction", "SVD", "Random selection", "95% interval"]
    (ax,) = figure.axes
    assert ax.get_title() == "5.3 MID, 10% wrong"
    half = float(t_half_width(np.array(SHARES["original"])))
    first, second = intervals(ax)[:2]
    assert first == pytest.approx((max(0.6 - half, 0), 1))
    assert second[1] == 1


def test_a_table_of_precision_has_means_over_data_sets_and_chance(precise):
    table = of_precision(precise, "table", {"kind": "precision", "by": "label_noise"})
    keys = ["selector", "transform", "label_noise"]
    rows = table.frame.set_index(keys)[["precision", "chance", "data_sets"]]
    assert list(rows.loc[("mid", "svd1", 0.3)]) == pytest.approx([0.75, 0.25, 2])
    assert table.texts({})[0][2:] == ["η = 10%", "η = 30%"]


def test_precision_may_be_claimed_to_fall_or_compared_with_another_transform_or_chance(precise):
    falls = {"kind": "precision_falls", "text": "T", "transforms": ["svd1"]}
    assert [case.side for case in of_precision(precise, "claim", falls).cases] == [FOR]
    compared = {"kind": "precision", "text": "T", "expect": {"below": 0.2}}
    little = of_precision(precise, "claim", {**compared, "transforms": ["svd1", "original"]})
    assert [round(case.value, 2) for case in little.cases] == [0.35, 0.35]
    chance = of_precision(precise, "claim", {**compared, "transforms": ["svd1"]})
    assert [round(case.value, 2) for case in chance.cases] == [0.7, 0.5]
    assert chance.absence
    assert "found after SVD is at most 0.2 higher than that by chance" in chance.sentence

"""Figures of transforms, parameters and chosen subsets: intervals, baselines, words, colours."""

from types import SimpleNamespace

import numpy as np
import pytest
from test_figures import draw, hidden_texts, write_places, write_stability

from steadfast.accuracy.scores import SCORES
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import Table, save
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.intervals import with_interval
from steadfast.resampling.folds import Fold, write_plan
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width, t_half_width

LOW = {"use": "low_rank"}
TRANSFORMS = {
    "original": {"use": "none", "label": "X"},
    "svd1": {**LOW, "rank": 1, "label": "SVD"},
    "svd2": {**LOW, "rank": 2, "label": "SVD r=2"},
    "svd1_published": {**LOW, "rank": 1, "learn": "all", "label": "SVD"},
}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    panels.pyplot().close("all")


def write_folds(folder, n_rows=10):
    """Two folds that test half of the rows each."""
    rows = np.arange(n_rows)
    halves = {"a": rows[::2], "b": rows[1::2]}
    folds = [
        Fold(name, 1, 1.0, np.setdiff1d(rows, test), test, comparison="all", scored=True)
        for name, test in halves.items()
    ]
    path = folder / "mine/resamples/wine.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_plan(folds, rows % 2, ("a", "b"), path)


def write_treated(folder, values, k=2):
    """Stability, low end, high end and the accuracies of two folds, by transform."""
    write_stability(folder, "mid", [(0.5, 0.4, 0.6)])
    header = ("measure", "compare", "transform", "ratio", "k", "value", "low", "high", "sd")
    rows = [("jaccard", "all_pairs", name, 1.0, k, *each[:3], 0.1) for name, each in values.items()]
    write_with_manifest({folder / "mine/stability/wine/mid.tsv": table_to_bytes(header, rows)})
    header = ("classifier", "transform", "ratio", "k", "fold", "value")
    rows = [
        ("knn", name, 1.0, k, fold, value)
        for name, each in values.items()
        for fold, value in zip("ab", each[3], strict=True)
    ]
    write_with_manifest({folder / "mine/accuracy/wine/mid.tsv": table_to_bytes(header, rows)})


def of_transforms(folder, entry):
    """The figure of a study whose one selector is run after transforms."""
    selectors = {"mid": {"label": "MID", "transforms": list(TRANSFORMS)}}
    changes = {"selectors": selectors, "transforms": TRANSFORMS}
    return draw(folder, entry, discretise={"fit_on": "train"}, **changes)


def legend_of(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def intervals(ax):
    """The ends of all intervals of a panel, from left to right."""
    found = [segment for each in ax.collections for segment in each.get_segments()]
    return sorted((start[0], start[1], end[1]) for start, end in found)


TREATED = {
    "original": (0.4, 0.3, 0.5, (0.6, 0.8)),
    "svd1": (0.7, 0.6, 0.9, (0.9, 1.0)),
    "svd2": (0.5, 0.45, 0.6, (0.7, 0.7)),
    "svd1_published": (0.8, 0.75, 0.95, (0.8, 0.9)),
}
BY_RANK = {"kind": "by_matrix_rank", "family": "mid", "size": 2, "baseline": "original"}


def test_values_by_rank_and_their_baseline_have_intervals(tmp_path):
    write_treated(tmp_path, TREATED)
    write_folds(tmp_path)
    figure = of_transforms(tmp_path, {**BY_RANK, "transforms": ["svd1", "svd2"]})
    stability, accuracy = figure.axes
    assert [ends[1:] for ends in intervals(stability)] == [(0.3, 0.5), (0.6, 0.9), (0.45, 0.6)]
    half = float(resampled_half_width(np.array([0.6, 0.8]), 1.0))
    assert intervals(accuracy)[0][1:] == pytest.approx((0.7 - half, 1))
    ticks = [label.get_text() for label in accuracy.get_xticklabels()]
    assert ticks == ["none", "1", "2"]
    assert hidden_texts(figure, 100) == []


def test_what_was_learnt_from_test_rows_says_so(tmp_path):
    write_treated(tmp_path, TREATED)
    write_folds(tmp_path)
    published = {"published": ["svd1_published"], "published_baseline": "original"}
    entry = {**BY_RANK, "transforms": ["svd1", "svd2"], "treated_label": "SLRMA", **published}
    assert legend_of(of_transforms(tmp_path, entry)) == [
        "SLRMA, as published: learnt from all rows, test rows too",
        "SLRMA, learnt in each training fold",
        "Baseline",
        "95% interval",
    ]


def test_gains_are_a_mark_for_each_data_set_and_a_line_for_their_mean(tmp_path):
    write_treated(tmp_path, TREATED)
    entry = {"kind": "gain_by_size", "baseline": "original", "transforms": ["svd1"], "sizes": [2]}
    figure = of_transforms(tmp_path, {**entry, "labels": {"svd1": "Learnt anew"}})
    assert legend_of(figure) == ["Learnt anew: mean", "Wine"]
    for ax, gain in zip(figure.axes, (0.3, 0.25), strict=True):
        mark, mean = ax.lines[:2]
        assert [mark.get_marker(), mark.get_linestyle()] == ["o", "None"]
        assert [*mark.get_ydata(), *mean.get_ydata()] == pytest.approx([gain, gain])


def test_shares_of_relevant_features_have_intervals_that_end_at_1(tmp_path):
    shares = {"original": (0.5, 0.7), "svd1": (0.9, 1.0)}
    rows = [
        (8, number, noise, 0.1, "mid", transform, found[number])
        for number in (0, 1)
        for noise in (0, 1)
        for transform, found in shares.items()
    ]
    header = ("features", "set", "noise", "label_noise", "selector", "transform", "precision")
    path = tmp_path / "mine/precision/features8.tsv"
    write_with_manifest({path: table_to_bytes(header, rows)})
    transforms = ["original", "svd1"]
    of_study = {"features": [8], "sets": 2, "noise": [0, 1], "label_noise": [0.1]}
    of_study |= {"selectors": ["mid"], "transforms": transforms}
    entry = {"kind": "precision", "families": ["mid"], "transforms": transforms}
    entry |= {"labels": {"original": "No reduction"}, "numbers": ["5.3"]}
    changes = {"transforms": TRANSFORMS, "precision": of_study}
    figure = draw(tmp_path, entry, discretise={"fit_on": "train"}, **changes)
    assert legend_of(figure) == ["No reduction", "SVD", "Random selection", "95% interval"]
    (ax,) = figure.axes
    assert ax.get_title() == "5.3 MID, 10% wrong"
    half = float(t_half_width(np.array(shares["original"])))
    first, second = (ends[1:] for ends in intervals(ax)[:2])
    assert first == pytest.approx((max(0.6 - half, 0), 1))
    assert second[1] == 1


def test_values_of_a_sweep_are_evenly_spaced_after_the_reference(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "steadfast.outputs.figures.sensitivity._iterations", lambda view, selector: 3.0
    )
    values = (0, 0.01, 0.03, 0.1, 1, 10)
    selectors = {f"kappa_{value}": {"use": "mrsmr", "kappa": value} for value in values}
    for selector in (*selectors, "mid"):
        write_places(tmp_path, selector, {10: (0.9, 0.97), 20: (0.8, 0.98)})
    write_folds(tmp_path)
    sweep = {"parameter": "kappa", "label": "κ", "selectors": list(selectors)}
    entry = {"kind": "sensitivity", "dataset": "wine", "marked": [10, 20], "reference": "mid"}
    everything = {**selectors, "mid": {"label": "mRMR"}}
    figure = draw(tmp_path, {**entry, "sweeps": [sweep]}, selectors=everything)
    below = figure.axes[1]
    assert [label.get_text() for label in below.get_xticklabels()] == [
        "mRMR",
        *(f"{value:g}\n3" for value in values),
    ]
    assert below.get_xticks().tolist() == list(range(-1, 6))
    assert legend_of(figure) == ["10 features", "20 features", "mRMR", "95% interval"]
    assert hidden_texts(figure, 100) == []


def write_subsets(folder, selector, subsets, n_features=5):
    """Chosen subsets of features f0, f1, …, a run each."""
    files = {}
    for run, subset in enumerate(subsets):
        order = [*subset, *(f for f in range(n_features) if f not in subset)]
        rows = [(r + 1, f"f{f}", 1, "yes" if f in subset else "no") for r, f in enumerate(order)]
        path = folder / f"mine/selections/wine/{selector}/s{run:03d}.tsv"
        files[path] = table_to_bytes(("rank", "feature", "weight", "selected"), rows)
    write_with_manifest(files, folder / f"mine/selections/wine/{selector}/batch0.sha256")


def test_a_hue_is_one_search_in_all_rows_and_what_is_not_run_says_so(tmp_path):
    table = Table(np.zeros((4, 5)), np.arange(4) % 2, tuple(f"f{f}" for f in range(5)), ("a", "b"))
    save(table, {"title": "Wine"}, tmp_path / "data/wine.npz")
    for selector in ("sfs1", "sffs1", "sfs2"):
        write_subsets(tmp_path, selector, [[0, 1], [0, 1, 2]])
    selectors = {name: {"use": name.rstrip("12")} for name in ("sfs1", "sffs1", "sfs2", "sffs2")}
    rows = {"As published, wrong": ["sfs1", "sffs1"], "Corrected": ["sfs2", "sffs2"]}
    entry = {"kind": "subsets", "dataset": "wine", "rows": rows, "names": ["SFS", "SFFS"]}
    runs = [{"selectors": ["sffs2"], "runs": 0}]
    stability = {"compare": "chosen", "measures": ["cw"]}
    changes = {"selectors": selectors, "runs": runs, "stability": stability}
    figure = draw(tmp_path, entry, accuracy={"classifiers": {}}, **changes)
    sizes, frequencies, *_, below = figure.axes
    assert sizes.get_title(loc="left") == "(a) As published, wrong"
    assert frequencies.get_title(loc="right") == "SFS: 2 runs, SFFS: 2 runs"
    assert below.get_title(loc="right") == "SFS: 2 runs, SFFS: not run"
    drawn = {
        np.sign(bar.get_height()): bar.get_facecolor()
        for bar in frequencies.patches
        if bar.get_height()
    }
    assert len(set(drawn.values())) == 2
    assert {bar.get_facecolor() for bar in below.patches if bar.get_height()} == {drawn[1]}
    heights = [bar.get_height() for bar in frequencies.patches]
    assert heights == [1, 1, 0.5, 0, 0, -1, -1, -0.5, 0, 0]
    assert figure.get_figwidth() == panels.TWO_COLUMNS


@pytest.mark.parametrize(("score", "highest"), [("accuracy", 1.0), ("log_loss", None)])
def test_an_interval_ends_where_the_score_does(score, highest):
    """That of a loss of 1.2 ended at 1, below its own value."""
    units = np.array([[1.0 if highest else 1.1], [0.8 if highest else 1.3]])
    curve = Curve(np.array([1]), units.mean(axis=0), units=units)
    view = SimpleNamespace(score=SCORES[score], test_share=lambda dataset, ratio: 0.25)
    found = with_interval(view, {"dataset": "d", "ratio": 1.0}, curve)
    half = resampled_half_width(units, 0.25)
    assert found.low == pytest.approx(curve.values - half)
    assert found.high == pytest.approx([highest] if highest else curve.values + half)

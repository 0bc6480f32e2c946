"""Figures: what is drawn is what the files say, and no text hides another."""

import json
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from matplotlib.text import Annotation, Text

from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.difference_curves import difference_curve
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.view import View
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width, t_half_width
from steadfast.study.context import output_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import study_schema

SCHEMA = study_schema(Path(__file__).parents[2] / "workflow/schemas")
STUDY = {
    "title": "For tests",
    "datasets": ["wine"],
    "resample": {"scheme": "subsample", "repeats": 3},
    "selectors": {"mid": {"label": "MID"}, "miq": {"label": "MIQ"}},
    "stability": {"compare": "all_pairs", "measures": ["jaccard"]},
    "accuracy": {"classifiers": {"knn": {"label": "3-NN"}}},
}
#: Value, low and high by size; the interval of the second ends at the bound of the measure.
INTERVALS = [(0.5, 0.4, 0.6), (0.95, 0.7, 1.0), (0.2, 0.0, 0.35)]

#: Stability and accuracy at 2, 5, 20 and 100 features, as measured in the study ji2015.
JI = {
    "mrsmr": [(0.766, 0.748), (0.928, 0.933), (0.925, 0.979), (0.889, 0.983)],
    "mid": [(0.721, 0.734), (1.0, 0.942), (0.913, 0.978), (0.906, 0.983)],
    "relieff": [(0.677, 0.391), (0.794, 0.66), (0.889, 0.85), (0.909, 0.969)],
    "ensemble_mid": [(0.766, 0.748), (0.96, 0.939), (0.914, 0.979), (0.906, 0.983)],
    "random": [(0.008, 0.329), (0.006, 0.573), (0.0, 0.899), (-0.01, 0.973)],
}
MARKED = (2, 5, 20, 100)


def write_stability(folder, selector, intervals, sizes=None):
    """The file as the stage before writes it: value, low and high at sizes from 1 on, or these."""
    about = {"title": "Wine", "features": 5, "rows": 10, "classes": {"a": 5, "b": 5}}
    write_with_manifest({folder / "data/wine.json": json.dumps(about).encode()})
    header = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd")
    places = sizes or range(1, len(intervals) + 1)
    both = zip(places, intervals, strict=True)
    rows = [("jaccard", "all_pairs", 1.0, k, *ends, 0.1) for k, ends in both]
    path = folder / f"mine/stability/wine/{selector}.tsv"
    write_with_manifest({path: table_to_bytes(header, rows)})


def write_places(folder, selector, places):
    """Files of stability and accuracy: size to the value of both."""
    write_stability(folder, selector, [(first,) * 3 for first, _ in places.values()], [*places])
    rows = [("knn", 1.0, k, fold, value) for k, (_, value) in places.items() for fold in "ab"]
    path = folder / f"mine/accuracy/wine/{selector}.tsv"
    header = ("classifier", "ratio", "k", "fold", "value")
    write_with_manifest({path: table_to_bytes(header, rows)})


def draw(folder, entry, **changes):
    """The only figure of a study."""
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **changes, "figures": {"f": {"title": "F", **entry}}}))
    study = load_study(path, SCHEMA, ["wine"])
    entry = study.figures["f"]
    kind = kind_of("figure", entry)
    context = output_context(study, kind, entry, published={}, folds_per_job=50, seed=1)
    with panels.style():
        return kind.build(View(context, str(folder)))


def outside_the_panel(ax):
    """Labels of ticks that are not drawn, because the axis ends before them."""
    for axis in (ax.xaxis, ax.yaxis):
        low, high = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not low <= tick.get_loc() <= high:
                yield tick.label1


def hidden_texts(figure, dpi):
    """Texts that are cut off, too small to print, or lie on another one, at a resolution."""
    with panels.style():
        figure.set_dpi(dpi)
        figure.draw_without_rendering()
    renderer, page = figure.canvas.get_renderer(), figure.bbox
    undrawn = {label for ax in figure.axes for label in outside_the_panel(ax)}
    # Of an annotation, the text alone: a line to its point may pass another point.
    found = {
        text: Text.get_window_extent(text, renderer)
        for text in figure.findobj(Text)
        if text.get_text().strip() and text.get_visible() and text not in undrawn
    }
    off = [
        text.get_text()
        for text, box in found.items()
        if box.x0 < -1 or box.y0 < -1 or box.x1 > page.x1 + 1 or box.y1 > page.y1 + 1
    ]
    small = [text.get_text() for text in found if text.get_fontsize() < 9]
    on_another = [
        (one.get_text(), other.get_text())
        for (one, a), (other, b) in combinations(found.items(), 2)
        if a.overlaps(b)
    ]
    return off + small + on_another


# Bands


def test_a_band_is_the_interval_of_the_file_whatever_its_middle(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    panel = {"of": "stability", "dataset": "wine"}
    entry = {"kind": "curves", "panels": [panel], "selectors": ["mid"], "bands": True}
    (ax,) = draw(tmp_path, entry).axes
    (band,) = ax.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert corners == {(k, end) for k, (_, *both) in enumerate(INTERVALS, 1) for end in both}
    assert ax.lines[0].get_ydata() == pytest.approx(np.array(INTERVALS)[:, 0])


# Differences


def curves_of(units):
    """What a view has of the accuracies of selectors: one row per fold."""
    sizes = np.arange(1, 4)
    found = {name: Curve(sizes, rows.mean(axis=0), units=rows) for name, rows in units.items()}
    return SimpleNamespace(read=lambda query, name: found[name])


def test_a_difference_of_accuracies_has_the_interval_of_folds_that_share_rows():
    draw = np.random.default_rng(1)
    units = {name: draw.random((5, 3)) for name in ("mid", "miq")}
    view = SimpleNamespace(curves=curves_of(units), test_share=lambda dataset, ratio: 0.25)
    found = difference_curve(
        view, {"of": "accuracy", "dataset": "wine", "ratio": 1.0}, "mid", "miq"
    )
    apart = units["mid"] - units["miq"]
    half = resampled_half_width(apart, 0.25)
    assert found.values == pytest.approx(apart.mean(axis=0))
    assert found.high - found.values == pytest.approx(half)
    assert found.values - found.low == pytest.approx(half)


def jaccard(one, other, k):
    one, other = set(one[:k]), set(other[:k])
    return len(one & other) / len(one | other)


def test_a_difference_of_stabilities_pairs_the_folds_that_both_have():
    """Jackknife by hand, n·v − (n − 1)·v without the fold; the fourth fold of miq has no run."""
    draw = np.random.default_rng(2)
    names = [f"s{at}" for at in range(5)]
    ranked = {name: {s: draw.permutation(6) for s in names} for name in ("mid", "miq")}
    weights = np.linspace(1, 0.1, 6)
    folds = [Fold(s, 1, 1.0, np.arange(4), np.arange(4, 6), comparison="all") for s in names]

    def selections(dataset, selector, shuffle_ties):
        found = {s: Selection(order, weights, None) for s, order in ranked[selector].items()}
        if selector == "miq":
            found["s3"] = Selection(np.empty(0, dtype=int), np.empty(0), 0, "took too long")
        return found

    def stability(selector, kept, k):
        runs = [ranked[selector][s] for s in kept]
        return np.mean([jaccard(a, b, k) for a, b in combinations(runs, 2)])

    def units(selector, kept, k):
        n, whole = len(kept), stability(selector, kept, k)
        found = [
            n * whole - (n - 1) * stability(selector, [s for s in kept if s != left], k)
            for left in kept
        ]
        return dict(zip(kept, found, strict=True))

    sizes = np.arange(1, 6)
    whole = {"mid": names, "miq": [s for s in names if s != "s3"]}
    curves = {
        name: Curve(sizes, np.array([stability(name, kept, k) for k in sizes]))
        for name, kept in whole.items()
    }
    view = SimpleNamespace(
        curves=SimpleNamespace(read=lambda query, name: curves[name]),
        selections=selections,
        folds=lambda dataset: folds,
        features=lambda dataset: list("abcdef"),
        context={"seed": 1},
    )
    query = {"of": "stability", "measure": "jaccard", "compare": "all_pairs"}
    found = difference_curve(view, {**query, "dataset": "wine", "ratio": 1.0}, "mid", "miq")
    assert found.values == pytest.approx(curves["mid"].values - curves["miq"].values)
    for at, k in enumerate(sizes):
        first, second = (units(name, whole[name], k) for name in ("mid", "miq"))
        apart = np.array([first[s] - second[s] for s in whole["miq"]])
        assert found.high[at] - found.values[at] == pytest.approx(t_half_width(apart))


# Labels


def test_no_label_of_a_plane_lies_on_another(tmp_path):
    """The points of ji2015, three of whose methods nearly coincide."""
    for selector, points in JI.items():
        write_places(tmp_path, selector, dict(zip(MARKED, points, strict=True)))
    zoom = {"stability": [0.75, 1.01], "accuracy": [0.925, 0.99]}
    entry = {"kind": "plane", "marked": list(MARKED), "zoom": zoom}
    figure = draw(tmp_path, entry, selectors={name: {"use": "mid"} for name in JI})
    written = [text for text in figure.findobj(Annotation) if text.get_text()]
    assert len(written) == len(JI) * len(MARKED)
    assert figure.get_figwidth() <= panels.TWO_COLUMNS
    # As it is written: SVG has 72 dots per inch, PNG 200.
    assert [hidden_texts(figure, dpi) for dpi in (72, 200)] == [[], []]


def test_labels_of_many_selectors_are_placed_apart():
    """Forty-eight labels, of twelve selectors at four sizes that each have a spot."""
    draw = np.random.default_rng(3)
    spots = np.repeat([[0.1, 0.2], [0.4, 0.5], [0.7, 0.7], [0.95, 0.95]], 12, axis=0)
    places = np.clip(spots + draw.normal(0, 0.01, spots.shape), 0, 1)
    with panels.style():
        figure, (ax,) = panels.curve_grid(1, "Crowded")
        ax.plot(*places.T, "o")
        place_labels(ax, [PointLabel(*place, "100", "black") for place in places])
        figure.draw_without_rendering()
    boxes = [
        Text.get_window_extent(text)
        for text in figure.findobj(Annotation)
        if text.get_text() == "100"
    ]
    assert len(boxes) == 48
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_values_of_a_sweep_that_lie_close_have_room(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "steadfast.outputs.figures.sensitivity._iterations", lambda view, selector: 3.0
    )
    values = (0, 0.01, 0.03, 0.1, 1, 10)
    selectors = {f"kappa_{value}": {"use": "mrsmr", "kappa": value} for value in values}
    for selector in (*selectors, "mid"):
        write_places(tmp_path, selector, {10: (0.9, 0.97), 20: (0.8, 0.98)})
    sweep = {"parameter": "kappa", "label": "κ", "selectors": list(selectors)}
    entry = {"kind": "sensitivity", "dataset": "wine", "marked": [10, 20], "reference": "mid"}
    everything = {**selectors, "mid": {}}
    figure = draw(tmp_path, {**entry, "sweeps": [sweep]}, selectors=everything)
    shown = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert shown == ["0", "0.01", "0.03", "0.1", "1", "10"]
    for ax in figure.axes:
        low, high = ax.get_xlim()
        assert low < 0 < 10 < high
    assert hidden_texts(figure, 100) == []


def test_a_long_title_is_broken_and_its_subscripts_stand_lower():
    with panels.style():
        figure, _ = panels.curve_grid(1, "Stability S_S of the first N features, " * 3)
        plain, _ = panels.curve_grid(1, "Short")
    title = figure.get_suptitle()
    assert "\n" in title
    assert r"S$_{\mathrm{S}}$" in title
    assert figure.get_figheight() > plain.get_figheight()


def test_only_measures_and_mid_have_subscripts_in_titles():
    with panels.style():
        figure, _ = panels.curve_grid(1, "MID_α by S_X, see table3_2, x_1")
    lower = r"MID$_{\mathrm{α}}$ by S$_{\mathrm{X}}$, see table3_2, x_1"
    assert figure.get_suptitle().replace("\n", " ") == lower

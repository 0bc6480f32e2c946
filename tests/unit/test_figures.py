"""Figures: what is drawn is what the files say, and no text hides another."""

import json
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from matplotlib.text import Annotation, Text

from steadfast import __version__
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.difference_curves import difference_curve
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.view import View
from steadfast.resampling.folds import Fold, write_plan
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width, t_half_width
from steadfast.study.context import output_context
from steadfast.study.load import kind_of, load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
STUDIES = sorted((ROOT / "config/studies").glob("*.yaml"))
DATASETS = {*yaml.safe_load((ROOT / "config/datasets.yaml").read_text())}
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


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


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
    folds = [Fold(name, 1, 1.0, np.arange(4), np.arange(4, 6), comparison="all") for name in "ab"]
    write_plan(folds, np.array([0, 1] * 3), ("a", "b"), folder / "mine/resamples/wine.npz")


def view_of(folder, entry, **changes):
    """What the only figure of a study sees."""
    path = folder / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **changes, "figures": {"f": {"title": "F", **entry}}}))
    study = load_study(path, SCHEMA, ["wine"])
    entry = study.figures["f"]
    kind = kind_of("figure", entry)
    context = output_context(study, kind, entry, published={}, folds_per_job=50, seed=1)
    return kind, View(context, str(folder))


def draw(folder, entry, **changes):
    """The only figure of a study."""
    kind, view = view_of(folder, entry, **changes)
    with panels.style():
        return kind.build(view)


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
    entry = {"kind": "curves", "panels": [panel], "selectors": ["mid"]}
    (ax,) = draw(tmp_path, entry).axes
    band, of_legend = ax.collections
    assert of_legend.get_label() == "95% interval"
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert corners == {(k, end) for k, (_, *both) in enumerate(INTERVALS, 1) for end in both}
    assert ax.lines[0].get_ydata() == pytest.approx(np.array(INTERVALS)[:, 0])


def test_more_than_two_curves_have_bars_at_their_marks_in_the_place_of_bands(tmp_path):
    for selector in JI:
        write_stability(tmp_path, selector, INTERVALS)
    entry = {"kind": "curves", "panels": [{"of": "stability", "dataset": "wine"}]}
    selectors = {name: {"use": "mid"} for name in JI}
    (ax,) = draw(tmp_path, entry, selectors=selectors).axes
    bars = [segment.tolist() for each in ax.collections for segment in each.get_segments()]
    assert bars
    assert {(k, *ends) for (k, *_), *_ in bars for ends in [INTERVALS[int(k) - 1][1:]]} == {
        (k, low, high) for (k, low), (_, high) in bars
    }


def test_accuracy_has_the_interval_of_folds_that_share_rows(tmp_path):
    write_places(tmp_path, "mid", {1: (0.5, 0.6), 2: (0.5, 0.7)})
    panel = {"of": "accuracy", "dataset": "wine"}
    for shown in (True, False):
        entry = {"kind": "curves", "panels": [panel], "selectors": ["mid"], "bands": shown}
        (ax,) = draw(tmp_path, entry).axes
        assert len(ax.collections) == 1 + shown  # one is the legend's


# Values beyond the panel


def test_a_value_beyond_the_range_of_a_panel_is_marked_and_written(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    panel = {"of": "stability", "dataset": "wine", "range": [0.4, 0.9]}
    figure = draw(tmp_path, {"kind": "curves", "panels": [panel], "selectors": ["mid"]})
    (ax,) = figure.axes
    arrows = {tuple(line.get_xydata()[0]) for line in ax.lines if line.get_marker() in (6, 7)}
    assert arrows == {(2, 0.9), (3, 0.4)}
    assert {text.get_text() for text in figure.findobj(Annotation)} - {""} == {"0.95", "0.20"}
    assert hidden_texts(figure, 100) == []


# Looks of selectors


def looks(folder, selectors):
    """Colour, mark and line of the selectors of a study."""
    entry = {"kind": "curves", "panels": [{"of": "stability", "dataset": "wine"}]}
    _, view = view_of(folder, entry, selectors=selectors)
    return {
        name: {**panels.line(view, name), **panels.marks(view, name)} for name in view.selectors
    }


def test_a_method_has_one_look_in_all_studies(tmp_path):
    one = looks(tmp_path, {"relieff": {}, "mid": {}, "fast": {"use": "sklearn.svm.LinearSVC"}})
    other = looks(tmp_path, {"fast": {"use": "sklearn.svm.LinearSVC"}, "x": {"use": "relieff"}})
    assert one["relieff"] == other["x"]
    assert one["fast"] == other["fast"]
    assert one["relieff"]["color"] != one["mid"]["color"]


def test_settings_of_one_method_differ_in_colour_mark_and_line(tmp_path):
    alphas = {f"a{at}": {"use": "mid_alpha", "alpha": at / 4} for at in range(5)}
    found = [*looks(tmp_path, alphas).values()]
    for part in ("color", "marker", "linestyle"):
        assert len({str(look[part]) for look in found}) == 5


@pytest.mark.parametrize("name", [path.stem for path in STUDIES])
def test_the_selectors_of_a_study_look_different(name):
    study = load_study(ROOT / f"config/studies/{name}.yaml", SCHEMA, DATASETS, name=name)
    for entry in study.figures.values():
        kind = kind_of("figure", entry)
        context = output_context(study, kind, entry, published={}, folds_per_job=50, seed=1)
        view = SimpleNamespace(context=context)
        shown = [panels.line(view, one) | panels.marks(view, one) for one in context["selectors"]]
        assert len({str(look) for look in shown}) == len(shown), entry["title"]


def test_a_file_says_what_it_shows_and_what_drew_it():
    def drawn(ending):
        with panels.style():
            figure, _ = panels.curve_grid(1, "Short")
        return panels.to_bytes(figure, ending, "Figure 4")

    for ending, found in (("png", b"Title\x00Figure 4"), ("svg", b"<dc:title>Figure 4</dc:title>")):
        assert found in drawn(ending)
        assert f"steadfast {__version__}".encode() in drawn(ending)
        assert drawn(ending) == drawn(ending)


def test_the_legend_is_in_the_free_place_of_a_grid():
    with panels.style():
        figure, axes = panels.panel_grid(5, "Five")
        axes[0].plot([0, 1], label="a line")
        panels.share_legend(figure, axes[0])
    assert not figure.legends
    assert figure.axes[5].get_legend().get_texts()[0].get_text() == "a line"


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

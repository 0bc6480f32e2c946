"""Figures: what is drawn is what the files say, and no text hides another."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from figure_cases import (
    ROOT,
    SCHEMA,
    accuracy,
    chance,
    draw,
    hidden_texts,
    legend_of,
    results_of,
    segments,
    stability,
    write_study,
)
from matplotlib.text import Annotation, Text

from steadfast import __version__
from steadfast.accuracy.scores import SCORES
from steadfast.outputs.curves import Curves
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.curves import Panel, difference_curve
from steadfast.outputs.figures.labels import PointLabel, place_labels
from steadfast.outputs.results import Measure, Results, Score
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.curve import Curve
from steadfast.statistics.intervals import resampled_half_width, t_half_width
from steadfast.study.context import study_context
from steadfast.study.load import kind_of, load_study

STUDIES = sorted((ROOT / "config/studies").glob("*.yaml"))
DATASETS = {*yaml.safe_load((ROOT / "config/datasets.yaml").read_text())}
PANEL = {"of": "stability", "dataset": "wine"}
CURVES = {"kind": "curves", "panels": [PANEL], "selectors": ["mid"]}

#: Value, low and high by size; the interval of the second ends at the bound of the measure.
INTERVALS = [(0.5, 0.4, 0.6), (0.95, 0.7, 1.0), (0.2, 0.0, 0.35)]
ROWS = stability("mid", INTERVALS)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


# Curves


def test_a_band_is_the_interval_of_the_file_whatever_its_middle(tmp_path):
    (ax,) = draw(tmp_path, CURVES, ROWS).axes
    band, of_legend = ax.collections
    assert of_legend.get_label() == "95% interval"
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert corners == {(k, end) for k, (_, *both) in enumerate(INTERVALS, 1) for end in both}
    assert ax.lines[0].get_ydata() == pytest.approx(np.array(INTERVALS)[:, 0])


def test_more_than_two_curves_have_bars_at_their_marks_in_the_place_of_bands(tmp_path):
    rows = [row for name in "abc" for row in stability(name, INTERVALS)]
    entry = {"kind": "curves", "panels": [PANEL]}
    selectors = {name: {"use": "mid"} for name in "abc"}
    (ax,) = draw(tmp_path, entry, rows, selectors=selectors).axes
    bars = [bar for lines in ax.collections for bar in segments(lines)]
    ends = {(k, low, high) for k, (_, low, high) in enumerate(INTERVALS, 1)}
    assert {(k, low, high) for (k, low), (_, high) in bars} == ends


@pytest.mark.parametrize(("score", "highest"), [("accuracy", 1.0), ("log_loss", np.inf)])
def test_the_interval_of_accuracy_is_that_of_folds_that_share_rows(tmp_path, score, highest):
    """It ends where the score does: that of a loss of 1.2 ended at 1, below its own value."""
    units = np.array([1.0, 0.8]) if score == "accuracy" else np.array([1.1, 1.3])
    write_study(tmp_path, ROWS, accuracy("mid", {1: units}, quantity=score))
    _, results = results_of(tmp_path, "figure", CURVES)
    curves = Curves(results.context, str(tmp_path))
    of_knn = Score("knn", "3-NN", SCORES[score])
    mean, low, high = curves.interval(of_knn, "wine", 1.0, "mid", 1)
    half = resampled_half_width(units, 1.0)  # each fold tests the half that it does not train on
    assert (mean, low, high) == pytest.approx(
        (units.mean(), units.mean() - half, min(units.mean() + half, highest))
    )


def test_a_value_beyond_the_range_of_a_panel_is_marked_and_written(tmp_path):
    figure = draw(tmp_path, {**CURVES, "panels": [{**PANEL, "range": [0.4, 0.9]}]}, ROWS)
    (ax,) = figure.axes
    arrows = {tuple(line.get_xydata()[0]) for line in ax.lines if line.get_marker() in (6, 7)}
    assert arrows == {(2, 0.9), (3, 0.4)}
    assert {text.get_text() for text in figure.findobj(Annotation)} - {""} == {"0.95", "0.20"}
    assert hidden_texts(figure, 100) == []


def test_a_peak_is_a_ring_with_its_size(tmp_path):
    rows = stability("mid", [(value,) * 3 for value in (0.2, 0.9, 0.2, 0.3, 0.2)])
    (ax,) = draw(tmp_path, {**CURVES, "peaks": True}, rows).axes
    rings = [line for line in ax.lines if line.get_markerfacecolor() == "white"]
    places = [(ring.get_xdata()[0], ring.get_ydata()[0]) for ring in rings]
    assert (2, 0.9) in places
    assert [text.get_text() for text in ax.texts] == [f"{x}" for x, _ in places]


def test_chance_and_a_knot_are_those_of_the_study(tmp_path):
    values = [0.9, 0.9, 0.95, 0.9, 0.5]
    rows = stability("mid", [(value,) * 3 for value in values]) + chance([0.1, 0.2, 0.2, 0.2, 0.2])
    entry = {**CURVES, "chance": True, "knots": True, "smallest": 1}
    figure = draw(tmp_path, entry, rows)
    assert legend_of(figure) == ["MID", "Random selection", "95% interval"]
    assert figure.axes[0].lines[1].get_ydata() == pytest.approx([0.1, 0.2, 0.2, 0.2, 0.2])
    assert [text.get_text() for text in figure.axes[0].texts] == ["3"]


def test_many_panels_stand_three_in_a_row_and_name_their_axes_once(tmp_path):
    figure = draw(tmp_path, {**CURVES, "panels": [PANEL] * 8}, ROWS)
    *axes, _ = figure.axes  # the legend is in the free place
    named = [(bool(ax.get_xlabel()), bool(ax.get_ylabel())) for ax in axes]
    assert [y for _, y in named] == [True, False, False] * 2 + [True, False]
    assert [x for x, _ in named] == [False] * 5 + [True] * 3
    width, height = figure.get_size_inches()
    assert width == panels.TWO_COLUMNS
    assert height < 7


def test_a_title_says_what_differs_between_panels(tmp_path):
    write_study(tmp_path, ROWS, accuracy("mid", {1: (0.5, 0.6)}))
    both = [{"of": "stability"}, {"of": "accuracy"}]
    figure = draw(
        tmp_path,
        {**CURVES, "dataset": "wine", "panels": both},
        ROWS,
        accuracy("mid", {1: (0.5, 0.6)}),
    )
    assert [ax.get_title() for ax in figure.axes] == ["(a) Stability", "(b) Accuracy"]
    named = [{**panel, "dataset": "wine"} for panel in both]
    figure = draw(tmp_path, {**CURVES, "panels": named}, ROWS, accuracy("mid", {1: (0.5, 0.6)}))
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["(a) Wine: stability", "(b) Wine: accuracy"]


# Differences


class Source(SimpleNamespace):
    """What a difference reads of a study."""

    def read(self, what, dataset, ratio, selector):
        return self.curves[selector]


def test_a_difference_of_accuracies_has_the_interval_of_folds_that_share_rows():
    generator = np.random.default_rng(1)
    units = {name: generator.random((5, 3)) for name in ("mid", "miq")}
    curves = {
        name: Curve(np.arange(1, 4), rows.mean(axis=0), units=rows) for name, rows in units.items()
    }
    source = Source(curves=curves, test_share=lambda dataset, ratio: 0.25)
    of_knn = Score("knn", "3-NN", SCORES["accuracy"])
    apart = difference_curve(source, Panel(of_knn, "wine", 1.0, "miq", None), "mid")
    each = units["mid"] - units["miq"]
    half = resampled_half_width(each, 0.25)
    assert apart.values == pytest.approx(each.mean(axis=0))
    assert apart.high - apart.values == pytest.approx(half)
    assert apart.values - apart.low == pytest.approx(half)


def mean_jaccard(runs, k):
    pairs = [(set(a[:k]), set(b[:k])) for a, b in combinations(runs, 2)]
    return np.mean([len(a & b) / len(a | b) for a, b in pairs])


def test_a_difference_of_stabilities_pairs_the_folds_that_both_have():
    """Jackknife by hand, n·v − (n − 1)·v without the fold; the fourth fold of miq has no run."""
    generator = np.random.default_rng(2)
    folds = [f"s{at}" for at in range(5)]
    runs = {name: {fold: generator.permutation(6) for fold in folds} for name in ("mid", "miq")}
    del runs["miq"]["s3"]
    missing = Selection(np.empty(0, dtype=int), np.empty(0), 0, "took too long")

    def selections(dataset, selector, ties):
        chosen = {
            s: Selection(order, np.linspace(1, 0.1, 6), None) for s, order in runs[selector].items()
        }
        return dict.fromkeys(folds, missing) | chosen

    def parts(selector, k):
        kept = runs[selector]
        n, whole = len(kept), mean_jaccard(kept.values(), k)
        without = {s: mean_jaccard([kept[t] for t in kept if t != s], k) for s in kept}
        return {s: n * whole - (n - 1) * value for s, value in without.items()}

    sizes = np.arange(1, 6)
    curves = {
        name: Curve(sizes, np.array([mean_jaccard(kept.values(), k) for k in sizes]))
        for name, kept in runs.items()
    }
    source = Source(
        curves=curves,
        selections=selections,
        folds=lambda dataset: [
            Fold(s, 1, 1.0, np.arange(4), np.arange(4, 6), comparison="all") for s in folds
        ],
        features=lambda dataset: list("abcdef"),
        ties="column",
        seed=1,
    )
    jaccard = Measure("jaccard", "all_pairs", "Jaccard", False)
    apart = difference_curve(source, Panel(jaccard, "wine", 1.0, "miq", None), "mid")
    assert apart.values == pytest.approx(curves["mid"].values - curves["miq"].values)
    for at, k in enumerate(sizes):
        first, second = parts("mid", k), parts("miq", k)
        each = np.array([first[s] - second[s] for s in second])
        assert apart.high[at] - apart.values[at] == pytest.approx(t_half_width(each))


# Looks of selectors


def looks(folder, selectors):
    """Those of the selectors of a study."""
    entry = {"kind": "curves", "panels": [PANEL]}
    _, results = results_of(folder, "figure", entry, selectors=selectors)
    return {name: panels.look(results, name) for name in selectors}


def test_a_method_has_one_look_in_all_studies(tmp_path):
    first = looks(tmp_path, {"relieff": {}, "mid": {}, "fast": {"use": "sklearn.svm.LinearSVC"}})
    other = looks(tmp_path, {"fast": {"use": "sklearn.svm.LinearSVC"}, "x": {"use": "relieff"}})
    assert first["relieff"] == other["x"]
    assert first["fast"] == other["fast"]
    assert first["relieff"]["color"] != first["mid"]["color"]


def test_settings_of_one_method_differ_in_colour_mark_and_line(tmp_path):
    alphas = {f"a{at}": {"use": "mid_alpha", "alpha": at / 4} for at in range(5)}
    drawn = [*looks(tmp_path, alphas).values()]
    for part in ("color", "marker", "linestyle"):
        assert len({str(one[part]) for one in drawn}) == 5


@pytest.mark.parametrize("name", [path.stem for path in STUDIES])
def test_the_selectors_of_a_figure_look_different(name):
    study = load_study(ROOT / f"config/studies/{name}.yaml", SCHEMA, DATASETS, name=name)
    results = Results(study_context(study, seed=1), "results")
    for entry in study.figures.values():
        argument = kind_of("figure", entry).arguments.get("selectors")
        names = argument.value(results, entry, "selectors") if argument else []
        looks = {str(panels.look(results, each)) for each in names}
        assert len(looks) == len(names), entry["title"]


# Labels, titles, legends and files


def test_labels_of_many_selectors_are_placed_apart():
    """Forty-eight labels, of twelve selectors at four sizes that each have a spot."""
    generator = np.random.default_rng(3)
    spots = np.repeat([[0.1, 0.2], [0.4, 0.5], [0.7, 0.7], [0.95, 0.95]], 12, axis=0)
    places = np.clip(spots + generator.normal(0, 0.01, spots.shape), 0, 1)
    with panels.style():
        figure, (ax,) = panels.grid(1, "Crowded", 3.1, width=panels.ONE_COLUMN)
        ax.plot(*places.T, "o")
        place_labels(ax, [PointLabel(*place, "100", "black") for place in places])
        figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in figure.findobj(Annotation) if text.get_text()]
    assert len(boxes) == 48
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_a_file_says_what_it_shows_and_what_drew_it():
    def drawn(ending):
        with panels.style():
            figure, _ = panels.grid(1, "Short", 3)
        return panels.to_bytes(figure, ending, "Figure 4")

    for ending, title in (("png", b"Title\x00Figure 4"), ("svg", b"<dc:title>Figure 4</dc:title>")):
        assert title in drawn(ending)
        assert f"steadfast {__version__}".encode() in drawn(ending)
        assert drawn(ending) == drawn(ending)


def test_the_legend_is_in_the_free_place_of_a_grid():
    with panels.style():
        figure, axes = panels.grid(5, "Five", 2.8)
        axes[0].plot([0, 1], label="a line")
        panels.share_legend(figure, axes[0])
    assert not figure.legends
    assert figure.axes[5].get_legend().get_texts()[0].get_text() == "a line"


def test_a_long_title_is_broken_and_its_subscripts_stand_lower():
    with panels.style():
        figure, _ = panels.grid(1, "Stability S_S of the first N features, " * 6, 3)
        plain, _ = panels.grid(1, "MID_α by S_X, see table3_2, x_1", 3)
    assert "\n" in figure.get_suptitle()
    assert r"S$_{\mathrm{S}}$" in figure.get_suptitle()
    assert figure.get_figheight() > plain.get_figheight()
    lower = r"MID$_{\mathrm{α}}$ by S$_{\mathrm{X}}$, see table3_2, x_1"
    assert plain.get_suptitle().replace("\n", " ") == lower

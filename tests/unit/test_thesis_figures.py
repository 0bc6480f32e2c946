"""Figures of the dissertation: sizes, intervals, words of legends, panels that fit a page."""

from types import SimpleNamespace

import numpy as np
import pytest
from test_figures import INTERVALS, draw, write_stability

from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.outputs.figures import panels
from steadfast.outputs.figures.disjoint import Disjoint
from steadfast.outputs.figures.picture import Picture
from steadfast.outputs.figures.without_fold import WithoutFold
from steadfast.outputs.published import Pair, to_csv
from steadfast.resampling.schemes.cross_validation import DISJOINT
from steadfast.selectors.running.fold_file import Selection

TERMS = ("relevance", "redundancy", "score")
PANEL = {"of": "stability", "dataset": "wine"}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


def write_chance(folder, level):
    rows = [("jaccard", "all_pairs", k, level) for k in range(1, 6)]
    table = table_to_bytes(("measure", "compare", "k", "value"), rows)
    write_with_manifest({folder / "mine/chance/wine.tsv": table})


def segments(collection):
    return [tuple(map(tuple, segment)) for segment in collection.get_segments()]


def legend_of(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def test_selectors_of_a_data_set_lie_below_each_other_with_the_interval_of_the_file(tmp_path):
    for selector in ("mid", "miq"):
        write_stability(tmp_path, selector, INTERVALS)
    write_chance(tmp_path, 0.25)
    entry = {"kind": "dataset_groups", "size": 2, "dataset_groups": {"Few features": ["wine"]}}
    figure = draw(tmp_path, entry)
    (ax,) = figure.axes
    value, low, high = INTERVALS[1]
    drawn = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines[:2]]
    assert [x for x, _ in drawn] == [value, value]
    assert drawn[0][1] < 0 < drawn[1][1]
    reach = [segments(each)[0] for each in ax.collections[:2]]
    assert [(start[0], end[0]) for start, end in reach] == [(low, high)] * 2
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Wine\n10 × 5, k = 2"]
    assert legend_of(figure) == [
        *("MID", "MIQ", "95% interval", "mean of the selectors", "random selection")
    ]


@pytest.mark.parametrize(("smallest", "k"), [(1, 1), (3, 3), (9, 5)])
def test_a_share_of_few_features_is_at_least_the_smallest_size(tmp_path, smallest, k):
    intervals = [(k / 10, k / 10 - 0.05, k / 10 + 0.02) for k in range(1, 6)]
    write_stability(tmp_path, "mid", intervals)
    entry = {"kind": "perturbation", "size": 0.01, "smallest": smallest, "selectors": ["mid"]}
    resample = {"scheme": "perturbed", "perturbations": [1]}
    (ax,) = draw(tmp_path, entry, resample=resample).axes
    assert ax.get_title() == f"(a) Wine, k = {k}"
    assert ax.lines[0].get_ydata() == pytest.approx([k / 10])
    (interval,) = segments(ax.collections[0])
    assert [end for _, end in interval] == pytest.approx([k / 10 - 0.05, k / 10 + 0.02])


def test_many_panels_stand_three_in_a_row_and_name_their_axes_once(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    entry = {"kind": "curves", "panels": [PANEL] * 8, "selectors": ["mid"]}
    figure = draw(tmp_path, entry)
    *axes, _ = figure.axes  # the legend is in the free place
    named = [(bool(ax.get_xlabel()), bool(ax.get_ylabel())) for ax in axes]
    assert [y for _, y in named] == [True, False, False] * 2 + [True, False]
    assert [x for x, _ in named] == [False] * 5 + [True] * 3
    width, height = figure.get_size_inches()
    assert width == panels.TWO_COLUMNS
    assert height < 7


def test_a_peak_is_a_ring_with_its_size(tmp_path):
    values = [0.2, 0.9, 0.2, 0.3, 0.2]
    write_stability(tmp_path, "mid", [(value, value, value) for value in values])
    entry = {"kind": "curves", "panels": [PANEL], "selectors": ["mid"], "peaks": True}
    (ax,) = draw(tmp_path, entry).axes
    rings = [line for line in ax.lines if line.get_markerfacecolor() == "white"]
    places = [(ring.get_xdata()[0], ring.get_ydata()[0]) for ring in rings]
    assert (2, 0.9) in places
    assert [text.get_text() for text in ax.texts] == [f"{x}" for x, _ in places]


def test_cells_of_a_surface_print_their_numbers(tmp_path):
    rows = [(n, m, n / 100 + m / 1e5) for n in (20, 40) for m in (300, 600)]
    path = tmp_path / "mine/surface/wine/mid.tsv"
    write_with_manifest({path: table_to_bytes(("rows", "features", "value"), rows)})
    grid = {"relevant": 2, "irrelevant_after": 3}
    entry = {"kind": "surface", "dataset": "wine", "size": 2, "grid": grid, "selectors": ["mid"]}
    (ax,) = draw(tmp_path, entry).axes
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(0, 0): "0.20", (1, 0): "0.21", (0, 1): "0.40", (1, 1): "0.41"}
    assert [label.get_text() for label in ax.get_xticklabels()] == ["300", "600"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["20", "40"]


def test_marks_at_named_ratios_have_a_row_per_selector(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    entry = {"kind": "perturbation", "size": 2, "ratios": [1], "selectors": ["mid"]}
    figure = draw(tmp_path, entry, resample={"scheme": "perturbed", "perturbations": [1]})
    (ax,) = figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["MID"]
    value, low, high = INTERVALS[1]
    assert ax.lines[0].get_xdata() == [value]
    assert [x for x, _ in segments(ax.collections[0])[0]] == [low, high]
    assert legend_of(figure) == ["100% of the rows drawn anew", "95% interval"]


def test_published_ranks_stand_in_the_rows_of_their_table(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    pairs = [
        Pair("table7", "wine", "mid", 1.5, 1.2, np.nan, np.nan, "wine stands in for port"),
        Pair("table7", "wine", "miq", 1.5, 1.8, np.nan, np.nan, ""),
    ]
    write_with_manifest({tmp_path / "mine/published.csv": to_csv(pairs)})
    ranks = {"kind": "ranks", "title": "T", "of": "stability", "rows": "dataset"}
    ranks["selectors"] = ["mid", "miq"]
    figure = draw(tmp_path, {"kind": "published"}, tables={"table7": ranks})
    (ax,) = figure.axes
    assert ax.get_title() == "(a) Table 7: stability"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Wine *"]
    ends = [line.get_xdata()[0] for line in ax.lines[:4]]
    assert ends == [1.5, 1.2, 1.5, 1.8]
    assert legend_of(figure) == [
        *("MID", "MIQ", "published", "reproduced", "* stands in for the paper's")
    ]


def test_the_spread_of_two_criteria_is_on_one_axis(tmp_path):
    limits = []
    for selector, sd in (("mid", 0.1), ("miq", 0.4)):
        header = ("step", *(f"{term}{end}" for term in TERMS for end in ("", "_sd")))
        rows = [(step, *(0.5, sd) * 3) for step in (1, 2)]
        path = tmp_path / f"mine/criterion/wine/{selector}.tsv"
        write_with_manifest({path: table_to_bytes(header, rows)})
        entry = {"kind": "criterion_variation", "dataset": "wine", "selector": selector}
        *_, spread = draw(tmp_path, entry).axes
        assert spread.get_title().endswith(f"median {sd / 0.5:.0%}")
        limits.append(spread.get_ylim())
    assert limits[0] == limits[1]


@pytest.fixture
def samples():
    """What a view has of eleven samples, of which the last selects other features of six."""
    chosen = {"mid": [[0, 1]] * 10 + [[4, 5]], "miq": [[0, 1]] * 5 + [[0, 2]] * 5 + [[0, 1]]}
    return SimpleNamespace(
        entry={"title": "T", "dataset": "wine", "size": 2},
        selectors={"mid": "MID", "miq": "MIQ"},
        context={"methods": {"mid": ("mid", 0), "miq": ("miq", 0)}},
        title=str.capitalize,
        features=lambda dataset: list("abcdef"),
        compared_folds=lambda dataset: [
            SimpleNamespace(name=name, comparison=at // 5) for at, name in enumerate(DISJOINT)
        ],
        selections=lambda dataset, selector, shuffle_ties: {
            name: Selection(np.array(one), np.ones(2), None)
            for name, one in zip(DISJOINT, chosen[selector], strict=True)
        },
    )


@pytest.mark.parametrize("kind", [Disjoint, Picture])
def test_selected_features_of_all_selectors_are_on_one_axis(samples, kind):
    mid, miq = kind().build(samples).axes
    assert mid.get_xlim() == miq.get_xlim()
    assert mid.get_title("left").startswith("(a) MID: 4 features")
    assert miq.get_title("left").startswith("(b) MIQ: 3 features")


def test_folds_that_are_not_compared_are_parted_by_lines(samples):
    ax, _ = Picture().build(samples).axes
    assert [line.get_ydata()[0] for line in ax.lines] == [5.5, 10.5]


def test_the_sample_without_a_common_row_stands_apart(samples):
    (ax,) = WithoutFold().build(samples).axes
    without = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    last = without["without sample 11, which shares no row with the others"]
    assert last == pytest.approx([1, (20 + 25 / 3) / 45])
    # Of 55 pairs of MID's samples, the ten with the last have nothing in common.
    assert without["no sample left out"][0] == pytest.approx(45 / 55)

"""Figures of the dissertation: sizes, intervals, words of legends, panels that fit a page."""

import numpy as np
import pytest
from test_figures import INTERVALS, draw, write_stability

from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.outputs.figures import panels

PANEL = {"of": "stability", "dataset": "wine"}


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
    assert legend_of(figure) == ["MID", "MIQ", "Mean", "Random selection", "95% interval"]


@pytest.mark.parametrize(("smallest", "k"), [(1, 1), (3, 3), (9, 5)])
def test_a_share_of_few_features_is_at_least_the_smallest_size(tmp_path, smallest, k):
    intervals = [(k / 10, k / 10 - 0.05, k / 10 + 0.02) for k in range(1, 6)]
    write_stability(tmp_path, "mid", intervals)
    entry = {"kind": "perturbation", "size": 0.01, "smallest": smallest, "selectors": ["mid"]}
    resample = {"scheme": "perturbed", "perturbations": [1]}
    (ax,) = draw(tmp_path, entry, resample=resample).axes
    assert ax.get_title() == f"Wine\nk = {k}"
    assert ax.lines[0].get_ydata() == pytest.approx([k / 10])
    (interval,) = segments(ax.collections[0])
    assert [end for _, end in interval] == pytest.approx([k / 10 - 0.05, k / 10 + 0.02])


def test_many_panels_stand_three_in_a_row_and_name_their_axes_once(tmp_path):
    write_stability(tmp_path, "mid", INTERVALS)
    entry = {"kind": "curves", "panels": [PANEL] * 8, "selectors": ["mid"]}
    figure = draw(tmp_path, entry)
    named = [(bool(ax.get_xlabel()), bool(ax.get_ylabel())) for ax in figure.axes]
    assert [y for _, y in named] == [True, False, False] * 2 + [True, False]
    assert [x for x, _ in named] == [False] * 6 + [True] * 2
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


def test_bars_of_precision_have_the_entry_s_words_and_no_share_above_1(tmp_path):
    rows = [
        (8, number, noise, 0.1, "mid", transform, 1.0 if number == 1 else found)
        for number in (1, 2)
        for noise in (0, 1)
        for transform, found in (("original", 0.5), ("svd1", 0.75))
    ]
    header = ("features", "set", "noise", "label_noise", "selector", "transform", "precision")
    path = tmp_path / "mine/precision/features8.tsv"
    write_with_manifest({path: table_to_bytes(header, rows)})
    changes = {
        "transforms": {"original": {"use": "none"}, "svd1": {"use": "low_rank", "label": "SVD"}},
        "precision": {
            "features": [8],
            "sets": 2,
            "noise": [0, 1],
            "label_noise": [0.1],
            "selectors": ["mid"],
            "transforms": ["original", "svd1"],
        },
    }
    entry = {
        "kind": "precision",
        "family": "mid",
        "label_noise": 0.1,
        "transforms": ["original", "svd1"],
        "labels": {"original": "No reduction"},
    }
    figure = draw(tmp_path, entry, discretise={"fit_on": "train"}, **changes)
    assert legend_of(figure)[:2] == ["No reduction", "SVD"]
    (ax,) = figure.axes
    assert [bar.get_height() for bar in ax.patches] == [0.75, 0.75, 0.875, 0.875]
    ends = np.array([segments(each)[0] for each in ax.collections])[:, :, 1]
    assert ends == pytest.approx(np.array([[0.5, 1.0], [0.75, 1.0]]))

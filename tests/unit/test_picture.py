"""Figures of the dissertation: sizes, intervals, words of legends, panels that fit a page."""

from types import SimpleNamespace

import numpy as np
import pytest
from steadfast.outputs.figures.picture import Picture

from steadfast.outputs.figures import panels
from steadfast.resampling.schemes.cross_validation import DISJOINT
from steadfast.selectors.running.fold_file import Selection


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    panels.pyplot().close("all")


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


def test_selected_features_of_all_selectors_are_on_one_axis(samples):
    mid, miq = Picture().build(samples).axes
    assert mid.get_xlim() == miq.get_xlim()
    assert mid.get_title("left").startswith("(a) MID: 4 features")
    assert miq.get_title("left").startswith("(b) MIQ: 3 features")


def test_folds_that_are_not_compared_are_parted_by_lines(samples):
    ax, _ = Picture().build(samples).axes
    assert [line.get_ydata()[0] for line in ax.lines] == [5.5, 10.5]

"""Figures of the features that each fold selects."""

from types import SimpleNamespace

import numpy as np
import pytest

from steadfast.core import registry
from steadfast.outputs.figures import panels
from steadfast.resampling.schemes.cross_validation import DISJOINT
from steadfast.selectors.running.fold_file import Selection

CHOSEN = {"mid": [[0, 1]] * 10 + [[4, 5]], "miq": [[0, 1]] * 5 + [[0, 2]] * 5 + [[0, 1]]}


@pytest.fixture
def axes():
    """The panels of two selectors on eleven samples, of which the last selects other features."""
    results = SimpleNamespace(
        heading="T",
        ties="column",
        selectors={"mid": "MID", "miq": "MIQ"},
        features=lambda dataset: list("abcdef"),
        compared_folds=lambda dataset, ratio: [
            SimpleNamespace(name=name, comparison=at // 5) for at, name in enumerate(DISJOINT)
        ],
        selections=lambda dataset, selector, ties: {
            name: Selection(np.array(one), np.ones(2), None)
            for name, one in zip(DISJOINT, CHOSEN[selector], strict=True)
        },
    )
    picture = registry.load("figure", "picture")
    yield picture(results, dataset="wine", size=2, ratio=1.0, selectors=list(CHOSEN)).axes
    panels.pyplot().close("all")


def test_selected_features_of_all_selectors_are_on_one_axis(axes):
    mid, miq = axes
    assert mid.get_xlim() == miq.get_xlim()
    assert mid.get_title("left").startswith("(a) MID: 4 features")
    assert miq.get_title("left").startswith("(b) MIQ: 3 features")


def test_folds_that_are_not_compared_are_parted_by_lines(axes):
    assert [line.get_ydata()[0] for line in axes[0].lines] == [5.5, 10.5]

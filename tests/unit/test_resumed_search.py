"""Floating searches that go on from the best subset they know."""

import numpy as np
import pytest
from hypothesis import given
from test_wrappers import MANY, SetFunction, plain_search, set_functions

from steadfast.wrappers.search import sequential_search


@MANY
@given(set_functions())
def test_a_resumed_search_goes_on_from_the_best_subset_of_its_size(criterion):
    m = criterion.X.shape[1]
    search = sequential_search(criterion, floating=True, resume_best=True)
    path, best = plain_search(criterion.value, m, floating=True, resume=True)
    moves = [(step.action, step.feature, step.score) for step in search.steps]
    assert [move for move in moves if move[0] in ("add", "drop")] == [
        (action, feature, criterion.value(subset)) for action, feature, subset in path
    ]
    assert search.kept == {size: sorted(subset) for size, subset in best.items()}


class Noise(SetFunction):
    """Every evaluation has another score."""

    def __init__(self, m, seed):
        super().__init__([0] * 2**m, 10**6)
        self.draw = np.random.default_rng(seed)

    def value(self, subset):
        return int(self.draw.integers(10**6))


@pytest.mark.parametrize("seed", range(5))
def test_the_steps_of_a_resumed_search_tell_what_it_went_on_from(seed):
    search = sequential_search(Noise(10, seed), floating=True, resume_best=True)
    subset, best = set(), {}
    for step in search.steps:
        if step.action == "add" and subset:
            assert subset == best[len(subset)][1]
        (subset.add if step.action in ("add", "return") else subset.remove)(step.feature)
        if step.action in ("add", "drop") and step.score > best.get(step.size, (-1,))[0]:
            best[step.size] = (step.score, set(subset))
    assert {step.action for step in search.steps} == {"add", "drop", "return", "leave"}

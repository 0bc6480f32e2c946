"""The selector that every other one has to beat."""

from typing import Any

import numpy as np

from steadfast.core.estimator import Selector
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator


@selector(
    "random", at_random=True, reference="Kalousis, Prados, Hilario (2005), the baseline of Figure 2"
)
class Random(Selector):
    """Rank the columns at random, whatever the data say.

    Its stability is what a measure gives for chance, its accuracy what features chosen blindly are
    worth.

    Parameters
    ----------
    n_features_to_select
        How many to rank; all if None.
    random_state
        Seed, generator or None; in a study it derives from the seed and the names of data set and
        fold.

    References
    ----------
    Kalousis, Prados, Hilario, Stability of feature selection algorithms (2005), Figure 2.
    """

    def __init__(self, n_features_to_select: int | None = None, random_state: Any = None):
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        draw = random_generator(self.random_state)
        self._set_sequence(draw.permutation(self.n_features_in_)[: self.n_ranked()], {})

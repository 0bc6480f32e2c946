"""A selector of the tests' own: features by their range."""

import numpy as np

from steadfast.core.estimator import Selector
from steadfast.core.registry import selector


@selector("by_range", reference="the tests")
class ByRange(Selector):
    """Features by the distance from their smallest to their largest value."""

    def __init__(self, n_features_to_select: int | None = None):
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._set_weights(np.ptp(X, axis=0), {})

"""A selector that likes late columns; the example of a selector in one file."""

import numpy as np

from steadfast.core.estimator import Selector
from steadfast.core.registry import selector


@selector("last_columns", reference="nobody would publish this")
class LastColumns(Selector):
    """Rank the columns from the last to the first."""

    def __init__(self, n_features_to_select: int | None = None):
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._set_sequence(np.arange(X.shape[1])[::-1][: self.n_ranked()], {})

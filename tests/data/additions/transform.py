"""A transform of the tests' own: all values doubled."""

import numpy as np

from steadfast.core.estimator import Estimator
from steadfast.core.registry import transform


@transform("doubled", reference="the tests")
class Doubled(Estimator):
    """All values twice as large, which no ranking by spread notices."""

    def fit_transform(self, X: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
        return 2 * X

"""A classifier of the tests' own: the most frequent class."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.core.keys import Keys, flag
from steadfast.core.registry import classifier


@classifier("majority")
class Majority(Classifier):
    """Names the most frequent class, or the least frequent one."""

    keys: ClassVar[Keys] = {"least": flag("Whether the least frequent class is named.")}

    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        counts = np.bincount(y_train)
        named = counts.argmin() if self.settings["least"] else counts.argmax()
        return Scores([float(np.mean(y_test == named))] * len(sizes))

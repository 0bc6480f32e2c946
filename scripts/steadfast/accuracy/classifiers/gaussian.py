"""Gaussian classifier."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import scale_parts
from steadfast.core.keys import Key, Keys
from steadfast.core.registry import classifier
from steadfast.wrappers import DEFAULTS


@classifier("gaussian")
class Gaussian(Classifier):
    """A mean and covariance per class, features from 0 to 1: the criterion of the wrappers."""

    keys: ClassVar[Keys] = {
        "ridge": Key(
            "Added to the covariances of features from 0 to 1.",
            {"type": "number", "exclusiveMinimum": 0},
            default=1e-6,
        )
    }

    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        from steadfast.wrappers.base import Split
        from steadfast.wrappers.gaussian import GaussianCriterion

        if not len(y_test):
            return Scores([float("nan")] * len(sizes))
        X = np.concatenate(scale_parts(X_train, X_test, "unit"))
        y, rows = np.concatenate([y_train, y_test]), np.arange(len(X))
        split = Split(rows[: len(y_train)], rows[len(y_train) :])
        criterion = GaussianCriterion(X, y, [split], self.settings["ridge"])
        values = {}
        for k in range(1, max(sizes, default=0) + 1):
            if k in sizes:
                values[k] = criterion.accuracy(criterion.scores_with([k - 1])[0])
            criterion.add(k - 1)
        return Scores([values[k] for k in sizes])

    def is_inside(self, wrapper: Mapping[str, Any]) -> bool:
        inside = {**DEFAULTS["gaussian"], **(wrapper.get("classifier_params") or {})}
        return wrapper.get("classifier") == "gaussian" and self.settings["ridge"] == inside["ridge"]

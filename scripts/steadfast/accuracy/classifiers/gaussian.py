"""Gaussian classifier."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import scale_parts
from steadfast.accuracy.scores import EVERYTHING
from steadfast.core.keys import Key, Keys
from steadfast.core.registry import classifier
from steadfast.wrappers import DEFAULTS


@classifier("gaussian")
class Gaussian(Classifier):
    """A mean and covariance per class, features from 0 to 1: the criterion of the wrappers.

    Decision values are the log-odds of a class against all others; classes have the shares of the
    training rows.
    """

    keys: ClassVar[Keys] = {
        "ridge": Key(
            "Added to the covariances of features from 0 to 1.",
            {"type": "number", "exclusiveMinimum": 0},
            default=1e-6,
        )
    }
    gives = EVERYTHING

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
        found = {}
        for k in range(1, max(sizes, default=0) + 1):
            if k in sizes:
                found[k] = criterion.log_joint_with(k - 1)[0].T
            criterion.add(k - 1)
        joint = [found[k] for k in sizes]
        predictions = [own.argmax(axis=1) for own in joint]
        values = [float(np.mean(own == y_test)) for own in predictions]
        if not self.wanted:
            return Scores(values)
        return Scores(values, predictions, map(_log_odds, joint), map(_posterior, joint))

    def is_inside(self, wrapper: Mapping[str, Any]) -> bool:
        inside = {**DEFAULTS["gaussian"], **(wrapper.get("classifier_params") or {})}
        return wrapper.get("classifier") == "gaussian" and self.settings["ridge"] == inside["ridge"]


def _posterior(log_joint: np.ndarray) -> np.ndarray:
    odds = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def _log_odds(log_joint: np.ndarray) -> np.ndarray:
    """Of each class against the rest: other than posteriors, they do not level off at 1."""
    n_classes = log_joint.shape[1]
    rest = [np.arange(n_classes) != label for label in range(n_classes)]
    others = [np.logaddexp.reduce(log_joint[:, own], axis=1) for own in rest]
    return log_joint - np.array(others).T

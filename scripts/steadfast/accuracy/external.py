"""Classifiers of other packages, named by their path, or given as estimators."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import SCALE, scale_parts
from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, flag
from steadfast.core.seeds import derive_seed


class External(Classifier):
    """Any class with scikit-learn's `fit` and `predict`, fitted anew at each size.

    One that has a `random_state` and is given none gets a seed of its own in each fold. A
    training part with a single class predicts that class.
    """

    keys: ClassVar[Keys] = {
        "params": Key("Parameters of the class.", {"type": "object"}, default={}),
        "scale": SCALE,
        "outcomes": flag("Whether results name the rows that were wrong."),
    }
    draws = True

    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        if not len(y_test) or not len(sizes):
            return Scores([float("nan")] * len(sizes))
        X_train, X_test = scale_parts(X_train, X_test, self.settings.get("scale"))
        predictions = np.array(
            [self._predict(X_train[:, :k], y_train, X_test[:, :k]) for k in sizes]
        )
        return Scores([float(np.mean(row == y_test)) for row in predictions], predictions)

    def _predict(self, X_train: np.ndarray, y_train: np.ndarray, X_test: np.ndarray) -> np.ndarray:
        made = self._create()
        if y_train.min() == y_train.max():
            return np.full(len(X_test), y_train[0])
        found = np.asarray(made.fit(X_train, y_train).predict(X_test))
        if found.shape != (len(X_test),) or not np.isin(found, y_train).all():
            use = registry.shown_name(self.settings["use"])
            raise UserError(f"classifier {use}: what it predicts is no class")
        return found.astype(y_train.dtype)

    def _create(self) -> Any:
        use = registry.shown_name(self.settings["use"])
        seed = derive_seed(*self.place, use) % 2**32
        made = registry.create("classifier", self.settings, {}, seed)
        if not (hasattr(made, "fit") and hasattr(made, "predict")):
            raise UserError(f"classifier {use}: has no fit and predict; name a classifier")
        return made

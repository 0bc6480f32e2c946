"""Classifiers of other packages, named by their path, or given as estimators."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import SCALE, scale_parts
from steadfast.accuracy.scores import (
    DECISIONS,
    EVERYTHING,
    PROBABILITIES,
    Outcome,
    know_nothing,
)
from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, flag
from steadfast.core.seeds import derive_seed

#: Where decision values and probabilities come from, what is tried first in front.
_METHODS = {
    DECISIONS: ("decision_function", "predict_proba"),
    PROBABILITIES: ("predict_proba",),
}


class External(Classifier):
    """Any class with scikit-learn's `fit` and `predict`, fitted anew at each size.

    One that has a `random_state` and is given none gets a seed of its own in each fold. A
    training part with a single class predicts that class. Decision values are those of its
    `decision_function`, or else its probabilities, those of `predict_proba`; one that lacks what a
    score needs is refused.
    """

    keys: ClassVar[Keys] = {
        "params": Key("Parameters of the class.", {"type": "object"}, default={}),
        "scale": SCALE,
        "outcomes": flag("Whether results name the rows that were wrong."),
    }
    draws = True
    gives = EVERYTHING

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
        if y_train.min() == y_train.max():
            self._create()
            found = [know_nothing(y_train, y_test)] * len(sizes)
        else:
            n_classes = int(max(y_train.max(), y_test.max())) + 1
            found = [
                self._outcome(X_train[:, :k], y_train, X_test[:, :k], n_classes) for k in sizes
            ]
        predictions, *more = zip(*found, strict=True)
        values = [float(np.mean(row == y_test)) for row in predictions]
        return Scores(values, np.array(predictions), *(more if self.wanted else ()))

    def can_give(self, need: str) -> bool:
        made = self._create()
        return need not in _METHODS or any(hasattr(made, name) for name in _METHODS[need])

    def _outcome(
        self, X_train: np.ndarray, y_train: np.ndarray, X_test: np.ndarray, n_classes: int
    ) -> Outcome:
        made = self._create().fit(X_train, y_train)
        found = np.asarray(made.predict(X_test))
        if found.shape != (len(X_test),) or not np.isin(found, y_train).all():
            raise UserError(f"classifier {self._use}: what it predicts is no class")
        known = np.unique(y_train)
        by_class = {
            need: self._by_class(made, X_test, known, n_classes, need)
            for need in self.wanted & _METHODS.keys()
        }
        return Outcome(
            found.astype(y_train.dtype), by_class.get(DECISIONS), by_class.get(PROBABILITIES)
        )

    def _by_class(
        self, made: Any, X: np.ndarray, known: np.ndarray, n_classes: int, need: str
    ) -> np.ndarray:
        """Values of each class, for each row; a class that it has not seen has the least one."""
        methods = _METHODS[need]
        method = next((name for name in methods if hasattr(made, name)), None)
        if method is None:
            has_no = " and no ".join(methods)
            raise UserError(
                f"scoring: classifier {self._use} has no {has_no}; take it out, or the scores "
                f"that need {need}"
            )
        values = np.asarray(getattr(made, method)(X), dtype=np.float64)
        if values.ndim == 1:
            values = np.array([-values, values]).T
        if values.shape != (len(X), known.size):
            raise UserError(f"classifier {self._use}: {method} gives no value for each class")
        filled = np.full((len(X), n_classes), 0.0 if method == "predict_proba" else -np.inf)
        filled[:, known] = values
        return filled

    @property
    def _use(self) -> str:
        return registry.shown_name(self.settings["use"])

    def _create(self) -> Any:
        seed = derive_seed(*self.place, self._use) % 2**32
        made = registry.create("classifier", self.settings, {}, seed)
        if not (hasattr(made, "fit") and hasattr(made, "predict")):
            raise UserError(f"classifier {self._use}: has no fit and predict; name a classifier")
        return made

"""Support vector machine."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import SCALE, scale_parts
from steadfast.accuracy.scores import EVERYTHING, PROBABILITIES, Outcome, know_nothing
from steadfast.accuracy.unequal import are_unequal
from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, flag, one_of
from steadfast.core.registry import classifier
from steadfast.wrappers import DEFAULTS


@classifier("svm")
class SupportVectorMachine(Classifier):
    """Support vector machine on features scaled by the training rows: to variance 1, or to [0, 1].

    With `tune`, C and the kernel's width come from the training rows: see `tuning`. The class that
    a training part with a single class predicts is that class. Decision values are those of each
    class against the rest, probabilities come by Platt scaling (`machine_values`). Those of a small
    class rank rows poorly unless errors are balanced.
    """

    keys: ClassVar[Keys] = {
        "kernel": one_of("Kernel.", "linear", "rbf", default="rbf"),
        "C": Key(
            "Cost of errors; 1 if left out, unless it is tuned.",
            {"type": "number", "exclusiveMinimum": 0},
        ),
        "scale": SCALE.but(
            description='Features of variance 1 ("standard"), or from 0 to 1 ("unit").',
            default="standard",
        ),
        "tune": one_of(
            'Cost and kernel width by 5-fold cross-validation on the training rows: "once" per '
            'fold, at the middle one of the sizes scored, or at "every" size; not if left out.',
            *("once", "every"),
        ),
        "balance": one_of(
            'Whether errors cost the more, the smaller their class: "always", or where classes are '
            '"unequal", the largest having more than 1.5 times its fair share of the training '
            "rows; all errors cost the same if left out.",
            *("always", "unequal"),
        ),
        "outcomes": flag("Whether results name the rows that were wrong."),
    }
    gives = EVERYTHING

    def __init__(self, settings: Mapping[str, Any], place: Sequence[Any] = (0,)):
        super().__init__(settings, place)
        if {"tune", "C"} <= self.settings.keys():
            raise UserError("C: tune chooses it; take one of them out")
        if {"tune", "balance"} <= self.settings.keys():
            raise UserError("balance: tune goes by accuracy; take one of them out")

    @property
    def splits_rows(self) -> bool:
        return self._tuned or PROBABILITIES in self.wanted

    @property
    def _tuned(self) -> bool:
        return "tune" in self.settings

    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        with cli.count_start_up():
            import sklearn.svm  # noqa: F401

            from steadfast.accuracy.tuning import tune

        if not len(y_test) or not len(sizes):
            return Scores([float("nan")] * len(sizes))
        X_train, X_test = scale_parts(X_train, X_test, self.settings["scale"])
        if y_train.min() == y_train.max():
            found = [know_nothing(y_train, y_test)] * len(sizes)
        else:
            chosen = dict.fromkeys(sizes, (self.settings.get("C", 1.0), 1.0))
            if self._tuned:
                chosen = tune(
                    X_train, y_train, sizes, self.settings["tune"], self.settings["kernel"]
                )
            n_classes = int(max(y_train.max(), y_test.max())) + 1
            found = [
                self._outcome(X_train[:, :k], y_train, X_test[:, :k], chosen[k], n_classes)
                for k in sizes
            ]
        predictions = np.array([one.predictions for one in found])
        values = [float(np.mean(row == y_test)) for row in predictions]
        if not self.wanted:
            return Scores(values, predictions)
        return Scores(values, *zip(*found, strict=True))

    def _outcome(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        chosen: tuple[float, float],
        n_classes: int,
    ) -> Outcome:
        """What a machine of some cost and width says of the test rows."""
        from steadfast.accuracy.tuning import fit_machine

        how = self.settings.get("balance")
        balanced = how == "always" or (how == "unequal" and are_unequal(y_train))

        def fit(X: np.ndarray, y: np.ndarray) -> Any:
            return fit_machine(X, y, self.settings["kernel"], *chosen, balanced=balanced)

        machine = fit(X_train, y_train)
        if not self.wanted:
            return Outcome(machine.predict(X_test))
        from steadfast.accuracy.machine_values import calibrate, decide

        decided = decide(machine, X_test, n_classes)
        if PROBABILITIES not in self.wanted:
            return Outcome(*decided)
        return Outcome(*decided, calibrate(fit, X_train, y_train, decided.decisions))

    def is_inside(self, wrapper: Mapping[str, Any]) -> bool:
        if wrapper.get("classifier") != "svm" or self._tuned or "balance" in self.settings:
            return False
        inside = {**DEFAULTS["svm"], **(wrapper.get("classifier_params") or {})}
        same_scale = self.settings["scale"] == "unit" and self.settings["kernel"] == "rbf"
        same_cost = self.settings.get("C", DEFAULTS["svm"]["C"]) == inside["C"]
        return same_scale and same_cost and inside["gamma"] == "scale"

"""Linear support vector machines as selectors: one machine, elimination by rounds, and sparse."""

from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector
from steadfast.core.registry import selector
from steadfast.data.discretise import unit_range
from steadfast.selectors.running.fold_file import tied_levels


def squared_coefficients(Z: np.ndarray, gram: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """w² of a linear machine; of more than two classes, each against the rest, summed.

    Trained on the products of rows `gram` = Z·Zᵀ, which is much smaller than many features.
    """
    with cli.count_start_up():
        from sklearn.svm import SVC

    n_classes = int(y.max()) + 1
    total = np.zeros(Z.shape[1])
    for label in range(1 if n_classes == 2 else 0, n_classes):
        machine = SVC(kernel="precomputed", C=C).fit(gram, y == label)
        total += (machine.dual_coef_[0] @ Z[machine.support_]) ** 2
    return _equalise(total)


def _equalise(weights: np.ndarray) -> np.ndarray:
    """Weights of which those that differ by rounding alone are equal.

    Matrix products round columns differently by their place in memory, so that of two identical
    columns the later one may have the larger weight, on some processors.
    """
    order = np.argsort(-weights, kind="stable")
    falling = weights[order]
    levels = tied_levels(falling)
    equal = np.empty_like(weights)
    equal[order] = falling[np.searchsorted(levels, levels)]
    return equal


@selector("svm_one", reference="Kalousis, Prados, Hilario (2005), SVMONE")
class SVMOne(Selector):
    """Squared coefficients of one linear support vector machine, features scaled to [0, 1].

    Parameters
    ----------
    C
        Cost of errors.
    n_features_to_select
        How many to rank; all if None.

    References
    ----------
    Kalousis, Prados, Hilario, Stability of feature selection algorithms (2005), SVMONE.
    """

    def __init__(self, C: float = 0.5, n_features_to_select: int | None = None):
        self.C = C
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        _require_two_classes(self, y)
        Z = unit_range(X)
        self._set_weights(squared_coefficients(Z, Z @ Z.T, y, self.C), {})


@selector("svm_rfe", reference="Guyon, Weston, Barnhill, Vapnik (2002)")
class SVMRFE(Selector):
    """Drop the features of smallest squared coefficient, train again, until none is left.

    What is dropped last comes first. A share as step is of the features that **remain**: a round
    drops int((remaining + 1) · step) of them, at least one, as Weka does; scikit-learn's RFE takes
    the share of all features.

    Parameters
    ----------
    C
        Cost of errors.
    step
        Share (below 1) or number (from 1) of features dropped in a round.
    n_features_to_select
        How many to rank; all if None.

    Attributes
    ----------
    steps_ : dict
        `round` in which the feature was dropped, and its squared `coefficient` then.

    References
    ----------
    Guyon, Weston, Barnhill, Vapnik, Gene selection for cancer classification using support vector
    machines (2002).
    """

    def __init__(self, C: float = 0.5, step: float = 0.1, n_features_to_select: int | None = None):
        self.C = C
        self.step = step
        self.n_features_to_select = n_features_to_select

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        if not self.step > 0 or (self.step > 1 and self.step != int(self.step)):
            raise ValueError(f"step must be a share or a whole number, got {self.step!r}")
        _require_two_classes(self, y)
        Z = unit_range(X)
        remaining = np.arange(Z.shape[1])
        gram = Z @ Z.T
        dropped, rounds, coefficients = [], [], []
        while remaining.size:
            kept = Z[:, remaining]
            if remaining.size <= len(Z):  # cheap, and free of the rounding of many differences
                gram = kept @ kept.T
            weights = squared_coefficients(kept, gram, y, self.C)
            n_drop = min(self._n_dropped(remaining.size), remaining.size)
            # The lowest go first; among equals, those of the highest column.
            order = np.lexsort((-remaining, weights))
            gone = order[:n_drop]
            gram = gram - kept[:, gone] @ kept[:, gone].T
            dropped.append(remaining[gone])
            coefficients.append(weights[gone])
            rounds.append(np.full(n_drop, len(rounds) + 1))
            remaining = np.sort(np.delete(remaining, gone))
        sequence, rounds, coefficients = (
            np.concatenate(parts)[::-1][: self.n_ranked()]
            for parts in (dropped, rounds, coefficients)
        )
        self._set_sequence(sequence, {"round": rounds, "coefficient": coefficients})

    def _n_dropped(self, remaining: int) -> int:
        if self.step >= 1:
            return int(self.step)
        return max(1, int((remaining + 1) * self.step))


@selector("l1_svm", reference="Bradley, Mangasarian (1998)")
class L1SVM(Selector):
    """|w| of a linear support vector machine with the 1-norm as penalty.

    Most coefficients are 0; of more than two classes, each against the rest, summed.

    Parameters
    ----------
    C
        Cost of errors: the larger, the fewer zeros.
    scale
        `unit`: every feature from 0 to 1; `common`: all divided by one number, the standard
        deviation of all values, so that features of large values keep them: these need the smaller
        coefficients, and are chosen in most samples.
    n_features_to_select
        How many to rank; all if None.
    random_state
        For the order in which the solver visits the features.

    References
    ----------
    Bradley, Mangasarian, Feature selection via concave minimization and support vector machines
    (1998); the solver is liblinear's, in scikit-learn.
    """

    def __init__(
        self,
        C: float = 1.0,
        scale: str = "unit",
        n_features_to_select: int | None = None,
        random_state: Any = None,
    ):
        self.C = C
        self.scale = scale
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        _require_two_classes(self, y)
        if self.scale not in ("unit", "common"):
            raise ValueError(f"scale must be 'unit' or 'common', got {self.scale!r}")
        Z = unit_range(X) if self.scale == "unit" else X / (float(X.std()) or 1.0)
        with cli.count_start_up():
            import warnings

            from sklearn.exceptions import ConvergenceWarning
            from sklearn.svm import LinearSVC

        machine = LinearSVC(
            penalty="l1", dual=False, C=self.C, random_state=self.random_state, max_iter=5000
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            machine.fit(Z, y)
        self._set_weights(np.abs(machine.coef_).sum(axis=0), {})


def _require_two_classes(machine: Selector, y: np.ndarray) -> None:
    if y.min() == y.max():
        name = type(machine).__name__
        raise ValueError(f"{name} needs rows of at least 2 classes; these have one class")

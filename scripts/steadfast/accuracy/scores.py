"""Scores of a classifier on test rows: accuracy, and those that fit other questions."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

#: What scores need of a classifier.
PREDICTIONS, DECISIONS, PROBABILITIES = "predictions", "decision values", "probabilities"

#: Classifiers that rank classes by their probabilities give all of it.
EVERYTHING = frozenset({PREDICTIONS, DECISIONS, PROBABILITIES})


class Outcome(NamedTuple):
    """What a classifier says of the test rows.

    Attributes
    ----------
    predictions : the class of each row
    decisions : a row for each test row, a column for each class: the larger, the likelier
    probabilities : the same; each row has the sum 1
    """

    predictions: np.ndarray | None = None
    decisions: np.ndarray | None = None
    probabilities: np.ndarray | None = None


class Score(ABC):
    """How good an outcome is.

    Attributes
    ----------
    name, label, noun
        In a study, in print, and in the middle of a sentence.
    blind
        Who knows nothing of a row, in print.
    needs
        What it needs of a classifier; None: that every classifier has.
    larger_is_better
        Whether large values are good.
    percent
        Whether it is a share of rows, printed in percent.
    largest
        The end of its range, which begins at 0.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    noun: ClassVar[str]
    blind: ClassVar[str] = "guessing"
    needs: ClassVar[str | None] = PREDICTIONS
    larger_is_better: ClassVar[bool] = True
    percent: ClassVar[bool] = False
    largest: ClassVar[float] = 1.0

    def value(self, outcome: Outcome, truth: np.ndarray) -> float:
        """The score; NaN where it is undefined, as without test rows."""
        return self.measure(outcome, truth) if truth.size else float("nan")

    @abstractmethod
    def measure(self, outcome: Outcome, truth: np.ndarray) -> float:
        """The score on one test row or more."""

    def baseline(self, y_train: np.ndarray, y_test: np.ndarray) -> float:
        """What one has who knows nothing but the shares of the classes in the training rows."""
        return self.value(know_nothing(y_train, y_test), y_test)

    @property
    def direction(self) -> int:
        """1 where large values are better, else −1."""
        return 1 if self.larger_is_better else -1

    def text(self, value: float) -> str:
        """A value inside a sentence."""
        return f"{value:.0%}" if self.percent else f"{value:.2f}"


class Accuracy(Score):
    """Share of the rows whose class is predicted."""

    name, label, noun = "accuracy", "Accuracy", "accuracy"
    needs, percent, blind = None, True, "the most frequent class"

    def measure(self, outcome: Outcome, truth: np.ndarray) -> float:
        return float(np.mean(outcome.predictions == truth))


class BalancedAccuracy(Score):
    """Mean over the classes that are tested of the share of their rows that is predicted.

    References
    ----------
    Brodersen, Ong, Stephan, Buhmann, The balanced accuracy and its posterior distribution, ICPR
    (2010).
    """

    name, label, noun = "balanced_accuracy", "Balanced accuracy", "balanced accuracy"
    percent = True

    def measure(self, outcome: Outcome, truth: np.ndarray) -> float:
        counts = np.bincount(truth)
        hits = np.bincount(truth[outcome.predictions == truth], minlength=counts.size)
        tested = counts > 0
        return float(np.mean(hits[tested] / counts[tested]))


class AUC(Score):
    """Area under the ROC curve: how well decision values rank the rows of a class above the others.

    AUC_c = (pairs of a row of class c and another that are ranked rightly, ties half) / (pairs).
    With two classes it is that of the second, which is that of the first, too. With several, it is
    the mean over the classes that are tested, each against the rest, all with the same weight. NaN
    where fewer than two classes are tested.

    References
    ----------
    Hanley, McNeil, The meaning and use of the area under a receiver operating characteristic (ROC)
    curve, Radiology 143 (1982).
    """

    name, label, noun = "auc", "AUC", "AUC"
    needs = DECISIONS

    def measure(self, outcome: Outcome, truth: np.ndarray) -> float:
        decisions = outcome.decisions
        n_classes = decisions.shape[1]
        labels = [1] if n_classes == 2 else range(n_classes)
        areas = [_area(decisions[:, label], truth == label) for label in labels]
        known = [area for area in areas if area is not None]
        return sum(known) / len(known) if known else float("nan")


def _area(values: np.ndarray, own: np.ndarray) -> float | None:
    """Of the rows of a class against all others; None where there are none of either."""
    inside, others = values[own], values[~own]
    if not inside.size or not others.size:
        return None
    others.sort()
    below = others.searchsorted(inside, "left").sum() + others.searchsorted(inside, "right").sum()
    return float(below) / (2 * inside.size * others.size)


class LogLoss(Score):
    """Mean of −log p(class of the row); natural logarithm, the lower the better.

    Probabilities are clipped to [ε, 1 − ε], ε = 2⁻⁵² ≈ 2.2e-16, as scikit-learn does: one that is 0
    for the true class costs 36.
    """

    name, label, noun = "log_loss", "Log-loss", "log-loss"
    needs, blind = PROBABILITIES, "the shares of the classes"
    larger_is_better, largest = False, float("inf")

    def measure(self, outcome: Outcome, truth: np.ndarray) -> float:
        own = outcome.probabilities[np.arange(truth.size), truth]
        least = np.finfo(np.float64).eps
        return float(-np.mean(np.log(np.clip(own, least, 1 - least))))


class Brier(Score):
    """Brier's score: mean over the rows of Σ_c (p_c − [class is c])², the lower the better.

    The sum goes over all classes, as Brier had it, so that it reaches from 0 to 2; with two classes
    it is twice the score that leaves one of them out.

    References
    ----------
    Brier, Verification of forecasts expressed in terms of probability, Monthly Weather Review 78
    (1950).
    """

    name, label, noun = "brier", "Brier score", "Brier score"
    needs, blind = PROBABILITIES, "the shares of the classes"
    larger_is_better, largest = False, 2.0

    def measure(self, outcome: Outcome, truth: np.ndarray) -> float:
        off = outcome.probabilities.copy()
        off[np.arange(truth.size), truth] -= 1
        return float(np.mean(np.sum(off**2, axis=1)))


#: Scores by name, the one of a study that names none first.
SCORES: dict[str, Score] = {
    one.name: one for one in (Accuracy(), BalancedAccuracy(), AUC(), LogLoss(), Brier())
}

#: What a study is scored by that names nothing.
USUAL = (Accuracy.name,)


def needs_of(scoring: Sequence[str]) -> frozenset[str]:
    """What scores need of a classifier, beside the accuracy that each has."""
    return frozenset(SCORES[name].needs for name in scoring) - {None}


def know_nothing(y_train: np.ndarray, y_test: np.ndarray) -> Outcome:
    """Of every test row the same: the most frequent class, the shares of all classes."""
    n_classes = int(max(y_train.max(initial=0), y_test.max(initial=0))) + 1
    counts = np.bincount(y_train, minlength=n_classes)
    shares = np.tile(counts / max(1, y_train.size), (y_test.size, 1))
    return Outcome(np.full(y_test.size, counts.argmax()), shares, shares)

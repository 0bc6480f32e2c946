"""What a search asks of a criterion, and the splits that all of them share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import lcm
from typing import NamedTuple

import numpy as np

from steadfast.resampling.draws import deal, draw_share

#: The loss at which a candidate is given up, where none is.
NEVER = -1


class Split(NamedTuple):
    """Row numbers of a training and a test part."""

    train: np.ndarray
    test: np.ndarray


def random_splits(
    y: np.ndarray,
    n_splits: int,
    train_share: float,
    draw: np.random.Generator,
    *,
    stratified: bool = True,
) -> list[Split]:
    """Random shares of every class train (at least one row of it), or of all rows; the rest tests.

    Without `stratified` a small class may have no training row, and is then never predicted.
    """
    every = np.arange(len(y))
    classes = y if stratified else np.zeros_like(y)
    trains = [draw_share(classes, train_share, draw) for _ in range(n_splits)]
    return [Split(train, np.setdiff1d(every, train)) for train in trains]


def dealt_splits(y: np.ndarray, n_folds: int, draw: np.random.Generator) -> list[Split]:
    """The folds of a stratified cross-validation; a small class is missing in some."""
    classes = [str(label) for label in range(int(y.max()) + 1)]
    fold = deal(y, n_folds, draw, classes, "spread", ["wrapper"])
    return [Split(np.flatnonzero(fold != at), np.flatnonzero(fold == at)) for at in range(n_folds)]


class Criterion(ABC):
    """Accuracy of a classifier on a current subset with one feature more or less.

    A score is Σ_s w_s · (correct predictions in split s) with whole weights w_s = c / (test rows of
    s), c their least common multiple: a whole number in proportion to the mean accuracy over the
    splits, so that equal accuracies are equal, whatever the rounding. What it lacks of that of
    perfect predictions is the loss.

    Parameters
    ----------
    X
        Rows by features, each feature from 0 to 1.
    y
        Classes coded 0, 1, …
    tested
        Test rows of each split.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, tested: Sequence[int]):
        self.X, self.y = X, y
        whole = lcm(*tested)
        self._weights = np.array([whole // size for size in tested], dtype=np.int64)
        self.perfect = whole * len(tested)
        self.subset: list[int] = []

    def accuracy(self, score: int) -> float:
        """The mean accuracy over the splits that a score stands for."""
        return int(score) / self.perfect

    def scores_with(self, candidates: Sequence[int]) -> np.ndarray:
        """Score of the subset with each of these features more.

        The first that is the highest is right. Those after it may be too low, because a feature may
        be given up as soon as it cannot have the highest score.
        """
        return self._weights @ self.hits_with(list(candidates))

    def scores_without(self, above: int) -> np.ndarray:
        """Score of the subset without each of its features, in the order of the columns.

        As above; nor do scores count that are not above this one.
        """
        return self._weights @ self.hits_without(self.subset)

    def add(self, feature: int) -> None:
        """Take a feature into the subset."""
        self.subset = sorted([*self.subset, feature])
        self.update(feature, added=True)

    def drop(self, feature: int) -> None:
        """Take a feature out of the subset."""
        self.subset = [other for other in self.subset if other != feature]
        self.update(feature, added=False)

    @abstractmethod
    def hits_with(self, candidates: list[int]) -> np.ndarray:
        """Correct predictions in each split (row) with each candidate (column) more."""

    @abstractmethod
    def hits_without(self, candidates: list[int]) -> np.ndarray:
        """Correct predictions in each split (row) without each of these features (column)."""

    @abstractmethod
    def update(self, feature: int, *, added: bool) -> None:
        """Follow a change of the subset."""


class FixedCriterion(Criterion):
    """A criterion whose splits are drawn once, and used for every subset."""

    def __init__(self, X: np.ndarray, y: np.ndarray, splits: Sequence[Split]):
        super().__init__(X, y, [split.test.size for split in splits])
        self.splits = splits

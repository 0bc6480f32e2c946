"""Criteria whose splits are drawn anew for every subset that is evaluated."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from steadfast.core.compiled import njit
from steadfast.resampling.draws import share_of
from steadfast.wrappers.base import NEVER, Criterion, Split

#: What a row does in a split.
OUT, TRAIN, TEST = 0, 1, 2


class Redraw:
    """Random splits, as many and as often as wanted.

    Each split first takes a share of the rows, if one is given, and of these a share trains and the
    rest tests; of every class in its share, or of all rows together.

    Parameters
    ----------
    y
        Classes coded 0, 1, …
    n_splits
        Splits of one evaluation.
    train_share
        Share of the rows taken that train.
    sample_share
        Share of all rows that a split takes.
    draw
        Where the draws come from.
    stratified
        Whether the shares are of every class.
    """

    def __init__(
        self,
        y: np.ndarray,
        n_splits: int,
        train_share: float,
        sample_share: float,
        draw: np.random.Generator,
        *,
        stratified: bool = True,
    ):
        self.n_splits, self._draw = n_splits, draw
        classes = y if stratified else np.zeros_like(y)
        self._order = np.argsort(classes, kind="stable")
        counts = np.bincount(classes)
        self._ends = np.cumsum(counts)
        taken = np.array([share_of(count, sample_share) for count in counts])
        self._trained = np.array([share_of(count, train_share) for count in taken])
        self._tested = taken - self._trained
        self.n_train, self.n_test = int(self._trained.sum()), int(self._tested.sum())

    def roles(self, n_evaluations: int) -> np.ndarray:
        """OUT, TRAIN or TEST of each row (last axis) in each split of each evaluation (first)."""
        n = self._order.size
        numbers = self._draw.random((n_evaluations * self.n_splits, n))
        roles = _deal_roles(numbers, self._order, self._ends, self._trained, self._tested)
        return roles.reshape(n_evaluations, self.n_splits, n)


@njit()
def _deal_roles(numbers, order, ends, trained, tested):
    """Rows of each class in random order, by exchanges: the first train, the next test."""
    roles = np.zeros(numbers.shape, np.int8)
    rows = order.copy()
    for at in range(len(numbers)):
        start = 0
        for label in range(ends.size):
            last = start + trained[label]
            for place in range(start, last + tested[label]):
                other = place + int(numbers[at, place] * (ends[label] - place))
                rows[place], rows[other] = rows[other], rows[place]
                roles[at, rows[place]] = TRAIN if place < last else TEST
            start = ends[label]
    return roles


class RedrawnCriterion(Criterion):
    """A criterion that draws the splits of each candidate when it is asked for its score.

    A subset that is evaluated twice has two scores: the criterion has a noise of its own.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, redraw: Redraw):
        super().__init__(X, y, [redraw.n_test] * redraw.n_splits)
        self.redraw = redraw

    def scores_with(self, candidates: Sequence[int]) -> np.ndarray:
        hits = self._drawn_hits(list(candidates), added=True, stop=self.perfect + 1)
        return self._weights @ hits

    def scores_without(self, above: int) -> np.ndarray:
        return self._weights @ self._drawn_hits(self.subset, added=False, stop=self.perfect - above)

    def hits_with(self, candidates: list[int]) -> np.ndarray:
        return self._drawn_hits(candidates, added=True)

    def hits_without(self, candidates: list[int]) -> np.ndarray:
        return self._drawn_hits(candidates, added=False)

    def _drawn_hits(self, candidates: list[int], *, added: bool, stop: int = NEVER) -> np.ndarray:
        roles = self.redraw.roles(len(candidates))
        return self.hits_on(candidates, roles, added=added, stop=stop).T

    def subset_with(self, feature: int, *, added: bool) -> list[int]:
        """The subset with a feature more, or less, in the order of the columns."""
        left = [other for other in self.subset if other != feature]
        return sorted([*left, feature]) if added else left

    @abstractmethod
    def hits_on(
        self, candidates: list[int], roles: np.ndarray, *, added: bool, stop: int = NEVER
    ) -> np.ndarray:
        """Correct predictions with each candidate (row) more, or less, in each split (column).

        A candidate that loses `stop` or as much as one before it is given up: its hits are too few.
        """


def splits_of(roles: np.ndarray) -> Sequence[Split]:
    """The splits of one evaluation as row numbers."""
    return [Split(np.flatnonzero(each == TRAIN), np.flatnonzero(each == TEST)) for each in roles]


def roles_of(splits: Sequence[Split], n: int) -> np.ndarray:
    """What each of n rows does in each split."""
    roles = np.full((len(splits), n), OUT, dtype=np.int8)
    for own, split in zip(roles, splits, strict=True):
        own[split.train], own[split.test] = TRAIN, TEST
    return roles

"""Any classifier with scikit-learn's interface, fitted anew for every candidate and split."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from steadfast.wrappers.base import NEVER, FixedCriterion, Split
from steadfast.wrappers.redrawn import Redraw, RedrawnCriterion, splits_of


class OrdinaryCriterion(FixedCriterion):
    """`clone(classifier).fit(…).predict(…)` once per candidate and split.

    Parameters
    ----------
    classifier
        An estimator with `fit` and `predict`.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, splits: Sequence[Split], classifier: Any):
        super().__init__(X, y, splits)
        self.classifier = classifier

    def hits_with(self, candidates: list[int]) -> np.ndarray:
        return self._hits([sorted([*self.subset, feature]) for feature in candidates])

    def hits_without(self, candidates: list[int]) -> np.ndarray:
        return self._hits(
            [[other for other in self.subset if other != feature] for feature in candidates]
        )

    def update(self, feature: int, *, added: bool) -> None:
        """Nothing is kept from one subset to the next."""

    def _hits(self, subsets: list[list[int]]) -> np.ndarray:
        return np.array(
            [
                [_fitted_hits(self.classifier, self.X, self.y, split, subset) for subset in subsets]
                for split in self.splits
            ]
        )


class RedrawnOrdinary(RedrawnCriterion):
    """As `OrdinaryCriterion`, on splits drawn anew for every evaluation.

    Parameters
    ----------
    classifier
        An estimator with `fit` and `predict`.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, redraw: Redraw, classifier: Any):
        super().__init__(X, y, redraw)
        self.classifier = classifier

    def hits_on(
        self, candidates: list[int], roles: np.ndarray, *, added: bool, stop: int = NEVER
    ) -> np.ndarray:
        """All of them are counted to the end, whatever `stop` allows: what fast paths must find."""
        subsets = [self.subset_with(feature, added=added) for feature in candidates]
        return np.array(
            [
                [
                    _fitted_hits(self.classifier, self.X, self.y, split, subset)
                    for split in splits_of(own)
                ]
                for subset, own in zip(subsets, roles, strict=True)
            ]
        )

    def update(self, feature: int, *, added: bool) -> None:
        """Nothing is kept from one subset to the next."""


def _fitted_hits(
    classifier: Any, X: np.ndarray, y: np.ndarray, split: Split, subset: list[int]
) -> int:
    from sklearn.base import clone

    train, test = split
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of candidates that cannot be told apart
        fitted = clone(classifier).fit(X[np.ix_(train, subset)], y[train])
        found = fitted.predict(X[np.ix_(test, subset)])
    return np.count_nonzero(found == y[test])

"""Any classifier with scikit-learn's interface, fitted anew for every candidate and split."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from steadfast.wrappers.base import Criterion, Split


class OrdinaryCriterion(Criterion):
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
        from sklearn.base import clone

        hits = np.empty((len(self.splits), len(subsets)), dtype=np.int64)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of candidates that cannot be told apart
            for row, (train, test) in enumerate(self.splits):
                for column, subset in enumerate(subsets):
                    fitted = clone(self.classifier).fit(
                        self.X[np.ix_(train, subset)], self.y[train]
                    )
                    found = fitted.predict(self.X[np.ix_(test, subset)])
                    hits[row, column] = np.count_nonzero(found == self.y[test])
        return hits

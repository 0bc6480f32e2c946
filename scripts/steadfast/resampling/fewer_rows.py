"""Fewer rows of a fold, for what would take too long on all of them."""

from dataclasses import replace

import numpy as np

from steadfast.core.seeds import generator
from steadfast.resampling.folds import Fold

#: Of each class so many rows come first, so that a small one keeps neighbours.
OF_EACH_CLASS = 10

#: Of every so many training rows that are taken, one test row.
TRAINED_PER_TESTED = 4


def even_places(y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A place for each row, in random order: every stretch has all classes in their shares."""
    order = draw.permutation(len(y))
    place = np.empty(len(y))
    for code in np.unique(y):
        own = order[y[order] == code]
        place[own] = (np.arange(own.size) + draw.random()) / own.size
    return place


class FewerRows:
    """Which rows of a data set are taken first, the same ones in every fold.

    So folds of fewer rows share as large a part of their rows as whole ones do, and what is
    measured on them is the stability on a smaller table, not that of smaller draws.

    Parameters
    ----------
    y : the classes of all rows
    seed, dataset : what the order derives from
    """

    def __init__(self, y: np.ndarray, seed: int, dataset: str):
        self._place = even_places(y, generator(seed, dataset, "fewer rows"))
        for code in np.unique(y):
            own = np.flatnonzero(y == code)
            self._place[own[np.argsort(self._place[own], kind="stable")[:OF_EACH_CLASS]]] -= 1.0

    def first(self, rows: np.ndarray, most: int | None) -> np.ndarray:
        """At most so many of these rows, in their order; all of them where `most` is None."""
        if most is None or rows.size <= most:
            return rows
        return rows[np.sort(np.argsort(self._place[rows], kind="stable")[:most])]

    def training(self, fold: Fold, most: int | None) -> Fold:
        """The fold with at most so many training rows."""
        return fold if most is None else replace(fold, train=self.first(fold.train, most))

    def both(self, fold: Fold, most: int | None) -> Fold:
        """The fold with at most so many training rows, and a quarter as many test rows."""
        if most is None:
            return fold
        test = self.first(fold.test, max(1, most // TRAINED_PER_TESTED))
        return replace(self.training(fold, most), test=test)

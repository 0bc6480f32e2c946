"""Naive Bayes on the first k features of a sequence, for every k at once."""

import numpy as np

from steadfast.core.compiled import njit

#: Classes whose logarithms differ by less are equally likely: rounding.
TOLERANCE = 1e-9


class PrefixBayes:
    """Naive Bayes on bins, trained on some rows and tested on others, along any sequence.

    A class is worth Σ_f log p(x_f | class) over the first k features, which grows by one term per
    size. Classes count alike, whatever their sizes; of equally likely ones the lowest is taken.
    p(x_f = v | class) = (rows of the class with v + 1) / (rows of the class + bins). The terms of a
    feature are counted once, for all sequences that hold it.

    Parameters
    ----------
    train, test
        Bins, one row per feature.
    y_train, y_test
        Classes, coded from 0.

    References
    ----------
    Hand, Yu, Idiot's Bayes: not so stupid after all? (2001). Balanced accuracy: Brodersen, Ong,
    Stephan, Buhmann, The balanced accuracy and its posterior distribution (2010).
    """

    def __init__(
        self, train: np.ndarray, y_train: np.ndarray, test: np.ndarray, y_test: np.ndarray
    ):
        self._train, self._y_train = train, y_train
        self._test, self._y_test = test, y_test
        self._n_bins = int(max(train.max(), test.max(initial=0))) + 1
        self._n_classes = int(max(y_train.max(), y_test.max(initial=0))) + 1
        self._places = np.full(len(train), -1)
        self._terms = np.empty((0, self._n_bins, self._n_classes))

    def accuracies(self, sequence: np.ndarray) -> np.ndarray:
        """Balanced accuracy for every size: the mean over classes of the share that is right.

        NaN where there is no row to test on.
        """
        self._count(sequence)
        test, n_classes = self._test[sequence], self._n_classes
        hits = _hits(self._terms, self._places[sequence], test, self._y_test, n_classes)
        rows = np.bincount(self._y_test, minlength=n_classes)
        seen = rows > 0
        if not seen.any():
            return np.full(sequence.size, np.nan)
        return (hits[:, seen] / rows[seen]).mean(axis=1)

    def _count(self, sequence: np.ndarray) -> None:
        """The terms of features that no sequence before had."""
        new = sequence[self._places[sequence] < 0]
        if new.size:
            self._places[new] = len(self._terms) + np.arange(new.size)
            terms = _terms(self._train[new], self._y_train, self._n_bins, self._n_classes)
            self._terms = np.concatenate([self._terms, terms])


@njit()
def _terms(bins, y, n_bins, n_classes):
    """log p(value | class) of each feature."""
    terms = np.ones((len(bins), n_bins, n_classes))
    for feature in range(len(bins)):
        for row in range(y.size):
            terms[feature, bins[feature, row], y[row]] += 1.0
        for label in range(n_classes):
            total = np.log(terms[feature, :, label].sum())
            for value in range(n_bins):
                terms[feature, value, label] = np.log(terms[feature, value, label]) - total
    return terms


@njit()
def _hits(terms, places, test, y, n_classes):
    """How many rows of each class (columns) are found by the first k features (rows)."""
    hits = np.zeros((places.size, n_classes))
    worth = np.zeros((y.size, n_classes))
    for k in range(places.size):
        own = terms[places[k]]
        for row in range(y.size):
            value, best = test[k, row], 0
            for label in range(n_classes):
                worth[row, label] += own[value, label]
                if worth[row, label] > worth[row, best] + TOLERANCE:
                    best = label
            if best == y[row]:
                hits[k, best] += 1.0
    return hits

"""Stability and accuracy of mRMR for every α and every size, on the folds of one data set."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.rows import accuracy_rows
from steadfast.data.discretise import create as create_bins
from steadfast.data.encoding import fill_gaps, with_codes
from steadfast.data.table import Table
from steadfast.measures.kinds import load
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.resampling.folds import Fold
from steadfast.selectors.mrmr import MRMR
from steadfast.selectors.running.fold_file import Selection

#: The quotient, beside all α: what it is called in the place of an α.
MIQ = "miq"

CURVES = ("alpha", "k", "stability", "matching", "accuracy")
UNITS = ("alpha", "fold", "stability", "matching", "accuracy")


class Measured(NamedTuple):
    """What some rankings, one per fold, are worth: arrays by fold (rows) and size (columns).

    Attributes
    ----------
    stability
        Nogueira's, each fold's part in it (jackknife); the mean over folds is the value.
    matching
        The paper's measure, all pairs of folds, likewise.
    accuracy
        On the test rows of each fold.
    """

    stability: np.ndarray
    matching: np.ndarray
    accuracy: np.ndarray

    def curve(self) -> np.ndarray:
        """The three values (columns) at each size."""
        return np.array([part.mean(axis=0) for part in self]).T

    def by_fold(self) -> np.ndarray:
        """The three means over sizes (columns) of each fold."""
        return np.array([part.mean(axis=1) for part in self]).T


def binned(
    table: Table, discretise: Mapping[str, Any], rows: np.ndarray | None = None
) -> np.ndarray:
    """Some rows, or all, in bins that are fitted on them; one row per feature."""
    rows = slice(None) if rows is None else rows
    X, y = fill_gaps(table.X[rows]), table.y[rows]
    bins = create_bins(discretise).fit(X, y).transform(X)
    return np.ascontiguousarray(with_codes(bins, X, table.levels).T)


def criteria(alphas: Sequence[float]) -> dict[str, MRMR]:
    """Selectors by the name that they have in files: every α, and the quotient."""
    made = {f"{alpha:g}": MRMR("mid_alpha", alpha) for alpha in alphas}
    return {**made, MIQ: MRMR(MIQ)}


class Rankings:
    """The rankings of every α on every fold of a data set, and what they are worth.

    Parameters
    ----------
    table, folds
        The data set, and the folds that are compared with each other.
    alphas
        What is tried.
    settings
        `discretise`: bins, fitted on the training rows; `classifier`: name and settings;
        `largest`: the largest size.
    """

    def __init__(
        self,
        table: Table,
        folds: Sequence[Fold],
        alphas: Sequence[float],
        settings: Mapping[str, Any],
    ):
        self.table, self.folds, self.settings = table, folds, settings
        # Where all features are selected, nothing is to be said of stability.
        self.depth = max(1, min(settings["largest"], len(table.features) - 1))
        self.selectors = criteria(alphas)
        self.sequences: dict[str, list[np.ndarray]] = {name: [] for name in self.selectors}
        for fold in folds:
            for name, sequence in zip(self.sequences, self._select(fold.train), strict=True):
                self.sequences[name].append(sequence)
        self._prepare_measures()

    def _select(self, rows: np.ndarray) -> list[np.ndarray]:
        bins, every = binned(self.table, self.settings["discretise"], rows), self.selectors.values()
        first = next(iter(every))
        return first.sequences_of(bins.T, self.table.y[rows], list(every), self.depth)

    def _prepare_measures(self) -> None:
        """Similarities of those features alone that are in some ranking: all would be too many."""
        used = np.unique(np.concatenate([one for own in self.sequences.values() for one in own]))
        self._place = np.zeros(len(self.table.features), dtype=np.int64)
        self._place[used] = np.arange(used.size)
        bins = binned(self.table, self.settings["discretise"])
        self._matching = load("su_matching", Similarities(lambda: bins[used]))
        self._nogueira = load("nogueira")

    def measure(self, sequences: Sequence[np.ndarray]) -> Measured:
        """What rankings, one per fold, are worth at every size."""
        runs = Runs(len(self.table.features), sequences)
        similar = Runs(int(self._place.max()) + 1, [self._place[one] for one in sequences])
        return Measured(
            self._nogueira.curves(runs, self.depth).units,
            self._matching.curves(similar, self.depth).units,
            self._accuracies(sequences),
        )

    def measure_subsets(self, subsets: Sequence[np.ndarray]) -> tuple[float, float]:
        """Stability and accuracy of subsets of any size, one per fold."""
        runs = Runs(len(self.table.features), subsets, ranked=False)
        accuracy = [
            self._accuracies([subset], [fold])[0, -1]
            for subset, fold in zip(subsets, self.folds, strict=True)
        ]
        return float(self._nogueira.subsets(runs).values[0]), float(np.mean(accuracy))

    def _accuracies(
        self, sequences: Sequence[np.ndarray], folds: Sequence[Fold] | None = None
    ) -> np.ndarray:
        """By fold and size."""
        folds = self.folds if folds is None else folds
        selections = {
            fold.name: Selection(sequence, np.zeros(sequence.size))
            for fold, sequence in zip(folds, sequences, strict=True)
        }
        table, classifier = self.table, self.settings["classifier"]
        rows = accuracy_rows(
            *("classifier", classifier, folds, selections, table.X, table.y),
            levels=table.levels,
        )
        values = np.array([row[4] for row in rows])
        return values.reshape(len(folds), -1)


def measure_all(rankings: Rankings) -> dict[str, Measured]:
    """What each α is worth, and the quotient."""
    return {name: rankings.measure(own) for name, own in rankings.sequences.items()}


def curve_rows(measured: Mapping[str, Measured]) -> Iterator[tuple]:
    """A row for each α and size; see `CURVES`."""
    for name, one in measured.items():
        for k, values in enumerate(one.curve(), start=1):
            yield name, k, *values


def unit_rows(measured: Mapping[str, Measured], folds: Sequence[Fold]) -> Iterator[tuple]:
    """A row for each α and fold, means over sizes; see `UNITS`."""
    for name, one in measured.items():
        for fold, values in zip(folds, one.by_fold(), strict=True):
            yield name, fold.name, *values

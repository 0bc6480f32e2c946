"""Stability by the number of rows and of irrelevant features, on parts of one data set."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.seeds import generator
from steadfast.data.table import Table
from steadfast.measuring.overlaps import jaccard_matrix, mean_of_pairs, size_of
from steadfast.resampling.draws import deal
from steadfast.selectors.running.select import select

HEADER = ("rows", "features", "value")


def surface_rows(
    table: Table,
    selector: Mapping[str, Any],
    grid: Mapping[str, Any],
    size: float | str,
    *,
    seed: int,
    names: Sequence[str],
    discretise: Mapping[str, Any] | None = None,
) -> Iterator[tuple[int, int, float]]:
    """Number of rows, number of features, and mean Jaccard index of the folds' first features.

    The features of largest weight on all rows are taken as relevant, those after a certain rank as
    irrelevant, and what lies between is left out. Parts hold all relevant features and a growing
    number of irrelevant ones, and a growing number of rows; each part goes through a
    cross-validation of its own. Features of equal weight are in random order, drawn anew in each
    fold.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 4.5, figure 4.2.
    """
    ranker = _Ranker(table, selector, discretise, seed, names)
    whole = ranker.ranking(np.arange(len(table.y)), np.arange(table.X.shape[1]), "all rows")
    relevant, rest = whole[: grid["relevant"]], whole[grid["irrelevant_after"] :]
    if rest.size < grid["irrelevant_from"] or grid["irrelevant_after"] < grid["relevant"]:
        raise UserError(
            f"{'/'.join(names)}: grid: {rest.size} features are ranked after irrelevant_after = "
            f"{grid['irrelevant_after']}; irrelevant_from must not be more, and relevant not more "
            "than irrelevant_after"
        )
    irrelevant = generator(seed, *names, "irrelevant").permutation(rest)
    columns = np.concatenate([relevant, irrelevant])
    counts = _steps(grid["irrelevant_from"], grid["irrelevant_step"], rest.size)
    widths = [relevant.size + count for count in counts]
    k = size_of(size, relevant.size + grid["irrelevant_from"])
    order = mixed_order(table.y, generator(seed, *names, "rows"))
    for n in _steps(grid["rows_from"], grid["rows_step"], len(order)):
        subsets: dict[int, list[np.ndarray]] = {width: [] for width in widths}
        for number, train in enumerate(
            _training_parts(table, order[:n], grid["folds"], seed, names)
        ):
            for width, ranking in ranker.along(train, columns, widths, f"{n} rows, fold {number}"):
                subsets[width].append(ranking[:k])
        for width in widths:
            value = mean_of_pairs(jaccard_matrix(subsets[width], table.X.shape[1]))
            yield n, width, value


def _steps(first: int, step: int, last: int) -> list[int]:
    """Numbers from the first on, step by step, and the last."""
    return [*range(first, last, step), last]


def mixed_order(y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """Rows in random order, such that classes nearly have their shares in every first part."""
    place = np.empty(len(y))
    for label in np.unique(y):
        rows = draw.permutation(np.flatnonzero(y == label))
        place[rows] = (np.arange(rows.size) + 0.5) / rows.size
    return np.argsort(place, kind="stable")


def _training_parts(
    table: Table, rows: np.ndarray, folds: int, seed: int, names: Sequence[str]
) -> list[np.ndarray]:
    n_folds = min(folds, rows.size)
    draw = generator(seed, *names, "surface folds", rows.size)
    dealt = deal(table.y[rows], n_folds, draw, table.classes, "spread", names)
    return [np.sort(rows[dealt != fold]) for fold in range(n_folds)]


class _Ranker:
    """A selector's rankings of some columns, learnt from some rows."""

    def __init__(
        self,
        table: Table,
        selector: Mapping[str, Any],
        discretise: Mapping[str, Any] | None,
        seed: int,
        names: Sequence[str],
    ):
        self.table, self.selector, self.discretise = table, selector, discretise
        self.seed, self.names = seed, names
        #: Whether one ranking serves all numbers of features; known after the first.
        self.independent = False

    def ranking(self, rows: np.ndarray, columns: np.ndarray, name: str) -> np.ndarray:
        """Columns of the table, best first, those of equal weight in random order."""
        fitted = select(
            self.selector,
            self.table.X[np.ix_(rows, columns)],
            self.table.y[rows],
            seed=self.seed,
            names=(*self.names, name),
            discretise=self.discretise,
        )
        self.independent = getattr(fitted, "independent", False)
        sequence = fitted.sequence_
        draw = generator(self.seed, *self.names, name, "ties").permutation(sequence.size)
        return columns[sequence[np.lexsort((draw, -fitted.scores_[sequence]))]]

    def along(
        self, rows: np.ndarray, columns: np.ndarray, widths: Sequence[int], name: str
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Rankings of the first columns, so many for each width.

        Where the weight of a feature does not depend on the others, one ranking has them all.
        """
        if not self.independent:
            for width in widths:
                yield width, self.ranking(rows, columns[:width], name)
            return
        every = self.ranking(rows, columns, name)
        place = np.empty(self.table.X.shape[1], dtype=np.int64)
        place[columns] = np.arange(columns.size)
        for width in widths:
            yield width, every[place[every] < width]

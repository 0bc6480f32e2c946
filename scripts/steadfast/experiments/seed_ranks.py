"""The selectors' ranks of a study of MID_alpha under many seeds, without its files.

A seed of the whole study takes minutes. Here all values of α share the information between the
features of a fold, only the ratios that a table shows are computed, and nothing is written in
between; the ranks are those that the study itself finds under that seed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from steadfast.accuracy.prefix_knn import prefix_knn
from steadfast.core.compiled import njit
from steadfast.experiments.seed_file import KEYS, OTHER_RULE, OWN_RULE
from steadfast.measures.similar_features import Matching
from steadfast.measuring.constant_features import constant_credit
from steadfast.resampling.folds import Fold
from steadfast.selectors.kernels.forward import first_of_largest
from steadfast.statistics.information import (
    information_with,
    prepare,
    relevance_of,
    symmetrical_uncertainty,
)
from steadfast.statistics.ranks import competition_ranks, mean_and_sd


@dataclass(frozen=True)
class RankedData:
    """A data set as the study sees it.

    Attributes
    ----------
    X
        Numbers, rows by features, complete.
    y
        Classes.
    bins
        The numbers in bins, one row per feature.
    neighbours
        How many of them vote.
    """

    X: np.ndarray
    y: np.ndarray
    bins: np.ndarray
    neighbours: int


@dataclass(frozen=True)
class RankRow:
    """A row of a table of ranks: mean and standard deviation over the sizes, by selector.

    `rule` is the SU of a constant feature with itself; empty for accuracy.
    """

    of: str
    rule: str
    ratio: float
    means: np.ndarray
    sds: np.ndarray

    def cells(self, dataset: str, seed: int, selectors: Sequence[str]) -> dict[str, object]:
        """The row as the file of seeds has it."""
        row: dict[str, object] = dict(zip(KEYS, (dataset, self.of, self.rule, self.ratio, seed)))
        for name, mean, sd in zip(selectors, self.means, self.sds, strict=True):
            row |= {name: f"{mean:.4f}", f"{name} sd": f"{sd:.4f}"}
        return row


def seed_ranks(
    data: RankedData, folds: Iterable[Fold], alphas: Sequence[float], wanted: Mapping[str, set]
) -> Iterator[RankRow]:
    """The rows of all tables about one data set under one seed.

    Parameters
    ----------
    folds
        Of one seed.
    wanted
        `stability` and `accuracy` to the ratios that are shown.

    Yields
    ------
    Rows of stability under both rules where a feature is constant, else under the study's alone.
    """
    uncertainty = symmetrical_uncertainty(data.bins)
    constant = np.diag(uncertainty) == 0
    matching = Matching(uncertainty)
    ratios = wanted["stability"] | wanted["accuracy"]
    by_name = {fold.name: fold for fold in folds if fold.ratio in {*ratios, 1.0}}
    sequences = {name: alpha_sequences(data, fold.train, alphas) for name, fold in by_name.items()}
    for ratio in sorted(wanted["stability"]):
        pairs = [
            (sequences[fold.reference], sequences[name])
            for name, fold in by_name.items()
            if fold.ratio == ratio
        ]
        curves = np.array([[matching.curve(a, b) for a, b in zip(*pair)] for pair in pairs])
        yield RankRow("stability", OWN_RULE, ratio, *_ranks(curves))
        if constant.any():
            credits = [[constant_credit(a, b, constant) for a, b in zip(*pair)] for pair in pairs]
            yield RankRow("stability", OTHER_RULE, ratio, *_ranks(curves + np.array(credits)))
    for ratio in sorted(wanted["accuracy"]):
        curves = [
            [_accuracy(data, fold, sequence) for sequence in sequences[name]]
            for name, fold in by_name.items()
            if fold.ratio == ratio
        ]
        yield RankRow("accuracy", "", ratio, *_ranks(np.array(curves)))


def _ranks(curves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of values by fold, selector and size."""
    return mean_and_sd(competition_ranks(curves.mean(axis=0)))


def _accuracy(data: RankedData, fold: Fold, sequence: np.ndarray) -> np.ndarray:
    ordered = data.X[:, sequence]
    train, test = fold.train, fold.test
    parts = (ordered[train], data.y[train], ordered[test], data.y[test])
    return prefix_knn(*parts, n_neighbours=data.neighbours)


def alpha_sequences(
    data: RankedData, rows: np.ndarray, alphas: Sequence[float]
) -> list[np.ndarray]:
    """The sequence of MID_alpha on some rows for every α; see `selectors.mrmr.MRMR`."""
    bins, y = np.ascontiguousarray(data.bins[:, rows]), data.y[rows]
    counted = prepare(bins)
    information, relevances = _pairwise(counted), relevance_of(counted, y)
    return [_forward(relevances, information, float(alpha)) for alpha in alphas]


@njit()
def _pairwise(counted):
    """I(f; g) in bits of every pair of different features."""
    m = len(counted.bins)
    result = np.zeros((m, m))
    for feature in range(m):
        ahead = np.arange(feature + 1, m)
        own = result[feature]
        information_with(counted, ahead, feature, own)
        for other in ahead:
            result[other, feature] = own[other]
    return result


@njit()
def _forward(relevances, information, alpha):
    """MRMR's forward selection with the information of all pairs known."""
    m = relevances.size
    left = np.arange(m)
    redundancy_sum = np.zeros(m)
    sequence = np.empty(m, np.int64)
    scores = relevances.copy()
    for step in range(m):
        if step:
            redundancy_sum += information[sequence[step - 1]]
            scores = alpha * relevances - (1.0 - alpha) * (redundancy_sum / step)
        sequence[step] = first_of_largest(left, scores)
        left = left[left != sequence[step]]
    return sequence

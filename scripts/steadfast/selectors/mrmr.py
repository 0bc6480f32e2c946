"""Minimum redundancy, maximum relevance: MID, MIQ and MID_alpha."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.estimator import Selector
from steadfast.core.registry import selector
from steadfast.data.discretise import to_bins
from steadfast.statistics.information import (
    ZERO,
    count_table,
    information_with,
    marginal_sums,
    relevance,
)

#: Scores that differ by less, relative to the best, are tied: the lower column wins. Rounding is of
#: the order 1e-13, while distinct counts differ by more than 1e-9.
TOLERANCE = 1e-10

_CRITERIA = {"mid": 0, "miq": 1, "mid_alpha": 2}
_MIQ = _CRITERIA["miq"]


@selector(
    "mid",
    discrete=True,
    balances=True,
    fixed={"criterion": "mid", "alpha": 0.5},
    reference="Ding, Peng (2003), Minimum redundancy feature selection",
)
@selector(
    "miq",
    discrete=True,
    balances=True,
    fixed={"criterion": "miq", "alpha": 0.5},
    reference="Ding, Peng (2003), Minimum redundancy feature selection",
)
@selector(
    "mid_alpha",
    discrete=True,
    balances=True,
    fixed={"criterion": "mid_alpha"},
    reference="Gulgezen, Cataltepe, Yu (2009), Stable and accurate feature selection",
)
class MRMR(Selector):
    """Forward selection by relevance to the class against redundancy with what is selected.

    The first feature is the one of largest relevance V = I(f; class). Each later one maximises,
    with the redundancy W = mean of I(f; s) over the selected s,

    - ``mid``: V − W,
    - ``miq``: V / W (infinite where W = 0; among those the largest V wins),
    - ``mid_alpha``: α·V − (1−α)·W.

    Mutual information is counted on bins, in bits. Ties go to the lower column.

    Parameters
    ----------
    criterion
        ``mid``, ``miq`` or ``mid_alpha``.
    alpha
        Weight of relevance, 0 to 1; used by ``mid_alpha`` alone.
    n_features_to_select
        How many features to rank; None ranks all.
    bins
        Number of equal-width bins for each column. Unsigned bytes are taken as bins already.

    Attributes
    ----------
    sequence_, ranking_, scores_, classes_
        See `Selector`; `scores_` falls evenly with the rank, because a sequence has no weights.
    steps_ : dict
        `relevance`, `redundancy` and `score` of each selected feature at its step.

    References
    ----------
    Ding, Peng, Minimum redundancy feature selection from microarray gene expression data (2003).
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009): MID_alpha.
    """

    def __init__(
        self,
        criterion: str = "mid",
        alpha: float = 0.5,
        n_features_to_select: int | None = None,
        bins: int = 10,
    ):
        self.criterion = criterion
        self.alpha = alpha
        self.n_features_to_select = n_features_to_select
        self.bins = bins

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        if self.criterion not in _CRITERIA:
            raise ValueError(f"criterion must be one of {list(_CRITERIA)}, got {self.criterion!r}")
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must lie between 0 and 1, got {self.alpha!r}")
        binned = to_bins(X, self.bins)
        sequence, steps = mrmr_sequence(
            np.ascontiguousarray(binned.T), y, self.criterion, self.alpha, self.n_ranked()
        )
        self._set_sequence(sequence, steps)


def mrmr_sequence(
    bins: np.ndarray, y: np.ndarray, criterion: str, alpha: float, n_steps: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The sequence and its explanation; `bins` has one row per feature. See `MRMR`."""
    table = count_table(y.size)
    n_bins = int(bins.max()) + 1
    sums = marginal_sums(bins, n_bins, table)
    relevances = relevance(bins, y)
    sequence, redundancies, scores = _forward(
        bins, n_bins, sums, table, relevances, _CRITERIA[criterion], alpha, n_steps
    )
    steps = {"relevance": relevances[sequence], "redundancy": redundancies, "score": scores}
    return sequence, steps


@njit()
def _forward(bins, n_bins, sums, table, relevances, criterion, alpha, n_steps):
    m = bins.shape[0]
    left = np.arange(m)
    redundancy_sum = np.zeros(m)
    information = np.zeros(m)
    sequence = np.empty(n_steps, np.int64)
    redundancies, scores = np.zeros(n_steps), np.empty(n_steps)
    for step in range(n_steps):
        if step == 0:
            best = first_of_largest(left, relevances)
            scores[0] = combine(criterion, alpha, relevances[best], 0.0)
        else:
            last = sequence[step - 1]
            information_with(
                bins, left, bins[last], n_bins, n_bins, sums, sums[last], table, information
            )
            for feature in left:
                redundancy_sum[feature] += information[feature]
            best = _best(left, relevances, redundancy_sum / step, criterion, alpha)
            redundancies[step] = redundancy_sum[best] / step
            scores[step] = combine(criterion, alpha, relevances[best], redundancies[step])
        sequence[step] = best
        left = left[left != best]
    return sequence, redundancies, scores


@njit()
def combine(criterion, alpha, relevance, redundancy):
    """The criterion's value for one feature."""
    if criterion == _MIQ:
        return relevance / redundancy if redundancy > ZERO else np.inf
    if criterion == 0:
        return relevance - redundancy
    return alpha * relevance - (1.0 - alpha) * redundancy


@njit()
def _best(left, relevances, redundancies, criterion, alpha):
    scores = np.empty(relevances.size)
    infinite = False
    for feature in left:
        scores[feature] = combine(criterion, alpha, relevances[feature], redundancies[feature])
        infinite |= scores[feature] == np.inf
    if infinite:
        return first_of_largest(left[scores[left] == np.inf], relevances)
    return first_of_largest(left, scores)


@njit()
def first_of_largest(candidates, scores):
    """The lowest of the columns whose score is within the tolerance of the best."""
    best = -np.inf
    for candidate in candidates:
        best = max(best, scores[candidate])
    limit = best - TOLERANCE * max(1.0, abs(best))
    for candidate in candidates:
        if scores[candidate] >= limit:
            return candidate
    return -1


def criterion_along(
    bins: np.ndarray, y: np.ndarray, sequence: np.ndarray, criterion: str, alpha: float
) -> dict[str, np.ndarray]:
    """Relevance, redundancy and score on these rows at each step of a sequence fixed before.

    Shows how far the quantities behind each choice vary when the rows change.
    """
    table = count_table(y.size)
    n_bins = int(bins.max()) + 1
    sums = marginal_sums(bins, n_bins, table)
    relevances = relevance(bins, y)[sequence]
    redundancies = _redundancy_along(bins, n_bins, sums, table, sequence)
    code = _CRITERIA[criterion]
    scores = [combine(code, alpha, v, w) for v, w in zip(relevances, redundancies)]
    return {"relevance": relevances, "redundancy": redundancies, "score": np.array(scores)}


@njit()
def _redundancy_along(bins, n_bins, sums, table, sequence):
    redundancy_sum = np.zeros(bins.shape[0])
    information = np.zeros(bins.shape[0])
    redundancies = np.zeros(sequence.size)
    for step in range(1, sequence.size):
        last = sequence[step - 1]
        ahead = sequence[step:]
        information_with(
            bins, ahead, bins[last], n_bins, n_bins, sums, sums[last], table, information
        )
        for feature in ahead:
            redundancy_sum[feature] += information[feature]
        redundancies[step] = redundancy_sum[sequence[step]] / step
    return redundancies

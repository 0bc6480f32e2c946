"""Minimum redundancy, maximum relevance: MID, MIQ and MID_alpha."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.estimator import Selector
from steadfast.core.registry import load, selector
from steadfast.data.discretise import to_bins
from steadfast.selectors.kernels.forward import CRITERIA, combine, forward, share
from steadfast.statistics.information import information_with, prepare, relevance_of

#: What a fit has found that chose parameters.
_OF_CHOICE = ("params_", "size_", "grid_", "selector_", "support_", "iterations_")


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
        Weight of relevance, 0 to 1; used by ``mid_alpha`` alone. ``auto``: the data choose, see
        `steadfast.selectors.tuned.Tuned`, which has more to set.
    n_features_to_select
        How many features to rank; None ranks all. ``auto``: the data choose, as for alpha.
    bins
        Number of equal-width bins for each column. Unsigned bytes are taken as bins already.
    random_state
        For the samples of rows by which the data choose.

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
        alpha: Any = 0.5,
        n_features_to_select: Any = None,
        bins: int = 10,
        random_state: Any = None,
    ):
        self.criterion = criterion
        self.alpha = alpha
        self.n_features_to_select = n_features_to_select
        self.bins = bins
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        if "auto" in (self.alpha, self.n_features_to_select):
            self._rank_by_data(X, y)
            return
        self._check()
        for key in _OF_CHOICE:  # of a fit before
            vars(self).pop(key, None)
        binned = to_bins(X, self.bins)
        sequence, steps = mrmr_sequence(
            np.ascontiguousarray(binned.T), y, self.criterion, self.alpha, self.n_ranked()
        )
        self._set_sequence(sequence, steps)

    def _check(self) -> None:
        self._check_criterion()
        if not isinstance(self.alpha, (int, float)) or not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must lie between 0 and 1, got {self.alpha!r}")

    def _check_criterion(self) -> None:
        if self.criterion not in CRITERIA:
            raise ValueError(f"criterion must be one of {list(CRITERIA)}, got {self.criterion!r}")
        if self.alpha == "auto" and self.criterion != "mid_alpha":
            raise ValueError(f"alpha: auto is for criterion mid_alpha, not for {self.criterion}")

    def _rank_by_data(self, X: np.ndarray, y: np.ndarray) -> None:
        """As the selector `tuned` does, whose results become this one's."""
        self._check_criterion()
        known = {"bins": self.bins}
        over = None if self.alpha == "auto" else {}
        if not over and self.criterion == "mid_alpha":
            known["alpha"] = self.alpha
        chooser = load("selector", "tuned")(
            self.criterion, known, over, "stability_and_accuracy", random_state=self.random_state
        )
        chooser.n_features_to_select = self.n_features_to_select
        chooser.fit(X, y)
        self.__dict__.update({key: value for key, value in vars(chooser).items() if key[-1] == "_"})

    def sequences_of(
        self, X: np.ndarray, y: np.ndarray, others: "Sequence[MRMR]", wanted: int
    ) -> list[np.ndarray]:
        """The first features of several of these on the same rows, which are counted once.

        Those with other bins have other counts.
        """
        if any(one.bins != self.bins for one in others):
            return [one.fit(X, y).sequence_[:wanted] for one in others]
        binned = np.ascontiguousarray(to_bins(X, self.bins).T)
        counted = prepare(binned)
        relevances, shared = relevance_of(counted, y), share(len(binned), len(others), wanted)
        found = []
        for one in others:
            one._check()
            step = forward(counted, relevances, one.criterion, one.alpha, wanted, shared=shared)
            found.append(step[0])
        return found


def mrmr_sequence(
    bins: np.ndarray, y: np.ndarray, criterion: str, alpha: float, n_steps: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """The sequence and its explanation; `bins` has one row per feature. See `MRMR`."""
    counted = prepare(bins)
    relevances = relevance_of(counted, y)
    sequence, redundancies, scores = forward(counted, relevances, criterion, alpha, n_steps)
    steps = {"relevance": relevances[sequence], "redundancy": redundancies, "score": scores}
    return sequence, steps


def criterion_along(
    bins: np.ndarray, y: np.ndarray, sequence: np.ndarray, criterion: str, alpha: float
) -> dict[str, np.ndarray]:
    """Relevance, redundancy and score on these rows at each step of a sequence fixed before.

    Shows how far the quantities behind each choice vary when the rows change.
    """
    counted = prepare(bins)
    relevances = relevance_of(counted, y)[sequence]
    redundancies = _redundancy_along(counted, sequence)
    code = CRITERIA[criterion]
    scores = [combine(code, alpha, v, w) for v, w in zip(relevances, redundancies)]
    return {"relevance": relevances, "redundancy": redundancies, "score": np.array(scores)}


@njit()
def _redundancy_along(counted, sequence):
    redundancy_sum, information = np.zeros(len(counted.bins)), np.zeros(len(counted.bins))
    redundancies = np.zeros(sequence.size)
    for step in range(1, sequence.size):
        ahead = sequence[step:]
        information_with(counted, ahead, sequence[step - 1], information)
        for feature in ahead:
            redundancy_sum[feature] += information[feature]
        redundancies[step] = redundancy_sum[sequence[step]] / step
    return redundancies

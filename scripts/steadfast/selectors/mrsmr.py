"""mRSmR: stability as a third term of the criterion, beside relevance and redundancy."""

from typing import Any

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.estimator import Selector, require_share, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator
from steadfast.data.discretise import to_bins
from steadfast.resampling.draws import draw_share
from steadfast.selectors.mrmr import first_of_largest
from steadfast.statistics.information import count_table, information_with, marginal_sums, relevance


@selector("mrsmr", discrete=True, share="ratio", reference="Ji, Guo, Huo, Fang (2015)")
class MRSMR(Selector):
    """Maximum relevance and stability, minimum redundancy: mRMR repeated on samples of the rows.

    Iteration i selects, on a random share of the rows, one feature after another by the largest

        D(f) − R(f, F) + κ·i·S(f, F),

    D = I(f; class), R = mean of I(f; s) over the features s in F selected so far, and S = mean over
    the earlier iterations of the Tanimoto coefficient of F ∪ {f} and as many of that iteration's
    first features (0 in the first iteration). As κ·i grows, the iterations agree more and more; it
    stops when the mean Tanimoto coefficient of an iteration's whole result with all earlier ones
    changes by no more than ε. The last sequence is the result. Ties go to the lower column.

    With κ = 0 and all rows in every sample it is ``mid``.

    Parameters
    ----------
    ratio
        Share of the rows in each sample, drawn without replacement.
    kappa
        κ: how much the weight of stability grows with each iteration.
    epsilon
        ε.
    most_iterations
        Iterations after which it stops even so.
    n_features_to_select
        How many features to rank; None ranks all. Whole rankings are always the same set, so that
        of these the first half is compared.
    bins
        Number of equal-width bins for each column. Unsigned bytes are taken as bins already.
    random_state
        For the samples.

    Attributes
    ----------
    steps_ : dict
        `relevance`, `redundancy`, `stability` and `score` of each feature at its step of the last
        iteration.
    iterations_ : dict
        `iteration`, the weight `kappa` of stability in it, the `similarity` of its result to those
        before it (NaN for the first), and the `change` of that, which is at most ε in the last
        iteration if it converged.
    converged_ : bool
        Whether ε was reached.

    References
    ----------
    Ji, Guo, Huo, Fang, A feature selection algorithm taking account of stability (2015), in
    Chinese: equations (3) to (7) and Table 2.
    """

    def __init__(
        self,
        ratio: float = 0.8,
        kappa: float = 1.0,
        epsilon: float = 0.01,
        most_iterations: int = 20,
        n_features_to_select: int | None = None,
        bins: int = 10,
        random_state: Any = None,
    ):
        self.ratio = ratio
        self.kappa = kappa
        self.epsilon = epsilon
        self.most_iterations = most_iterations
        self.n_features_to_select = n_features_to_select
        self.bins = bins
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._check()
        binned = to_bins(X, self.bins)
        draw = random_generator(self.random_state)
        n_steps = self.n_ranked()
        compared = n_steps if n_steps < X.shape[1] else max(1, n_steps // 2)
        earlier = np.empty((0, n_steps), dtype=np.int64)
        weights, similarities, changes = [], [], []
        self.converged_ = False
        for iteration in range(1, self.most_iterations + 1):
            rows = draw_share(np.zeros_like(y), self.ratio, draw)
            weights.append(self.kappa * iteration)
            bins = np.ascontiguousarray(binned[rows].T)
            sequence, steps = stable_sequence(bins, y[rows], earlier, weights[-1], n_steps)
            similarities.append(_similarity(sequence[:compared], earlier[:, :compared]))
            earlier = np.vstack([earlier, sequence])
            before = similarities[-2] if iteration > 2 else 0.0
            changes.append(abs(similarities[-1] - before))
            if changes[-1] <= self.epsilon:
                self.converged_ = True
                break
        self._set_sequence(sequence, steps)
        self.iterations_ = {
            "iteration": np.arange(1, len(weights) + 1),
            "kappa": np.array(weights),
            "similarity": np.array(similarities),
            "change": np.array(changes),
        }

    def _check(self) -> None:
        require_share("ratio", self.ratio)
        require_whole("most_iterations", self.most_iterations, 1)
        for name in ("kappa", "epsilon"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be at least 0, got {getattr(self, name)!r}")


def _similarity(sequence: np.ndarray, earlier: np.ndarray) -> float:
    """Mean Tanimoto coefficient with earlier results of the same size; NaN without any."""
    if not len(earlier):
        return float("nan")
    shared = np.isin(earlier, sequence).sum(axis=1)
    return float(np.mean(shared / (2 * sequence.size - shared)))


def stable_sequence(
    bins: np.ndarray, y: np.ndarray, earlier: np.ndarray, kappa: float, n_steps: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """One iteration: the sequence and its terms; `bins` has one row per feature. See `MRSMR`.

    `earlier` holds the sequences of the iterations before, one per row.
    """
    table = count_table(y.size)
    n_bins = int(bins.max()) + 1
    sums = marginal_sums(bins, n_bins, table)
    relevances = relevance(bins, y)
    sequence, redundancies, stabilities, scores = _forward(
        bins, n_bins, sums, table, relevances, earlier, kappa, n_steps
    )
    steps = {
        "relevance": relevances[sequence],
        "redundancy": redundancies,
        "stability": stabilities,
        "score": scores,
    }
    return sequence, steps


@njit()
def _forward(bins, n_bins, sums, table, relevances, earlier, kappa, n_steps):
    m = bins.shape[0]
    left = np.arange(m)
    redundancy_sum, information = np.zeros(m), np.zeros(m)
    sequence = np.empty(n_steps, np.int64)
    redundancies, stabilities, scores = np.zeros(n_steps), np.zeros(n_steps), np.empty(n_steps)
    chosen = np.zeros(m, np.bool_)
    listed = np.zeros((len(earlier), m), np.bool_)
    shared = np.zeros(len(earlier), np.int64)
    stability, value = np.zeros(m), np.empty(m)
    for step in range(n_steps):
        if step:
            last = sequence[step - 1]
            information_with(
                bins, left, bins[last], n_bins, n_bins, sums, sums[last], table, information
            )
            for feature in left:
                redundancy_sum[feature] += information[feature]
        _stability_with(earlier, step, chosen, listed, shared, stability)
        for feature in left:
            redundancy = redundancy_sum[feature] / step if step else 0.0
            value[feature] = relevances[feature] - redundancy + kappa * stability[feature]
        best = first_of_largest(left, value)
        redundancies[step] = redundancy_sum[best] / step if step else 0.0
        stabilities[step], scores[step] = stability[best], value[best]
        sequence[step] = best
        chosen[best] = True
        for run in range(len(earlier)):
            shared[run] += listed[run, best]
        left = left[left != best]
    return sequence, redundancies, stabilities, scores


@njit()
def _stability_with(earlier, step, chosen, listed, shared, stability):
    """S of every feature: mean Tanimoto coefficient of the selected ones and it with each prefix.

    A prefix grows by one feature; those in it differ from those outside by one amount per run,
    so that a step costs the length of the prefixes, not a comparison of sets for every feature.
    """
    stability[:] = 0.0
    n_runs, size = len(earlier), step + 1
    for run in range(n_runs):
        new = earlier[run, step]
        listed[run, new] = True
        shared[run] += chosen[new]
        outside = shared[run] / (2 * size - shared[run])
        inside = (shared[run] + 1) / (2 * size - shared[run] - 1)
        stability += outside / n_runs
        for feature in earlier[run, :size]:
            stability[feature] += (inside - outside) / n_runs

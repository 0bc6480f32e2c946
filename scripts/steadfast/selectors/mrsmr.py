"""mRSmR: stability as a third term of the criterion, beside relevance and redundancy."""

from typing import Any

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.estimator import Selector, ranks_in, require_share, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator
from steadfast.data.discretise import to_bins
from steadfast.resampling.draws import draw_share
from steadfast.selectors.kernels.forward import (
    CRITERIA,
    Terms,
    first_of_largest,
    lazy_pays,
    no_redundancy,
    score_of,
    update,
)
from steadfast.statistics.information import prepare, relevance_of

_RESULTS = ("last", "mean_rank")
_CARRIED = ("nothing", "results", "iterations")


@selector(
    "mrsmr",
    discrete=True,
    share="ratio",
    carries="carry",
    reference="Ji, Guo, Huo, Fang (2015)",
)
class MRSMR(Selector):
    """Maximum relevance and stability, minimum redundancy: mRMR repeated on samples of the rows.

    Iteration i selects, on a random share of the rows, one feature after another by the largest

        D(f) − R(f, F) + κ·i·S(f, F),

    D = I(f; class), R = mean of I(f; s) over the features s in F selected so far, and S = mean over
    the earlier iterations of the Tanimoto coefficient of F ∪ {f} and as many of that iteration's
    first features (0 in the first iteration). As κ·i grows, the iterations agree more and more; it
    stops when the mean Tanimoto coefficient of an iteration's whole result with all earlier ones
    changes by no more than ε. The last sequence is the result. Ties go to the lower column.

    With κ = 0 and all rows in every sample it is ``mid``. `carry` and `result` are other readings
    of the paper: runs that carry something over are not independent of each other, and their
    stability says nothing about another sample of the rows.

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
    least_iterations
        Iterations before which it does not stop.
    result
        ``last``: the last iteration's sequence; ``mean_rank``: features by the mean of their ranks
        in all iterations of this run (those that one does not list share the rank after its last).
    carry
        What a run takes over from the run before it. ``nothing``; ``results``: its iterations'
        results, and those that it took over itself, stay among the earlier ones, while i begins
        anew at 1 (where S = 0); ``iterations``: i goes on as well.
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
        iteration. With ``mean_rank``: `mean_rank`, and `frequency`, the share of iterations that
        list the feature.
    iterations_ : dict
        `iteration`, the weight `kappa` of stability in it, the `similarity` of its result to those
        before it (NaN for the first), and the `change` of that, which is at most ε in the last
        iteration if it converged.
    converged_ : bool
        Whether ε was reached.
    memory_ : ndarray
        Results of all iterations, one per row, those carried over first.

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
        least_iterations: int = 1,
        result: str = "last",
        carry: str = "nothing",
        n_features_to_select: int | None = None,
        bins: int = 10,
        random_state: Any = None,
    ):
        self.ratio = ratio
        self.kappa = kappa
        self.epsilon = epsilon
        self.most_iterations = most_iterations
        self.least_iterations = least_iterations
        self.result = result
        self.carry = carry
        self.n_features_to_select = n_features_to_select
        self.bins = bins
        self.random_state = random_state

    def go_on_from(self, before: "MRSMR") -> None:
        """Take over from a fitted run what `carry` says, when this one is fitted."""
        self._before = before

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._check()
        binned = to_bins(X, self.bins)
        draw = random_generator(self.random_state)
        n_steps = self.n_ranked()
        compared = n_steps if n_steps < X.shape[1] else max(1, n_steps // 2)
        memory, first = self._taken_over(n_steps)
        taken, similarities, changes = len(memory), [], []
        self.converged_ = False
        for iteration in range(first, first + self.most_iterations):
            rows = draw_share(np.zeros_like(y), self.ratio, draw)
            bins = np.ascontiguousarray(binned[rows].T)
            earlier = memory if iteration > 1 else memory[:0]
            kappa = self.kappa * iteration
            sequence, steps = stable_sequence(bins, y[rows], earlier, kappa, n_steps)
            before = np.nan_to_num(similarities[-1]) if similarities else 0.0
            similarities.append(_similarity(sequence[:compared], earlier[:, :compared]))
            changes.append(abs(similarities[-1] - before))
            memory = np.vstack([memory, sequence])
            enough = len(changes) >= self.least_iterations
            if enough and changes[-1] <= self.epsilon:
                self.converged_ = True
                break
        self.memory_ = memory
        if self.result == "mean_rank":
            sequence, steps = _by_mean_rank(memory[taken:], X.shape[1])
        self._set_sequence(sequence, steps)
        numbers = np.arange(first, iteration + 1)
        self.iterations_ = {
            "iteration": numbers,
            "kappa": self.kappa * numbers,
            "similarity": np.array(similarities),
            "change": np.array(changes),
        }

    def _taken_over(self, n_steps: int) -> tuple[np.ndarray, int]:
        """Results of earlier runs, and the number of the first iteration."""
        before = vars(self).get("_before")
        if before is None or self.carry == "nothing":
            return np.empty((0, n_steps), dtype=np.int64), 1
        last = int(before.iterations_["iteration"][-1])
        return before.memory_, last + 1 if self.carry == "iterations" else 1

    def _check(self) -> None:
        require_share("ratio", self.ratio)
        require_whole("least_iterations", self.least_iterations, 1)
        require_whole("most_iterations", self.most_iterations, self.least_iterations)
        for name, known in (("result", _RESULTS), ("carry", _CARRIED)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {known}, got {getattr(self, name)!r}")
        for name in ("kappa", "epsilon"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be at least 0, got {getattr(self, name)!r}")


def _similarity(sequence: np.ndarray, earlier: np.ndarray) -> float:
    """Mean Tanimoto coefficient with earlier results of the same size; NaN without any."""
    if not len(earlier):
        return float("nan")
    shared = np.isin(earlier, sequence).sum(axis=1)
    return float(np.mean(shared / (2 * sequence.size - shared)))


def _by_mean_rank(sequences: np.ndarray, m: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Columns by their mean rank in several sequences, as many as one of these has."""
    n_steps = sequences.shape[1]
    ranks = np.array([ranks_in(sequence, m) for sequence in sequences])
    mean_rank, frequency = ranks.mean(axis=0), (ranks <= n_steps).mean(axis=0)
    best = np.argsort(mean_rank, kind="stable")[:n_steps]
    return best, {"mean_rank": mean_rank[best], "frequency": frequency[best]}


def stable_sequence(
    bins: np.ndarray, y: np.ndarray, earlier: np.ndarray, kappa: float, n_steps: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """One iteration: the sequence and its terms; `bins` has one row per feature. See `MRSMR`.

    `earlier` holds the sequences of the iterations before, one per row.
    """
    counted, m = prepare(bins), len(bins)
    relevances = relevance_of(counted, y)
    terms = Terms(CRITERIA["mid"], 0.5, relevances, np.zeros(m))
    sequence, redundancies, stabilities, scores = _forward(
        counted, terms, no_redundancy(m), earlier, kappa, n_steps, lazy_pays(m, n_steps)
    )
    steps = {
        "relevance": relevances[sequence],
        "redundancy": redundancies,
        "stability": stabilities,
        "score": scores,
    }
    return sequence, steps


@njit()
def _forward(counted, terms, redundancy, earlier, kappa, n_steps, lazy):
    m = terms.relevances.size
    left = np.arange(m)
    sequence = np.empty(n_steps, np.int64)
    redundancies, stabilities, scores = np.zeros(n_steps), np.zeros(n_steps), np.empty(n_steps)
    chosen = np.zeros(m, np.bool_)
    listed = np.zeros((len(earlier), m), np.bool_)
    shared = np.zeros(len(earlier), np.int64)
    stability, value = np.zeros(m), np.empty(m)
    for step in range(n_steps):
        _stability_with(earlier, step, chosen, listed, shared, stability)
        for feature in left:
            terms.bonus[feature] = kappa * stability[feature]
        if step:
            lazy = update(counted, terms, redundancy, left, sequence, step, value, lazy)
        else:
            for feature in left:
                value[feature] = score_of(terms, feature, 0.0)
        best = first_of_largest(left, value)
        redundancies[step] = redundancy.sums[best] / step if step else 0.0
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

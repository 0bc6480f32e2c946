"""Correlations of what two runs say of every feature: average ranks, random ranks, weights.

Cut at k, the features after the first k share the mean of their values; at k = m nothing is cut.
The functions give the object that compares runs by their values (one row per run) and by the
positions that decide what comes first.
"""

import numpy as np

from steadfast.core.seeds import generator
from steadfast.measures.declare import measure
from steadfast.measures.runs import Runs, running_totals

#: Deviations below this share of the largest value are rounding.
_ROUNDING = 8 * np.finfo(float).eps


@measure(
    "spearman",
    label="Spearman, average ties",
    kind="ranks",
    bounds=(-1, 1),
    corrected=True,
    unequal_sizes=False,
    needs=("ranked", "equal_sizes", "no_empty_run", "two_features", "keys_differ"),
    source="Spearman (1904); Kalousis, Prados, Hilario (2005)",
)
def spearman(runs: Runs, depth: int, seed: int) -> "PooledCorrelation":
    """1 − 6 Σ_f (r_f − s_f)² / (m(m² − 1)); with ties, Pearson's of the ranks, ties sharing theirs.

    Features that a run does not list share the ranks after its last.

    References
    ----------
    Spearman, The proof and measurement of association between two things (1904). Kalousis, Prados,
    Hilario (2005), S_R. Alelyani (2013), equation (2.24).
    """
    ranks = np.array([_tied_ranks(runs, run) for run in range(len(runs))])
    return PooledCorrelation(ranks, runs.positions, depth)


@measure(
    "spearman_random_ties",
    label="Spearman, random ties",
    kind="ranks",
    bounds=(-1, 1),
    corrected=True,
    unequal_sizes=False,
    needs=("ranked", "equal_sizes", "no_empty_run", "two_features"),
    source="Kalousis, Prados, Hilario (2005)",
)
def spearman_random_ties(runs: Runs, depth: int, seed: int) -> "PooledCorrelation":
    """Spearman's, ties broken at random: features tied at weight 0 do not count as stable.

    References
    ----------
    Kalousis, Prados, Hilario (2005), section 4.
    """
    ranks = np.empty((len(runs), runs.n_features))
    for run in range(len(runs)):
        draw = generator(seed, "ties", runs.name(run)).permutation(runs.n_features)
        order = np.lexsort((draw, _tied_ranks(runs, run)))
        ranks[run, order] = np.arange(1, runs.n_features + 1)
    return PooledCorrelation(ranks, (ranks - 1).astype(np.int64), depth)


@measure(
    "pearson",
    label="Pearson",
    kind="weights",
    bounds=(-1, 1),
    corrected=True,
    unequal_sizes=False,
    needs=("no_empty_run", "weighted", "weights_differ"),
    source="Kalousis, Prados, Hilario (2005)",
)
def pearson(runs: Runs, depth: int, seed: int) -> "PooledCorrelation":
    """Σ_f (w_f − w̄)(v_f − v̄) / √(Σ_f (w_f − w̄)² Σ_f (v_f − v̄)²), of the weights of all features.

    References
    ----------
    Kalousis, Prados, Hilario (2005), S_W. Alelyani (2013), equation (2.23).
    """
    return PooledCorrelation(runs.weights, runs.positions, depth)


def _tied_ranks(runs: Runs, run: int) -> np.ndarray:
    """Rank of each feature, from 1; ties share their mean, and so do features without a key."""
    keys = runs.keys_of(run)
    keys = np.where(np.isnan(keys), -np.inf, keys)
    _, group, counts = np.unique(-keys, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[group]


class PooledCorrelation:
    """Pearson's correlation of values cut at every k, each run's sums taken once.

    With x the centred values, c the mean of those after the first k, and A, B the first k of two
    runs, Σ x'y' = Σ_{A∩B} xy + c_y Σ_{A∖B} x + c_x Σ_{B∖A} y + c_x c_y |rest|; a feature moves into
    A ∩ B at the later of its two positions.
    """

    def __init__(self, values: np.ndarray, positions: np.ndarray, depth: int):
        self.m = values.shape[1]
        self.depth = depth
        self.positions = positions
        self.centred = values - values.mean(axis=1, keepdims=True)
        orders = np.argsort(positions, axis=1, kind="stable")
        along = np.take_along_axis(self.centred, orders, axis=1)
        sizes = np.arange(1, depth + 1)
        self.firsts = np.cumsum(along, axis=1)[:, :depth]
        rest = self.m - sizes
        self.means = np.divide(-self.firsts, rest, out=np.zeros_like(self.firsts), where=rest > 0)
        self.variances = np.cumsum(along**2, axis=1)[:, :depth] + rest * self.means**2
        largest = np.abs(values).max(axis=1, keepdims=True)
        self.variances[self.variances <= self.m * (_ROUNDING * largest) ** 2] = np.nan

    def with_others(self, run: int, others: np.ndarray) -> np.ndarray:
        """The correlation of one run with others (rows), for every k (columns)."""
        joined = np.maximum(self.positions[run], self.positions[others])
        x, y = self.centred[run], self.centred[others]
        both = running_totals(joined, self.depth, x * y)
        x_both = running_totals(joined, self.depth, np.broadcast_to(x, y.shape))
        y_both = running_totals(joined, self.depth, y)
        n_both = running_totals(joined, self.depth)
        sizes = np.arange(1, self.depth + 1)
        mean_x, mean_y = self.means[run], self.means[others]
        products = (
            both
            + mean_y * (self.firsts[run] - x_both)
            + mean_x * (self.firsts[others] - y_both)
            + mean_x * mean_y * (self.m - 2 * sizes + n_both)
        )
        spread = np.sqrt(self.variances[run]) * np.sqrt(self.variances[others])
        return np.clip(products / spread, -1, 1)

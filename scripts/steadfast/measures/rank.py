"""Measures of two rankings cut after their first k features, for every k at once.

Cut at k, a ranking states the order of its first k features; those after them are tied. At k = m
it is the whole ranking.
"""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.measures.declare import measure
from steadfast.measures.runs import Runs

#: The persistence of rank-biased overlap: the first ten ranks have 86% of the weight.
PERSISTENCE = 0.9


@measure(
    "average_overlap",
    label="Average overlap",
    kind="overlaps",
    bounds=(0, 1),
    unequal_sizes=False,
    needs=("ranked", "equal_sizes", "no_empty_run"),
    source="Fagin, Kumar, Sivakumar (2003)",
)
def average_overlap(overlaps: np.ndarray) -> np.ndarray:
    """(1/k) Σ_{d=1..k} |A_d ∩ B_d| / d, with A_d the first d features of a ranking.

    References
    ----------
    Fagin, Kumar, Sivakumar, Comparing top k lists (2003).
    """
    depths = np.arange(1, overlaps.shape[-1] + 1)
    return np.cumsum(overlaps / depths, axis=-1) / depths


@measure(
    "rbo",
    label="Rank-biased overlap (p = 0.9)",
    kind="overlaps",
    bounds=(0, 1),
    unequal_sizes=False,
    needs=("ranked", "equal_sizes", "no_empty_run"),
    source="Webber, Moffat, Zobel (2010)",
)
def rank_biased_overlap(overlaps: np.ndarray, persistence: float = PERSISTENCE) -> np.ndarray:
    """X_k/k·p^k + (1 − p)/p · Σ_{d=1..k} X_d/d·p^d, X_d = |A_d ∩ B_d|: extrapolated from depth k.

    References
    ----------
    Webber, Moffat, Zobel, A similarity measure for indefinite rankings (2010), equation (23).
    """
    depths = np.arange(1, overlaps.shape[-1] + 1)
    powers = persistence**depths
    shares = overlaps / depths
    seen = (1 - persistence) / persistence * np.cumsum(shares * powers, axis=-1)
    return shares * powers + seen


@measure(
    "weighted_canberra",
    label="Weighted Canberra at k + 1",
    kind="orders",
    bounds=(0, 1),
    distance=True,
    unequal_sizes=False,
    needs=("ranked", "equal_sizes", "no_empty_run"),
    source="Jurman et al. (2008)",
)
def weighted_canberra(runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
    """(1/m) Σ_f |min(r_f, k+1) − min(s_f, k+1)| / (min(r_f, k+1) + min(s_f, k+1)), a distance.

    At k = m this is the distance of the whole rankings, `canberra`. Features tied by their weights
    stand in the order of their columns. `expected_canberra` is its mean for random rankings.

    References
    ----------
    Jurman et al., Algebraic stability indicators for ranked lists in molecular profiling (2008).
    Alelyani (2013), equations (2.25) and (2.26), divided by m.
    """
    return _canberra_block(runs.positions, run, others, depth)


@njit()
def _canberra_block(positions, run, others, depth):
    curves = np.empty((others.size, depth))
    for at in range(others.size):
        curves[at] = _canberra(positions[run], positions[others[at]], depth)
    return curves


@njit()
def _canberra(first, second, depth):
    """A feature at ranks a < b adds (k+1−a)/(k+1+a) while a ≤ k < b, then (b−a)/(b+a)."""
    m = first.size
    better = np.zeros(depth + 1, np.int64)
    for feature in range(m):
        low = min(first[feature], second[feature])
        if low < depth and first[feature] != second[feature]:
            better[low] += 1
    starts = np.zeros(depth + 1, np.int64)
    for low in range(depth):
        starts[low + 1] = starts[low] + better[low]
    low_of = np.empty(starts[depth], np.int64)
    high_of = np.empty(starts[depth], np.int64)
    filled = starts.copy()
    for feature in range(m):
        low, high = first[feature], second[feature]
        if low > high:
            low, high = high, low
        if low < depth and low != high:
            low_of[filled[low]], high_of[filled[low]] = low + 1, high + 1
            filled[low] += 1
    settled = 0.0
    active_low = np.empty(starts[depth], np.int64)
    active_high = np.empty(starts[depth], np.int64)
    n_active = 0
    curve = np.empty(depth)
    for k in range(1, depth + 1):
        for at in range(starts[k - 1], starts[k]):
            active_low[n_active], active_high[n_active] = low_of[at], high_of[at]
            n_active += 1
        total, kept = 0.0, 0
        for at in range(n_active):
            low, high = active_low[at], active_high[at]
            if high <= k + 1:
                settled += (high - low) / (high + low)
            else:
                total += (k + 1 - low) / (k + 1 + low)
                active_low[kept], active_high[kept] = low, high
                kept += 1
        n_active = kept
        curve[k - 1] = (settled + total) / m
    return curve


def expected_canberra(m: int, depth: int) -> np.ndarray:
    """Mean of `weighted_canberra` over two random rankings, for k = 1..depth.

    With t_k = Σ_{i≤k} (k+1−i)/(k+1+i), the sum over pairs of ranks i, j ≤ k grows by 2t_k per step,
    and pairs of one rank above k and one below add 2(m − k)·t_k:
    E_k = (s_k + 2(m − k)·t_k) / m², s_k = Σ_{j<k} 2t_j.

    References
    ----------
    Jurman et al. (2008), section 2.3.
    """
    steps = np.arange(1, depth + 1)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, 2 * depth + 2))])
    t = 2 * (steps + 1) * (harmonic[2 * steps + 1] - harmonic[steps + 1]) - steps
    inside = np.concatenate([[0.0], np.cumsum(2 * t)[:-1]])
    return (inside + 2 * (m - steps) * t) / m**2


weighted_canberra.expectation = expected_canberra


@measure(
    "canberra",
    label="Canberra",
    kind="orders",
    bounds=(0, 1),
    distance=True,
    unequal_sizes=False,
    needs=("ranked", "complete"),
    source="Lance, Williams (1967); Jurman et al. (2008)",
)
def canberra(runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
    """(1/m) Σ_f |r_f − s_f| / (r_f + s_f), a distance of whole rankings.

    It looks at every rank, whatever k: a curve is constant.

    References
    ----------
    Lance, Williams, Mixed-data classificatory programs (1967). Jurman et al. (2008). Alelyani
    (2013), equation (2.25), divided by m.
    """
    whole = _canberra_block(runs.positions, run, others, runs.n_features)[:, -1:]
    return np.repeat(whole, depth, axis=1)


canberra.expectation = lambda m, depth: np.full(depth, expected_canberra(m, m)[-1])


@measure(
    "kendall",
    label="Kendall's tau",
    kind="orders",
    bounds=(-1, 1),
    corrected=True,
    unequal_sizes=False,
    needs=("ranked", "equal_sizes", "no_empty_run", "two_features", "keys_differ"),
    source="Kendall (1938, 1945)",
)
def kendall(runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
    """τ_b = (concordant − discordant) / √(pairs untied in A · pairs untied in B).

    Two features are tied in a ranking where their keys are equal or both come after the first k.

    References
    ----------
    Kendall, A new measure of rank correlation (1938); ties: The treatment of ties in ranking
    problems (1945). For the first k of a list: Fagin, Kumar, Sivakumar (2003).
    """
    return _kendall_block(*runs.tie_groups, run, others, depth)


@njit()
def _kendall_block(sequences, begins, ends, positions, run, others, depth):
    m = positions.shape[1]
    curves = np.empty((others.size, depth))
    for at in range(others.size):
        other = others[at]
        curves[at] = _kendall(
            sequences[run], positions[run], begins[run], ends[run],
            sequences[other], positions[other], begins[other], ends[other], m, depth,
        )  # fmt: skip
    return curves


@njit()
def _kendall(seq_a, pos_a, begin_a, end_a, seq_b, pos_b, begin_b, end_b, m, depth):
    """The k-th feature of a ranking parts from all after its ties; count their order.

    Trees of counts (Fenwick) hold the other ranking's positions of the features that do not come
    after the ties, so that each step takes O(log m).
    """
    tree_a, tree_b = np.zeros(m + 2, np.int64), np.zeros(m + 2, np.int64)
    passed_a = passed_b = 0
    concordance = untied_a = untied_b = 0
    curve = np.empty(depth)
    for k in range(depth):
        passed_a = _pass(tree_a, seq_a, pos_b, passed_a, end_a[k])
        concordance += _order_difference(tree_a, seq_a[k], end_a[k], pos_b, begin_b, end_b, k, m)
        untied_a += m - end_a[k]
        passed_b = _pass(tree_b, seq_b, pos_a, passed_b, end_b[k])
        concordance += _order_difference(
            tree_b, seq_b[k], end_b[k], pos_a, begin_a, end_a, k + 1, m
        )
        untied_b += m - end_b[k]
        if untied_a > 0 and untied_b > 0:
            curve[k] = concordance / (np.sqrt(untied_a) * np.sqrt(untied_b))
        else:
            curve[k] = np.nan
    return curve


@njit()
def _pass(tree, sequence, other_positions, passed, end):
    """Put the features before `end` into the tree by their positions in the other ranking."""
    while passed < end:
        at = other_positions[sequence[passed]] + 1
        while at < tree.size:
            tree[at] += 1
            at += at & -at
        passed += 1
    return passed


@njit()
def _order_difference(tree, feature, end, other_positions, other_begin, other_end, cut, m):
    """Of the features from `end` on: those below `feature` in the other ranking − those above."""
    place = other_positions[feature]
    if place < cut:
        above, below_from = other_begin[place], other_end[place]
    else:
        above, below_from = cut, m + 1
        if place < other_begin.size:
            above = min(cut, other_begin[place])
    n_above = above - _count(tree, above)
    n_below = 0
    if below_from <= m:
        n_below = (m - end) - (below_from - _count(tree, below_from))
    return n_below - n_above


@njit()
def _count(tree, before):
    total = 0
    while before > 0:
        total += tree[before]
        before -= before & -before
    return total

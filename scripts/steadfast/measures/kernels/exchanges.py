"""What two subsets may exchange: features of one alone that are similar to some of the other alone.

Two subsets grow feature by feature. A feature enters A∖B or B∖A, or leaves the other one for A ∩ B;
each such step changes what is counted by the links of this feature only, and a one-to-one
exchange by one path. So a walk along two sequences gives the values of all prefixes.
"""

from typing import NamedTuple

import numpy as np

from steadfast.core.compiled import njit

#: How an exchange is credited: by the smaller number of features that can be exchanged, by the
#: smaller sum of their mean similarities, or by pairs that are found one to one.
COUNT, MEAN, GREEDY, MATCHING = range(4)


class Links(NamedTuple):
    """Which features are similar; those of feature x are at starts[x]:starts[x + 1].

    Attributes
    ----------
    others, values, ranks
        The similar feature, its similarity, and the place of the pair among all pairs, most
        similar first; by these the links of a feature are ordered, too.
    """

    starts: np.ndarray
    others: np.ndarray
    values: np.ndarray
    ranks: np.ndarray


class _State(NamedTuple):
    """By feature: where it is (1: A alone, 2: B alone, 3: both), how many similar ones the other
    side has and how similar they are, its partner and the rank of this pair; and room to search.

    `totals` has the sums over A∖B and B∖A at 1 and 2, `counts` the numbers of pairs, of shared
    features and of searches.
    """

    side: np.ndarray
    near: np.ndarray
    sums: np.ndarray
    partner: np.ndarray
    rank: np.ndarray
    seen: np.ndarray
    parent: np.ndarray
    queue: np.ndarray
    totals: np.ndarray
    counts: np.ndarray


def find_links(similarity: np.ndarray, threshold: float) -> Links:
    """The pairs of features that are similar; equally similar ones by their numbers."""
    m = len(similarity)
    first, second = np.nonzero(np.triu(similarity >= threshold, 1))
    values = np.asarray(similarity, dtype=np.float64)[first, second]
    # Similarities that differ by rounding alone are equal.
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.lexsort((second, first, -np.round(values, 12)))] = np.arange(first.size)
    ends, others = np.concatenate([first, second]), np.concatenate([second, first])
    values, rank = np.tile(values, 2), np.tile(rank, 2)
    order = np.lexsort((rank, ends))
    starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=m))])
    return Links(starts.astype(np.int64), others[order], values[order], rank[order])


@njit()
def _new_state(m):
    integers = np.int64
    return _State(
        np.zeros(m, integers),
        np.zeros(m, integers),
        np.zeros(m),
        np.full(m, -1, integers),
        np.zeros(m, integers),
        np.zeros(m, integers),
        np.zeros(m, integers),
        np.zeros(m, integers),
        np.zeros(3),
        np.zeros(3, integers),
    )


@njit()
def _change(state, feature, step, value, credit):
    """A similar feature comes to the other side of this one (step 1), or goes (−1)."""
    side = state.side[feature]
    if credit == MEAN and state.near[feature]:
        state.totals[side] -= state.sums[feature] / state.near[feature]
    before = state.near[feature]
    state.near[feature] += step
    state.sums[feature] = state.sums[feature] + step * value if state.near[feature] else 0.0
    if credit == MEAN:
        if state.near[feature]:
            state.totals[side] += state.sums[feature] / state.near[feature]
    elif before == 0:
        state.totals[side] += 1
    elif state.near[feature] == 0:
        state.totals[side] -= 1


@njit()
def _put(links, state, feature, side, credit):
    """Put a feature into A (1) or B (2)."""
    start, end = links.starts[feature], links.starts[feature + 1]
    if state.side[feature] == 0:
        state.side[feature] = side
        for at in range(start, end):
            other = links.others[at]
            if state.side[other] == 3 - side:
                _change(state, other, 1, links.values[at], credit)
                _change(state, feature, 1, links.values[at], credit)
        if state.near[feature]:
            _pair(links, state, feature, credit)
        return
    for at in range(start, end):
        other = links.others[at]
        if state.side[other] == side:
            _change(state, other, -1, links.values[at], credit)
            _change(state, feature, -1, links.values[at], credit)
    left = state.partner[feature]
    state.partner[feature] = -1
    state.side[feature] = 3
    state.counts[1] += 1
    if left >= 0:
        state.partner[left] = -1
        state.counts[0] -= 1
        _pair(links, state, left, credit)


@njit()
def _pair(links, state, feature, credit):
    """Find a partner for a feature that has none, so that the pairs are again as they must be."""
    if credit == GREEDY:
        _pair_greedily(links, state, feature)
    elif credit == MATCHING:
        _pair_by_path(links, state, feature)


@njit()
def _pair_greedily(links, state, feature):
    """Take the most similar feature that has no better partner; who loses one looks further.

    The result is that of going through all pairs, most similar first.
    """
    while feature >= 0:
        looking, feature = feature, -1
        for at in range(links.starts[looking], links.starts[looking + 1]):
            other, rank = links.others[at], links.ranks[at]
            if state.side[other] != 3 - state.side[looking]:
                continue
            rival = state.partner[other]
            if rival >= 0 and state.rank[other] < rank:
                continue
            if rival >= 0:
                state.partner[rival] = -1
            else:
                state.counts[0] += 1
            state.partner[looking], state.partner[other] = other, looking
            state.rank[looking] = state.rank[other] = rank
            feature = rival
            break


@njit()
def _pair_by_path(links, state, feature):
    """One more pair by an augmenting path from this feature, where there is one (Berge 1957)."""
    state.counts[2] += 1
    search, wanted = state.counts[2], 3 - state.side[feature]
    state.queue[0] = feature
    first, last = 0, 1
    while first < last:
        looking = state.queue[first]
        first += 1
        for at in range(links.starts[looking], links.starts[looking + 1]):
            other = links.others[at]
            if state.side[other] != wanted or state.seen[other] == search:
                continue
            state.seen[other] = search
            state.parent[other] = looking
            if state.partner[other] >= 0:
                state.queue[last] = state.partner[other]
                last += 1
                continue
            state.counts[0] += 1
            while other >= 0:
                giver = state.parent[other]
                following = state.partner[giver] if giver != feature else -1
                state.partner[other], state.partner[giver] = giver, other
                other = following
            return


@njit()
def _clear(state, features):
    for feature in features:
        state.side[feature] = state.near[feature] = 0
        state.sums[feature] = 0.0
        state.partner[feature] = -1


@njit()
def _walk(links, state, first, second, credit, found, rest):
    """|A ∩ B| + C, and C less the mean of both sides, at every step of two growing subsets."""
    state.totals[:] = 0
    state.counts[:2] = 0
    for k in range(max(first.size, second.size)):
        if k < first.size:
            _put(links, state, first[k], 1, credit)
        if k < second.size:
            _put(links, state, second[k], 2, credit)
        one, other = state.totals[1], state.totals[2]
        exchanged = float(state.counts[0]) if credit >= GREEDY else min(one, other)
        found[k] = state.counts[1] + exchanged
        rest[k] = exchanged - (one + other) / 2
    _clear(state, first)
    _clear(state, second)


@njit()
def exchange_curve(links, first, second, credit):
    """|A ∩ B| + C of the first k features of two sequences of one length, for every k."""
    found, rest = np.empty(first.size), np.empty(first.size)
    _walk(links, _new_state(links.starts.size - 1), first, second, credit, found, rest)
    return found


@njit()
def exchange_matrix(links, features, ends, credit):
    """|A ∩ B| + C of every pair of subsets; the i-th is features[ends[i]:ends[i + 1]]."""
    n, m = ends.size - 1, links.starts.size - 1
    state, values = _new_state(m), np.zeros((n, n))
    found, rest = np.empty(m), np.empty(m)
    for i in range(n):
        for j in range(i + 1, n):
            first, second = features[ends[i] : ends[i + 1]], features[ends[j] : ends[j + 1]]
            longer = max(first.size, second.size)
            _walk(links, state, first, second, credit, found, rest)
            if longer:
                values[i, j] = values[j, i] = found[longer - 1]
    return values


@njit()
def mean_rest(links, firsts, seconds, credit):
    """The mean of C less the mean of both sides, over all pairs of rows."""
    m = links.starts.size - 1
    state, total = _new_state(m), 0.0
    found, rest = np.empty(m), np.empty(m)
    for first in firsts:
        for second in seconds:
            _walk(links, state, first, second, credit, found, rest)
            total += rest[max(first.size, second.size) - 1]
    return total / (len(firsts) * len(seconds))


@njit()
def drawn_rest(links, uniform, size, credit):
    """Sums over draws of C less the mean of both sides, for subsets of min(k, size) and k features.

    `uniform` has the numbers from 0 to 1 that the k-th features of both are drawn by (rows) in each
    draw: a longer table begins as a shorter one does, and so do the sums.
    """
    m, (depth, draws, _) = links.starts.size - 1, uniform.shape
    state, total = _new_state(m), np.zeros(depth)
    found, rest = np.empty(depth), np.empty(depth)
    places, taken = np.arange(m), np.empty((2, depth), np.int64)
    swapped = np.empty(depth, np.int64)
    for draw in range(draws):
        for side in range(2):
            for k in range(depth):
                swapped[k] = k + int(uniform[k, draw, side] * (m - k))
                places[k], places[swapped[k]] = places[swapped[k]], places[k]
                taken[side, k] = places[k]
            for k in range(depth - 1, -1, -1):
                places[k], places[swapped[k]] = places[swapped[k]], places[k]
        _walk(links, state, taken[0, :size], taken[1], credit, found, rest)
        total += rest
    return total

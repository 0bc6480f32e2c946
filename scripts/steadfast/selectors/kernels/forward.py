"""Forward selection by relevance against redundancy, step by step or lazily, with one result.

At a step with t features selected, a feature's score falls with its redundancy, the mean of
I(f; s) over the selected s. The plain way counts the feature that was selected last against all
that are left. The lazy way counts only where it matters: the sum of I(f; s) never falls, so that
the sum over some of the selected features, divided by t, bounds the score from above. Features
whose bound lies below the best score, and is not tied with it, are left as they are; the others
are counted against what they have missed, until they fall behind or are up to date.

Both give the same floats. A sum is made of the same numbers, added in the order of selection. Sum,
quotient and score are rounded monotonically, so that the bound holds after rounding, too; and a
feature whose bound is not within the tolerance of the best score would not have been chosen, nor
have changed the best score or what is tied with it.

References
----------
Minoux, Accelerated greedy algorithms for maximizing submodular set functions (1978): bounds from
earlier steps in greedy selection.
"""

from typing import NamedTuple

import numpy as np

from steadfast.core.compiled import njit
from steadfast.statistics.information import ZERO, Counted, information_of

#: Scores that differ by less, relative to the best, are tied: the lower column wins. Rounding is of
#: the order 1e-13, while distinct counts differ by more than 1e-9.
TOLERANCE = 1e-10

CRITERIA = {"mid": 0, "miq": 1, "mid_alpha": 2}
_MIQ = CRITERIA["miq"]

#: Selected features that one is counted against before its bound is looked at again.
AT_ONCE = 4

#: The lazy way is given up where, after so many steps, the features left have been counted against
#: more than this share of the selected ones. A pair costs more in the lazy way, as measured 1.4
#: times with 2000 rows and 1.8 with 200.
TRIAL, MOST_COUNTED = 4, 0.5


class Terms(NamedTuple):
    """What the scores of features are made of, beside their redundancy.

    Attributes
    ----------
    criterion, alpha
        See `combine`.
    relevances
        V of each feature.
    bonus
        What is added to the score of each feature at this step.
    """

    criterion: int
    alpha: float
    relevances: np.ndarray
    bonus: np.ndarray


class Shared(NamedTuple):
    """I(f; s) that several sequences on the same rows need, each counted once.

    Attributes
    ----------
    slots
        The row of `values` that a feature s has once it was selected; −1 where it has none. Empty
        where nothing is shared.
    taken
        How many rows are in use, a single number.
    values
        I(f; s) of each feature f (column) with that of the row; NaN where it was not counted yet.
    firsts, seconds, places, counts
        Room for what is left to count.
    """

    slots: np.ndarray
    taken: np.ndarray
    values: np.ndarray
    firsts: np.ndarray
    seconds: np.ndarray
    places: np.ndarray
    counts: np.ndarray


class Redundancy(NamedTuple):
    """The sum of I(f; s) of each feature, and over how many of the selected ones it goes so far."""

    sums: np.ndarray
    added: np.ndarray
    shared: Shared


#: Bytes that shared information may take; what finds no room is counted each time.
MOST_SHARED = 2**26


def share(m: int, n_sequences: int, n_steps: int) -> Shared:
    """Room for so many sequences; for a single one there is nothing to share."""
    room = 0 if n_sequences < 2 else m
    rows = min(room, n_sequences * n_steps, max(1, MOST_SHARED // (8 * m)))
    empty = (np.empty(room, np.int64) for _ in range(3))
    slots, taken = np.full(room, -1), np.zeros(1, np.int64)
    return Shared(slots, taken, np.empty((rows, room)), *empty, np.empty(room))


def no_redundancy(m: int, shared: Shared | None = None) -> Redundancy:
    """Before the first step."""
    return Redundancy(np.zeros(m), np.zeros(m, np.int64), shared or share(m, 1, 0))


def lazy_pays(m: int, n_steps: int) -> bool:
    """Whether to begin lazily. Who ranks most features will count nearly all pairs in the end."""
    return n_steps <= m // 2


def forward(
    counted: Counted,
    relevances: np.ndarray,
    criterion: str,
    alpha: float,
    n_steps: int,
    lazy: bool | None = None,
    shared: Shared | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The sequence, and redundancy and score of each feature at its step. See `mrmr.MRMR`.

    `lazy` says how it begins; None leaves it to `lazy_pays`. `shared` is what other sequences on
    the same rows have counted, and gets what this one counts.
    """
    m = relevances.size
    if lazy is None:
        lazy = lazy_pays(m, n_steps)
    terms = Terms(CRITERIA[criterion], float(alpha), relevances, np.zeros(m))
    return _forward(counted, terms, no_redundancy(m, shared), n_steps, lazy)


@njit()
def _forward(counted, terms, redundancy, n_steps, lazy):
    left = np.arange(terms.relevances.size)
    scores = np.empty(left.size)
    sequence = np.empty(n_steps, np.int64)
    redundancies, best_scores = np.zeros(n_steps), np.empty(n_steps)
    for step in range(n_steps):
        if step == 0:
            best = first_of_largest(left, terms.relevances)
            best_scores[0] = score_of(terms, best, 0.0)
        else:
            lazy = update(counted, terms, redundancy, left, sequence, step, scores, lazy)
            best = _best(left, scores, terms.relevances)
            redundancies[step] = redundancy.sums[best] / step
            best_scores[step] = scores[best]
        sequence[step] = best
        _take_slot(redundancy.shared, best)
        left = left[left != best]
    return sequence, redundancies, best_scores


@njit()
def _take_slot(shared, selected):
    """A row for what others share with a selected feature, if there is one left."""
    if shared.slots.size and shared.slots[selected] < 0 and shared.taken[0] < len(shared.values):
        shared.slots[selected] = shared.taken[0]
        shared.values[shared.taken[0]] = np.nan
        shared.taken[0] += 1


@njit(inline="always")
def _information(counted, shared, firsts, seconds, start, stop, out):
    """As `information_of`, where it was not counted before."""
    if shared.slots.size == 0:
        information_of(counted, firsts, seconds, start, stop, out)
    else:
        n = np.int64(0)
        for pair in range(start, stop):
            slot = shared.slots[seconds[pair]]
            out[pair] = shared.values[slot, firsts[pair]] if slot >= 0 else np.nan
            if np.isnan(out[pair]):
                shared.firsts[n], shared.seconds[n] = firsts[pair], seconds[pair]
                shared.places[n] = pair
                n += 1
        first = np.int64(0)
        information_of(counted, shared.firsts, shared.seconds, first, n, shared.counts)
        for at in range(n):
            out[shared.places[at]] = shared.counts[at]
            slot = shared.slots[shared.seconds[at]]
            if slot >= 0:
                shared.values[slot, shared.firsts[at]] = shared.counts[at]


@njit()
def _information_apart(counted, shared, firsts, seconds, start, stop, out):
    """The same as a call, for many pairs at once: every copy of it takes seconds to compile."""
    _information(counted, shared, firsts, seconds, start, stop, out)


@njit()
def combine(criterion, alpha, relevance, redundancy):
    """The criterion's value for one feature."""
    if criterion == _MIQ:
        return relevance / redundancy if redundancy > ZERO else np.inf
    if criterion == 0:
        return relevance - redundancy
    return alpha * relevance - (1.0 - alpha) * redundancy


@njit()
def score_of(terms, feature, redundancy):
    """The criterion's value for a feature, and what is added to it."""
    value = combine(terms.criterion, terms.alpha, terms.relevances[feature], redundancy)
    return value + terms.bonus[feature]


@njit(inline="always")
def update(counted, terms, redundancy, left, sequence, step, scores, lazy):
    """Scores of the features left; lazily, upper bounds for those that cannot be chosen.

    Returns whether to go on lazily.
    """
    if lazy and step >= TRIAL:
        lazy = np.sum(redundancy.added[left]) <= MOST_COUNTED * left.size * (step - 1)
    if lazy:
        _update_leaders(counted, terms, redundancy, left, sequence, step, scores)
    else:
        _update_all(counted, terms, redundancy, left, sequence, step, scores)
    return lazy


@njit(inline="always")
def _begin(redundancy, feature, stop, same):
    """Name a feature at the places of the selected ones that it has missed; the first of them."""
    start = redundancy.added[feature]
    for at in range(start, stop):
        same[at] = feature
    return start


@njit(inline="always")
def _end(redundancy, feature, start, stop, information):
    """Add what it shares with them."""
    for at in range(start, stop):
        redundancy.sums[feature] += information[at]
    redundancy.added[feature] = stop


@njit(inline="always")
def _update_all(counted, terms, redundancy, left, sequence, step, scores):
    same, missed, shared = np.empty(step, np.int64), np.empty(step), redundancy.shared
    for feature in left:
        if redundancy.added[feature] < step - 1:
            start = _begin(redundancy, feature, step - 1, same)
            _information_apart(counted, shared, same, sequence, start, step - 1, missed)
            _end(redundancy, feature, start, step - 1, missed)
    last, information = np.full(left.size, sequence[step - 1]), np.empty(left.size)
    _information_apart(counted, shared, left, last, np.int64(0), left.size, information)
    for at, feature in enumerate(left):
        redundancy.sums[feature] += information[at]
        redundancy.added[feature] = step
        scores[feature] = score_of(terms, feature, redundancy.sums[feature] / step)


@njit(inline="always")
def _update_leaders(counted, terms, redundancy, left, sequence, step, scores):
    leader = left[0]
    for feature in left:
        scores[feature] = score_of(terms, feature, redundancy.sums[feature] / step)
        if scores[feature] > scores[leader]:
            leader = feature
    same, information = np.empty(step, np.int64), np.empty(step)
    best = limit = -np.inf
    for at in range(-1, left.size):
        feature = leader if at < 0 else left[at]
        while redundancy.added[feature] < step and scores[feature] >= limit:
            stop = min(redundancy.added[feature] + AT_ONCE, step)
            start = _begin(redundancy, feature, stop, same)
            _information(counted, redundancy.shared, same, sequence, start, stop, information)
            _end(redundancy, feature, start, stop, information)
            scores[feature] = score_of(terms, feature, redundancy.sums[feature] / step)
        if redundancy.added[feature] == step and scores[feature] > best:
            best = scores[feature]
            limit = tie_limit(best)


@njit()
def _best(left, scores, relevances):
    """The feature to select: of several infinite scores, that of largest relevance."""
    infinite = left[scores[left] == np.inf]
    if infinite.size:
        return first_of_largest(infinite, relevances)
    return first_of_largest(left, scores)


@njit()
def tie_limit(best):
    """The least score that is tied with the best."""
    return best if best == np.inf else best - TOLERANCE * max(1.0, abs(best))


@njit()
def first_of_largest(candidates, scores):
    """The lowest of the columns whose score is within the tolerance of the best."""
    best = -np.inf
    for candidate in candidates:
        best = max(best, scores[candidate])
    limit = tie_limit(best)
    for candidate in candidates:
        if scores[candidate] >= limit:
            return candidate
    return -1

"""Exact expectations over random subsets, from the hypergeometric distribution."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from steadfast.measures.index import divide

#: Probabilities further from the mean than this many standard deviations are left out.
_TAIL = 40.0


@lru_cache(maxsize=4)
def log_factorials(n: int) -> np.ndarray:
    """ln i! for i = 0..n."""
    return np.array([math.lgamma(i + 1) for i in range(n + 1)])


def overlap_probabilities(m: int, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    """Overlaps of random subsets of a and b of m features, and their probabilities.

    P(r) = C(a, r) C(m − a, b − r) / C(m, b).
    """
    logs = log_factorials(m)
    mean = a * b / m
    sd = math.sqrt(mean * (1 - a / m) * (1 - b / m) * m / max(m - 1, 1))
    low = max(0, a + b - m, math.floor(mean - _TAIL * sd - 1))
    high = min(a, b, math.ceil(mean + _TAIL * sd + 1))
    r = np.arange(low, high + 1)
    chosen = logs[a] - logs[r] - logs[a - r] + logs[m - a] - logs[b - r] - logs[m - a - b + r]
    probabilities = np.exp(chosen - (logs[m] - logs[b] - logs[m - b]))
    return r, probabilities / probabilities.sum()


def expected_count_measure(
    function: Callable[..., np.ndarray], m: int, sizes: list[tuple[int, int]]
) -> np.ndarray:
    """Mean of a measure of (a, b, shared, m) over random subsets, for each pair of sizes."""
    values = []
    for a, b in sizes:
        shared, probabilities = overlap_probabilities(m, a, b)
        both = np.full(shared.shape, a), np.full(shared.shape, b)
        values.append(float(probabilities @ function(*both, shared, m)))
    return np.array(values)


def for_each_pair(expected: Callable[[int, int], float], sizes: np.ndarray) -> np.ndarray:
    """An expectation by two sizes for every pair of subsets, each pair of sizes computed once."""
    distinct, which = np.unique(sizes, return_inverse=True)
    table = np.array([[expected(int(a), int(b)) for b in distinct] for a in distinct])
    return table[np.ix_(which, which)]


#: Less room than this between chance and the most there can be is rounding.
_ROOM = 1e-9


def no_room(
    expected: Callable[[int, int], float],
    sizes: np.ndarray,
    most: Callable[[int, int], float],
) -> str | None:
    """The reason where random subsets of two of these sizes agree as much as any can."""
    distinct, counts = np.unique(sizes, return_counts=True)
    for i, a in enumerate(distinct.tolist()):
        for j, b in enumerate(distinct.tolist()):
            if (i != j or counts[i] > 1) and most(a, b) - expected(a, b) <= _ROOM:
                return f"random subsets of {a} and {b} features agree as much as any can"
    return None


def beyond_chance(observed: np.ndarray, expected: np.ndarray, most: np.ndarray) -> np.ndarray:
    """(observed − expected) / (most − expected); NaN where chance leaves no room."""
    room = most - expected
    return divide(observed - expected, np.where(room > _ROOM, room, 0))


def _miss_probability(m: int, d: np.ndarray, b: int) -> np.ndarray:
    """P(a random subset of b of m features holds none of d given ones) = C(m − d, b) / C(m, b)."""
    logs = log_factorials(m)
    left = m - d - b
    safe = np.maximum(left, 0)
    return np.where(left < 0, 0.0, np.exp(logs[m - d] - logs[safe] - logs[m] + logs[m - b]))


def expected_related(degrees: np.ndarray, m: int, a: int, b: int) -> float:
    """E|{x ∈ A∖B : B holds a feature linked to x}| over random subsets of a and b features.

    `degrees[d]` is the number of features with d links.
    """
    if m < 2 or b == m:
        return 0.0
    reached = 1 - _miss_probability(m - 1, np.arange(degrees.size), b)
    return float(a / m * (1 - b / m) * (degrees @ reached))


def expected_exchanges(degrees: np.ndarray, m: int, a: int, b: int) -> float:
    """E|{x ∈ A∖B : B∖A holds a feature linked to x}| over random subsets of a and b features."""
    if m < 2 or a == 0 or b == m:
        return 0.0
    total = 0.0
    for d in np.flatnonzero(degrees):
        in_a, probabilities = overlap_probabilities(m - 1, int(d), a - 1)
        missed = probabilities @ _miss_probability(m - 1, d - in_a, b)
        total += degrees[d] * (1 - missed)
    return float(a / m * (1 - b / m) * total)

"""ReliefF: features that differ between near rows of different classes and agree within one."""

from typing import Any

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.estimator import Selector
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator
from steadfast.data.discretise import unit_range

#: Distances closer than this are equal, and the lower row is nearer.
_TIE = 1e-10

#: Rows whose distances are computed together, so that they stay in the processor's cache.
_BLOCK = 16

#: Probes whose distances are kept together, at most, and numbers of theirs that stay in the cache:
#: all other rows come from memory once for them.
_PROBES, _CACHED = 64, 65_536

#: Up to so many rows, all distances are kept at once (half a gigabyte), each computed once.
_SQUARE = 8000


@selector("relieff", reference="Kononenko (1994), Estimating attributes: analysis of Relief")
class ReliefF(Selector):
    """Weights by what tells near rows of different classes apart.

    For each of P probes s, with its k nearest rows H of its own class and M(C) of each other class,

        W(f) = (1/P) Σ_s [ Σ_{C ≠ C_s} p(C)/(1 − p(C_s)) · mean_{j ≤ k} diff(f, s, M_j(C))
                           − mean_{j ≤ k} diff(f, s, H_j) ],

    diff = |x_f(s) − x_f(t)| / (max_f − min_f) for numbers, 0 or 1 for discrete features, 0 for a
    constant one; the distance of two rows is the sum of diff over the features. p are shares of the
    rows. A class with fewer than k (other) rows has the mean over those it has; equally near rows
    are taken in their order.

    Parameters
    ----------
    n_neighbours
        k.
    n_probes
        P rows drawn without replacement; None takes every row.
    discrete
        Whether the features are categories: `True`, `False`, or the numbers of those that are.
    n_features_to_select
        How many to rank; all if None.
    random_state
        For the draw of probes.

    Attributes
    ----------
    scores_ : ndarray
        W, from −1 to 1.
    steps_ : dict
        `miss` and `hit`: the two terms of W, mean difference to near rows of other classes and of
        the same class.

    References
    ----------
    Kononenko, Estimating attributes: analysis and extensions of Relief (1994), as Ji et al. (2015)
    print it, equations (1) and (2).
    """

    def __init__(
        self,
        n_neighbours: int = 10,
        n_probes: int | None = None,
        discrete: Any = False,
        n_features_to_select: int | None = None,
        random_state: Any = None,
    ):
        self.n_neighbours = n_neighbours
        self.n_probes = n_probes
        self.discrete = discrete
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        for name, value in (("n_neighbours", self.n_neighbours), ("n_probes", self.n_probes)):
            whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
            if not (whole and value >= 1) and not (name == "n_probes" and value is None):
                raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}")
        n, m = X.shape
        if not isinstance(self.discrete, bool) and not set(self.discrete) <= set(range(m)):
            raise ValueError(
                f"discrete must be true, false or numbers of columns from 0 to {m - 1}"
            )
        probes = np.arange(n)
        if self.n_probes is not None and self.n_probes < n:
            draw = random_generator(self.random_state)
            probes = np.sort(draw.choice(n, self.n_probes, replace=False))
        hit, miss = relieff_terms(X, y, probes, self.n_neighbours, self.discrete)
        self._set_weights(miss - hit, {"miss": miss, "hit": hit})


def relieff_terms(
    X: np.ndarray, y: np.ndarray, probes: np.ndarray, n_neighbours: int, discrete: Any = False
) -> tuple[np.ndarray, np.ndarray]:
    """Mean difference of every column to hits and to misses; W is the second minus the first."""
    m = X.shape[1]
    categories = np.zeros(m, dtype=bool)
    categories[np.arange(m) if discrete is True else [] if discrete is False else discrete] = True
    scaled = unit_range(X)
    scaled[:, categories] = X[:, categories]
    order = np.argsort(y, kind="stable")
    starts = np.searchsorted(y[order], np.arange(int(y.max()) + 2))
    # Rows of a class lie side by side, in their order.
    place = np.empty(len(y), dtype=np.int64)
    place[order] = np.arange(len(y))
    rows = np.ascontiguousarray(scaled[order])
    del scaled
    numbers = np.ascontiguousarray(rows[:, ~categories]) if categories.any() else rows
    codes = np.ascontiguousarray(rows[:, categories])
    terms = np.empty((2, m))
    sums = _sums(numbers, codes, starts, np.sort(place[probes]), n_neighbours)
    terms[:, ~categories], terms[:, categories] = sums
    hit, miss = terms / len(probes)
    return hit, miss


@njit()
def _sums(numbers, codes, starts, probes, k):
    """Σ over the probes, of hits and misses (rows), of number features and of categories."""
    n, n_classes = numbers.shape[0], starts.size - 1
    if probes.size == n and n <= _SQUARE:
        return sums_of_all(numbers, codes, starts, all_distances(numbers, codes), k)
    on_numbers, on_codes = np.zeros((2, numbers.shape[1])), np.zeros((2, codes.shape[1]))
    m = numbers.shape[1] + codes.shape[1]
    together = max(_BLOCK, min(_PROBES, m, _CACHED // m))
    distances = np.empty((together, n))
    near = np.empty(k, np.int64)
    for first in range(0, probes.size, together):
        last = min(first + together, probes.size)
        _block_distances(numbers, codes, probes, first, last, False, distances)
        for at in range(first, last):
            _update(
                numbers, codes, starts, probes[at], distances[at - first], k, near,
                n_classes, on_numbers, on_codes,
            )  # fmt: skip
    return on_numbers, on_codes


@njit()
def all_distances(numbers, codes):
    """The distance of every two rows; each is computed once."""
    n = numbers.shape[0]
    distances = np.zeros((n, n))
    every = np.arange(n)
    for first in range(0, n, _BLOCK):
        _block_distances(numbers, codes, every, first, min(first + _BLOCK, n), True, distances)
    return distances


@njit()
def sums_of_all(numbers, codes, starts, distances, k):
    """As `_sums`, with every row a probe, by distances that are known."""
    n_classes = starts.size - 1
    on_numbers, on_codes = np.zeros((2, numbers.shape[1])), np.zeros((2, codes.shape[1]))
    near = np.empty(k, np.int64)
    for row in range(numbers.shape[0]):
        _update(
            numbers, codes, starts, row, distances[row], k, near,
            n_classes, on_numbers, on_codes,
        )  # fmt: skip
    return on_numbers, on_codes


@njit()
def _block_distances(numbers, codes, probes, first, last, every, distances):
    """Distances of some probes to all rows; with every row a probe, to those after them."""
    n = numbers.shape[0]
    for block in range(first if every else 0, n, _BLOCK):
        for at in range(first, last):
            row = probes[at]
            for other in range(block, min(block + _BLOCK, n)):
                if every and other <= row:
                    continue
                distance = _distance(numbers[row], numbers[other])
                for feature in range(codes.shape[1]):
                    if codes[row, feature] != codes[other, feature]:
                        distance += 1.0
                if every:
                    distances[row, other] = distances[other, row] = distance
                else:
                    distances[at - first, other] = distance


@njit(fastmath={"reassoc", "nsz"})
def _distance(first, second):
    total = 0.0
    for feature in range(first.size):
        total += abs(first[feature] - second[feature])
    return total


@njit()
def _update(numbers, codes, starts, row, distances, k, near, n_classes, on_numbers, on_codes):
    """Add what one probe says."""
    n = numbers.shape[0]
    own = 0
    while starts[own + 1] <= row:
        own += 1
    rest = n - (starts[own + 1] - starts[own])
    for label in range(n_classes):
        found = _nearest(distances, starts[label], starts[label + 1], row, k, near)
        if not found or (label != own and rest == 0):
            continue
        share, term = 1.0, 0
        if label != own:
            share, term = (starts[label + 1] - starts[label]) / rest, 1
        for at in range(found):
            _add(numbers[row], numbers[near[at]], share / found, on_numbers[term])
            for feature in range(codes.shape[1]):
                if codes[row, feature] != codes[near[at], feature]:
                    on_codes[term, feature] += share / found


@njit()
def _add(first, second, share, sums):
    for feature in range(first.size):
        sums[feature] += share * abs(first[feature] - second[feature])


@njit()
def _nearest(distances, start, end, row, k, near):
    """The nearest rows of a class, kept sorted; how many there are."""
    found = 0
    for other in range(start, end):
        if other == row:
            continue
        distance = distances[other]
        if found == k and distance >= distances[near[k - 1]] - _TIE:
            continue
        at = found if found < k else k - 1
        while at > 0 and distance < distances[near[at - 1]] - _TIE:
            near[at] = near[at - 1]
            at -= 1
        near[at] = other
        found = min(found + 1, k)
    return found

"""Measures that credit different but similar features.

Each is a class made from a matrix about the features. `curve` compares two sequences for every
prefix length at once, `matrix` all subsets of a system.
"""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.measures.chance import (
    beyond_chance,
    expected_exchanges,
    for_each_pair,
    no_room,
    overlap_probabilities,
)
from steadfast.measures.declare import measure
from steadfast.measures.index import divide
from steadfast.measures.kernels.matching import matching_totals, prefix_matching
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import THRESHOLD


@measure(
    "su_matching",
    label="SU matching",
    kind="similar",
    similarity="su",
    bounds=(0, 1),
    unequal_sizes=False,
    needs=("equal_sizes", "no_empty_run"),
    chance="simulated",
    source="Gulgezen, Cataltepe, Yu (2009)",
)
@measure(
    "correlation_matching",
    label="Correlation matching",
    kind="similar",
    similarity="correlation",
    bounds=(0, 1),
    unequal_sizes=False,
    needs=("equal_sizes", "no_empty_run"),
    chance="simulated",
    source="after Gulgezen, Cataltepe, Yu (2009)",
)
class Matching:
    """(1/k) · max over one-to-one matchings M of A and B of Σ_{(a,b) ∈ M} S(a, b).

    S is any similarity: symmetrical uncertainty of bins (`su_matching`), absolute correlation of
    numbers (`correlation_matching`). The value is 1 for equal sets of features that are not
    constant, and counts a feature replaced by a similar one by that similarity. A constant feature
    is similar to nothing, itself included.

    Parameters
    ----------
    similarity
        Symmetric matrix with entries from 0 to 1.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), equations (8) to (12),
    after Yu, Ding, Loscalzo, Stable feature selection via dense feature groups (2008).
    """

    def __init__(self, similarity: np.ndarray):
        self.similarity = similarity

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The value for the first k features of both, k = 1, 2, …"""
        k = min(first.size, second.size)
        weights = self.similarity[np.ix_(first[:k], second[:k])]
        return prefix_matching(weights) / np.arange(1, k + 1)

    def matrix(self, runs: Runs) -> np.ndarray:
        """The value of every pair of subsets of one size."""
        lists = np.array([np.sort(sequence) for sequence in runs.sequences])
        return _all_matchings(self.similarity, lists) / lists.shape[1]


@njit()
def _all_matchings(similarity, lists):
    n, k = lists.shape
    values = np.zeros((n, n))
    weights = np.empty((k, k))
    for i in range(n):
        for j in range(i, n):
            for row in range(k):
                for column in range(k):
                    weights[row, column] = similarity[lists[i, row], lists[j, column]]
            values[i, j] = values[j, i] = matching_totals(weights)[k - 1]
    return values


@measure(
    "mean_su",
    label="Mean SU",
    kind="similar",
    similarity="su",
    bounds=(0, 1),
    needs=("no_empty_run",),
    source="Alelyani (2013)",
)
class MeanSimilarity:
    """(1 / (|A| |B|)) Σ_{a ∈ A, b ∈ B} SU(a, b), SU of bins.

    As much about redundancy as about stability: equal subsets of k independent features have 1/k,
    and the value is 1 only where all features of both tell the same.

    Parameters
    ----------
    similarity
        Symmetric matrix with entries from 0 to 1.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 2.3, equations
    (2.19) to (2.22): "the average of SU for all unique pairs".
    """

    def __init__(self, similarity: np.ndarray):
        self.similarity = similarity

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The value for the first k features of both, k = 1, 2, …"""
        k = min(first.size, second.size)
        pairs = self.similarity[np.ix_(first[:k], second[:k])]
        sums = np.diag(pairs.cumsum(axis=0).cumsum(axis=1))
        return sums / np.arange(1, k + 1) ** 2

    def expected_value(self, a: int, b: int) -> float:
        """The mean over random subsets: every pair of features is as likely as any other."""
        return float(self.similarity.mean())

    def matrix(self, runs: Runs) -> np.ndarray:
        """The value of every pair of subsets."""
        members, sizes = runs.members, runs.sizes
        return divide(members @ self.similarity @ members.T, np.outer(sizes, sizes))


@measure(
    "zucknick",
    label="Zucknick",
    kind="similar",
    similarity="correlation",
    bounds=(0, None),
    needs=("no_empty_pair",),
    source="Zucknick, Richardson, Stronach (2008)",
)
class Zucknick:
    """(|A ∩ B| + C(A,B) + C(B,A)) / |A ∪ B|, C(A,B) = (1/|B|) Σ_{x∈A, y∈B∖A, S(x,y)≥θ} S(x,y).

    S is the absolute correlation here and θ = 0.9; any other similarity by the class's arguments.
    Jaccard where no two features are similar. It may exceed 1: a feature that is similar to
    several others counts more than once.

    Parameters
    ----------
    similarity
        Symmetric matrix with entries from 0 to 1.
    threshold
        θ.

    References
    ----------
    Zucknick, Richardson, Stronach, Comparing the characteristics of gene expression profiles
    derived by univariate and multivariate classification methods (2008), in the form of R's stabm
    (Bommert, Lang 2021).
    """

    def __init__(self, similarity: np.ndarray, threshold: float = THRESHOLD):
        self.similar = np.where(similarity >= threshold, similarity, 0.0)

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The value for the first k features of both, k = 1, 2, …"""
        k = min(first.size, second.size)
        return _zucknick_curve(self.similar, first[:k].astype(np.int64), second[:k])

    def expected_value(self, a: int, b: int) -> float:
        """The mean over random subsets.

        Given |A ∩ B| = r, a pair (x, y) of A × (B∖A) is any of the m(m − 1) with the same
        probability, so that the mean of C(A,B) is Σ S / (m(m − 1)) · a(b − r) / b.
        """
        m = len(self.similar)
        shared, probabilities = overlap_probabilities(m, a, b)
        mean = (self.similar.sum() - np.trace(self.similar)) / max(m * (m - 1), 1)
        credit = mean * (a * (b - shared) / max(b, 1) + b * (a - shared) / max(a, 1))
        return float(probabilities @ divide(shared + credit, a + b - shared))

    def matrix(self, runs: Runs) -> np.ndarray:
        """The value of every pair of subsets."""
        members, sizes = runs.members, runs.sizes
        shared = members @ members.T
        linked = members @ self.similar
        credit = linked @ members.T - (members * linked) @ members.T
        # Beside an empty subset there is nothing to credit.
        credit /= np.maximum(sizes, 1)[None, :]
        return divide(shared + credit + credit.T, sizes[:, None] + sizes[None, :] - shared)


@njit()
def _zucknick_curve(similar, first, second):
    """T = Σ over A × B, D = Σ over A × (A ∩ B) and over B × (A ∩ B), kept as features join."""
    depth, m = first.size, similar.shape[0]
    in_a, in_b = np.zeros(m, np.bool_), np.zeros(m, np.bool_)
    both = np.empty(depth, np.int64)
    n_both, total, doubled = 0, 0.0, 0.0
    curve = np.empty(depth)
    for k in range(depth):
        a, b = first[k], second[k]
        for at in range(k):
            total += similar[a, second[at]] + similar[first[at], b]
        total += similar[a, b]
        for at in range(n_both):
            doubled += similar[a, both[at]] + similar[b, both[at]]
        in_a[a] = in_b[b] = True
        if in_b[a]:
            both[n_both] = a
            n_both += 1
            doubled += _sum_with(similar, a, first, second, k + 1)
        if a != b and in_a[b]:
            both[n_both] = b
            n_both += 1
            doubled += _sum_with(similar, b, first, second, k + 1)
        curve[k] = (n_both + (2 * total - doubled) / (k + 1)) / (2 * (k + 1) - n_both)
    return curve


@njit()
def _sum_with(similar, feature, first, second, k):
    total = 0.0
    for at in range(k):
        total += similar[first[at], feature] + similar[second[at], feature]
    return total


@measure(
    "yu",
    label="Yu",
    kind="similar",
    similarity="correlation",
    bounds=(None, 1),
    corrected=True,
    needs=("no_empty_pair", "no_full_pair"),
    source="Yu, Han, Berens (2012)",
)
class Yu:
    """(I − E(I)) / ((|A| + |B|)/2 − E(I)), I = |A ∩ B| + (O(A,B) + O(B,A))/2.

    O(A,B) = |{x ∈ A∖B : some y ∈ B∖A has S(x,y) ≥ θ}|. S is the absolute correlation here and
    θ = 0.9; any other similarity by the class's arguments. E(I) over random subsets of the same
    sizes is exact: given x ∈ A∖B with d similar features, h of them in A (hypergeometric), B misses
    the others with probability C(m−1−d+h, |B|) / C(m−1, |B|). R's stabm simulates it.

    Parameters
    ----------
    similarity
        Symmetric matrix with entries from 0 to 1.
    threshold
        θ.

    References
    ----------
    Yu, Han, Berens, Stable gene selection from microarray data via sample weighting (2012), in the
    form of R's stabm (Bommert, Lang 2021).
    """

    def __init__(self, similarity: np.ndarray, threshold: float = THRESHOLD):
        self.linked = similarity >= threshold
        np.fill_diagonal(self.linked, False)
        self.degrees = np.bincount(self.linked.sum(axis=1))
        self._expected: dict[tuple[int, int], float] = {}

    def expectation(self, a: int, b: int) -> float:
        """E(I) for random subsets of a and b features."""
        key = (min(a, b), max(a, b))
        if key not in self._expected:
            m = len(self.linked)
            exchanges = sum(expected_exchanges(self.degrees, m, *pair) for pair in ((a, b), (b, a)))
            self._expected[key] = a * b / m + exchanges / 2
        return self._expected[key]

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The value for the first k features of both, k = 1, 2, …"""
        k = min(first.size, second.size)
        found = _yu_curve(self.linked, first[:k], second[:k])
        sizes = np.arange(1, k + 1)
        expected = np.array([self.expectation(size, size) for size in sizes])
        return beyond_chance(found, expected, sizes)

    def matrix(self, runs: Runs) -> np.ndarray:
        """The value of every pair of subsets."""
        sizes = runs.sizes
        members = runs.members
        found = members @ members.T + _exchanges(self.linked, members > 0) / 2
        most = (sizes[:, None] + sizes[None, :]) / 2
        return beyond_chance(found, for_each_pair(self.expectation, sizes), most)

    def why_undefined(self, sizes: np.ndarray) -> str | None:
        """Whether chance leaves no room for agreement."""
        return no_room(self.expectation, sizes, lambda a, b: (a + b) / 2)


@njit()
def _yu_curve(linked, first, second):
    """How many features of B∖A each feature is similar to, kept as features come and go."""
    depth, m = first.size, linked.shape[0]
    in_a, in_b = np.zeros(m, np.bool_), np.zeros(m, np.bool_)
    near_a, near_b = np.zeros(m, np.int64), np.zeros(m, np.int64)
    curve = np.empty(depth)
    for k in range(depth):
        _join(linked, first[k], in_a, in_b, near_a, near_b)
        _join(linked, second[k], in_b, in_a, near_b, near_a)
        shared = exchanged = 0
        for at in range(k + 1):
            x, y = first[at], second[at]
            if in_b[x]:
                shared += 1
            elif near_b[x] > 0:
                exchanged += 1
            if not in_a[y] and near_a[y] > 0:
                exchanged += 1
        curve[k] = shared + exchanged / 2
    return curve


@njit()
def _join(linked, feature, own, other, near_own, near_other):
    """Put a feature into a subset: it enters own∖other, or leaves other∖own."""
    own[feature] = True
    near, step = (near_other, -1) if other[feature] else (near_own, 1)
    for neighbour in range(linked.shape[0]):
        if linked[feature, neighbour]:
            near[neighbour] += step


@njit()
def _exchanges(linked, members):
    """Features of one subset alone that are similar to one of the other alone, both sides."""
    n, m = members.shape
    words = (m + 63) // 64
    bits, near = np.zeros((n, words), np.uint64), np.zeros((m, words), np.uint64)
    for run in range(n):
        _set_bits(bits[run], members[run])
    for x in range(m):
        _set_bits(near[x], linked[x])
    some = np.flatnonzero(linked.sum(axis=1))
    values = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            exchanged = 0
            for x in some:
                if members[i, x] and not members[j, x]:
                    exchanged += _touches(near[x], bits[j], bits[i])
                elif members[j, x] and not members[i, x]:
                    exchanged += _touches(near[x], bits[i], bits[j])
            values[i, j] = values[j, i] = exchanged
    return values


@njit()
def _set_bits(words, flags):
    for at in range(flags.size):
        if flags[at]:
            words[at // 64] |= np.uint64(1) << np.uint64(at % 64)


@njit()
def _touches(near, other, own):
    for word in range(near.size):
        if near[word] & other[word] & ~own[word]:
            return 1
    return 0

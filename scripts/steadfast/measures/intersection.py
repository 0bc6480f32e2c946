"""Bommert's adjusted measures: the intersection, and similar features that stand for each other.

All four are (I − E(I)) / (√(|A||B|) − E(I)) with I = |A ∩ B| + C(A∖B, B∖A) and differ in C, which
credits features of one subset alone that are similar to some of the other alone. Where no two
features are similar all are `unadjusted`.
"""

import math
from itertools import combinations

import numpy as np

from steadfast.core.seeds import generator
from steadfast.measures.chance import beyond_chance, expected_exchanges, for_each_pair, no_room
from steadfast.measures.declare import measure
from steadfast.measures.kernels import exchanges
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import THRESHOLD

#: Up to so many pairs of subsets a mean is taken over all of them.
MOST_PAIRS = 100_000

#: Random pairs of subsets that a simulated mean is over, and how many are drawn at a time.
DRAWS, AT_A_TIME = 2000, 250


class AdjustedIntersection:
    """What the four measures have in common.

    E(I) over random subsets of the same sizes is |A||B|/m + (E(C(A,B)) + E(C(B,A)))/2 + E(R). Each
    of the two C counts the features of one side, and their means are exact (as those of Yu's
    measure). R ≤ 0 is what is lost because each feature can be exchanged once: 0 where no feature
    is similar to two others; else its mean is taken over all pairs of subsets up to 100,000 pairs,
    and beyond that over 2,000 pairs that are always the same. R's stabm simulates all of E(I).

    Parameters
    ----------
    similarity
        Symmetric matrix with entries from 0 to 1.
    threshold
        Two features are similar from here on.
    """

    credit = exchanges.COUNT

    def __init__(self, similarity: np.ndarray, threshold: float = THRESHOLD):
        self.links = exchanges.find_links(similarity, threshold)
        self.n_features = len(similarity)
        degrees = np.diff(self.links.starts)
        self.weights = np.bincount(degrees, self._worth(degrees))
        self.exact = bool(degrees.max(initial=0) <= 1)
        self._expected: dict[tuple[int, int], float] = {}
        self._simulated: dict[int | str, np.ndarray] = {}

    def _worth(self, degrees: np.ndarray) -> np.ndarray:
        """What each feature counts if it can be exchanged, on average."""
        if self.credit != exchanges.MEAN:
            return np.ones(self.n_features)
        owners = np.repeat(np.arange(self.n_features), degrees)
        sums = np.bincount(owners, self.links.values, minlength=self.n_features)
        return sums / np.maximum(degrees, 1)

    def expectation(self, a: int, b: int) -> float:
        """E(I) for random subsets of a and b features."""
        key = (min(a, b), max(a, b))
        if key not in self._expected:
            m = self.n_features
            sides = sum(expected_exchanges(self.weights, m, *pair) for pair in ((a, b), (b, a)))
            self._expected[key] = a * b / m + sides / 2 + self._mean_rest(*key)
        return self._expected[key]

    def _mean_rest(self, a: int, b: int) -> float:
        """E(R) for random subsets of a ≤ b features."""
        m = self.n_features
        if self.exact or a == 0 or b == m:
            return 0.0
        if math.comb(m, a) * math.comb(m, b) > MOST_PAIRS:
            return float(self._simulate(a, b)[b - 1])
        firsts, seconds = (np.array(list(combinations(range(m), size))) for size in (a, b))
        return exchanges.mean_rest(self.links, firsts, seconds, self.credit)

    def _simulate(self, a: int, b: int) -> np.ndarray:
        """E(R) for random subsets of min(a, k) and k features, k = 1..b and perhaps further.

        One walk along two random orders has all sizes. Equal sizes have walks of their own.
        """
        key, size = ("equal", b) if a == b else (a, a)
        known = self._simulated.get(key, np.empty(0))
        if known.size < b:
            total = np.zeros(b)
            for portion in range(DRAWS // AT_A_TIME):
                draw = generator(1, "similar features", portion)
                uniform = draw.random((b, AT_A_TIME, 2))
                total += exchanges.drawn_rest(self.links, uniform, size, self.credit)
            known = self._simulated[key] = total / DRAWS
        return known

    def _expect_all(self, sizes: np.ndarray) -> None:
        """Look at the largest size first: one walk has all smaller ones."""
        distinct = np.unique(sizes).tolist()
        for a in distinct:
            self.expectation(a, distinct[-1])

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The value for the first k features of both, k = 1, 2, …"""
        sizes = np.arange(1, min(first.size, second.size) + 1)
        pair = (one[: sizes.size].astype(np.int64) for one in (first, second))
        found = exchanges.exchange_curve(self.links, *pair, self.credit)
        expected = [self.expectation(k, k) for k in sizes[::-1].tolist()][::-1]
        return beyond_chance(found, np.array(expected), sizes)

    def matrix(self, runs: Runs) -> np.ndarray:
        """The value of every pair of subsets."""
        sizes = runs.sizes
        features = np.concatenate([np.sort(one) for one in runs.sequences]).astype(np.int64)
        ends = np.concatenate([[0], np.cumsum(sizes)])
        found = exchanges.exchange_matrix(self.links, features, ends, self.credit)
        self._expect_all(sizes)
        most = np.sqrt(np.outer(sizes, sizes).astype(float))
        return beyond_chance(found, for_each_pair(self.expectation, sizes), most)

    def why_undefined(self, sizes: np.ndarray) -> str | None:
        """Whether chance leaves no room for agreement."""
        self._expect_all(sizes)
        return no_room(self.expectation, sizes, lambda a, b: math.sqrt(a * b))


@measure(
    "intersection_count",
    label="Adjusted intersection, count",
    kind="similar",
    similarity="correlation",
    bounds=(None, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_pair"),
    source="Bommert, Rahnenführer (2020)",
)
class IntersectionCount(AdjustedIntersection):
    """(I − E(I)) / (√(|A||B|) − E(I)), I = |A ∩ B| + min(C(A,B), C(B,A)).

    C(A,B) = |{x ∈ A∖B : some y ∈ B∖A has S(x,y) ≥ θ}|. S is the absolute correlation here and
    θ = 0.9; any other similarity by the class's arguments. E(I) is partly simulated where features
    are similar to two or more others: see `AdjustedIntersection`.

    References
    ----------
    Bommert, Rahnenführer, Adjusted measures for feature selection stability for data sets with
    similar features (2020). Bommert, Integration of feature selection stability in model fitting
    (2020). Bommert, Lang, stabm: stability measures for feature selection (2021).
    """

    credit = exchanges.COUNT


@measure(
    "intersection_mean",
    label="Adjusted intersection, mean",
    kind="similar",
    similarity="correlation",
    bounds=(None, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_pair"),
    source="Bommert, Rahnenführer (2020)",
)
class IntersectionMean(AdjustedIntersection):
    """(I − E(I)) / (√(|A||B|) − E(I)), I = |A ∩ B| + min(C(A,B), C(B,A)), C of mean similarities.

    C(A,B) = Σ_{x ∈ A∖B} of the mean of S(x,y) over the y ∈ B∖A with S(x,y) ≥ θ, where there are
    any. S, θ and E(I) as for `intersection_count`; given how many features of the other side are
    similar to x, they are any of its similar ones, so that the mean of C(A,B) is exact here, too.

    References
    ----------
    Bommert, Rahnenführer (2020). Bommert, Lang (2021).
    """

    credit = exchanges.MEAN


@measure(
    "intersection_greedy",
    label="Adjusted intersection, greedy",
    kind="similar",
    similarity="correlation",
    bounds=(None, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_pair"),
    source="Bommert, Rahnenführer (2020)",
)
class IntersectionGreedy(AdjustedIntersection):
    """(I − E(I)) / (√(|A||B|) − E(I)), I = |A ∩ B| + pairs of A∖B and B∖A, found greedily.

    Pairs with S(x,y) ≥ θ, most similar first; a pair is taken where neither feature has been. Pairs
    that are equally similar go by their lower, then their higher column. S, θ and E(I) as for
    `intersection_count`.

    References
    ----------
    Bommert, Rahnenführer (2020). Bommert, Lang (2021).
    """

    credit = exchanges.GREEDY


@measure(
    "intersection_mbm",
    label="Adjusted intersection, matching",
    kind="similar",
    similarity="correlation",
    bounds=(None, 1),
    corrected=True,
    needs=("no_empty_run", "no_full_pair"),
    source="Bommert, Rahnenführer (2020)",
)
class IntersectionMatching(AdjustedIntersection):
    """(I − E(I)) / (√(|A||B|) − E(I)), I = |A ∩ B| + the most pairs of A∖B and B∖A, one to one.

    A maximum bipartite matching: features x and y may be a pair where S(x,y) ≥ θ. S, θ and E(I) as
    for `intersection_count`.

    References
    ----------
    Bommert, Rahnenführer (2020). Bommert, Lang (2021).
    """

    credit = exchanges.MATCHING

"""Overlap of gene lists that counts related features: POGR and nPOGR."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.measures.chance import beyond_chance, expected_related, for_each_pair, no_room
from steadfast.measures.declare import measure
from steadfast.measures.index import divide
from steadfast.measures.runs import Runs


@measure(
    "pogr",
    label="POGR",
    kind="similar",
    similarity="linked",
    bounds=(0, 1),
    symmetric=False,
    needs=("no_empty_run",),
    source="Zhang et al. (2009)",
)
class POGR:
    """(|A ∩ B| + z) / |A|, z = |{x ∈ A∖B : some y ∈ B is linked to x}|.

    Two features are linked where they correlate significantly and positively: r > 0 and the
    two-sided test of r = 0, corrected for all pairs by Benjamini and Hochberg, is below 0.05.

    Parameters
    ----------
    linked
        Symmetric matrix of True and False.

    References
    ----------
    Zhang et al., Evaluating reproducibility of differential expression discoveries in microarray
    studies by considering correlated molecular changes (2009). Alelyani (2013), equation (2.10).
    """

    corrected = False

    def __init__(self, linked: np.ndarray):
        self.linked = np.array(linked, dtype=bool)
        np.fill_diagonal(self.linked, False)
        self.degrees = np.bincount(self.linked.sum(axis=1))
        self._expected: dict[tuple[int, int], float] = {}

    def expectation(self, a: int, b: int) -> float:
        """E(|A ∩ B| + z) for random subsets of a and b features; exact."""
        if (a, b) not in self._expected:
            m = len(self.linked)
            self._expected[a, b] = a * b / m + expected_related(self.degrees, m, a, b)
        return self._expected[a, b]

    def expected_value(self, a: int, b: int) -> float:
        """The mean over random subsets."""
        return self.expectation(a, b) / a

    def curve(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The mean of both orders for the first k features, k = 1, 2, …"""
        k = min(first.size, second.size)
        sizes = np.arange(1, k + 1)
        counts = [
            _related_curve(self.linked, *pair)
            for pair in ((first[:k], second[:k]), (second, first))
        ]
        expected = np.zeros(k)
        if self.corrected:
            expected = np.array([self.expectation(size, size) for size in sizes])
        return sum(self._value(count[:k], sizes, expected) for count in counts) / 2

    def matrix(self, runs: Runs) -> np.ndarray:
        """The value of every ordered pair of subsets."""
        members, sizes = runs.members, runs.sizes
        reached = (members @ self.linked > 0) & (members == 0)
        observed = members @ (members + reached).T
        expected = for_each_pair(self.expectation, sizes) if self.corrected else np.zeros((1, 1))
        return self._value(observed, sizes[:, None], expected)

    def why_undefined(self, sizes: np.ndarray) -> str | None:
        """Whether chance leaves no room for agreement."""
        return no_room(self.expectation, sizes, lambda a, b: a) if self.corrected else None

    def _value(self, observed: np.ndarray, size: np.ndarray, expected: np.ndarray) -> np.ndarray:
        if not self.corrected:
            return divide(observed, size)
        return beyond_chance(observed, expected, size)


@measure(
    "npogr",
    label="nPOGR",
    kind="similar",
    similarity="linked",
    bounds=(None, 1),
    symmetric=False,
    corrected=True,
    needs=("no_empty_run", "no_full_run"),
    source="Zhang et al. (2009)",
)
class NormalisedPOGR(POGR):
    """(|A ∩ B| + z − E) / (|A| − E), E = E(|A ∩ B|) + E(z) over random subsets.

    E is exact. E(|A ∩ B|) = ab/m; E(z) sums over the features x the probability that x is in A∖B,
    a(m − b)/m², times that B then holds one of the d linked to x, 1 − C(m−1−d, b)/C(m−1, b).

    References
    ----------
    Zhang et al. (2009). Alelyani (2013), equation (2.12), which takes means over random lists.
    """

    corrected = True


@njit()
def _related_curve(linked, first, second):
    """|A ∩ B| + z for every k: mark what the features of B are linked to as they come."""
    depth, m = min(first.size, second.size), linked.shape[0]
    in_b, reached = np.zeros(m, np.bool_), np.zeros(m, np.bool_)
    in_a = np.zeros(m, np.bool_)
    counted = np.zeros(m, np.bool_)
    total = 0
    curve = np.empty(depth, np.int64)
    for k in range(depth):
        a, b = first[k], second[k]
        in_a[a] = in_b[b] = True
        if in_a[b] and not counted[b]:
            counted[b] = True
            total += 1
        for x in range(m):
            if linked[b, x] and not reached[x]:
                reached[x] = True
                if in_a[x] and not counted[x]:
                    counted[x] = True
                    total += 1
        if (in_b[a] or reached[a]) and not counted[a]:
            counted[a] = True
            total += 1
        curve[k] = total
    return curve

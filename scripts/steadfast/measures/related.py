"""Related features: overlap of gene lists (POGR, nPOGR), and effective stability (Sechidis)."""

from dataclasses import dataclass

import numpy as np

from steadfast.core.compiled import njit
from steadfast.measures.chance import beyond_chance, expected_related, for_each_pair, no_room
from steadfast.measures.declare import measure
from steadfast.measures.index import divide
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import THRESHOLD


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


#: Less variance of random subsets than this is rounding.
_ROOM = 1e-9


@dataclass(frozen=True)
class CoupledSystem:
    """Sums over a system of subsets z_i (of sizes k_i) of L runs and m features; arrays broadcast.

    Attributes
    ----------
    total, squared_sizes
        Σ k_i and Σ k_i².
    within, between
        Σ_i z_iᵀCz_i and Σ_ij z_iᵀCz_j, by the similarities C of the features.
    """

    runs: int
    n_features: int
    total: np.ndarray
    squared_sizes: np.ndarray
    within: np.ndarray
    between: np.ndarray


@dataclass(frozen=True)
class CoupledParts:
    """Such a system, and what each run (rows) has in it by size (columns)."""

    whole: CoupledSystem
    sizes: np.ndarray
    within: np.ndarray
    between: np.ndarray

    def without_each(self) -> CoupledSystem:
        """The systems (rows) that remain when one run is left out."""
        return CoupledSystem(
            self.whole.runs - 1,
            self.whole.n_features,
            self.whole.total - self.sizes,
            self.whole.squared_sizes - self.sizes**2,
            self.whole.within - self.within,
            self.whole.between - 2 * self.between + self.within,
        )


@measure(
    "sechidis",
    label="Sechidis (effective stability)",
    kind="similar_frequencies",
    similarity="correlation",
    bounds=(None, None),
    corrected=True,
    needs=("some_selected", "some_left_out"),
    source="Sechidis et al. (2020)",
)
class Sechidis:
    """1 − tr(CS) / tr(CΣ), S the covariances of what is selected, Σ those of random subsets.

    C(x,y) = S(x,y) where S(x,y) ≥ θ, else 0. S is the absolute correlation here and θ = 0.9; any
    other similarity by the class's arguments. Σ has k̄/m · (1 − k̄/m) on its diagonal and
    (mean k² − k̄)/(m² − m) − k̄²/m² beside it. Nogueira's measure where no two features are similar;
    like that one, it is 0 on average for random subsets of one size. A C that was cut at θ
    may lead above 1.

    Parameters
    ----------
    similarity
        Symmetric matrix with entries from 0 to 1.
    threshold
        θ.

    References
    ----------
    Sechidis, Papangelou, Nogueira, Weatherall, Brown, On the stability of feature selection in the
    presence of feature correlations (2020), in the form of R's stabm (Bommert, Lang 2021).
    """

    def __init__(self, similarity: np.ndarray, threshold: float = THRESHOLD):
        self.similar = np.where(similarity >= threshold, similarity, 0.0)
        np.fill_diagonal(self.similar, 1)  # of a constant feature, too
        self.beside = float(self.similar.sum() - len(similarity))

    def __call__(self, system: CoupledSystem) -> np.ndarray:
        runs = system.runs
        spread = system.within - system.between / runs
        room = self._room(system.total / runs, system.squared_sizes / runs)
        return 1 - divide(spread, (runs - 1) * np.where(room > _ROOM, room, 0))

    def _room(self, mean: np.ndarray, mean_square: np.ndarray) -> np.ndarray:
        """tr(CΣ), from the means of k and k²."""
        m = len(self.similar)
        pairs = (mean_square - mean) / max(m * (m - 1), 1) - (mean / m) ** 2
        return mean * (1 - mean / m) + self.beside * pairs

    def why_undefined(self, sizes: np.ndarray) -> str | None:
        """Whether random subsets of these sizes differ by nothing but similar features."""
        some = self._room(sizes.mean(), (sizes**2).mean()) > _ROOM
        return None if some else "random subsets of these sizes agree as much as any can"

    def subset_system(self, runs: Runs) -> CoupledParts:
        """The system of all that the runs list."""
        members = runs.members
        linked = members @ self.similar
        within = np.einsum("if,if->i", linked, members)[:, None]
        return self._parts(
            runs, runs.sizes[:, None], within, (linked @ members.sum(axis=0))[:, None]
        )

    def prefix_systems(self, runs: Runs, depth: int) -> CoupledParts:
        """The systems of the first k features of every run, k = 1..depth, step by step."""
        lists = np.array([sequence[:depth] for sequence in runs.sequences])
        within, between = np.empty(lists.shape), np.empty(lists.shape)
        reached = np.zeros(runs.n_features)
        for k in range(depth):
            reached += self.similar[lists[:, k]].sum(axis=0)
            between[:, k] = reached[lists[:, : k + 1]].sum(axis=1)
        for run, features in enumerate(lists):
            pairs = self.similar[np.ix_(features, features)]
            within[run] = np.cumsum(1 + 2 * np.tril(pairs, -1).sum(axis=1))
        return self._parts(runs, np.tile(np.arange(1, depth + 1), (len(runs), 1)), within, between)

    def expected_system(self, sizes: np.ndarray, m: int) -> CoupledSystem:
        """The mean system of random subsets, by size (columns) of each run (rows)."""
        total, squared = sizes.sum(axis=0), (sizes**2).sum(axis=0)
        within = total + self.beside * (squared - total) / max(m * (m - 1), 1)
        between = within + (m + self.beside) * (total**2 - squared) / m**2
        return CoupledSystem(len(sizes), m, total, squared, within, between)

    def _parts(
        self, runs: Runs, sizes: np.ndarray, within: np.ndarray, between: np.ndarray
    ) -> CoupledParts:
        sums = (part.sum(axis=0) for part in (sizes, sizes**2, within, between))
        return CoupledParts(
            CoupledSystem(len(runs), runs.n_features, *sums), sizes, within, between
        )

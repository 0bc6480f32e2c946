"""Plain measures after R's stabm, from Python's sets: similar features, and whole systems."""

import math
import statistics
from collections.abc import Callable, Sequence
from itertools import permutations

Matrix = Sequence[Sequence[float]]
Subset = set[int]


def unadjusted(A: Subset, B: Subset, m: int) -> float:
    """(r - ab/m) / (√(ab) - ab/m); nan if one is empty or both are full."""
    a, b = len(A), len(B)
    if not a * b or a == b == m:
        return math.nan
    return (len(A & B) - a * b / m) / (math.sqrt(a * b) - a * b / m)


def similar_to(x: int, others: Subset, S: Matrix, t: float) -> list[float]:
    return [S[x][y] for y in others if S[x][y] >= t]


def count(P: Subset, Q: Subset, S: Matrix, t: float) -> float:
    """The smaller number of features of one side that some of the other side are similar to."""
    return min(sum(1 for x in U if similar_to(x, V, S, t)) for U, V in ((P, Q), (Q, P)))


def mean(P: Subset, Q: Subset, S: Matrix, t: float) -> float:
    """The same with the mean similarity of each."""
    sides = [[similar_to(x, V, S, t) for x in U] for U, V in ((P, Q), (Q, P))]
    return min(math.fsum(statistics.fmean(one) for one in side if one) for side in sides)


def greedy(P: Subset, Q: Subset, S: Matrix, t: float) -> float:
    """Pairs, most similar first, each feature once."""
    pairs = sorted((-S[x][y], min(x, y), max(x, y), x, y) for x in P for y in Q if S[x][y] >= t)
    taken: set[int] = set()
    for *_, x, y in pairs:
        if not taken & {x, y}:
            taken |= {x, y}
    return len(taken) // 2


def matching(P: Subset, Q: Subset, S: Matrix, t: float) -> float:
    """The most pairs over all orders of the larger side."""
    few, many = sorted((P, Q), key=len)
    orders = permutations(many, len(few))
    return max(sum(S[x][y] >= t for x, y in zip(few, order)) for order in orders)


CREDITS: dict[str, Callable[[Subset, Subset, Matrix, float], float]] = {
    "intersection_count": count,
    "intersection_mean": mean,
    "intersection_greedy": greedy,
    "intersection_mbm": matching,
}


def intersection(name: str, A: Subset, B: Subset, S: Matrix, t: float) -> float:
    """I = r + C(A\\B, B\\A)."""
    return len(A & B) + CREDITS[name](A - B, B - A, S, t)


def frequencies(runs: Sequence[Subset]) -> dict[int, int]:
    union = set().union(*runs)
    return {f: sum(f in run for run in runs) for f in union}


def davis(runs: Sequence[Subset], m: int) -> float:
    """The mean share of the runs that select a feature of the union."""
    chosen = frequencies(runs).values()
    return statistics.fmean(h / len(runs) for h in chosen) if chosen else math.nan


def novovicova(runs: Sequence[Subset], m: int) -> float:
    """Σ h log₂ h / (q log₂ L)."""
    chosen = frequencies(runs).values()
    if not chosen or len(runs) < 2:
        return math.nan
    return math.fsum(h * math.log2(h) for h in chosen) / (sum(chosen) * math.log2(len(runs)))


def sechidis(runs: Sequence[Subset], m: int, S: Matrix, t: float) -> float:
    """1 - tr(C S) / tr(C Σ), matrix by matrix."""
    L = len(runs)
    columns = [[float(f in run) for run in runs] for f in range(m)]
    k = statistics.fmean(len(run) for run in runs)
    square = statistics.fmean(len(run) ** 2 for run in runs)
    above = below = 0.0
    for x in range(m):
        for y in range(m):
            near = 1.0 if x == y else S[x][y] * (S[x][y] >= t)
            both = math.fsum(a * b for a, b in zip(columns[x], columns[y])) / L
            shares = statistics.fmean(columns[x]) * statistics.fmean(columns[y])
            above += near * L / (L - 1) * (both - shares)
            apart = (square - k) / (m * m - m) - (k / m) ** 2 if x != y else k / m * (1 - k / m)
            below += near * apart
    return 1 - above / below if below > 1e-9 else math.nan

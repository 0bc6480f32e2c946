"""Stability measures written out from their definitions, to check the fast ones against.

Slow and literal on purpose: sets, loops and exact fractions. The m features are 0..m-1; a run is
a set of features (a subset) or a list of features, best first (a ranking, whole or a top list).
In the formulas a = |A|, b = |B|, r = |A∩B|. A value with a zero denominator is nan.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Number = int | float | Fraction
Matrix = Sequence[Sequence[float]]
Links = Sequence[Sequence[bool]]
PairFunction = Callable[[set[int], set[int], int], float]


def exact(value: Number) -> Fraction:
    """The number as a fraction, with nothing rounded away."""
    return value if isinstance(value, Fraction) else Fraction(float(value))


def ratio(top: Number, bottom: Number) -> float:
    """top / bottom, nan if bottom is 0."""
    if bottom == 0:
        return math.nan
    return float(exact(top) / exact(bottom))


def signed_root_ratio(top: Number, bottom_squared: Number) -> float:
    """top / sqrt(bottom_squared), nan if bottom_squared is 0."""
    if bottom_squared == 0:
        return math.nan
    root = math.sqrt(exact(top) ** 2 / exact(bottom_squared))
    return -root if top < 0 else root


def pearson(x: Sequence[Number], y: Sequence[Number]) -> float:
    """Σ(x-x̄)(y-ȳ) / sqrt(Σ(x-x̄)² Σ(y-ȳ)²), nan if x or y is constant."""
    xs, ys = [exact(v) for v in x], [exact(v) for v in y]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    xy = sum((u - x_mean) * (v - y_mean) for u, v in zip(xs, ys, strict=True))
    xx = sum((u - x_mean) ** 2 for u in xs)
    yy = sum((v - y_mean) ** 2 for v in ys)
    return signed_root_ratio(xy, xx * yy)


# Pairs of subsets


def anhd(A: set[int], B: set[int], m: int) -> float:
    """|AΔB| / m, a distance."""
    return ratio(len(A ^ B), m)


def relative_hamming(A: set[int], B: set[int], m: int) -> float:
    """1 - |AΔB| / m."""
    return ratio(m - len(A ^ B), m)


def dice(A: set[int], B: set[int], m: int) -> float:
    """2r / (a+b)."""
    return ratio(2 * len(A & B), len(A) + len(B))


def jaccard(A: set[int], B: set[int], m: int) -> float:
    """r / |A∪B|; its mean over pairs is Somol's GK."""
    return ratio(len(A & B), len(A | B))


def kuncheva(A: set[int], B: set[int], m: int) -> float:
    """(rm - k²) / (k(m-k)) with k = a = b; nan if the sizes differ, k = 0 or k = m."""
    k = len(A)
    if len(B) != k:
        return math.nan
    return ratio(len(A & B) * m - k * k, k * (m - k))


def wald(A: set[int], B: set[int], m: int) -> float:
    """(r - ab/m) / (min(a,b) - ab/m)."""
    chance = Fraction(len(A) * len(B), m)
    return ratio(len(A & B) - chance, min(len(A), len(B)) - chance)


def kappa(A: set[int], B: set[int], m: int) -> float:
    """(r - ab/m) / ((a+b)/2 - ab/m)."""
    chance = Fraction(len(A) * len(B), m)
    return ratio(len(A & B) - chance, Fraction(len(A) + len(B), 2) - chance)


def phi(A: set[int], B: set[int], m: int) -> float:
    """Pearson correlation of the two 0/1 vectors."""
    return pearson([int(f in A) for f in range(m)], [int(f in B) for f in range(m)])


def ochiai(A: set[int], B: set[int], m: int) -> float:
    """r / sqrt(ab)."""
    return signed_root_ratio(len(A & B), len(A) * len(B))


def lustgarten(A: set[int], B: set[int], m: int) -> float:
    """(r - ab/m) / (min(a,b) - max(0, a+b-m)); nan if a or b is 0 or m."""
    if len(A) in (0, m) or len(B) in (0, m):
        return math.nan
    chance = Fraction(len(A) * len(B), m)
    largest, smallest = min(len(A), len(B)), max(0, len(A) + len(B) - m)
    return ratio(len(A & B) - chance, largest - smallest)


def pog_one_way(A: set[int], B: set[int], m: int) -> float:
    """r / a, which depends on the order."""
    return ratio(len(A & B), len(A))


def npog_one_way(A: set[int], B: set[int], m: int) -> float:
    """(r - E) / (a - E) with E = ab/m, which depends on the order."""
    chance = Fraction(len(A) * len(B), m)
    return ratio(len(A & B) - chance, len(A) - chance)


def pog(A: set[int], B: set[int], m: int) -> float:
    """Mean of r/a and r/b."""
    return (pog_one_way(A, B, m) + pog_one_way(B, A, m)) / 2


def npog(A: set[int], B: set[int], m: int) -> float:
    """Mean of (r-E)/(a-E) and (r-E)/(b-E)."""
    return (npog_one_way(A, B, m) + npog_one_way(B, A, m)) / 2


def mean_over_pairs(pair_function: PairFunction, runs: Sequence[set[int]], m: int) -> float:
    """Mean over all i < j; nan if any pair is nan or there is no pair."""
    values = [pair_function(A, B, m) for A, B in combinations(runs, 2)]
    if not values or any(math.isnan(value) for value in values):
        return math.nan
    return math.fsum(values) / len(values)


# Systems of subsets: L runs, F_f = how many hold feature f, N = ΣF_f, X = the features with F_f > 0


def frequencies(runs: Sequence[set[int]], m: int) -> list[int]:
    """F_f of every feature f."""
    return [sum(1 for run in runs if feature in run) for feature in range(m)]


def consistency(runs: Sequence[set[int]], m: int) -> float:
    """C = (1/|X|) Σ_{f in X} (F_f - 1) / (L-1)."""
    present = [count for count in frequencies(runs, m) if count > 0]
    if not present or len(runs) < 2:
        return math.nan
    return float(sum(Fraction(count - 1, len(runs) - 1) for count in present) / len(present))


def consistency_rewritten(runs: Sequence[set[int]], m: int) -> float:
    """C = (N - |X|) / ((L-1) |X|)."""
    total = sum(len(run) for run in runs)
    union = set().union(*runs)
    return ratio(total - len(union), (len(runs) - 1) * len(union))


def cw_of_frequencies(counts: Sequence[int], L: int) -> Fraction | float:
    """CW = Σ_f (F_f/N) (F_f - 1)/(L-1), exactly; nan if N = 0 or L < 2."""
    total = sum(counts)
    if total == 0 or L < 2:
        return math.nan
    return sum((Fraction(c, total) * Fraction(c - 1, L - 1) for c in counts), Fraction(0))


def minimal_frequencies(N: int, m: int) -> list[int]:
    """N occurrences dealt in turn to the m features, so that no two F_f differ by more than 1."""
    counts = [0] * m
    for occurrence in range(N):
        counts[occurrence % m] += 1
    return counts


def maximal_frequencies(N: int, L: int) -> list[int]:
    """As many features as possible occur L times, one more takes what is left of N."""
    counts = []
    while N > 0:
        counts.append(min(N, L))
        N -= counts[-1]
    return counts


def cw(runs: Sequence[set[int]], m: int) -> float:
    """CW = Σ_f (F_f/N) (F_f - 1)/(L-1)."""
    return float(cw_of_frequencies(frequencies(runs, m), len(runs)))


def cw_min(runs: Sequence[set[int]], m: int) -> float:
    """CW of the minimal system with the same N, L and m."""
    counts = minimal_frequencies(sum(len(run) for run in runs), m)
    return float(cw_of_frequencies(counts, len(runs)))


def cw_max(runs: Sequence[set[int]], m: int) -> float:
    """CW of the maximal system with the same N and L."""
    counts = maximal_frequencies(sum(len(run) for run in runs), len(runs))
    return float(cw_of_frequencies(counts, len(runs)))


def cw_rel(runs: Sequence[set[int]], m: int) -> float:
    """(CW - CWmin) / (CWmax - CWmin); CW if CWmax = CWmin."""
    N, L = sum(len(run) for run in runs), len(runs)
    value = cw_of_frequencies(frequencies(runs, m), L)
    low = cw_of_frequencies(minimal_frequencies(N, m), L)
    high = cw_of_frequencies(maximal_frequencies(N, L), L)
    return float(value) if high == low else float((value - low) / (high - low))


def nogueira_exact(runs: Sequence[set[int]], m: int) -> Fraction | float:
    """The next one as a fraction; nan if every run is empty, every run is full, or L < 2."""
    total, places = sum(len(run) for run in runs), len(runs) * m
    if len(runs) < 2 or total in (0, places):
        return math.nan
    share = Fraction(total, places)
    columns = [[Fraction(int(f in run)) for run in runs] for f in range(m)]
    return 1 - sum(statistics.variance(column) for column in columns) / m / (share * (1 - share))


def nogueira(runs: Sequence[set[int]], m: int) -> float:
    """Φ = 1 - mean_f(s_f²) / ((k̄/m)(1 - k̄/m)), s_f² the unbiased variance of the 0/1 column f."""
    return float(nogueira_exact(runs, m))


def nogueira_variance(runs: Sequence[set[int]], m: int) -> float:
    """v = (4/L²) Σ_i (φ_i - φ̄)², with z_if = 1 if run i holds f, p_f = F_f/L, k_i = |run i| and

    φ_i = [(1/m)Σ_f z_if p_f - k_i k̄/m² + (Φ/2)(2 k̄ k_i/m² - k_i/m - k̄/m + 1)]
          / ((k̄/m)(1 - k̄/m)).
    The Φ/2 term is added, as in the authors' code: so v is the delta method's variance.
    """
    stability, L = nogueira_exact(runs, m), len(runs)
    if math.isnan(stability):
        return math.nan
    p = [Fraction(count, L) for count in frequencies(runs, m)]
    mean_share = sum(p) / m
    phis = []
    for run in runs:
        share = Fraction(len(run), m)
        agreement = sum(p[feature] for feature in run) / m - share * mean_share
        agreement += stability / 2 * (2 * mean_share * share - share - mean_share + 1)
        phis.append(agreement / (mean_share * (1 - mean_share)))
    mean_phi = sum(phis) / L
    return float(Fraction(4, L * L) * sum((value - mean_phi) ** 2 for value in phis))


# Rankings cut at k: the features after the first k are tied


def top(ranking: Sequence[int], k: int) -> list[int]:
    """The first k features; a list shorter than k is refused."""
    if not 0 <= k <= len(ranking) or len(set(ranking)) != len(ranking):
        raise ValueError(f"need at least {k} different features, got {list(ranking)}")
    return list(ranking[:k])


def rank_vector(ranking: Sequence[int], m: int, k: int) -> list[Fraction]:
    """Ranks 1..k for the first k features, the mean of k+1..m for every other one."""
    best = top(ranking, k)
    tied = Fraction(sum(range(k + 1, m + 1)), m - k) if k < m else Fraction(0)
    return [Fraction(best.index(f) + 1) if f in best else tied for f in range(m)]


def spearman_top(first: Sequence[int], second: Sequence[int], m: int, k: int) -> float:
    """Pearson correlation of the two rank vectors."""
    return pearson(rank_vector(first, m, k), rank_vector(second, m, k))


def kendall_top(first: Sequence[int], second: Sequence[int], m: int, k: int) -> float:
    """Tau-b of the two rank vectors, counted over all pairs of features.

    (concordant - discordant) / sqrt(pairs untied in the first * pairs untied in the second).
    """
    x, y = rank_vector(first, m, k), rank_vector(second, m, k)
    concordant = discordant = untied_x = untied_y = 0
    for i in range(m):
        for j in range(i):
            product = (x[i] - x[j]) * (y[i] - y[j])
            concordant += product > 0
            discordant += product < 0
            untied_x += x[i] != x[j]
            untied_y += y[i] != y[j]
    return signed_root_ratio(concordant - discordant, untied_x * untied_y)


def canberra_top(first: Sequence[int], second: Sequence[int], m: int, k: int) -> float:
    """(1/m) Σ_f |r-s| / (r+s), r and s the ranks of f, cut down to k+1; a distance."""
    x, y = top(first, k), top(second, k)
    total = Fraction(0)
    for feature in range(m):
        r = x.index(feature) + 1 if feature in x else k + 1
        s = y.index(feature) + 1 if feature in y else k + 1
        total += Fraction(abs(r - s), r + s)
    return float(total / m)


def average_overlap(first: Sequence[int], second: Sequence[int], k: int) -> float:
    """(1/k) Σ_{d<=k} |A_d∩B_d| / d, A_d and B_d the first d of each."""
    x, y = top(first, k), top(second, k)
    return ratio(sum(Fraction(len(set(x[:d]) & set(y[:d])), d) for d in range(1, k + 1)), k)


def rbo(first: Sequence[int], second: Sequence[int], k: int, p: float = 0.9) -> float:
    """(X_k/k) p^k + ((1-p)/p) Σ_{d<=k} (X_d/d) p^d with X_d = |A_d∩B_d|; nan if k = 0."""
    if k == 0:
        return math.nan
    x, y = top(first, k), top(second, k)
    shares = [len(set(x[:d]) & set(y[:d])) / d for d in range(1, k + 1)]
    series = math.fsum(share * p**d for d, share in enumerate(shares, start=1))
    return shares[-1] * p**k + (1 - p) / p * series


def pool(values: Sequence[Number], ranking: Sequence[int], k: int) -> list[Fraction]:
    """The values, those outside the top k of the ranking replaced by their mean."""
    best = top(ranking, k)
    rest = [exact(v) for f, v in enumerate(values) if f not in best]
    return [exact(v) if f in best else sum(rest) / len(rest) for f, v in enumerate(values)]


def pooled_correlation(
    x: Sequence[Number], y: Sequence[Number], first: Sequence[int], second: Sequence[int], k: int
) -> float:
    """Pearson correlation of the two vectors, each pooled outside its own top k."""
    return pearson(pool(x, first, k), pool(y, second, k))


# Pairs of subsets with similar features


def mean_similarity(A: set[int], B: set[int], S: Matrix) -> float:
    """Σ S[x][y] over x in A and y in B, divided by ab."""
    return ratio(math.fsum(S[x][y] for x in A for y in B), len(A) * len(B))


def zucknick(A: set[int], B: set[int], S: Matrix, t: float) -> float:
    """(r + C(A,B) + C(B,A)) / |A∪B|, C(A,B) = (1/b) Σ S[x][y] over x in A, y in B\\A, S >= t."""

    def near(P: set[int], Q: set[int]) -> float:
        found = [S[x][y] for x in P for y in Q - P if S[x][y] >= t]
        return math.fsum(found) / len(Q) if Q else 0.0

    return ratio(len(A & B) + near(A, B) + near(B, A), len(A | B))


def yu_overlap(A: set[int], B: set[int], S: Matrix, t: float) -> float:
    """I = r + (O_AB + O_BA)/2, O_AB = #{x in A\\B: S[x][y] >= t for some y in B\\A}."""

    def count_replaced(P: set[int], Q: set[int]) -> int:
        return sum(1 for x in P - Q if any(S[x][y] >= t for y in Q - P))

    return len(A & B) + (count_replaced(A, B) + count_replaced(B, A)) / 2


def yu(A: set[int], B: set[int], S: Matrix, t: float, expected: float) -> float:
    """(I - E) / ((a+b)/2 - E), E the expected I."""
    return ratio(yu_overlap(A, B, S, t) - expected, (len(A) + len(B)) / 2 - expected)


def count_related(A: set[int], B: set[int], linked: Links) -> int:
    """z = #{x in A\\B: linked[x][y] for some y in B}."""
    return sum(1 for x in A - B if any(linked[x][y] for y in B))


def pogr(A: set[int], B: set[int], linked: Links) -> float:
    """(r + z) / a, which depends on the order."""
    return ratio(len(A & B) + count_related(A, B, linked), len(A))


def npogr(A: set[int], B: set[int], linked: Links, Er: float, Ez: float) -> float:
    """(r + z - Er - Ez) / (a - Er - Ez), which depends on the order."""
    chance = exact(Er) + exact(Ez)
    return ratio(len(A & B) + count_related(A, B, linked) - chance, len(A) - chance)


def matching(A: set[int], B: set[int], S: Matrix) -> float:
    """Largest Σ S[x][y] over all one-to-one matchings of A with B, divided by a = b."""
    if len(A) != len(B):
        raise ValueError(f"sizes differ: {len(A)} and {len(B)}")
    if not A:
        return math.nan
    sums = [math.fsum(S[x][y] for x, y in zip(A, order)) for order in permutations(B)]
    return max(sums) / len(A)


# Expectations by enumeration


def expected_pair(function: Callable[[set[int], set[int]], float], a: int, b: int, m: int) -> float:
    """Mean of function(A, B) over all subsets A of size a and B of size b (m <= 8)."""
    firsts, seconds = combinations(range(m), a), list(combinations(range(m), b))
    values = [function(set(A), set(B)) for A in firsts for B in seconds]
    return math.fsum(values) / len(values)


def expected_canberra_top(m: int, k: int) -> float:
    """Mean of canberra_top over all permutations, the other ranking fixed at 0..m-1 (m <= 7)."""
    fixed = list(range(m))  # relabelling the features changes no value, so one stands for all
    values = [canberra_top(fixed, order, m, k) for order in permutations(range(m))]
    return math.fsum(values) / len(values)

"""Measures of a whole system of subsets, from how many runs select each feature.

Each function takes a `System`, whose counts may be arrays (over sizes k, or over runs left out),
and gives one value for each.
"""

import numpy as np

from steadfast.measures.declare import measure
from steadfast.measures.index import divide
from steadfast.measures.runs import (
    InformedSystem,
    Runs,
    System,
    SystemParts,
    informed_system,
    prefix_informed_systems,
    subset_system,
    times_log,
)
from steadfast.statistics.corrected_stability import corrected_stability


@measure(
    "c",
    label="C (consistency)",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    source="Somol, Novovicova (2008)",
    chance="simulated",
)
def consistency(system: System) -> np.ndarray:
    """(N − |X|) / ((L − 1)|X|), the mean of (F_f − 1)/(L − 1) over the features X ever selected.

    It does not see how the selections are spread over the features.

    References
    ----------
    Somol, Novovicova, Evaluating the stability of feature selectors that optimize feature subset
    cardinality (2008), equation (3); in this form Alelyani (2013), equation (2.18).
    """
    return divide(system.total - system.used, (system.runs - 1) * system.used)


@measure(
    "cw",
    label="CW (weighted consistency)",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    source="Somol, Novovicova (2008)",
)
def weighted_consistency(system: System) -> np.ndarray:
    """Σ_f F_f/N · (F_f − 1)/(L − 1).

    References
    ----------
    Somol, Novovicova (2008), equation (5).
    """
    return divide(system.squares - system.total, system.total * (system.runs - 1))


@measure(
    "cw_min",
    label="CWmin",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    interval="none",
    source="Somol, Novovicova (2008)",
)
def smallest_consistency(system: System) -> np.ndarray:
    """(N² − m(N − D) − D²) / (mN(L − 1)), D = N mod m: the least CW that N selections can have.

    References
    ----------
    Somol, Novovicova (2008), equation (11).
    """
    total, m = system.total, system.n_features
    rest = total % m
    return divide(total**2 - m * (total - rest) - rest**2, m * total * (system.runs - 1))


@measure(
    "cw_max",
    label="CWmax",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    interval="none",
    source="Somol, Novovicova (2008)",
)
def largest_consistency(system: System) -> np.ndarray:
    """(H² + N(L − 1) − HL) / (N(L − 1)), H = N mod L: the most CW that N selections can have.

    References
    ----------
    Somol, Novovicova (2008), equation (14).
    """
    total, runs = system.total, system.runs
    rest = total % runs
    return divide(rest**2 + total * (runs - 1) - rest * runs, total * (runs - 1))


@measure(
    "cw_rel",
    label="CWrel (relative weighted consistency)",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    source="Somol, Novovicova (2008)",
)
def relative_consistency(system: System) -> np.ndarray:
    """(CW − CWmin) / (CWmax − CWmin); CW where CWmax = CWmin.

    On the scale between the least and the most that the sizes allow. Random selection has a
    positive value, not 0: CWmin is the most even spread, more even than a random one. In the
    paper's Figure 3 the printed .806 follows from no number of features; three give .800.

    References
    ----------
    Somol, Novovicova (2008), equation (6).
    """
    value = weighted_consistency(system)
    least, most = smallest_consistency(system), largest_consistency(system)
    span = most - least
    # Both ends are fractions over N(L − 1)·m: a span below this is rounding.
    some = span > 1e-12
    return np.where(some, divide(value - least, np.where(some, span, 1)), value)


@measure(
    "davis",
    label="Davis",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    source="Davis et al. (2006)",
    chance="simulated",
)
def davis(system: System) -> np.ndarray:
    """N / (L|X|), the mean of F_f/L over the features X ever selected.

    Without the penalty for large subsets that may be taken from it (in R's stabm, too, it is 0
    unless asked for). One run in L is the least: it is at least 1/L.

    References
    ----------
    Davis et al., Reliable gene signatures for microarray classification: assessment of stability
    and performance (2006), in the form of R's stabm (Bommert, Lang 2021).
    """
    # One run has nothing to be compared with.
    return divide(system.total, (system.runs > 1) * system.runs * system.used)


@measure(
    "novovicova",
    label="Novovičová",
    kind="frequencies",
    bounds=(0, 1),
    needs=("some_selected",),
    source="Novovičová, Somol, Pudil (2009)",
)
def novovicova(system: InformedSystem) -> np.ndarray:
    """(1 / (N log₂ L)) Σ_f F_f log₂ F_f, by the entropy of what is selected.

    The value by chance is exact: F_f has the distribution of the number of successes of L draws
    with the probabilities k_i/m.

    References
    ----------
    Novovičová, Somol, Pudil, A new measure of feature selection algorithms' stability (2009), in
    the form of R's stabm (Bommert, Lang 2021).
    """
    return divide(system.information, system.total * np.log2(system.runs))


def _expected_information(sizes: np.ndarray, m: int) -> InformedSystem:
    """The mean system of random subsets, by size (columns) of each run (rows)."""
    runs = len(sizes)
    chances = np.zeros((runs + 1, *sizes.shape[1:]))
    chances[0] = 1
    for share in sizes / m:
        chances[1:] = chances[1:] * (1 - share) + chances[:-1] * share
        chances[0] *= 1 - share
    mean = m * np.tensordot(times_log(runs), chances, axes=1)
    unknown = np.full(mean.shape, np.nan)
    return InformedSystem(runs, m, sizes.sum(axis=0), unknown, unknown, mean)


novovicova.subset_system = informed_system
novovicova.prefix_systems = prefix_informed_systems
novovicova.expected_system = _expected_information


@measure(
    "nogueira",
    label="Nogueira",
    kind="frequencies",
    bounds=(-1, 1),
    corrected=True,
    needs=("some_selected", "some_left_out"),
    interval="normal",
    source="Nogueira, Sechidis, Brown (2018)",
)
def nogueira(system: System) -> np.ndarray:
    """1 − (1/m) Σ_f s_f² / (k̄/m · (1 − k̄/m)), s_f² = L/(L−1) · p_f(1 − p_f).

    The share of the variance of random selection that is not there. The mean over pairs of
    Kuncheva's index where all subsets have one size. At least −1/(L − 1). Random subsets have the
    mean 0 where they have one size, or where their sizes are random too; given unequal sizes, less.

    References
    ----------
    Nogueira, Sechidis, Brown, On the stability of feature selection algorithms, JMLR 18 (2018),
    definition 4.
    """
    return corrected_stability(system.runs, system.n_features, system.total, system.squares)


def nogueira_variance(parts: SystemParts) -> np.ndarray:
    """v = (4/L²) Σ_i (φ_i − φ̄)², the asymptotic variance of the estimate.

    φ_i = [ (1/m) Σ_f z_if p_f − k_i k̄/m² + Φ/2 · (2k_i k̄/m² − k_i/m − k̄/m + 1) ] / (k̄/m·(1 − k̄/m)).
    Copies of the authors' R code have − before Φ/2; the delta method and the jackknife say +. For
    subsets of one size both give the same variance. With ten runs it is too small: the 95% interval
    holds the true value in 85 to 87% of simulated systems, that of the jackknife in 96%. Two
    runs of one size would have a variance of 0, whatever they select: theirs is not known.

    References
    ----------
    Nogueira, Sechidis, Brown (2018), theorem 7.
    """
    whole = parts.whole
    m, mean_size = whole.n_features, whole.total / whole.runs
    value = nogueira(whole)
    if whole.runs < 3:
        return np.full(value.shape, np.nan)
    spread = mean_size / m * (1 - mean_size / m)
    sizes = parts.sizes
    inner = parts.shared / whole.runs / m - sizes * mean_size / m**2
    slope = 2 * mean_size * sizes / m**2 - sizes / m - mean_size / m + 1
    return 4 * divide(inner + value / 2 * slope, spread).var(axis=0) / whole.runs


nogueira.variance = nogueira_variance


#: Variances up to this are 0: those of equal runs come out at 1e-32 or so, others are far above.
_ROUNDING = 1e-25


def nogueira_test(first: Runs, second: Runs) -> tuple[float, float]:
    """Two-sample test of equal stability: the statistic and its two-sided p-value.

    T = (Φ₁ − Φ₂) / √(v₁ + v₂), standard normal where the two populations are equally stable; NaN
    where neither sample has a variance (beyond rounding), or one has two runs only: `why_untested`.

    References
    ----------
    Nogueira, Sechidis, Brown (2018), theorem 10.
    """
    from math import erfc, sqrt

    values, variances = [], []
    for runs in (first, second):
        parts = subset_system(runs)
        values.append(float(nogueira(parts.whole)[0]))
        variances.append(float(nogueira_variance(parts)[0]))
    if not sum(variances) > _ROUNDING:
        return float("nan"), float("nan")
    statistic = (values[0] - values[1]) / sqrt(sum(variances))
    return statistic, erfc(abs(statistic) / sqrt(2))


def why_untested(first: Runs, second: Runs) -> str:
    """Why `nogueira_test` has no statistic for these runs."""
    if min(len(first), len(second)) < 3:
        return "no test: the spread of two runs is not known; give three or more of each"
    return "no test: on neither side do the runs differ from each other"

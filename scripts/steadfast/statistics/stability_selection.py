"""How many false features pass a threshold on selection frequencies, at most, on average.

A selector is run on random halves of the rows. A feature passes where the share of the runs that
select it is at least τ. With p features, of which a run selects q on average, the bounds limit the
expected number of features that pass although their selection probability is at most θ = q/p, that
of a feature drawn blindly. They ask nothing of the other features, nor that false ones be
exchangeable; who takes these features for the false ones assumes that a false feature is no more
likely to be selected than one drawn blindly (Meinshausen and Bühlmann's bound of the number of
false features assumes exchangeability, and a selector no worse than blind choice).

All bounds are for halves, and rows that are independent draws: the selections on two disjoint
halves are then independent. q should be settled beforehand; where selectors choose how many
features they select, its mean over the runs is an estimate.
"""

from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

Bound = Literal["mb", "unimodal", "r_concave"]

#: What each bound is called in print.
BOUND_NAMES: dict[str, str] = {
    "mb": "Meinshausen–Bühlmann",
    "unimodal": "Shah–Samworth, unimodal",
    "r_concave": "Shah–Samworth, r-concave",
}

#: A default number of features per run leaves room for a threshold up to this one.
HIGHEST_THRESHOLD = 0.9

#: Values of a, from the one of a k to that of the next, among which a maximum is looked for.
_PLACES = 65


def mb_bound(q: float, p: int, threshold: float) -> float:
    """q² / ((2τ − 1) p), for any random halves; infinite where τ ≤ 1/2.

    Also Shah and Samworth's worst case of complementary pairs, for features of low selection
    probability and without any assumption on false features.

    References
    ----------
    Meinshausen, Bühlmann, Stability selection (2010), theorem 1. Shah, Samworth, Variable selection
    with error control: another look at stability selection (2013), theorem 1.
    """
    return q**2 / ((2 * threshold - 1) * p) if threshold > 0.5 else np.inf


def unimodal_bound(q: float, p: int, threshold: float, n_pairs: int) -> float:
    """C(τ, B) q² / p for B complementary pairs, if simultaneous selections are unimodal.

    C = 1 / (2 (2τ − 1 − 1/(2B))) up to τ = 3/4, and 4 (1 − τ + 1/(2B)) / (1 + 1/B) above. Assumed
    of every feature of low selection probability: the share of the pairs in which both halves
    select it has a unimodal distribution. Infinite where the theorem says nothing: θ > 1/√3, τ
    below 1/2 + 1/B, or not above 1/2 + min(θ², 1/(2B) + 3θ²/4).

    References
    ----------
    Shah, Samworth, Variable selection with error control: another look at stability selection
    (2013), theorem 2.
    """
    theta = q / p
    least = 0.5 + min(theta**2, 1 / (2 * n_pairs) + 0.75 * theta**2)
    # Thresholds are shares of the runs: this much is rounding.
    if theta > 1 / np.sqrt(3) or threshold <= least or threshold < 0.5 + 1 / n_pairs - 1e-12:
        return np.inf
    if threshold <= 0.75:
        return theta * q / (2 * (2 * threshold - 1 - 1 / (2 * n_pairs)))
    return theta * q * 4 * (1 - threshold + 1 / (2 * n_pairs)) / (1 + 1 / n_pairs)


def r_concave_bound(q: float, p: int, threshold: float, n_pairs: int) -> float:
    """p · min{D(θ², 2τ − 1, B, −1/2), D(θ, τ, 2B, −1/4)} for B complementary pairs.

    D(θ, t, B, r) is the largest P(X ≥ t) of an r-concave X on {0, 1/B, …, 1} of mean θ. Assumed of
    every feature of low selection probability: the share of the pairs in which both halves select
    it is −1/2-concave, the share of the runs −1/4-concave. More than unimodality, and the authors
    found it in all their examples. An r-concave distribution is unimodal, so that it is never more
    than the unimodal bound. Infinite where τ ≤ 1/2.

    References
    ----------
    Shah, Samworth, Variable selection with error control: another look at stability selection
    (2013), section 3.3 and equation 8.
    """
    if threshold <= 0.5:
        return np.inf
    runs = int(np.ceil(round(threshold * 2 * n_pairs, 9)))
    both = _largest_tails((q / p) ** 2, n_pairs, 2)[runs - n_pairs]
    each = _largest_tails(q / p, 2 * n_pairs, 4)[runs]
    return min(p * float(min(both, each)), unimodal_bound(q, p, threshold, n_pairs))


@cache
def _largest_tails(theta: float, n: int, power: int) -> np.ndarray:
    """D(θ, t/n, n, −1/power) for t = 0, 1, …, n; 1 where t ≤ 2θn.

    The largest tail is that of a mass proportional to (a + i)^−power at i = 0, …, k, and another
    one at k + 1, which is at most what the power would give it. Given k and a the mean settles the
    mass at k + 1, and a goes from the value at which that is the whole power to that at which it is
    none.
    """
    tails = np.ones(n + 1)
    first = int(np.ceil(round(2 * theta * n, 9))) + 1
    if first >= n:
        return tails
    steps = np.arange(n + 1)
    ends = _mean_places(theta * n, np.arange(first, n + 1), steps, power)
    largest = np.zeros(n + 1)
    for k, (high, low) in enumerate(pairwise(ends), start=first):
        mass = (np.geomspace(low, high, _PLACES)[:, None] + steps) ** -power
        scale = (k + 1 - theta * n) / ((k + 1 - steps[: k + 1]) * mass[:, : k + 1]).sum(axis=1)
        before = scale[:, None] * np.cumsum(mass, axis=1)[:, : k + 1]
        largest[1 : k + 2] = np.maximum(largest[1 : k + 2], (1 - before).max(axis=0))
    tails[first:] = largest[first:]
    return tails


def _mean_places(mean: float, ks: np.ndarray, steps: np.ndarray, power: float) -> np.ndarray:
    """For each k the a at which (a + i)^−power on i = 0, …, k has a mean, by bisection."""
    inside = steps <= ks[:, None]
    low, high = np.full(ks.size, np.log(1e-5)), np.full(ks.size, np.log(1e5))
    for _ in range(60):
        middle = (low + high) / 2
        mass = np.where(inside, (np.exp(middle)[:, None] + steps) ** -power, 0.0)
        above = (steps * mass).sum(axis=1) > mean * mass.sum(axis=1)
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.exp(high)


def bound_at(bound: Bound, q: float, p: int, threshold: float, n_runs: int) -> float:
    """One of the bounds by name; those of pairs have half as many pairs as runs."""
    if bound == "mb":
        return mb_bound(q, p, threshold)
    named = unimodal_bound if bound == "unimodal" else r_concave_bound
    return named(q, p, threshold, n_runs // 2)


class Passed(NamedTuple):
    """The features that pass, and why none does.

    Attributes
    ----------
    threshold, bound
        The smallest threshold whose bound is low enough, and that bound; None where there is none.
    features
        Columns that pass, the most frequent first, ties by column.
    reason
        In words, where no feature passes; else empty.
    """

    threshold: float | None
    bound: float | None
    features: np.ndarray
    reason: str


def selected_with_bound(
    counts: np.ndarray, n_runs: int, q: float, p: int, pfer: float, bound: Bound = "unimodal"
) -> Passed:
    """The features whose frequency reaches the smallest threshold with a bound of at most `pfer`.

    Parameters
    ----------
    counts
        In how many of the runs each feature is selected.
    n_runs
        Number of runs: one on every half.
    q, p
        Features that a run selects, the mean over the runs; features that there are.
    pfer
        Per-family error rate: false features that may pass on average.
    bound
        Which bound; `unimodal` and `r_concave` need complementary pairs.
    """
    nothing = np.empty(0, dtype=np.int64)
    wanted = f"a bound of at most {pfer:g} ({BOUND_NAMES[bound]})"
    for needed in range(n_runs // 2 + 1, n_runs + 1):
        threshold = needed / n_runs
        value = bound_at(bound, q, p, threshold, n_runs)
        if value > pfer:
            continue
        order = np.argsort(-counts, kind="stable")
        features = order[: int(np.count_nonzero(counts >= needed))]
        reason = f"no feature is selected in {needed} of the {n_runs} runs, as {wanted} needs"
        return Passed(threshold, value, features, "" if features.size else reason)
    most = largest_size(p, n_runs, pfer, bound, highest=1.0)
    allowed = f"that needs at most {most} features per run" if most else "not even with 1 per run"
    reason = f"no threshold up to 1 has {wanted}: {allowed}; these runs select {q:g}"
    return Passed(None, None, nothing, reason)


def largest_size(
    p: int, n_runs: int, pfer: float, bound: Bound, highest: float = HIGHEST_THRESHOLD
) -> int:
    """The most features per run for which the bound at a threshold is at most `pfer`; 0 if none."""
    threshold = int(round(highest * n_runs, 9)) / n_runs
    fits, exceeds = 0, p + 1
    while exceeds - fits > 1:
        middle = (fits + exceeds) // 2
        if bound_at(bound, middle, p, threshold, n_runs) <= pfer:
            fits = middle
        else:
            exceeds = middle
    return fits

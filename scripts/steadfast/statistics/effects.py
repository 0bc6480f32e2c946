"""How much two samples differ, each with an interval in closed form: medians, AUC, shares."""

from typing import NamedTuple

import numpy as np

from steadfast.statistics.intervals import tail

LEVEL = 0.95

#: With fewer values in a sample, order statistics and DeLong's variance say little: of three, an
#: interval of 95% holds the difference in 94% and the AUC in 90% of samples.
FEWEST = 5


class Estimate(NamedTuple):
    """A value and the ends of its interval; NaN where undefined."""

    value: float
    low: float
    high: float


UNDEFINED = Estimate(np.nan, np.nan, np.nan)


def median_difference(x: np.ndarray, y: np.ndarray, level: float = LEVEL) -> Estimate:
    """The median of `x` minus that of `y`, with a distribution-free interval.

    median(x) − median(y) ± z √(v(x) + v(y)), with v from `median_variance`.

    Parameters
    ----------
    x, y : independent samples without missing values
    level : the probability with which the interval holds the difference

    References
    ----------
    Price, Bonett, Distribution-free confidence intervals for difference and ratio of medians
    (2002).
    """
    if not (x.size and y.size):
        return UNDEFINED
    difference = float(np.median(x) - np.median(y))
    if min(x.size, y.size) < FEWEST:
        return Estimate(difference, np.nan, np.nan)
    half = _normal_quantile(tail(level)) * np.sqrt(median_variance(x) + median_variance(y))
    return Estimate(difference, float(difference - half), float(difference + half))


def median_variance(values: np.ndarray) -> float:
    """The variance of a sample's median, from two order statistics.

    ((X₍ₙ₋c₊₁₎ − X₍c₎) / 2z)², c = (n + 1)/2 − √n as a whole number of at least 1. These two order
    statistics enclose the median with probability 1 − 2p, p = P(B < c) with B binomial of n and
    1/2, and z is the normal quantile of 1 − p.

    References
    ----------
    Price, Bonett, Estimating the variance of the sample median (2001).
    """
    from scipy.special import bdtr

    n = values.size
    if n < 2:
        return np.nan
    c = max(1, round((n + 1) / 2 - np.sqrt(n)))
    low, high = np.partition(values, (c - 1, n - c))[[c - 1, n - c]]
    z = -_normal_quantile(float(bdtr(c - 1, n, 0.5)))
    return float(((high - low) / (2 * z)) ** 2)


def auc(x: np.ndarray, y: np.ndarray, level: float = LEVEL) -> Estimate:
    """The probability that a value of `x` is above one of `y`, ties counting half.

    The interval is logit(A) ± z √V / (A (1 − A)), taken back to A, with DeLong's variance

        V = var(share of y below each x) / m + var(share of x above each y) / n.

    Where V is 0 (all values of one sample above the other, or all equal), it does not tell how
    uncertain A is: then, and below `FEWEST` values, the interval is `auc_score_interval`.

    Parameters
    ----------
    x, y : independent samples without missing values
    level : the probability with which the interval holds the AUC

    References
    ----------
    DeLong, DeLong, Clarke-Pearson, Comparing the areas under two or more correlated receiver
    operating characteristic curves (1988). The logit: Pepe, The statistical evaluation of medical
    tests for classification and prediction (2003), section 5.2.
    """
    m, n = x.size, y.size
    if not (m and n):
        return UNDEFINED
    x, y = np.sort(x), np.sort(y)
    below, above = _share_below(x, y), 1 - _share_below(y, x)
    value = float(below.mean())
    variance = below.var(ddof=1) / m + above.var(ddof=1) / n if min(m, n) >= FEWEST else 0.0
    if variance == 0:
        return Estimate(value, *auc_score_interval(value, m, n, level))
    middle = np.log(value / (1 - value))
    half = _normal_quantile(tail(level)) * np.sqrt(variance) / (value * (1 - value))
    low, high = 1 / (1 + np.exp(-np.array([middle - half, middle + half])))
    return Estimate(value, float(low), float(high))


def _share_below(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The share of `others` below each of the values, ties counting half; both are sorted."""
    left, right = (np.searchsorted(others, values, side) for side in ("left", "right"))
    return (left + right) / (2 * others.size)


def auc_score_interval(value: float, m: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The interval of an AUC from its value and the sizes of the samples alone.

    It holds every θ with |A − θ| ≤ z √v(θ), where v is Hanley and McNeil's variance with both sizes
    in its numerator set to their mean, N + 1:

        v(θ) = θ (1 − θ) (1 + N (1 − θ) / (2 − θ) + N θ / (1 + θ)) / (m n).

    It does not shrink to a point where A is 0 or 1.

    References
    ----------
    Newcombe, Confidence intervals for an effect size measure based on the Mann–Whitney statistic,
    part 2 (2006), method 5.
    """
    z, more = _normal_quantile(tail(level)), (m + n) / 2 - 1

    def is_inside(theta: float) -> bool:
        spread = 1 + more * (1 - theta) / (2 - theta) + more * theta / (1 + theta)
        return abs(value - theta) <= z * np.sqrt(theta * (1 - theta) * spread / (m * n))

    ends = []
    for outside in (0.0, 1.0):
        inside = value
        for _ in range(60):
            middle = (outside + inside) / 2
            inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
        ends.append(inside)
    return ends[0], ends[1]


def share_difference(
    x_share: float, x_count: int, y_share: float, y_count: int, level: float = LEVEL
) -> Estimate:
    """One share minus another, with an interval from those of both shares.

    d − √((p − l)² + (u′ − p′)²) to d + √((u − p)² + (p′ − l′)²), with l and u from `wilson`.

    Parameters
    ----------
    x_share, x_count : a share and of how many it is. A mean of shares, each of one group, will do:
        values from 0 to 1 vary at most as much as zeros and ones of the same mean
    y_share, y_count : the other one
    level : the probability with which the interval holds the difference

    References
    ----------
    Newcombe, Interval estimation for the difference between independent proportions: comparison of
    eleven methods (1998), method 10.
    """
    if not (x_count and y_count):
        return UNDEFINED
    difference = x_share - y_share
    (x_low, x_high), (y_low, y_high) = (
        wilson(share, count, level) for share, count in ((x_share, x_count), (y_share, y_count))
    )
    down = np.hypot(x_share - x_low, y_high - y_share)
    up = np.hypot(x_high - x_share, y_share - y_low)
    return Estimate(float(difference), float(difference - down), float(difference + up))


def wilson(share: float, count: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a share.

    References
    ----------
    Wilson, Probable inference, the law of succession, and statistical inference (1927).
    """
    z = _normal_quantile(tail(level))
    middle = share + z**2 / (2 * count)
    half = z * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    whole = 1 + z**2 / count
    return max(0.0, float((middle - half) / whole)), min(1.0, float((middle + half) / whole))


def median_by_group(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The median of each group's values, in the order of the groups' numbers."""
    ordered = values[np.lexsort((values, groups))]
    _, counts = np.unique(groups, return_counts=True)
    starts = np.cumsum(counts) - counts
    return (ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2


def mean_by_group(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The mean of each group's values, in the order of the groups' numbers."""
    _, places, counts = np.unique(groups, return_inverse=True, return_counts=True)
    return np.bincount(places, weights=values, minlength=counts.size) / counts


def _normal_quantile(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))

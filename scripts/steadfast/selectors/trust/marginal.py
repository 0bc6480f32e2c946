"""What each feature tells about the class by itself: tests, calibrated by shuffled classes."""

from collections.abc import Sequence

import numpy as np

from steadfast.resampling.shuffled import shuffle_classes
from steadfast.selectors.trust.columns import Columns

#: Shuffles of the classes: so many that all features together have about as many values as the
#: last number says.
FEWEST, MOST, VALUES = 200, 2000, 40_000

#: What a test costs that looks for anything but higher values, which most features that tell
#: something have in one of the classes.
RARER = 3.0

#: Cells of bins that are counted together: 32 MB of them.
_CELLS = 4_000_000


def marginal_p(
    columns: Columns, y: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
) -> np.ndarray:
    """For each column, how likely noise is to reach what it tells by itself.

    Of three p-values the smallest counts: Kruskal and Wallis' (are values higher in one class?),
    Mood's (are they spread wider in one?) and Pearson's χ² of bins and classes (are they anything
    else, do gaps tell?), the last two times 3; of categories, Pearson's alone. How often noise has
    so small a one is counted among shuffles of the classes, where groups of rows stay together, and
    over all columns: p = (1 + #{shuffled ≤ own}) / (1 + all shuffled). So the p-values behind it
    need not be right, only comparable.

    References
    ----------
    Kruskal, Wallis, Use of ranks in one-criterion variance analysis (1952). Mood, On the asymptotic
    efficiency of certain nonparametric two-sample tests (1954). Phipson, Smyth, Permutation
    p-values should never be zero (2010).
    """
    n_columns = columns.bins.shape[1]
    count = int(np.clip(VALUES // n_columns, FEWEST, MOST))
    own = smallest_p(columns, y[None, :])[0]
    shuffled = [smallest_p(columns, some) for some in shuffle_classes(y, groups, count, draw)]
    by_chance = np.sort(np.concatenate(shuffled), axis=None)
    return (1 + np.searchsorted(by_chance, own, side="right")) / (1 + by_chance.size)


def smallest_p(columns: Columns, labels: np.ndarray) -> np.ndarray:
    """The smallest p-value of each column, for each row of classes."""
    n_bins = int(columns.bins.max()) + 1
    portion = max(1, _CELLS // (len(columns.bins) * n_bins))
    members = class_members(labels)
    found = []
    for at in range(0, columns.bins.shape[1], portion):
        part = slice(at, at + portion)
        ranks, bins = columns.ranks[:, part], columns.bins[:, part]
        others = RARER * np.minimum(score_p(ranks**2, members), bins_p(bins, n_bins, members))
        numbers = np.minimum(score_p(ranks, members), others)
        found.append(np.where(columns.categories[part], others / RARER, numbers))
    return np.concatenate(found, axis=1)


def class_members(labels: np.ndarray) -> list[np.ndarray]:
    """For each class, which rows belong to it, in each row of classes."""
    return [(labels == code).astype(np.float64) for code in range(int(labels.max()) + 1)]


def score_statistic(scores: np.ndarray, members: Sequence[np.ndarray]) -> np.ndarray:
    """Kruskal and Wallis' H of the scores of each column, for each shuffle; 0 for a constant one.

    H = Σ_c n_c (s̄_c − s̄)² / s², s² the variance of the scores with divisor n − 1: with ranks as
    scores, ties included, it is theirs; with squared ranks around 0, Mood's test.
    """
    mean = scores.mean(axis=0)
    variance = scores.var(axis=0, ddof=1)
    between = np.zeros((len(members[0]), scores.shape[1]))
    for own in members:
        counts = np.maximum(own.sum(axis=1), 1)[:, None]
        between += (own @ scores - counts * mean) ** 2 / counts
    return np.divide(between, variance, out=np.zeros_like(between), where=variance > 0)


def score_p(scores: np.ndarray, members: Sequence[np.ndarray]) -> np.ndarray:
    """The p-value of `score_statistic`, by its distribution in large samples."""
    from scipy.special import chdtrc

    return chdtrc(len(members) - 1, score_statistic(scores, members))


def bins_p(bins: np.ndarray, n_bins: int, members: Sequence[np.ndarray]) -> np.ndarray:
    """Pearson's χ² test of the bins of each column and the classes; 1 for a single bin."""
    from scipy.special import chdtrc

    n = len(bins)
    each = (bins[:, :, None] == np.arange(n_bins)).astype(np.float64)
    sizes = each.sum(axis=0)
    excess = np.zeros((len(members[0]), *sizes.shape))
    for own in members:
        expected = own.sum(axis=1)[:, None, None] * sizes / n
        shared = (own @ each.reshape(n, -1)).reshape(excess.shape)
        excess += (shared - expected) ** 2 / np.where(expected > 0, expected, 1.0)
    freedom = (np.count_nonzero(sizes, axis=1) - 1) * (len(members) - 1)
    return np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), excess.sum(axis=2)), 1.0)

"""Categories made into numbers that selectors treat like any other number.

Scores of categories are learnt from training rows, and noise takes back what they owe to chance.
"""

from collections.abc import Sequence

import numpy as np

from steadfast.core import cli
from steadfast.core.seeds import generator
from steadfast.data.encoding import Levels, category_mask

#: Variance of the noise where a category separates the classes without doubt.
_LEAST_NOISE = 0.04

#: Noise outweighs the scores up to this many times the separation that noise has on average.
_NOISY = 4

#: A separation below it is rounding.
_NOTHING = 1e-9


def score_categories(
    X: np.ndarray,
    y: np.ndarray,
    levels: Levels,
    *,
    seed: int,
    names: Sequence[str],
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Training rows with one column of numbers in the place of each column of categories.

    Parameters
    ----------
    X, y
        Training rows: numbers, and codes of categories.
    levels
        Names of the categories of each column, none for numbers.
    seed, names
        What the noise derives from, with the number of the column.
    groups
        The group of each row, where rows belong together.
    """
    which = np.flatnonzero(category_mask(levels, X.shape[1]))
    scored = X.astype(np.float64)
    for column in which:
        draw = generator(seed, *names, "categories", int(column))
        scored[:, column] = category_scores(X[:, column], y, draw, groups)
    return scored


def category_scores(
    codes: np.ndarray, y: np.ndarray, draw: np.random.Generator, groups: np.ndarray | None = None
) -> np.ndarray:
    """One column of categories as numbers, which behave like noise where the class is unrelated.

    The score u of a category is its place on the first axis of the correspondence analysis of
    categories and classes; with two classes, the share of a class among its rows. Scores learnt
    from the class separate it too well, the more so the more categories there are. The share R² of
    the variance between classes that the column may have is therefore the one that a column of
    normal noise exceeds as often as chance exceeds V, Pillai's trace (χ² / n) of L categories and
    C classes in n rows:

        V / s ~ Beta((L − 1)(C − 1) / 2, s (n − max(L, C)) / 2),  s = min(L, C) − 1
        R²    ~ Beta((C − 1) / 2, (n − C) / 2)

    This corrects a probability as adjusted R² corrects a mean. With b the class means of u and
    noise e of variance 1 that is correlated neither with the class nor with u,

        v = √R² b / sd(b) + √(1 − R²) z / sd(z),  z = u − b + σ e,  σ² = R²(u) / R² − 1,

    which is u + σ e but for scale. σ is larger where R² is no more than noise has, and at least
    0.2, so that a column of few categories is as smooth as one of numbers. A single category is
    constant. With groups, n is `effective_rows`.

    References
    ----------
    Pillai, Some new test criteria in multivariate analysis (1955). Greenacre, Theory and
    applications of correspondence analysis (1984).
    """
    n = y.size
    names, codes = np.unique(codes, return_inverse=True)
    classes, y = np.unique(y, return_inverse=True)
    if names.size == 1:
        return np.zeros(n)
    scores, shared = _first_axis(codes, y, names.size, classes.size)
    rows = n if groups is None else effective_rows(codes, y, groups)
    fair = min(fair_separation(shared.sum(), names.size, classes.size, rows), shared[0])
    noise = draw.standard_normal(n)
    if fair < _NOTHING:
        return _standard(noise)
    between = _class_means(scores, y)
    within = scores - between
    if n > classes.size + 1:
        noise -= _class_means(noise, y)
        if (within**2).mean() > _NOTHING:
            noise -= within * (noise @ within) / (within @ within)
    by_chance = (classes.size - 1) / (rows - 1)
    variance = max(shared[0] / fair - 1, (_NOISY * by_chance / fair) ** 2, _LEAST_NOISE)
    rest = _standard(within + np.sqrt(variance) * _standard(noise))
    fair /= 1 + _LEAST_NOISE * fair
    return np.sqrt(fair) * _standard(between) + np.sqrt(1 - fair) * rest


def fair_separation(trace: float, n_levels: int, n_classes: int, n: float) -> float:
    """R² that normal noise exceeds as often as chance exceeds a trace; see `category_scores`."""
    with cli.count_start_up():
        from scipy.special import betaincc, betainccinv

    shorter, longer = sorted((n_levels - 1, n_classes - 1))
    freedom = shorter * (n - 1 - longer)
    if freedom <= 0 or n <= n_classes:  # any levels would separate the classes as well
        return 0.0
    p = betaincc(shorter * longer / 2, freedom / 2, min(trace / shorter, 1.0))
    return float(betainccinv((n_classes - 1) / 2, (n - n_classes) / 2, p))


def effective_rows(codes: np.ndarray, y: np.ndarray, groups: np.ndarray) -> float:
    """How many rows without groups would make a table of categories and classes vary as much.

    n / (1 + (m − 1) κ_f κ_y): m is the mean size of the group that a row is in, and κ how far two
    rows of a group agree beyond two of any groups.

    References
    ----------
    Rao, Scott, The analysis of categorical data from complex sample surveys (1981).
    """
    n = y.size
    _, groups = np.unique(groups, return_inverse=True)
    size = (np.bincount(groups) ** 2).sum() / n
    if size == 1:
        return n
    alike = _agreement(codes, groups) * _agreement(y, groups)
    return n / (1 + (size - 1) * alike)


def _agreement(values: np.ndarray, groups: np.ndarray) -> float:
    """Kappa of two rows of a group: 1 if they always agree, 0 if no more than any two rows."""

    def pairs(labels: np.ndarray) -> float:
        counts = np.unique(labels, return_counts=True)[1]
        return float((counts * (counts - 1.0)).sum())

    n, of_both = values.size, groups * (int(values.max()) + 1) + values
    by_chance = pairs(values) / (n * (n - 1))
    found = pairs(of_both) / pairs(groups)
    return max(0.0, (found - by_chance) / (1 - by_chance)) if by_chance < 1 else 0.0


def _first_axis(
    codes: np.ndarray, y: np.ndarray, n_levels: int, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the rows' categories, of variance 1, and all squared canonical correlations."""
    cells = np.bincount(codes * n_classes + y, minlength=n_levels * n_classes)
    shares = cells.reshape(n_levels, n_classes) / y.size
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    expected = np.sqrt(np.outer(rows, columns))
    left, correlations, right = np.linalg.svd(shares / expected - expected, full_matrices=False)
    of_classes = right[0] / np.sqrt(columns)
    farthest = np.argmax(np.abs(of_classes).round(9))  # so that no sign is left to the library
    scores = np.sign(of_classes[farthest]) * left[:, 0] / np.sqrt(rows)
    return scores[codes], np.minimum(correlations**2, 1.0)


def _class_means(values: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (np.bincount(y, values) / np.bincount(y))[y]


def _standard(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / values.std()

"""Do selectors differ over several data sets? Friedman's test and Nemenyi's critical difference."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.statistics.ranks import TOLERANCE

#: Level of the tests and of the critical difference.
LEVEL = 0.05

#: With fewer data sets or selectors there is nothing to test.
FEWEST_DATASETS, FEWEST_SELECTORS = 3, 2

#: With fewer data sets no pair of selectors can differ at `LEVEL`, whatever the ranks: one that is
#: ahead of another on each of five has p = 2 · 2⁻⁵ = 0.06 by the sign test of this pair alone, and
#: a test of all pairs asks for more. Demšar (2006) holds the approximations behind the critical
#: difference good beyond ten.
FEWEST_FOR_PAIRS = 6


@dataclass(frozen=True)
class Friedman:
    """The selectors' ranks, k of them on N data sets, and whether they differ by more than chance.

    Attributes
    ----------
    datasets, selectors
        Rows and columns of the ranks.
    ranks
        1 is the best selector of a data set; ties share the mean of their ranks.
    left_out
        Data sets on which some selector has no value.

    References
    ----------
    Friedman, The use of ranks to avoid the assumption of normality implicit in the analysis of
    variance, JASA 32 (1937). Demšar, Statistical comparisons of classifiers over multiple data
    sets, JMLR 7 (2006), sections 3.2.1 and 3.2.2.
    """

    datasets: list[str]
    selectors: list[str]
    ranks: np.ndarray
    left_out: list[str]

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        """Mean rank of each selector over the data sets."""
        return dict(zip(self.selectors, map(float, self.ranks.mean(axis=0)), strict=True))

    @cached_property
    def statistic(self) -> float:
        """χ² = N²(k − 1) Σ_j (R_j − (k + 1)/2)² / Σ_ij (r_ij − (k + 1)/2)², with R_j = mean rank.

        Corrected for ties, as in scipy; without ties it is the usual
        12N/(k(k + 1)) · (Σ_j R_j² − k(k + 1)²/4). 0 where all selectors are tied everywhere.
        """
        n, k = self.ranks.shape
        centred = self.ranks - (k + 1) / 2
        spread = float((centred**2).sum())
        if not spread:
            return 0.0
        return float(n**2 * (k - 1) * (centred.mean(axis=0) ** 2).sum() / spread)

    @cached_property
    def p(self) -> float:
        """Of χ² with k − 1 degrees of freedom."""
        from scipy.special import chdtrc

        return float(chdtrc(len(self.selectors) - 1, self.statistic))

    @cached_property
    def f_statistic(self) -> float:
        """F = (N − 1)χ² / (N(k − 1) − χ²); infinite where all data sets agree.

        References
        ----------
        Iman, Davenport, Approximations of the critical region of the Friedman statistic (1980).
        """
        n, k = self.ranks.shape
        rest = n * (k - 1) - self.statistic
        return float((n - 1) * self.statistic / rest) if rest > TOLERANCE else float("inf")

    @cached_property
    def f_p(self) -> float:
        """Of F with k − 1 and (k − 1)(N − 1) degrees of freedom."""
        from scipy.special import fdtrc

        n, k = self.ranks.shape
        return float(fdtrc(k - 1, (k - 1) * (n - 1), self.f_statistic))

    @property
    def rejected(self) -> bool:
        """Whether Friedman's test says that the selectors differ."""
        return self.p < LEVEL

    @property
    def compares_pairs(self) -> bool:
        """Whether there are enough data sets to say which selectors differ."""
        return len(self.datasets) >= FEWEST_FOR_PAIRS

    @cached_property
    def critical_difference(self) -> float:
        """Nemenyi's CD at 0.05: two selectors differ whose mean ranks are farther apart."""
        n, k = self.ranks.shape
        return critical_difference(k, n)

    @cached_property
    def pairwise_p(self) -> np.ndarray:
        """Nemenyi's p-value of every pair of selectors; 1 on the diagonal."""
        from scikit_posthocs import posthoc_nemenyi_friedman

        return posthoc_nemenyi_friedman(self.ranks).to_numpy()

    @cached_property
    def order(self) -> list[str]:
        """Selectors by mean rank, best first; ties as they stand."""
        return sorted(self.selectors, key=self.mean_ranks.__getitem__)

    @cached_property
    def groups(self) -> list[list[str]]:
        """The largest sets of selectors no two of which differ, best first.

        Those next to each other in mean rank whose first and last are at most the critical
        difference apart, and that are no part of a larger set.
        """
        means = np.array([self.mean_ranks[name] for name in self.order])
        found, reached = [], 0
        for first in range(len(means)):
            within = means <= means[first] + self.critical_difference + TOLERANCE
            end = int(np.count_nonzero(within))
            if end > reached:
                found.append(self.order[first:end])
            reached = max(reached, end)
        return found

    @property
    def cliques(self) -> list[list[str]]:
        """The groups of two selectors and more."""
        return [group for group in self.groups if len(group) > 1]

    def as_json(self, title: str, labels: Mapping[str, str]) -> dict[str, Any]:
        """What a page shows of the test, selectors under their names in print.

        No critical difference and no cliques where there are too few data sets for them.
        """
        names = distinct_labels({name: labels[name] for name in self.selectors})
        return {
            "title": title,
            "n_datasets": len(self.datasets),
            "mean_ranks": {names[name]: self.mean_ranks[name] for name in self.order},
            "statistic": self.statistic,
            "p": self.p,
            "cd": self.critical_difference if self.compares_pairs else None,
            "cliques": [[names[name] for name in clique] for clique in self.cliques]
            if self.compares_pairs
            else [],
        }


def distinct_labels(labels: Mapping[str, str]) -> dict[str, str]:
    """Names in print, with the id behind those that several selectors share."""
    counts = Counter(labels.values())
    return {
        name: label if counts[label] == 1 else f"{label} ({name})" for name, label in labels.items()
    }


def friedman(
    values: np.ndarray,
    datasets: Sequence[str],
    selectors: Sequence[str],
    *,
    larger_is_better: bool = True,
) -> Friedman:
    """Rank the selectors on every data set.

    Parameters
    ----------
    values
        One row per data set, one column per selector. A data set with an undefined value (NaN) is
        left out. Values closer than 1e-10 are ties.
    datasets, selectors
        Their names.
    larger_is_better
        Whether the largest value gets rank 1, or the smallest.
    """
    values = np.asarray(values, dtype=float)
    defined = ~np.isnan(values).any(axis=1)
    kept = [name for name, whole in zip(datasets, defined, strict=True) if whole]
    left_out = [name for name in datasets if name not in kept]
    if len(kept) < FEWEST_DATASETS:
        missing = f" (undefined on {', '.join(left_out)})" if left_out else ""
        raise UserError(
            f"Friedman's test: {len(kept)} data sets with a value of every selector{missing}; "
            f"name at least {FEWEST_DATASETS}"
        )
    if len(selectors) < FEWEST_SELECTORS:
        raise UserError(
            f"Friedman's test: {len(selectors)} selector; name at least {FEWEST_SELECTORS}"
        )
    ranks = average_ranks(values[defined] if larger_is_better else -values[defined])
    return Friedman(kept, list(selectors), ranks, left_out)


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks in each row: 1 is the largest, ties share the mean of their ranks."""
    larger = (values[:, :, None] > values[:, None, :] + TOLERANCE).sum(axis=1)
    smaller = (values[:, :, None] < values[:, None, :] - TOLERANCE).sum(axis=1)
    tied = values.shape[1] - larger - smaller
    return 1 + larger + (tied - 1) / 2


def critical_difference(n_selectors: int, n_datasets: int) -> float:
    """Nemenyi's CD = q √(k(k + 1) / (6N)) at 0.05.

    q is the upper quantile of the studentised range of k values, for infinite degrees of freedom,
    divided by √2.

    References
    ----------
    Nemenyi, Distribution-free multiple comparisons (1963); Demšar (2006), table 5.
    """
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - LEVEL, n_selectors, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_selectors * (n_selectors + 1) / (6 * n_datasets)))

"""One test for each feature, and a limit on the share of false ones among those chosen."""

from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector, require_share
from steadfast.core.registry import selector
from steadfast.selectors.filters import chi_square
from steadfast.selectors.trust.columns import column_ranks
from steadfast.selectors.trust.marginal import class_members, score_statistic


@selector(
    "significant", reference="Kruskal, Wallis (1952); Pearson (1900); Benjamini, Hochberg (1995)"
)
class Significant(Selector):
    """Features whose distribution differs between the classes by a test of ranks.

    With the mean ranks r̄_c of the N rows in each class, n_c rows each, and numbers t of rows that
    share a value,

        H = [12 / (N (N + 1)) Σ_c n_c (r̄_c − (N + 1) / 2)²] / [1 − Σ (t³ − t) / (N³ − N)]

    is χ² with one degree of freedom less than there are classes, where a feature tells nothing. A
    category has Pearson's χ² of its table with the classes. Chosen are those of the k smallest
    p-values, with the largest k for which p_(k) ≤ k q / m: at most a share q of them is false on
    average, where features are independent.

    Parameters
    ----------
    fdr
        q.
    n_features_to_select
        How many to rank; all if None.
    discrete
        Numbers of the columns that are categories, coded 0, 1, … 255; `False` if none is.

    Attributes
    ----------
    scores_ : ndarray
        −log₁₀ p.
    support_ : ndarray
        The chosen features.
    steps_ : dict
        `p` and `adjusted`, the smallest q with which the feature is chosen.

    References
    ----------
    Kruskal, Wallis, Use of ranks in one-criterion variance analysis (1952). Benjamini, Hochberg,
    Controlling the false discovery rate: a practical and powerful approach to multiple testing
    (1995).
    """

    independent = True

    calibrates_categories = True

    def __init__(
        self, fdr: float = 0.1, n_features_to_select: int | None = None, discrete: Any = False
    ):
        self.fdr = fdr
        self.n_features_to_select = n_features_to_select
        self.discrete = discrete

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        with cli.count_start_up():
            from scipy import stats

        require_share("fdr", self.fdr)
        ranks = column_ranks(np.asarray(X, dtype=np.float64))
        statistics = score_statistic(ranks, class_members(y[None, :]))[0]
        freedom = np.where(ranks.any(axis=0), int(y.max()), 0)
        if self.discrete is not False:
            codes = X[:, self.discrete].astype(np.int64)
            statistics[self.discrete] = chi_square(codes, y)
            shown = np.array([np.unique(column).size for column in codes.T])
            freedom[self.discrete] = (shown - 1) * (int(y.max()))
        told = freedom > 0
        logarithm = np.zeros(X.shape[1])
        logarithm[told] = stats.chi2.logsf(statistics[told], freedom[told])
        p = np.exp(logarithm)
        adjusted = stats.false_discovery_control(p)
        self._set_weights(0.0 - logarithm / np.log(10), {"p": p, "adjusted": adjusted})
        self.support_ = adjusted <= self.fdr

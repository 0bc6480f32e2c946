"""Features that can be trusted, with a stated share of noise."""

from typing import Any, Self

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector, require_share
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator


@selector("trusted", reference="Benjamini, Hochberg (1995); Kononenko (1994)")
class Trusted(Selector):
    """All features of a q-value up to a level: the rule of the pages as a selector.

    For each feature j of m, λ_j = m · min(1.75 p_j, 5 r_j) noise features are expected to show as
    much as it does: p_j by itself (tests of ranks, spread and bins against shuffled classes), r_j
    together with others (ReliefF against shuffled copies). q_j = min over λ_i ≥ λ_j of
    λ_i / #{λ ≤ λ_i}; chosen are those with q_j ≤ `level`, of which about this share is expected to
    be noise. See `steadfast.selectors.trust.rule.trust`.

    Parameters
    ----------
    level
        Share of noise among the chosen features that is put up with.
    discrete
        Numbers of the columns that are categories, coded 0, 1, …; `False` if none is.
    n_features_to_select
        How many to rank; all if None.
    random_state
        For shuffles and copies.

    Attributes
    ----------
    scores_ : ndarray
        −λ.
    support_ : ndarray
        The chosen features.
    steps_ : dict
        `q`, and the expected number of noise features `by_itself` and `together`.

    References
    ----------
    Benjamini, Hochberg, Controlling the false discovery rate (1995). Kononenko, Estimating
    attributes: analysis and extensions of Relief (1994).
    """

    takes_gaps = True
    calibrates_categories = True

    def __init__(
        self,
        level: float = 0.05,
        discrete: Any = False,
        n_features_to_select: int | None = None,
        random_state: Any = None,
    ):
        self.level = level
        self.discrete = discrete
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def fit(self, X: Any, y: Any, groups: Any = None) -> Self:
        """Rank the columns by their q-values; rows of one of the `groups` stay together."""
        self._groups = None if groups is None else np.asarray(groups)
        return super().fit(X, y)

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        with cli.count_start_up():
            from steadfast.selectors.trust.rule import trust

        require_share("level", self.level)
        m = X.shape[1]
        levels = [()] * m
        for column in [] if self.discrete is False else self.discrete:
            levels[column] = ("category",)
        seed = int(random_generator(self.random_state).integers(2**32))
        found = trust(X, y, seed=seed, levels=levels, groups=self._groups)
        self._set_weights(
            -found.noise,
            {"q": found.q, "by_itself": found.by_itself, "together": found.together},
        )
        self.support_ = found.q <= self.level

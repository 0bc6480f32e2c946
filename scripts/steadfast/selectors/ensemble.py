"""Ensembles: a selector run on samples of the rows, its rankings aggregated."""

from typing import Any

import numpy as np

from steadfast.core.estimator import Selector, ranks_in, require_share, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import derive_seed, random_generator
from steadfast.resampling.draws import draw_share
from steadfast.selectors.running.select import create, ensure_sequence

_AGGREGATES = ("mean_rank", "weight", "frequency", "borda")


@selector(
    "ensemble",
    runs="base",
    samples="n_samples",
    share="share",
    reference="Saeys, Abeel, Van de Peer (2008)",
)
@selector(
    "ensemble_mid",
    discrete=True,
    runs="base",
    samples="n_samples",
    share="share",
    fixed={"base": "mid"},
    reference="Saeys, Abeel, Van de Peer (2008), as used by Ji, Guo, Huo, Fang (2015)",
)
class Ensemble(Selector):
    """Any selector on B samples of the rows; features ordered by what the B rankings say together.

    With the rank r_b(f) of a feature in ranking b (features that a ranking does not list share the
    rank after its last), from best to worst by

    - ``mean_rank``: the smallest mean of r_b,
    - ``weight``: the largest mean of the weights,
    - ``frequency``: the largest share of rankings that list it with r_b ≤ k, then the smallest mean
      rank,
    - ``borda``: the largest mean of max(0, k + 1 − r_b) over rankings that list it (else 0), then
      the smallest mean rank.

    Ties go to the lower column.

    Parameters
    ----------
    base
        Name of a selector, or the path of a class or function of another package.
    base_params
        Its parameters.
    n_samples
        B.
    share
        Share of the rows in a sample, drawn without replacement; None draws bootstraps, as many
        rows as there are with replacement.
    aggregate
        ``mean_rank``, ``weight``, ``frequency`` or ``borda``.
    top
        k; as many as are ranked if None.
    n_features_to_select
        How many to rank; all if None.
    random_state
        For the samples, and for bases that draw.

    Attributes
    ----------
    scores_ : ndarray
        What the aggregate says; of mean ranks (m + 1 − mean rank)/m, of Borda counts their share of
        the most there can be.
    steps_ : dict
        `mean_rank` and `frequency` (share of the samples in which it is among the first k).

    References
    ----------
    Saeys, Abeel, Van de Peer, Robust feature selection using ensemble feature selection techniques
    (2008). Ji et al. (2015): mRMR on several samples, as EnsembleFS.
    """

    def __init__(
        self,
        base: Any = "mid",
        base_params: dict[str, Any] | None = None,
        n_samples: int = 10,
        share: float | None = 0.8,
        aggregate: str = "mean_rank",
        top: int | None = None,
        n_features_to_select: int | None = None,
        random_state: Any = None,
    ):
        self.base = base
        self.base_params = base_params
        self.n_samples = n_samples
        self.share = share
        self.aggregate = aggregate
        self.top = top
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._check()
        m, top = X.shape[1], self.top or self.n_ranked()
        ranks, weights, listed = (
            np.empty((self.n_samples, m), kind) for kind in (float, float, bool)
        )
        draw = random_generator(self.random_state)
        seed = int(draw.integers(2**32))
        for at in range(self.n_samples):
            rows = self._sample(len(y), draw)
            settings = {"use": self.base, "params": self.base_params or {}}
            base = create(settings, derive_seed(seed, at) % 2**32)
            fitted = ensure_sequence(base.fit(X[rows], y[rows]), m)
            sequence = fitted.sequence_
            ranks[at] = ranks_in(sequence, m)
            listed[at] = ranks[at] <= sequence.size
            # A column that has no weight in one sample (constant there) is worth the least there.
            finite = np.isfinite(fitted.scores_)
            least = fitted.scores_[finite].min(initial=0.0)
            weights[at] = np.where(finite, fitted.scores_, least)
        mean_rank, frequency = ranks.mean(axis=0), (listed & (ranks <= top)).mean(axis=0)
        value = {
            "mean_rank": (m + 1 - mean_rank) / m,
            "weight": weights.mean(axis=0),
            "frequency": frequency,
            "borda": (listed * np.maximum(0, top + 1 - ranks)).mean(axis=0) / top,
        }[self.aggregate]
        second = mean_rank if self.aggregate in ("frequency", "borda") else np.zeros(m)
        sequence = np.lexsort((second, -value))[: self.n_ranked()]
        explained = {"mean_rank": mean_rank[sequence], "frequency": frequency[sequence]}
        self._set_sequence(sequence, explained)
        self.scores_ = value

    def _sample(self, n: int, draw: np.random.Generator) -> np.ndarray:
        if self.share is None:
            return np.sort(draw.integers(n, size=n))
        return draw_share(np.zeros(n, dtype=np.int64), self.share, draw)

    def _check(self) -> None:
        if self.aggregate not in _AGGREGATES:
            raise ValueError(f"aggregate must be one of {_AGGREGATES}, got {self.aggregate!r}")
        require_whole("n_samples", self.n_samples, 1)
        if self.top is not None:
            require_whole("top", self.top, 1)
        if self.share is not None:
            require_share("share", self.share)

"""Stability selection: what a selector chooses on most of many halves of the rows."""

from typing import Any

import numpy as np

from steadfast.core import registry
from steadfast.core.estimator import Selector, ranks_in, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import derive_seed, random_generator
from steadfast.resampling.draws import draw_pair
from steadfast.selectors.running.fold_file import Selection
from steadfast.selectors.running.select import create, ensure_sequence
from steadfast.statistics.stability_selection import (
    BOUND_NAMES,
    largest_size,
    selected_with_bound,
)


@selector("complementary_pairs", runs="base", splits_rows=True, reference="Shah, Samworth (2013)")
class ComplementaryPairs(Selector):
    """Features that a selector ranks high on most of B pairs of complementary halves of the rows.

    The frequency of a feature is the share of the 2B halves on which it is among the first q of the
    base's ranking; features of equal weight that would not all be among them are left out, because
    their order says nothing. Chosen are those of frequency τ or more, with the smallest τ above 1/2
    at which the bound of the expected number of false ones is at most `pfer`:
    `steadfast.statistics.stability_selection` has the bounds, and what they assume. No feature may
    be chosen. From best to worst by frequency, then by mean rank (features that a half leaves out
    share the rank after its last), then by column.

    Halves keep the shares of the classes. Rows must be independent of each other: groups of rows
    are not kept together here.

    Parameters
    ----------
    base
        Name of a selector, or the path of a class or function of another package.
    base_params
        Its parameters.
    n_pairs
        B.
    size
        q; the largest for which τ = 0.9 keeps the bound if None, about the square root of
        0.8 · p · `pfer` for `mb` and of 2.3 · p · `pfer` for `unimodal`, with p features.
    pfer
        How many false features may be chosen on average.
    bound
        `unimodal`, `r_concave` (both Shah and Samworth's) or `mb` (Meinshausen and Bühlmann's).
    random_state
        For the halves, and for bases that draw.

    Attributes
    ----------
    support_ : ndarray of bool
        The chosen features.
    threshold_, bound_ : float or None
        τ, and the bound there; None where no threshold keeps it.
    reason_ : str
        Why no feature is chosen; empty where some are.
    scores_ : ndarray
        The frequencies.
    steps_ : dict
        `frequency` and `mean_rank`.

    References
    ----------
    Meinshausen, Bühlmann, Stability selection (2010). Shah, Samworth, Variable selection with error
    control: another look at stability selection (2013).
    """

    def __init__(
        self,
        base: Any = "fisher",
        base_params: dict[str, Any] | None = None,
        n_pairs: int = 50,
        size: int | None = None,
        pfer: float = 0.5,
        bound: str = "unimodal",
        random_state: Any = None,
    ):
        self.base = base
        self.base_params = base_params
        self.n_pairs = n_pairs
        self.size = size
        self.pfer = pfer
        self.bound = bound
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._check(y)
        m, n_runs = X.shape[1], 2 * self.n_pairs
        size = min(m, self.size or max(1, largest_size(m, n_runs, self.pfer, self.bound)))
        halves = self._first(X, y, size)
        counts = np.bincount(np.concatenate(halves), minlength=m)
        mean_rank = np.mean([ranks_in(first, m) for first in halves], axis=0)
        passed = selected_with_bound(counts, n_runs, size, m, self.pfer, self.bound)
        frequency, sequence = counts / n_runs, np.lexsort((mean_rank, -counts))
        explained = {"frequency": frequency, "mean_rank": mean_rank}
        self._set_sequence(sequence, {name: of[sequence] for name, of in explained.items()})
        self.scores_ = frequency
        self.support_ = np.isin(np.arange(m), passed.features)
        self.threshold_, self.bound_, self.reason_ = passed.threshold, passed.bound, passed.reason

    def _first(self, X: np.ndarray, y: np.ndarray, size: int) -> list[np.ndarray]:
        """The first columns of the base's ranking on every half."""
        draw = random_generator(self.random_state)
        seed, first = int(draw.integers(2**32)), []
        settings = {"use": self.base, "params": self._base_params(size)}
        for _ in range(self.n_pairs):
            for rows in draw_pair(y, draw, ["rows"]):
                base = create(settings, derive_seed(seed, len(first)) % 2**32)
                fitted = ensure_sequence(base.fit(X[rows], y[rows]), X.shape[1])
                ranked = Selection(fitted.sequence_, fitted.scores_[fitted.sequence_])
                first.append(ranked.first(size))
        return first

    def _base_params(self, size: int) -> dict[str, Any]:
        """Those of the base, which need rank no more features than count, and the next."""
        own = registry.declared("selector").get(self.base) if isinstance(self.base, str) else None
        fewer = {"n_features_to_select": size + 1}
        fewer = fewer if own and "n_features_to_select" in own.parameters else {}
        return {**fewer, **(self.base_params or {})}

    def _check(self, y: np.ndarray) -> None:
        if self.bound not in BOUND_NAMES:
            raise ValueError(f"bound must be one of {', '.join(BOUND_NAMES)}, got {self.bound!r}")
        require_whole("n_pairs", self.n_pairs, 1)
        if self.size is not None:
            require_whole("size", self.size, 1)
        if not isinstance(self.pfer, (int, float)) or not self.pfer > 0:
            raise ValueError(f"pfer must be a number above 0, got {self.pfer!r}")
        if np.sort(np.bincount(y))[-2:].min() < 2 or y.max() == 0:
            raise ValueError(
                f"n_samples={len(y)}: halves need two rows of at least two classes; these have "
                "fewer, or one class"
            )

"""How far criteria vary over bootstraps, along the sequence that each gives on all rows."""

from collections.abc import Iterator, Sequence

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.seeds import generator
from steadfast.experiments.alpha.curves import MIQ, criteria
from steadfast.selectors.mrmr import MRMR
from steadfast.statistics.information import ZERO, information_with, prepare, relevance_of

HEADER = ("alpha", "variance", "noise", "relevance_variance", "redundancy_variance")

#: Steps of a sequence that are looked at, from the second on: at the first there is no redundancy.
STEPS = 20


class Spread:
    """Mean and variance over bootstraps of each feature's value, around that of all rows.

    A value that is infinite there, or on a bootstrap, has neither: both are NaN.
    """

    def __init__(self, values: np.ndarray):
        self.finite = np.isfinite(values)
        self.centre, self.n = np.where(self.finite, values, 0.0), 0
        centre = self.centre
        self.sums, self.squares = np.zeros(centre.shape), np.zeros(centre.shape)

    def add(self, values: np.ndarray) -> None:
        """One bootstrap."""
        self.finite &= np.isfinite(values)
        off = np.where(self.finite, values, self.centre) - self.centre
        self.sums += off
        self.squares += off**2
        self.n += 1

    @property
    def mean(self) -> np.ndarray:
        return np.where(self.finite, self.centre + self.sums / self.n, np.nan)

    @property
    def variance(self) -> np.ndarray:
        spread = np.maximum(self.squares - self.sums**2 / self.n, 0) / (self.n - 1)
        return np.where(self.finite, spread, np.nan)


def variance_rows(
    bins: np.ndarray,
    y: np.ndarray,
    alphas: Sequence[float],
    bootstraps: int,
    seed: int,
    names: Sequence[str],
) -> Iterator[tuple]:
    """A row for each α and for the quotient; see `HEADER`.

    With the sequence of all rows fixed, relevance V, redundancy W and score of the features that
    are left are computed again on every bootstrap, step by step; a quotient with W = 0 is infinite,
    and left out. Means over the steps of

    - `variance`: that of the chosen feature's score (equation 13 of the paper is about it);
    - `noise`: the mean variance of the candidates' scores over bootstraps, as a share of that plus
      the variance between the candidates' mean scores: 0 where nothing but the features decides, 1
      where nothing but chance does. It does not depend on the scale of a criterion;
    - `relevance_variance`, `redundancy_variance`: of V and W of the chosen feature.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), section 4.
    """
    made = criteria(alphas)
    every, steps = list(made.values()), min(STEPS, len(bins))
    sequences = every[0].sequences_of(bins.T, y, every, steps)
    used = np.unique(np.concatenate(sequences))
    whole = _parts(bins, y, used)
    relevance = Spread(whole[0])
    along = [
        _Along(one, sequence, np.searchsorted(used, sequence), *whole)
        for one, sequence in zip(every, sequences, strict=True)
    ]
    for number in range(1, bootstraps + 1):
        rows = generator(seed, *names, "variance", number).integers(y.size, size=y.size)
        parts = _parts(np.ascontiguousarray(bins[:, rows]), y[rows], used)
        relevance.add(parts[0])
        for one in along:
            one.add(*parts)
    for name, one in zip(made, along, strict=True):
        yield name, *one.summary(relevance)


def _parts(bins: np.ndarray, y: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """V of every feature, and I(f; s) of every feature f (column) with some features s (rows)."""
    counted = prepare(bins)
    information = np.empty((used.size, len(bins)))
    _fill(counted, used, information)
    return relevance_of(counted, y), information


class _Along:
    """The score and the redundancy of all candidates (columns) at each step (rows) from the second.

    `places` are those of the sequence's features among the rows of `information`.
    """

    def __init__(
        self,
        selector: MRMR,
        sequence: np.ndarray,
        places: np.ndarray,
        relevances: np.ndarray,
        information: np.ndarray,
    ):
        self.selector, self.places, self.chosen = selector, places[:-1], sequence[1:]
        self.left = np.ones((self.chosen.size, relevances.size), dtype=bool)
        for step in range(self.chosen.size):
            self.left[step:, sequence[step]] = False
        score, redundancy = self._terms(relevances, information)
        self.score, self.redundancy = Spread(score), Spread(redundancy)

    def _terms(
        self, relevances: np.ndarray, information: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        selected = np.arange(1, self.places.size + 1)[:, None]
        w = np.cumsum(information[self.places], axis=0) / selected
        if self.selector.criterion == MIQ:
            score = np.full(w.shape, np.inf)
            np.divide(np.broadcast_to(relevances, w.shape), w, out=score, where=w > ZERO)
            return score, w
        return self.selector.alpha * relevances - (1 - self.selector.alpha) * w, w

    def add(self, relevances: np.ndarray, information: np.ndarray) -> None:
        """One bootstrap."""
        score, redundancy = self._terms(relevances, information)
        self.score.add(score)
        self.redundancy.add(redundancy)

    def summary(self, relevance: Spread) -> tuple[float, float, float, float]:
        """As in `HEADER`, means over the steps."""
        steps = np.arange(self.chosen.size)
        if not steps.size:
            return (float("nan"),) * 4
        spread, mean = self.score.variance, self.score.mean
        noise = [_noise(spread[at, left], mean[at, left]) for at, left in enumerate(self.left)]
        return (
            _mean(spread[steps, self.chosen]),
            _mean(np.array(noise)),
            float(relevance.variance[self.chosen].mean()),
            float(self.redundancy.variance[steps, self.chosen].mean()),
        )


def _mean(values: np.ndarray) -> float:
    """Of those that are defined; NaN where none is."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else float("nan")


def _noise(spread: np.ndarray, mean: np.ndarray) -> float:
    defined = ~np.isnan(spread)
    if not defined.any():
        return float("nan")
    within, between = spread[defined].mean(), mean[defined].var()
    return within / (within + between) if within + between > 0 else 0.0


@njit()
def _fill(counted, used, found):
    every = np.arange(len(counted.bins))
    for at in range(used.size):
        information_with(counted, every, used[at], found[at])

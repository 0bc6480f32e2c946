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
    """Mean and variance over bootstraps of each feature's value, around a first guess."""

    def __init__(self, centre: np.ndarray):
        self.centre, self.n = centre, 0
        self.sums, self.squares = np.zeros(centre.shape), np.zeros(centre.shape)

    def add(self, values: np.ndarray) -> None:
        """One bootstrap; values that are infinite there count as the guess."""
        off = np.where(np.isfinite(values), values - self.centre, 0.0)
        self.sums += off
        self.squares += off**2
        self.n += 1

    @property
    def mean(self) -> np.ndarray:
        return self.centre + self.sums / self.n

    @property
    def variance(self) -> np.ndarray:
        return np.maximum(self.squares - self.sums**2 / self.n, 0) / (self.n - 1)


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
    are left are computed again on every bootstrap, step by step. Means over the steps of

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
        self.score = Spread(np.where(np.isfinite(score), score, 0.0))
        self.redundancy = Spread(redundancy)

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
            float(spread[steps, self.chosen].mean()),
            float(np.mean(noise)),
            float(relevance.variance[self.chosen].mean()),
            float(self.redundancy.variance[steps, self.chosen].mean()),
        )


def _noise(spread: np.ndarray, mean: np.ndarray) -> float:
    within, between = spread.mean(), mean.var()
    return within / (within + between) if within + between > 0 else 0.0


@njit()
def _fill(counted, used, found):
    every = np.arange(len(counted.bins))
    for at in range(used.size):
        information_with(counted, every, used[at], found[at])

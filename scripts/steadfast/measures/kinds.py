"""One interface to measures of every kind: values of pairs, of systems, and of random runs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.registry import load_class
from steadfast.measures import find
from steadfast.measures.declare import Declaration
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs, SystemParts, prefix_systems, subset_system
from steadfast.measures.similarity import Similarities
from steadfast.statistics.intervals import t_half_width, tail

_ENDLESS = (-np.inf, np.inf)


class Estimate(NamedTuple):
    """A measure's value by size (columns), and what its interval comes from.

    Attributes
    ----------
    values
        The stability.
    units
        One row per run (all pairs) or per pair (with a reference): contributions whose mean is
        the value and whose spread is that of the value, times √rows.
    sd
        Standard deviation over the pairs; NaN for a single pair or a measure without pairs.
    pairs
        Number of pairs.
    variance
        Of the value, where the measure has a formula of its own.
    """

    values: np.ndarray
    units: np.ndarray
    sd: np.ndarray
    pairs: int
    variance: np.ndarray | None = None


def undefined_estimate(n_units: int, n_sizes: int) -> Estimate:
    """The estimate where there is nothing to estimate from."""
    nothing = np.full(n_sizes, np.nan)
    return Estimate(nothing, np.full((n_units, n_sizes), np.nan), nothing, 0)


class Measure(ABC):
    """A measure ready for use: `load(name)` makes one.

    `seed` is for ties broken at random.
    """

    def __init__(self, declaration: Declaration, function: Any, seed: int = 1):
        self.about, self.function, self.seed = declaration, function, seed

    def why_undefined(self, runs: Runs) -> str | None:
        """Why these runs have no value, as a sentence; None where they have one."""
        reason = why_undefined(self.about.needs, runs)
        if reason is None and hasattr(self.function, "why_undefined"):
            reason = self.function.why_undefined(runs.sizes)
        return reason

    @abstractmethod
    def curves(self, runs: Runs, depth: int) -> Estimate:
        """Stability of the first k features of all runs, k = 1..depth."""

    @abstractmethod
    def subsets(self, runs: Runs) -> Estimate:
        """Stability of all that the runs list: one column."""

    def references(self, runs: Runs, pairs: Sequence[tuple[int, int]], depth: int) -> Estimate:
        """Mean over given pairs of runs, each a unit of its own."""
        units = np.array([self.pair(runs, *pair, depth) for pair in pairs])
        spread = units.std(axis=0, ddof=1) if len(pairs) > 1 else np.full(depth, np.nan)
        return Estimate(units.mean(axis=0), units, spread, len(pairs))

    @abstractmethod
    def pair(self, runs: Runs, first: int, second: int, depth: int) -> np.ndarray:
        """Value of one pair of runs, k = 1..depth."""


class PairMeasure(Measure):
    """The mean over pairs; units are the jackknife's pseudo-values of the runs."""

    @abstractmethod
    def block(self, runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
        """Values of one run with others (rows), k = 1..depth (columns)."""

    def matrix(self, runs: Runs) -> np.ndarray:
        """Values of all pairs of what the runs list."""
        values = np.full((len(runs), len(runs)), np.nan)
        for run, others in runs.pairs():
            values[run, others] = self.block(runs, run, others, runs.depth)[:, -1]
            values[others, run] = values[run, others]
        return values

    def pair(self, runs: Runs, first: int, second: int, depth: int) -> np.ndarray:
        return self.block(runs, first, np.array([second]), depth)[0]

    def curves(self, runs: Runs, depth: int) -> Estimate:
        sums, squares = np.zeros((len(runs), depth)), np.zeros(depth)
        centre = None
        for run, others in runs.pairs():
            values = self.block(runs, run, others, depth)
            # Squares are summed around a value of the same size, to keep their digits.
            centre = values[0].copy() if centre is None else centre
            sums[run] += values.sum(axis=0)
            sums[others] += values
            squares += ((values - centre) ** 2).sum(axis=0)
        return _jackknife(sums, squares, np.zeros(depth) if centre is None else centre)

    def subsets(self, runs: Runs) -> Estimate:
        values = self.matrix(runs)
        if not self.about.symmetric:
            values = (values + values.T) / 2
        centre = values[0, 1:2] if len(runs) > 1 else np.zeros(1)
        np.fill_diagonal(values, 0)
        sums = values.sum(axis=1)[:, None]
        values -= centre
        np.fill_diagonal(values, 0)
        return _jackknife(sums, np.einsum("ij,ij->", values, values)[None] / 2, centre)


def _jackknife(sums: np.ndarray, squares: np.ndarray, centre: np.ndarray) -> Estimate:
    """Mean over pairs and pseudo-values from the sum of each run's pairs.

    θ = T / (L(L−1)/2); without run i, θ_i = (T − R_i) / ((L−1)(L−2)/2); the pseudo-value is
    Lθ − (L−1)θ_i (Arvesen 1969), and their mean is θ.
    """
    n_runs, n_sizes = sums.shape
    pairs = n_runs * (n_runs - 1) // 2
    if not pairs:
        return undefined_estimate(n_runs, n_sizes)
    total = sums.sum(axis=0) / 2
    values = total / pairs
    spread = np.full(n_sizes, np.nan)
    if pairs > 1:
        rest = np.maximum(squares - pairs * (values - centre) ** 2, 0)
        spread = np.sqrt(rest / (pairs - 1))
    units = np.full((n_runs, n_sizes), np.nan)
    if n_runs > 2:
        without = (total - sums) / ((n_runs - 1) * (n_runs - 2) / 2)
        units = n_runs * values - (n_runs - 1) * without
    return Estimate(values, units, spread, pairs)


class CountMeasure(PairMeasure):
    """From sizes and overlaps of subsets; those of one size have one value in both orders."""

    def block(self, runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
        sizes = np.arange(1, depth + 1)
        overlaps = runs.overlaps_with(run, others, depth)
        return self.function(sizes, sizes, overlaps, runs.n_features)

    def matrix(self, runs: Runs) -> np.ndarray:
        shared = np.rint(runs.members @ runs.members.T).astype(np.int64)
        sizes = runs.sizes
        return self.function(sizes[:, None], sizes[None, :], shared, runs.n_features)


class OverlapMeasure(PairMeasure):
    """From the overlaps at all depths up to k."""

    def block(self, runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
        return self.function(runs.overlaps_with(run, others, depth))


class OrderMeasure(PairMeasure):
    """From the positions of the features in two rankings."""

    def block(self, runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
        return self.function(runs, run, others, depth)


class ValueMeasure(PairMeasure):
    """Correlation of ranks or weights."""

    def block(self, runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
        kept = getattr(self, "_kept", None)
        if kept is None or kept[0] is not runs or kept[1] != depth:
            kept = self._kept = (runs, depth, self.function(runs, depth, self.seed))
        return kept[2].with_others(run, others)


class SimilarMeasure(PairMeasure):
    """From a matrix about the features; `function` is the object made from it."""

    def block(self, runs: Runs, run: int, others: np.ndarray, depth: int) -> np.ndarray:
        first = runs.sequences[run][:depth]
        curves = [self.function.curve(first, runs.sequences[other][:depth]) for other in others]
        return np.array(curves).reshape(len(others), depth)

    def matrix(self, runs: Runs) -> np.ndarray:
        return self.function.matrix(runs)


class SystemMeasure(Measure):
    """From the frequencies of the features in all runs together.

    A `function` that asks for more than the counts of a `System` has functions of its own to find
    it: `subset_system` and `prefix_systems`.
    """

    def _estimate(self, parts: SystemParts) -> Estimate:
        n_runs = parts.whole.runs
        values = self.function(parts.whole)
        units = np.full(parts.sizes.shape, np.nan)
        if self.about.interval != "none" and n_runs > 2:
            without = self.function(parts.without_each())
            units = n_runs * values - (n_runs - 1) * without
            # The jackknife also estimates the bias; the interval is around the value itself.
            units += values - units.mean(axis=0)
        pairs = n_runs * (n_runs - 1) // 2
        own = self.function.variance(parts) if self.about.interval == "normal" else None
        return Estimate(values, units, np.full(values.shape, np.nan), pairs, own)

    def curves(self, runs: Runs, depth: int) -> Estimate:
        return self._estimate(self._prefixes(runs, depth))

    def subsets(self, runs: Runs) -> Estimate:
        return self._estimate(getattr(self.function, "subset_system", subset_system)(runs))

    def pair(self, runs: Runs, first: int, second: int, depth: int) -> np.ndarray:
        return self.function(self._prefixes(runs.take([first, second]), depth).whole)

    def _prefixes(self, runs: Runs, depth: int) -> SystemParts:
        return getattr(self.function, "prefix_systems", prefix_systems)(runs, depth)


_CLASSES = {
    "counts": CountMeasure,
    "frequencies": SystemMeasure,
    "overlaps": OverlapMeasure,
    "orders": OrderMeasure,
    "ranks": ValueMeasure,
    "weights": ValueMeasure,
    "similar": SimilarMeasure,
    "similar_frequencies": SystemMeasure,
}


def load(name: str, similarities: Similarities | None = None, seed: int = 1) -> Measure:
    """The measure of a name, ready for use.

    Parameters
    ----------
    similarities
        The data set's features, for measures aware of similar ones.
    seed
        For ties broken at random.
    """
    about = find(name)
    function = load_class(f"{about.module}.{about.function}")
    if about.similarity:
        function = function((similarities or Similarities()).matrix(about.similarity))
    return _CLASSES[about.kind](about, function, seed)


def interval(
    estimate: Estimate,
    bounds: tuple[float | None, float | None] = (None, None),
    level: float = 0.95,
) -> np.ndarray:
    """Lower and upper ends (rows) of the confidence interval of each value; NaN where none.

    value ± t · sd(units) / √n; a measure with a variance v of its own: value ± z · √v. What lies
    beyond the bounds of the measure is cut off.
    """
    if estimate.variance is None:
        half = t_half_width(estimate.units, level)
    else:
        from scipy.special import ndtri

        half = ndtri(tail(level)) * np.sqrt(estimate.variance)
    ends = np.array([estimate.values - half, estimate.values + half])
    low, high = (limit if bound is None else bound for bound, limit in zip(bounds, _ENDLESS))
    return np.clip(ends, low, high)

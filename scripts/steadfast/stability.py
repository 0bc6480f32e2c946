"""Stability of one selector on one data set, for every measure and subset size."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from steadfast.measures.kinds import Estimate, Measure, interval, load, undefined
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.resample import Fold
from steadfast.selections import ZERO_WEIGHTS, Selection

HEADER = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd", "pairs", "note")
UNITS_HEADER = ("measure", "compare", "ratio", "unit", "value")

#: Needs of a measure that do not depend on the subset size.
_OF_RUNS = ("two_features", "ranked", "complete", "weighted", "keys_differ", "weights_differ")


class Stability(NamedTuple):
    """Stability under one measure at one ratio.

    `units` are named by the folds that are compared: with their reference, or with each other; or
    by the groups of folds, where there are several.
    """

    measure: Measure
    compare: str
    ratio: float
    estimate: Estimate
    units: Sequence[str]
    runs: Runs
    reason: str | None

    def rows(self, sizes: Sequence[int] | None) -> Iterator[tuple]:
        """One row a size, as in `HEADER`; a value that is undefined has the reason as its note."""
        low, high = interval(self.estimate, self.measure.about.bounds)
        values, spread = self.estimate.values, self.estimate.sd
        for k in _wanted(sizes, values.size):
            note = ""
            if np.isnan(values[k - 1]):
                note = self.reason or self.measure.why_undefined(self.runs.top(k)) or ""
            yield (
                *(self.measure.about.name, self.compare, self.ratio, k, values[k - 1]),
                *(low[k - 1], high[k - 1], spread[k - 1], self.estimate.pairs, note),
            )

    def unit_rows(self, sizes: Sequence[int] | None) -> Iterator[tuple]:
        """One row a unit: its mean over the sizes at which the measure is defined."""
        chosen = np.array(_wanted(sizes, self.estimate.values.size), dtype=int) - 1
        chosen = chosen[~np.isnan(self.estimate.values[chosen])]
        for name, values in zip(self.units, self.estimate.units[:, chosen], strict=True):
            mean = values.mean() if chosen.size else float("nan")
            yield self.measure.about.name, self.compare, self.ratio, name, mean


def zero_weight_rows(
    folds: Sequence[Fold], selections: Mapping[str, Selection], n_features: int
) -> Iterator[tuple]:
    """Share of the features that have no weight in a fold, as rows of units.

    Features that a fold does not list count as such; a selector that states ranks only has none.
    """
    for fold in folds:
        if not (fold.group or fold.reference):
            continue
        stated = selections[fold.name].weights
        if not _states_ranks(stated, n_features):
            share = 1 - np.count_nonzero(stated) / n_features
            yield ZERO_WEIGHTS, "", fold.ratio, fold.name, share


def _states_ranks(stated: np.ndarray, n_features: int) -> bool:
    """Whether weights are the ranks themselves, falling evenly from 1."""
    return np.allclose(stated, 1 - np.arange(stated.size) / n_features, rtol=0, atol=1e-12)


def _wanted(sizes: Sequence[int] | None, largest: int) -> list[int]:
    return [k for k in sizes or range(1, largest + 1) if k <= largest]


def measure_stability(
    asked: Mapping[str, str],
    folds: Sequence[Fold],
    selections: Mapping[str, Selection],
    similarities: Similarities,
    n_features: int,
    seed: int,
    sizes: Sequence[int] | None = None,
) -> Iterator[Stability]:
    """Stability by ratio, the selections compared as asked.

    Parameters
    ----------
    asked
        `measure`, and `compare`: `reference` (each fold with the full training set it was drawn
        from) or `all_pairs` (the folds of a ratio with each other).
    selections
        By fold.
    similarities, n_features
        What is known of the features.
    seed
        For ties broken at random.
    sizes
        Subset sizes that are wanted; None is every one.
    """
    measure = load(asked["measure"], similarities, seed)
    by_ratio: dict[float, list[Fold]] = {}
    for fold in folds:
        if fold.reference if asked["compare"] == "reference" else fold.group:
            by_ratio.setdefault(fold.ratio, []).append(fold)
    needs = [need for need in measure.about.needs if need in _OF_RUNS]
    for ratio, own in sorted(by_ratio.items()):
        names = [fold.name for fold in own]
        references = [fold.reference for fold in own] if asked["compare"] == "reference" else []
        runs = _runs([*references, *names], selections, n_features)
        reason = why_undefined(needs, runs)
        depth = min(runs.depth, max(sizes or [runs.depth]))
        if reason:
            estimate = undefined(len(names), depth)
        elif references:
            pairs = [(pair, len(names) + pair) for pair in range(len(names))]
            estimate = measure.references(runs, pairs, depth)
        else:
            estimate, names = _by_group(measure, runs, [fold.group for fold in own], names, depth)
        yield Stability(measure, asked["compare"], ratio, estimate, names, runs, reason)


def _runs(names: Sequence[str], selections: Mapping[str, Selection], n_features: int) -> Runs:
    """Features of equal weight are tied, unless the weights do not fall along the sequence."""
    weights = np.full((len(names), n_features), np.nan)
    keys = weights.copy()
    chosen = [selections[name] for name in names]
    for run, one in enumerate(chosen):
        weights[run, one.sequence] = one.weights
        keys[run, one.sequence] = (
            one.weights if one.weights_fall() else -np.arange(one.sequence.size)
        )
    ranks_only = all(_states_ranks(one.weights, n_features) for one in chosen)
    sequences = [one.sequence for one in chosen]
    return Runs(n_features, sequences, True, keys, None if ranks_only else weights, names)


def _by_group(
    measure: Measure, runs: Runs, groups: Sequence[str], names: Sequence[str], depth: int
) -> tuple[Estimate, Sequence[str]]:
    """Stability of each group of folds; of several groups the mean, each group a unit."""
    members: dict[str, list[int]] = {}
    for run, group in enumerate(groups):
        members.setdefault(group, []).append(run)
    if len(members) == 1:
        return measure.curves(runs, depth), names
    found = [measure.curves(runs.chosen(chosen), depth) for chosen in members.values()]
    units = np.array([estimate.values for estimate in found])
    pairs = sum(estimate.pairs for estimate in found)
    return Estimate(units.mean(axis=0), units, units.std(axis=0, ddof=1), pairs), list(members)

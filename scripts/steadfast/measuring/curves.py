"""Stability of one selector on one data set, for every measure and subset size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from steadfast.measures.kinds import Estimate, Measure, interval, load, undefined_estimate
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.resampling.folds import Fold
from steadfast.selectors.running.fold_file import CHOSEN, OWN_SIZE, ZERO_WEIGHTS, Selection

HEADER = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd", "pairs", "note")
UNITS_HEADER = ("measure", "compare", "ratio", "unit", "value")

#: Needs of a measure that do not depend on the subset size.
OF_RUNS = ("two_features", "ranked", "complete", "weighted", "keys_differ", "weights_differ")


def units_key(transform: str, compare: str, ratio: float) -> str:
    """The name of units by size in a file of them."""
    return f"{transform} {compare} {ratio:g}"


class Stability(NamedTuple):
    """Stability under one measure at one ratio.

    `units` are named by the folds that are compared: with their reference, or with each other; or
    by comparisons, where there are several; `expected` are all that there should be.
    `missing` of the `n_folds` have no selection.
    """

    measure: Measure
    compare: str
    ratio: float
    estimate: Estimate
    units: Sequence[str]
    runs: Runs
    reason: str | None
    expected: Sequence[str]
    missing: int
    n_folds: int

    def rows(self, sizes: Sequence[int] | None) -> Iterator[tuple]:
        """One row per size, as in `HEADER`; an undefined value has the reason as its note."""
        low, high = interval(self.estimate, self.measure.about.bounds)
        values, spread = self.estimate.values, self.estimate.sd
        for k in self._sizes(sizes):
            notes = self._notes()
            runs = self.runs if self.compare == CHOSEN else self.runs.top(k)
            if np.isnan(values[k - 1]):
                notes.append(self.reason or self.measure.why_undefined(runs) or "")
            yield (
                *(self.measure.about.name, self.compare, self.ratio),
                *(OWN_SIZE if self.compare == CHOSEN else k, values[k - 1]),
                *(low[k - 1], high[k - 1], spread[k - 1], self.estimate.pairs, "; ".join(notes)),
            )

    def unit_rows(self, sizes: Sequence[int] | None) -> Iterator[tuple]:
        """One row per unit: its mean over the sizes at which the measure is defined."""
        wanted = np.array(self._sizes(sizes), dtype=int) - 1
        wanted = wanted[~np.isnan(self.estimate.values[wanted])]
        # Those that are missing have a row too: two selectors are compared unit by unit.
        means = dict.fromkeys(self.expected, float("nan"))
        for name, values in zip(self.units, self.estimate.units[:, wanted], strict=True):
            means[name] = values.mean() if wanted.size else float("nan")
        for name, mean in means.items():
            yield self.measure.about.name, self.compare, self.ratio, name, mean

    def _notes(self) -> list[str]:
        note = f"{self.missing} of {self.n_folds} folds have no selection"
        return [note] if self.missing else []

    def _sizes(self, sizes: Sequence[int] | None) -> list[int]:
        return [1] if self.compare == CHOSEN else _sizes_up_to(sizes, self.estimate.values.size)


def zero_weight_rows(
    folds: Sequence[Fold], selections: Mapping[str, Selection], n_features: int
) -> Iterator[tuple]:
    """Share of the features that have no weight in a fold, as rows of units.

    Features that a fold does not list count as such; a selector that states ranks only has none.
    """
    for fold in folds:
        if not (fold.comparison or fold.reference):
            continue
        stated = selections[fold.name].weights
        if not _states_ranks(stated, n_features):
            share = 1 - np.count_nonzero(stated) / n_features
            yield ZERO_WEIGHTS, "", fold.ratio, fold.name, share


def _states_ranks(stated: np.ndarray, n_features: int) -> bool:
    """Whether weights are the ranks themselves, falling evenly from 1."""
    return np.allclose(stated, 1 - np.arange(stated.size) / n_features, rtol=0, atol=1e-12)


def _sizes_up_to(sizes: Sequence[int] | None, largest: int) -> list[int]:
    return [k for k in sizes or range(1, largest + 1) if k <= largest]


def measure_stability(
    use: Mapping[str, str],
    folds: Sequence[Fold],
    selections: Mapping[str, Selection],
    similarities: Similarities,
    n_features: int,
    seed: int,
    sizes: Sequence[int] | None = None,
) -> Iterator[Stability]:
    """Stability by ratio, under one use of a measure.

    Parameters
    ----------
    use
        `measure`, and `compare`: `reference` (each fold with the full training set it was drawn
        from), `all_pairs` (the folds of a ratio with each other) or `chosen` (the same, the whole
        subsets that the selector chose).
    selections
        By fold.
    similarities, n_features
        What is known of the features.
    seed
        For ties broken at random.
    sizes
        Subset sizes that are wanted; None is every one.
    """
    measure = load(use["measure"], similarities, seed)
    by_ratio: dict[float, list[Fold]] = {}
    compare = use["compare"]
    for fold in folds:
        if fold.reference if compare == "reference" else fold.comparison:
            by_ratio.setdefault(fold.ratio, []).append(fold)
    needs = [need for need in measure.about.needs if need in OF_RUNS]
    for ratio, every in sorted(by_ratio.items()):
        own = [fold for fold in every if _has_selection(fold, compare, selections)]
        names = [fold.name for fold in own]
        comparisons = list(dict.fromkeys(fold.comparison for fold in every))
        several = compare != "reference" and len(comparisons) > 1
        expected = comparisons if several else [fold.name for fold in every]
        references = [fold.reference for fold in own] if compare == "reference" else []
        runs = _runs([*references, *names], selections, n_features, compare == CHOSEN)
        reason = why_undefined(needs, runs)
        depth = 1 if compare == CHOSEN else min(runs.depth, max(sizes or [runs.depth]))
        if reason or not own:
            estimate = undefined_estimate(len(names), depth)
        elif references:
            pairs = [(pair, len(names) + pair) for pair in range(len(names))]
            estimate = measure.references(runs, pairs, depth)
        else:
            of = measure.subsets if compare == CHOSEN else partial(measure.curves, depth=depth)
            if several:
                estimate, names = _mean_over_comparisons(
                    of, runs, [fold.comparison for fold in own]
                )
            else:
                estimate = of(runs)
        yield Stability(
            *(measure, compare, ratio, estimate, names, runs, reason),
            *(expected, len(every) - len(own), len(every)),
        )


def _has_selection(fold: Fold, compare: str, selections: Mapping[str, Selection]) -> bool:
    """Whether the fold has one and, where folds are compared with it, its reference too."""
    compared = [fold.name, fold.reference] if compare == "reference" else [fold.name]
    return not any(selections[name].note for name in compared)


def _runs(
    names: Sequence[str],
    selections: Mapping[str, Selection],
    n_features: int,
    subsets_only: bool = False,
) -> Runs:
    """Features of equal weight are tied, unless the weights do not fall along the sequence."""
    if subsets_only:
        subsets = [selections[name].chosen for name in names]
        return Runs(n_features, subsets, ranked=False, names=names)
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


def _mean_over_comparisons(
    estimate_of: Callable[[Runs], Estimate], runs: Runs, comparisons: Sequence[str]
) -> tuple[Estimate, Sequence[str]]:
    """The mean of the stability of several comparisons, each of them a unit."""
    members: dict[str, list[int]] = {}
    for run, comparison in enumerate(comparisons):
        members.setdefault(comparison, []).append(run)
    found = [estimate_of(runs.take(chosen)) for chosen in members.values()]
    units = np.array([estimate.values for estimate in found])
    pairs = sum(estimate.pairs for estimate in found)
    return Estimate(units.mean(axis=0), units, units.std(axis=0, ddof=1), pairs), list(members)

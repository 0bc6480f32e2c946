"""From what selectors show on a data set to advice: which selector, and how many features.

The choice is a stated trade-off: of all selections whose score is at most a margin below the best,
the one with the best balance of score and stability is recommended. Selections of more than half of
the features are considered only where no smaller one is within the margin. `docs/choice.md`
compares this rule with others.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steadfast.advice.evidence import Witness
from steadfast.measures.frequency import nogueira_test
from steadfast.measures.runs import Runs
from steadfast.selectors.running.fold_file import OWN_SIZE
from steadfast.statistics.intervals import resampled_half_width, t_half_width
from steadfast.statistics.knots import find_knot

#: What may be given up of the deciding score for a more stable selection: two points.
MARGIN = 0.02

#: What stability counts in the balance: 0.05 of it as much as 0.01 of the score.
WEIGHT = 0.2


#: One-sided tests at 5% have the ends of this interval.
ONE_SIDED = 0.9

#: Two selections whose stability differs with a larger p-value cannot be told apart.
LEVEL = 0.05

#: Where no accuracy is measured, selectors are compared at this size, and none is recommended.
COMPARED_SIZE = 10


class Best(NamedTuple):
    """A selector at one size (`OWN_SIZE` where it chooses sizes itself)."""

    witness: Witness
    size: int

    def stability(self) -> float:
        """Its stability at that size."""
        return float(self.witness.stability.at(self.size))

    def accuracy(self, classifier: str | None) -> float:
        """Its accuracy there; NaN where none is measured."""
        units = self.accuracy_units(classifier)
        return float("nan") if units is None else float(units.mean())

    def accuracy_units(self, classifier: str | None) -> np.ndarray | None:
        """Its accuracy there, fold by fold; None where none is measured."""
        curve = self.witness.accuracy.get(classifier)
        place = None if curve is None else curve.place(self.size, defined=True)
        return None if place is None else curve.units[:, place]

    def subsets(self) -> list[np.ndarray]:
        """What its runs select."""
        if self.size == OWN_SIZE:
            return self.witness.runs
        return [run[: self.size] for run in self.witness.runs]

    @property
    def mean_size(self) -> float:
        """How many features it selects, on average where it chooses sizes itself."""
        return self.witness.mean_size if self.size == OWN_SIZE else float(self.size)


class Choice(NamedTuple):
    """What is recommended, and what it was chosen from.

    Attributes
    ----------
    best : the recommended selector and size
    top : the most accurate selection of all measured sizes, which may have all features
    by_selector : each selector at the size that would be recommended for it, by id
    tied : other selectors within the margin whose stability cannot be told from that of the best
    margin : score that may be given up
    loss : score that the recommended selection loses against the most accurate
    known_to : half of the 95% interval of the best score over the runs; NaN of one run
    smaller : the most accurate selection of at most half of the features; None where there is none
    """

    best: Best
    top: Best
    by_selector: dict[str, Best]
    tied: list[Best]
    margin: float
    loss: float
    known_to: float
    smaller: Best | None

    @property
    def within_margin(self) -> bool:
        """Whether the recommended selection loses at most the margin against the most accurate."""
        return self.loss <= self.margin + 1e-12

    @property
    def enough_runs(self) -> bool:
        """Whether the runs tell scores to within the margin."""
        return not self.known_to > self.margin


def recommend(
    witnesses: Sequence[Witness],
    classifier: str | None,
    n_features: int,
    margin: float = MARGIN,
) -> Choice | None:
    """The best balance of score and stability, at most a margin below the best score.

    The balance is score + `WEIGHT` · stability; of equals the smallest is taken. Selections of more
    than half of the features are taken only where no smaller one is within the margin, and all
    features are no selection: where only they are within it, the most accurate selection is
    recommended. Selectors that chose at random take no part, nor those that learnt from test rows
    or were frozen.

    Parameters
    ----------
    witnesses : what each selector shows
    classifier : whose score decides; None: nothing is recommended
    n_features : how many features there are
    margin : score that may be given up for stability

    Returns
    -------
    None where there is no fair selector whose accuracy and stability are measured.
    """
    fair = [one for one in witnesses if one.is_fair]
    measured = {one.id: measured_selections(one, classifier) for one in fair}
    pools = {name: candidates(found, n_features) for name, found in measured.items()}
    pools = {name: pool for name, pool in pools.items() if pool}
    everything = [one for pool in pools.values() for one in pool]
    if not everything:
        return None
    top = most_accurate([one for found in measured.values() for one in found], classifier)

    def within(pool: Sequence[Best], reference: Best) -> list[Best]:
        least = reference.accuracy(classifier) - margin - 1e-12
        return [one for one in pool if one.accuracy(classifier) >= least]

    def choose(pool: Sequence[Best], *references: Best) -> Best:
        near = next(filter(None, (within(pool, one) for one in references)), [])
        if not near:
            return most_accurate(pool, classifier)
        return _best_balance(_small(near, n_features) or near, classifier)

    best = choose(everything, top)
    by_selector = {
        name: choose(pool, top, most_accurate(measured[name], classifier))
        for name, pool in pools.items()
    }
    by_selector[best.witness.id] = best
    near = within(everything, top)
    names = {one.witness.id for one in _small(near, n_features) or near} - {best.witness.id}
    tied = [by_selector[name] for name in names if _is_tied(by_selector[name], best, n_features)]
    tied.sort(key=lambda one: (-one.stability(), one.witness.id))
    small = _small(everything, n_features)
    return Choice(
        best=best,
        top=top,
        by_selector=by_selector,
        tied=tied,
        margin=margin,
        loss=top.accuracy(classifier) - best.accuracy(classifier),
        known_to=float(t_half_width(top.accuracy_units(classifier))),
        smaller=most_accurate(small, classifier) if small else None,
    )


def compared(witnesses: Sequence[Witness], n_features: int) -> dict[str, Best]:
    """Every selector at one size, the same for all, where no accuracy is measured."""
    size = min(COMPARED_SIZE, largest_size(n_features))
    found = {}
    for one in witnesses:
        own = OWN_SIZE if one.chosen else size
        if one.stability.place(own, defined=True) is not None:
            found[one.id] = Best(one, own)
    return found


def largest_size(n_features: int) -> int:
    """Half of the features: a larger selection is taken only where it is needed."""
    return max(1, n_features // 2)


def measured_selections(witness: Witness, classifier: str | None) -> list[Best]:
    """A selector at every size at which its accuracy is known."""
    curve = witness.accuracy.get(classifier)
    if curve is None:
        return []
    return [Best(witness, size) for size in curve.sizes[~np.isnan(curve.values)].tolist()]


def candidates(selections: Sequence[Best], n_features: int) -> list[Best]:
    """Those that may be recommended: not all features, and with a known stability."""
    return [
        one
        for one in selections
        if one.mean_size < n_features
        and one.witness.stability.place(one.size, defined=True) is not None
    ]


def _small(selections: Sequence[Best], n_features: int) -> list[Best]:
    """Those of at most half of the features."""
    return [one for one in selections if one.mean_size <= largest_size(n_features)]


def most_accurate(selections: Sequence[Best], classifier: str | None) -> Best:
    """The selection of the highest accuracy; of equals the smallest."""
    return min(selections, key=lambda one: (-round(one.accuracy(classifier), 12), one.mean_size))


def _best_balance(pool: Sequence[Best], classifier: str | None) -> Best:
    def balance(one: Best) -> float:
        return round(one.accuracy(classifier) + WEIGHT * one.stability(), 9)

    return min(pool, key=lambda one: (-balance(one), one.mean_size))


def _is_tied(one: Best, best: Best, n_features: int) -> bool:
    test = stability_test(one, best, n_features)
    return test is None or test["p"] >= LEVEL


def is_better(units: np.ndarray, others: np.ndarray | float, share: float) -> bool:
    """Whether accuracies exceed others significantly, fold by fold (one-sided, 5%)."""
    if units.size < 2:
        return False
    gain = (units - others)[:, None]
    return bool(gain.mean() > np.nan_to_num(resampled_half_width(gain, share, ONE_SIDED)[0]))


def pareto(bests: Sequence[Best], classifier: str | None) -> set[str]:
    """Selectors than which no fair one is both more stable and more accurate."""
    points = {
        one.witness.id: (one.stability(), np.nan_to_num(one.accuracy(classifier), nan=-np.inf))
        for one in bests
        if one.witness.is_fair
    }
    return {
        name
        for name, (stable, accurate) in points.items()
        if not any(
            s >= stable and a >= accurate and (s, a) != (stable, accurate)
            for s, a in points.values()
        )
    }


def knot_size(witness: Witness) -> int | None:
    """The end of the plateau of stability, if there is one; chance is 0 under this measure."""
    curve = witness.stability
    kept = ~np.isnan(curve.values)
    found = find_knot(curve.sizes[kept], curve.values[kept], np.zeros(int(kept.sum())))
    return None if found is None else found.size


def stability_test(one: Best, other: Best, n_features: int) -> dict[str, float] | None:
    """Two-sample test of equal stability (Nogueira, Sechidis, Brown 2018); None where undefined."""
    runs = [Runs(n_features, best.subsets(), ranked=False) for best in (one, other)]
    statistic, p = nogueira_test(*runs)
    if np.isnan(statistic):
        return None
    return {"statistic": round(statistic, 6), "p": float(f"{p:.6g}")}

"""Features that pass a threshold on the runs of a selector on halves, and how many are false."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steadfast.selectors.running.fold_file import Selection
from steadfast.statistics.stability_selection import (
    Passed,
    bound_at,
    largest_size,
    selected_with_bound,
)

#: Bounds by the halves that runs are made on, the one that thresholds go by first.
BOUNDS_OF = {"pairs": ("unimodal", "r_concave", "mb"), "random": ("mb",)}


class Bounded(NamedTuple):
    """What passes of a selector's runs.

    Attributes
    ----------
    n_runs, per_run
        How many runs there are, and features that a run selects: as many as were asked for, or the
        mean over the runs of a selector that chooses its own number.
    counts
        In how many runs each feature is selected.
    passed
        The features that pass, with threshold and bound, or the reason why none does.
    bounds
        The bounds at that threshold by name, those left out that say nothing there.
    """

    n_runs: int
    per_run: float
    counts: np.ndarray
    passed: Passed
    bounds: dict[str, float]


def bounded(
    selections: Sequence[Selection],
    n_features: int,
    halves: str,
    *,
    pfer: float,
    size: int | None = None,
    bound: str | None = None,
) -> Bounded:
    """The features that pass with an expected number of false ones of at most `pfer`.

    Parameters
    ----------
    selections
        Of all runs of a selector; those without a choice of their own count by their first `size`.
    halves
        `pairs` or `random`: see `steadfast.resampling.scheme.Scheme.halves`.
    size
        The largest for which a threshold of 0.9 keeps the bound, if None.
    bound
        The bound that settles the threshold; the first of `BOUNDS_OF` if None.
    """
    n_runs, bound = len(selections), bound or BOUNDS_OF[halves][0]
    stopped = sum(bool(one.note) for one in selections)
    if all(one.n_chosen is not None for one in selections):
        subsets = [one.chosen for one in selections]
        per_run = float(np.mean([subset.size for subset in subsets]))
    else:
        per_run = min(size or max(1, largest_size(n_features, n_runs, pfer, bound)), n_features)
        subsets = [one.first(per_run) for one in selections]
    counts = np.bincount(np.concatenate(subsets), minlength=n_features)
    if stopped:
        reason = f"{stopped} of the {n_runs} runs did not finish, and the bounds are for all halves"
        passed = Passed(None, None, np.empty(0, dtype=np.int64), reason)
    else:
        passed = selected_with_bound(counts, n_runs, per_run, n_features, pfer, bound)
    at = passed.threshold
    names = BOUNDS_OF[halves] if at is not None else ()
    bounds = {name: bound_at(name, per_run, n_features, at, n_runs) for name in names}
    finite = {name: value for name, value in bounds.items() if np.isfinite(value)}
    return Bounded(n_runs, per_run, counts, passed, finite)

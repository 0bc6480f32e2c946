"""When a measure is undefined, and why, in words.

A measure declares what it `needs`; each need is a condition on the runs with a sentence for the
case that it fails. A value is NaN exactly where a need of its measure fails: never a silent 0/0.
"""

from collections.abc import Callable, Sequence

import numpy as np

from steadfast.measures.runs import Runs


def _need_two_runs(runs: Runs) -> str | None:
    return None if len(runs) > 1 else "one run has nothing to be compared with"


def _need_two_features(runs: Runs) -> str | None:
    return None if runs.n_features > 1 else "a single feature has no order"


def _need_no_empty_run(runs: Runs) -> str | None:
    empty = np.flatnonzero(runs.sizes == 0)
    return f"run {runs.name(empty[0])} selects nothing" if empty.size else None


def _need_no_full_run(runs: Runs) -> str | None:
    full = np.flatnonzero(runs.sizes == runs.n_features)
    return f"run {runs.name(full[0])} selects every feature" if full.size else None


def _refuse_pair(runs: Runs, size: int, what: str) -> str | None:
    such = np.flatnonzero(runs.sizes == size)
    if such.size < 2:
        return None
    return f"runs {runs.name(such[0])} and {runs.name(such[1])} both select {what}"


def _need_no_empty_pair(runs: Runs) -> str | None:
    return _refuse_pair(runs, 0, "nothing")


def _need_no_full_pair(runs: Runs) -> str | None:
    return _refuse_pair(runs, runs.n_features, "every feature")


def _need_some_selected(runs: Runs) -> str | None:
    return None if runs.sizes.sum() else "no run selects anything"


def _need_some_left_out(runs: Runs) -> str | None:
    full = runs.sizes.sum() == len(runs) * runs.n_features
    return "every run selects every feature" if full else None


def _need_equal_sizes(runs: Runs) -> str | None:
    differs = np.flatnonzero(runs.sizes != runs.sizes[0])
    if not differs.size:
        return None
    other = differs[0]
    return (
        f"runs {runs.name(0)} and {runs.name(other)} list {runs.sizes[0]} and {runs.sizes[other]} "
        "features; it compares lists of one length"
    )


def _need_ranks(runs: Runs) -> str | None:
    return None if runs.ranked else "the runs state subsets, no ranks"


def _need_whole_rankings(runs: Runs) -> str | None:
    partial = np.flatnonzero(runs.sizes < runs.n_features)
    if not partial.size:
        return None
    run = partial[0]
    return (
        f"run {runs.name(run)} ranks {runs.sizes[run]} of {runs.n_features} features; it compares "
        "whole rankings"
    )


def _need_weights(runs: Runs) -> str | None:
    if runs.weights is None:
        return "the runs state no weights"
    stated = np.isfinite(runs.weights).sum(axis=1)
    incomplete = np.flatnonzero(stated < runs.n_features)
    if not incomplete.size:
        return None
    run = incomplete[0]
    return f"run {runs.name(run)} gives weights of {stated[run]} of {runs.n_features} features"


def _refuse_equal(runs: Runs, rows: np.ndarray | None, what: str) -> str | None:
    if rows is None or not rows.size:
        return None
    equal = np.flatnonzero((rows == rows[:, :1]).all(axis=1))
    return f"all {what} of run {runs.name(equal[0])} are equal" if equal.size else None


def _need_different_keys(runs: Runs) -> str | None:
    return _refuse_equal(runs, runs.keys, "ranks")


def _need_different_weights(runs: Runs) -> str | None:
    return _refuse_equal(runs, runs.weights, "weights")


NEEDS: dict[str, Callable[[Runs], str | None]] = {
    "two_runs": _need_two_runs,
    "two_features": _need_two_features,
    "no_empty_run": _need_no_empty_run,
    "no_full_run": _need_no_full_run,
    "no_empty_pair": _need_no_empty_pair,
    "no_full_pair": _need_no_full_pair,
    "some_selected": _need_some_selected,
    "some_left_out": _need_some_left_out,
    "equal_sizes": _need_equal_sizes,
    "ranked": _need_ranks,
    "complete": _need_whole_rankings,
    "weighted": _need_weights,
    "keys_differ": _need_different_keys,
    "weights_differ": _need_different_weights,
}


def why_undefined(needs: Sequence[str], runs: Runs) -> str | None:
    """The first need that these runs do not meet, as a sentence; None where all are met."""
    for need in ("two_runs", *needs):
        reason = NEEDS[need](runs)
        if reason:
            return reason
    return None

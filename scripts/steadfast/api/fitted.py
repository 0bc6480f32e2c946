"""What fitted estimators of scikit-learn's interface have selected."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.core.errors import UserError
from steadfast.measures.runs import Runs
from steadfast.selectors.running.select import ensure_sequence


class Fitted(NamedTuple):
    """One fitted selector.

    Attributes
    ----------
    sequence, weights : columns best first, a weight of each column; None where it states ranks only
    subset, ordered : columns that it selects, all for what only ranks; whether best first
    n_features : how many there were to select from
    """

    sequence: np.ndarray
    weights: np.ndarray | None
    subset: np.ndarray
    ordered: bool
    n_features: int


def are_estimators(runs: Any) -> bool:
    """Whether these are estimators, not lists of features."""
    return len(runs) > 0 and all(hasattr(run, "fit") for run in runs)


def to_runs(estimators: Sequence[Any], rankings: bool, what: str) -> Runs:
    """The subsets that fitted estimators select, or their rankings where these are asked for."""
    found = [read(one, f"{what}: run {at}") for at, one in enumerate(estimators, start=1)]
    m = found[0].n_features
    for at, one in enumerate(found, start=1):
        if one.n_features != m:
            raise UserError(f"{what}: run {at}: is about {one.n_features} features, run 1 {m}")
    if not rankings:
        ordered = all(one.ordered for one in found)
        return Runs(m, [one.subset for one in found], ranked=ordered)
    weighted = all(one.weights is not None for one in found)
    weights = np.array([one.weights for one in found]) if weighted else None
    return Runs(m, [one.sequence for one in found], True, weights, weights)


def read(estimator: Any, where: str) -> Fitted:
    """What one fitted estimator says; of a pipeline its last selector, of a search its best."""
    from sklearn.exceptions import NotFittedError

    selector = _selector_in(estimator, where)
    try:
        support = support_of(selector)
        m = len(support) if support is not None else int(selector.n_features_in_)
        stated = ensure_sequence(selector, m)
    except (NotFittedError, AttributeError):
        raise UserError(f"{where}: {type(selector).__name__} is not fitted") from None
    except UserError as error:
        raise UserError(f"{where}: {error}") from None
    sequence = np.asarray(stated.sequence_, dtype=np.int64)
    weights = np.asarray(stated.scores_, dtype=np.float64)
    falls = sequence.size == m and bool((np.diff(weights[sequence]) <= 0).all())
    subset = sequence if support is None else sequence[support[sequence]]
    ordered = hasattr(selector, "sequence_") or np.unique(weights[subset]).size > 1
    return Fitted(sequence, weights if falls else None, subset, bool(ordered), m)


def support_of(selector: Any) -> np.ndarray | None:
    """The mask of what a fitted selector selects; None for what only ranks."""
    if hasattr(selector, "get_support"):
        return np.asarray(selector.get_support(), dtype=bool)
    return _mask(selector)


def _mask(selector: Any) -> np.ndarray | None:
    """Its `support_`; that of a support vector machine is no mask, but numbers of rows."""
    support = np.asarray(getattr(selector, "support_", None))
    return support if support.dtype == bool and support.ndim == 1 else None


def _selector_in(estimator: Any, where: str) -> Any:
    while hasattr(estimator, "best_estimator_"):
        estimator = estimator.best_estimator_
    steps = getattr(estimator, "steps", None)
    if steps is None:
        return estimator
    for _, step in reversed(steps):
        if any(hasattr(step, name) for name in ("get_support", "sequence_")):
            return step
        if _mask(step) is not None:
            return step
    names = ", ".join(type(step).__name__ for _, step in steps)
    raise UserError(f"{where}: no step of the pipeline ({names}) is a selector")

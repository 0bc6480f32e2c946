"""Running any selector, the project's own or a class of another package, on one fold."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from steadfast import registry
from steadfast.errors import UserError, look_up
from steadfast.seeds import derive_seed


def select(
    settings: Mapping[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    *,
    seed: int,
    names: Sequence[str],
    discretise: Mapping[str, Any] | None = None,
) -> Any:
    """A fitted selector with `sequence_`, `scores_` and, if it explains itself, `steps_`.

    Parameters
    ----------
    settings
        `use`: name of a selector or `package.module.Class`; `params`: its parameters.
    X, y
        Training rows.
    seed, names
        A selector with a `random_state` that the settings leave open gets one derived from these.
    discretise
        Bins fitted on these rows first; None leaves `X` as it is.
    """
    if discretise:
        from steadfast.discretise import create

        X = create(discretise).fit(X, y).transform(X)
    selector = _create(settings, derive_seed(seed, *names, "random_state") % 2**32)
    try:
        fitted = selector.fit(X, y)
    except (ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise UserError(f"selector {settings['use']} on {'/'.join(names)}: {reason}") from None
    return fitted if hasattr(fitted, "sequence_") else ranked(fitted, X.shape[1])


def _create(settings: Mapping[str, Any], random_state: int) -> Any:
    use, params = settings["use"], dict(settings.get("params", {}))
    try:
        if "." in use:
            selector = registry.load_class(use)(**params)
        else:
            selector = look_up("selector", use, registry.declarations()).create(params)
    except TypeError as error:
        raise UserError(f"selector {use}: {error}; look at its parameters") from None
    if getattr(selector, "random_state", 0) is None:
        selector.random_state = random_state
    return selector


def ranked(fitted: Any, m: int) -> SimpleNamespace:
    """The sequence and weights that a fitted class of another package states.

    Looked for in this order: `ranking_` (1 is best), `scores_`, `feature_importances_`, `coef_`
    (absolute, summed over classes), `support_`. Ties go to the lower column; NaN comes last.
    """
    for attribute in ("ranking_", "scores_", "feature_importances_", "coef_", "support_"):
        stated = getattr(fitted, attribute, None)
        if stated is None:
            continue
        weights = np.asarray(stated, dtype=np.float64)
        if attribute == "ranking_":
            weights = -weights
        elif attribute == "coef_":
            weights = np.abs(np.atleast_2d(weights)).sum(axis=0)
        if weights.shape == (m,):
            weights = np.where(np.isnan(weights), -np.inf, weights)
            return SimpleNamespace(
                sequence_=np.argsort(-weights, kind="stable"), scores_=weights, steps_={}
            )
    raise UserError(
        f"{type(fitted).__name__}: after fit it has none of ranking_, scores_, "
        f"feature_importances_, coef_ and support_ with one value for each of {m} features"
    )

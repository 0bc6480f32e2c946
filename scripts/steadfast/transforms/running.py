"""Running any transform, the project's own or a class of another package, on some rows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.seeds import derive_seed

#: What a transform may learn from: the training rows of each fold, all rows of the folds, as some
#: papers do, or rows that are set aside for it and in no fold.
TRAINING, ALL, FROZEN = "training", "all", "frozen"

#: The same in print.
LEARNT = {
    TRAINING: "learnt from the training rows",
    ALL: "learnt from all rows, test rows included (as published)",
    FROZEN: "learnt from rows that are in no fold (frozen)",
}

#: What is noted of the transform that does nothing.
AS_THEY_ARE = "as they are"

#: Why what is selected after it is never recommended, in print.
BARRED = {ALL: "learnt from test rows", FROZEN: "learnt once, not in each run"}

#: Rows and their classes.
Rows = tuple[np.ndarray, np.ndarray]


def transform_rows(
    settings: Mapping[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    *,
    seed: int,
    names: Sequence[str],
    learn_from: Rows | None = None,
) -> Rows:
    """The rows, and the classes that a selector gets, after a transform.

    Parameters
    ----------
    settings
        `use`: name of a transform or `package.module.Class`; `params`: its parameters.
    X, y
        The rows, and their classes.
    seed, names
        A transform with a `random_state` that the settings leave open gets one derived from these;
        all transforms of a fold the same, so that they start from the same clusters.
    learn_from
        Other rows that it learns from, and their classes; these rows if None.
    """
    where = f"transform {settings['use']} on {'/'.join(names)}"
    random_state = derive_seed(seed, *names, "transform") % 2**32
    transform = registry.create("transform", settings, registry.declared("transform"), random_state)
    try:
        found = (
            _apply(transform, X, y) if learn_from is None else _frozen(transform, X, y, learn_from)
        )
        found = found.toarray() if hasattr(found, "toarray") else found
        found = np.ascontiguousarray(found, dtype=np.float64)
    except UserError:
        raise
    except (ValueError, TypeError) as error:
        raise UserError(f"{where}: {' '.join(str(error).split())}") from None
    if found.shape != X.shape:
        raise UserError(
            f"{where}: it gives {_shape(found)} for {_shape(X)}; a transform keeps the shape"
        )
    if not np.isfinite(found).all():
        raise UserError(f"{where}: it gives values that are missing or infinite")
    return found, _labels(transform, y, where)


def _apply(transform: Any, X: np.ndarray, y: np.ndarray) -> Any:
    if hasattr(transform, "fit_transform"):
        return transform.fit_transform(X.copy(), y)
    if hasattr(transform, "transform"):
        return transform.fit(X.copy(), y).transform(X.copy())
    raise TypeError("it has neither fit_transform nor transform")


def _frozen(transform: Any, X: np.ndarray, y: np.ndarray, learn_from: Rows) -> Any:
    """Learnt from some rows, applied to others; the project's own also get the others' classes."""
    if not (hasattr(transform, "fit") and hasattr(transform, "transform")):
        raise TypeError("it cannot be frozen: it needs fit and transform, one after the other")
    fitted = transform.fit(learn_from[0].copy(), learn_from[1])
    own = type(transform).__module__.startswith("steadfast.")
    return fitted.transform(X.copy(), y) if own else fitted.transform(X.copy())


def _shape(X: np.ndarray) -> str:
    return " × ".join(map(str, X.shape))


def _labels(transform: Any, y: np.ndarray, where: str) -> np.ndarray:
    """The labels that a transform states, coded 0, 1, …; the classes where it states none."""
    stated = getattr(transform, "labels_", None)
    if stated is None:
        return y
    if np.shape(stated) != y.shape:
        raise UserError(f"{where}: labels_ must have one label for each of {y.size} rows")
    return np.unique(stated, return_inverse=True)[1]


def describe_transform(settings: Mapping[str, Any]) -> str:
    """What a transform is and what it has learnt from, in print: a note in files and tables."""
    params = {k: v for k, v in transform_parameters(settings).items() if k != "random_state"}
    shown = ", ".join(f"{name}={value}" for name, value in params.items())
    return f"{settings['use']}({shown}), {LEARNT[settings.get('learn', TRAINING)]}"


def transform_parameters(settings: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of a transform, defaults included where it is the project's own."""
    return registry.parameters(settings, registry.declared("transform"))

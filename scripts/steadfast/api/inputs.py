"""Runs in every form that people have them, as `steadfast.measures.runs.Runs`.

Lists of subsets or rankings, matrices of 0 and 1, weights, data frames, fitted estimators.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from typing import Any

import numpy as np

from steadfast.api import fitted
from steadfast.core.errors import UserError, suggest
from steadfast.measures.runs import Runs

#: What `form` may say.
FORMS = ("subsets", "rankings", "matrix", "weights")


def to_runs(
    given: Any,
    n_features: int | None = None,
    *,
    features: Sequence[Any] | None = None,
    form: str | None = None,
    rankings: bool = False,
    what: str = "runs",
) -> Runs:
    """Runs from whatever was given; a mistake is one line that begins with `what`.

    Parameters
    ----------
    given
        See `steadfast.stability`.
    n_features, features
        How many features there are, and their names.
    form
        One of `FORMS` where the form cannot be told by looking.
    rankings
        Whether estimators are asked for their rankings, not for the subsets that they select.
    """
    _check_number(n_features)
    if form not in (None, *FORMS):
        raise UserError(f"form: must be one of {', '.join(FORMS)}, got {form!r}; or leave it out")
    features = None if features is None else list(features)
    names, runs = _named(given, what)
    if _is_frame(runs):
        found = _of_frame(runs, n_features, features, form, what)
    elif fitted.are_estimators(runs):
        found = fitted.to_runs(runs, rankings, what)
        _check_agrees(n_features, found.n_features, what)
    elif form in ("matrix", "weights") or (form is None and _is_matrix(runs)):
        found = _of_matrix(_rectangle(runs, what), n_features, form == "weights", what)
    else:
        found = _of_lists(runs, n_features, features, form, what)
    if len(found) < 2:
        raise UserError(f"{what}: one run has nothing to be compared with; give two or more")
    return found if not names else Runs(**{**_fields(found), "names": names})


def _fields(runs: Runs) -> dict[str, Any]:
    return {name: getattr(runs, name) for name in Runs.__dataclass_fields__}


def _check_number(n_features: Any) -> None:
    whole = isinstance(n_features, (int, np.integer)) and not isinstance(n_features, bool)
    if n_features is not None and (not whole or n_features < 1):
        raise UserError(f"n_features: must be a whole number of at least 1, got {n_features!r}")


def _check_agrees(n_features: int | None, known: int, what: str) -> None:
    if n_features not in (None, known):
        raise UserError(f"n_features: is {n_features}, but the {what} are about {known} features")


def _named(given: Any, what: str) -> tuple[list[str], Any]:
    """Names of the runs, where a mapping has them, and the runs."""
    if isinstance(given, Mapping):
        if "estimator" in given:  # what cross_validate gives
            return [], list(given["estimator"])
        return [str(name) for name in given], list(given.values())
    if _is_frame(given) or (isinstance(given, np.ndarray) and given.ndim):
        return [], given
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UserError(f"{what}: must be a list of runs, got {type(given).__name__}")
    return [], list(given)


# Data frames


def _is_frame(given: Any) -> bool:
    return hasattr(given, "columns") and hasattr(given, "to_numpy")


def _of_frame(
    frame: Any, n_features: int | None, features: list | None, form: str | None, what: str
) -> Runs:
    """Rows of run, feature, rank and weight; or one row per run and one column per feature."""
    if {"run", "feature"} <= set(frame.columns):
        return _of_rows(frame, n_features, features, what)
    if features is not None and features != list(frame.columns):
        raise UserError(f"{what}: its columns are not the features; leave `features` out")
    return _of_matrix(_rectangle(frame.to_numpy(), what), n_features, form == "weights", what)


def _of_rows(frame: Any, n_features: int | None, features: list | None, what: str) -> Runs:
    from steadfast.measuring.scoring import runs_of_rows

    names = [name for name in ("run", "feature", "rank", "weight") if name in frame.columns]
    columns = [[_text(cell) for cell in np.asarray(frame[name])] for name in names]
    rows = [
        (f"row {number}", dict(zip(names, cells)))
        for number, cells in enumerate(zip(*columns), start=1)
    ]
    if not rows:
        raise UserError(f"{what}: the data frame has no rows")
    named = len({row["feature"] for _, row in rows} - {""})
    m = _known_number(n_features, features, named, what)
    known = None if features is None else [str(name) for name in features]
    return runs_of_rows(rows, m, known, what, "n_features")


def _text(cell: Any) -> str:
    """A cell as text; empty where nothing is known."""
    return "" if cell is None or cell != cell else str(cell)


# Matrices


def _is_matrix(runs: Any) -> bool:
    """Whether these are rows of 0 and 1, one entry for each feature.

    An array of two dimensions is one if it holds nothing else. So are lists in which one of the
    two stands twice: a run does not name a feature twice.
    """
    if isinstance(runs, np.ndarray) and runs.ndim == 2:
        return runs.dtype.kind == "b" or (runs.dtype.kind in "uif" and _zero_or_one(runs))
    rows = [run for run in runs if not isinstance(run, (AnySet, str))]
    if len(rows) < len(runs) or not all(isinstance(run, Iterable) for run in rows):
        return False
    arrays = [np.asarray(run) if len(run) else np.empty(0) for run in map(_listed, rows)]
    if all(one.dtype.kind == "b" for one in arrays):
        return bool(arrays)
    plain = all(one.ndim == 1 and one.dtype.kind in "buif" for one in arrays)
    twice = any(np.unique(one).size < one.size for one in arrays)
    return plain and twice and all(_zero_or_one(one) for one in arrays)


def _listed(run: Any) -> Any:
    return run if hasattr(run, "__len__") else list(run)


def _zero_or_one(values: np.ndarray) -> bool:
    return bool(((values == 0) | (values == 1) | (values != values)).all())


def _rectangle(rows: Any, what: str) -> np.ndarray:
    """Numbers, runs by features, none of them missing."""
    if not isinstance(rows, np.ndarray):
        lengths = {len(_listed(row)) for row in rows}
        if len(lengths) > 1:
            low, high = min(lengths), max(lengths)
            raise UserError(f"{what}: rows of a matrix have one length, these have {low} to {high}")
    try:
        matrix = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError(f"{what}: a matrix of runs by features holds numbers only") from None
    if matrix.ndim != 2 or not matrix.size:
        raise UserError(f"{what}: a matrix has one row per run and one column per feature")
    gaps = np.argwhere(np.isnan(matrix))
    if len(gaps):
        run, column = gaps[0]
        raise UserError(f"{what}: run {run + 1}: column {column} is NaN; give a number")
    return matrix


def _of_matrix(matrix: np.ndarray, n_features: int | None, weights: bool, what: str) -> Runs:
    columns = matrix.shape[1]
    if weights:
        _check_agrees(n_features, columns, what)
        order = list(np.argsort(-matrix, axis=1, kind="stable"))
        return Runs(columns, order, True, matrix, matrix)
    if not _zero_or_one(matrix):
        raise UserError(
            f"{what}: a matrix of runs by features holds 0 and 1; for weights say form='weights'"
        )
    if n_features is not None and n_features < columns:
        raise UserError(f"n_features: is {n_features}, but the matrix has {columns} columns")
    subsets = [np.flatnonzero(row).astype(np.int64) for row in matrix]
    return Runs(n_features or columns, subsets, ranked=False)


# Lists


def _of_lists(
    runs: Any, n_features: int | None, features: list | None, form: str | None, what: str
) -> Runs:
    """Subsets and rankings of names, or of column numbers."""
    lists, ordered = [], form != "subsets"
    for number, run in enumerate(runs, start=1):
        if isinstance(run, (str, bytes)) or not isinstance(run, Iterable):
            raise UserError(f"{what}: run {number}: must list features, got {_plain(run)!r}")
        unordered = isinstance(run, AnySet)
        if unordered and form == "rankings":
            raise UserError(f"{what}: run {number}: a set has no order; give a list, best first")
        ordered = ordered and not unordered
        lists.append([_plain(feature) for feature in run])
        _check_run(lists[-1], f"{what}: run {number}")
    sequences, m = _numbered(lists, n_features, features, what)
    return Runs(m, sequences, ranked=ordered)


def _plain(feature: Any) -> Any:
    return feature.item() if isinstance(feature, np.generic) else feature


def _check_run(run: list, where: str) -> None:
    seen = set()
    for feature in run:
        if not isinstance(feature, Hashable):
            raise UserError(f"{where}: {feature!r} is no feature; give a name or a column number")
        if feature is None or feature != feature:
            raise UserError(f"{where}: a feature is NaN; give its name or column number")
        if isinstance(feature, float):
            raise UserError(f"{where}: {feature!r} is no feature; for weights say form='weights'")
        if feature in seen:
            raise UserError(f"{where}: names feature {feature!r} twice")
        seen.add(feature)


def _numbered(
    lists: list[list], n_features: int | None, features: list | None, what: str
) -> tuple[list[np.ndarray], int]:
    """The runs as column numbers, and how many columns there are."""
    every = {feature for run in lists for feature in run}
    numbers = all(isinstance(one, int) and not isinstance(one, bool) for one in every)
    if features is not None and not (numbers and every.isdisjoint(features)):
        m = _known_number(n_features, features, len(features), what)
        known = {name: number for number, name in enumerate(features)}
    elif numbers:
        m = _known_number(n_features, features, len(every), what)
        known = {number: number for number in range(m)}
    else:
        m = _known_number(n_features, None, len(every), what)
        known = {name: number for number, name in enumerate(sorted(every, key=str))}
    for number, run in enumerate(lists, start=1):
        for feature in run:
            if feature not in known:
                raise UserError(f"{what}: run {number}: {_unknown(feature, features, m)}")
    return [np.array([known[feature] for feature in run], dtype=np.int64) for run in lists], m


def _unknown(feature: Any, features: list | None, m: int) -> str:
    if features is None:
        return f"{feature!r} is no column number: n_features says {m}, so they are 0 to {m - 1}"
    return f"{feature!r} is no feature; {suggest(feature, map(str, features))}"


def _known_number(n_features: int | None, features: list | None, named: int, what: str) -> int:
    """How many features there are; at least as many as the runs name."""
    if features is not None:
        _check_agrees(n_features, len(features), "features")
        return len(features)
    if n_features is None:
        raise UserError(
            f"n_features: say how many features there are to select from; the {what} name {named}"
        )
    if n_features < named:
        raise UserError(f"n_features: is {n_features}, but the {what} name {named} features")
    return int(n_features)

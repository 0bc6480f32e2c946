"""The rows that a user has at hand as the checked table that every stage works on."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.data.feature_groups import find_feature_groups
from steadfast.data.frame import Frame, treat_missing
from steadfast.data.ids import find_ids
from steadfast.data.loader import describe
from steadfast.data.source import digest_of
from steadfast.data.table import Table, make_table
from steadfast.data.understand import ColumnContent, class_name, group_name, understand

#: What messages advise of files, and what is to be done about data at hand.
_ADVICE = {
    "name the class column under `target`, cut the measurement into classes first, or, if these "
    "are classes, name it under `categories` too": "cut it into classes first, or, if these are "
    "classes, give them as text",
    ": is the right column named under `target`?": "",
    ", or name the class column under `target`": "",
    "name it under `drop`": "leave the column out",
    "y: `groups`: all rows": "groups: all rows",
}


def to_table(
    X: Any, y: Any, groups: Any = None, *, name: str, title: str
) -> tuple[Table, dict[str, Any]]:
    """The table, and its description.

    Parameters
    ----------
    X
        Rows by features: an array of numbers, or a data frame, whose columns that are no numbers
        are categories. Missing numbers get the median of the training rows in each fold; a missing
        category is one of its own.
    y
        The class of each row.
    groups
        Rows of one group stay together.
    """
    try:
        return _to_table(X, y, groups, name, title)
    except UserError as error:
        said = str(error)
        for of_files, here in _ADVICE.items():
            said = said.replace(of_files, here)
        raise UserError(said) from None


def _to_table(X: Any, y: Any, groups: Any, name: str, title: str) -> tuple[Table, dict[str, Any]]:
    features, columns = _columns(X)
    if len(features) < 2:
        raise UserError("X: has one feature only; two are needed at least to select from")
    X_all = np.column_stack([column.values for column in columns])
    infinite = np.argwhere(np.isinf(X_all))
    if len(infinite):
        row, column = infinite[0]
        raise UserError(f"X: row {row + 1}: column {features[column]!r} holds an infinite value")
    labels = _names(y, len(X_all), "y", "class")
    levels = tuple(column.levels for column in columns)
    # The columns of X are what the user wants as features: an id stays one, and is told of.
    pairs = dict(zip(features, columns, strict=True)) if groups is None else {}
    ids = [one for one in find_ids(pairs, labels) if one.sure]
    frame = Frame(
        *(X_all, labels, features, getattr(y, "name", None) or "y", _places(len(X_all)), "X"),
        levels if any(levels) else (),
        None if groups is None else _names(groups, len(X_all), "groups", "group"),
        noticed=tuple(one.notice_in_memory() for one in ids),
        proposed_groups=tuple(ids),
    )
    frame, missing = treat_missing(frame, "median")
    table = make_table(
        *(frame.X, frame.labels, frame.features, "y", frame.levels, frame.groups),
        surely_classes=np.asarray(y).dtype.kind not in "uif",
    )
    digest = digest_of(frame.X, frame.labels)
    about = describe(name, {"title": title}, table, frame, "data in memory", digest, missing)
    return table, about


def to_feature_groups(given: Any, features: Sequence[str]) -> dict[str, list[str]]:
    """Groups of features, given as a mapping or by the path of a file."""
    if isinstance(given, str | Path):
        given = str(given)
    elif not isinstance(given, Mapping) or any(
        isinstance(names, str) or not isinstance(names, Iterable) for names in given.values()
    ):
        raise UserError("feature_groups: must map each group to a list of its features")
    return find_feature_groups({"feature_groups": given}, Path(), features, ())


def _places(n_rows: int) -> list[str]:
    return [f"row {number}" for number in range(1, n_rows + 1)]


def _columns(X: Any) -> tuple[tuple[str, ...], list[ColumnContent]]:
    """Names and contents of the columns."""
    if hasattr(X, "toarray"):
        raise UserError("X: is sparse; give X.toarray()")
    if not hasattr(X, "columns"):
        try:
            numbers = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError):
            raise UserError(
                "X: an array must hold numbers; give categories in a data frame"
            ) from None
        if numbers.ndim != 2 or not numbers.size:
            raise UserError("X: must have rows and columns")
        names = tuple(f"x{column}" for column in range(numbers.shape[1]))
        return names, [ColumnContent(column) for column in numbers.T]
    names = tuple(str(name) for name in X.columns)
    if not names or not len(X):
        raise UserError("X: must have rows and columns")
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"X: {names.count(name)} columns are named {name!r}; rename them")
    return names, [_column(name, X[given]) for name, given in zip(names, X.columns)]


def _column(name: str, column: Any) -> ColumnContent:
    """A column of a data frame: numbers, or categories."""
    kind = getattr(column.dtype, "kind", np.asarray(column).dtype.kind)
    if kind in "mM":
        raise UserError(f"X: column {name!r} holds dates or times; make numbers of them")
    gaps = column.isna() if hasattr(column, "isna") else [False] * len(column)
    cells = [None if gone else cell for cell, gone in zip(column, gaps)]
    if kind in "biuf":
        numbers = [np.nan if cell is None else float(cell) for cell in cells]
        return ColumnContent(np.array(numbers, dtype=np.float64))
    found = understand(name, cells, _places(len(cells)), "X", category=True)
    if found.reason:
        raise UserError(f"X: column {name!r} has {found.reason}; leave it out")
    return found


def _names(given: Any, n_rows: int, what: str, one: str) -> list[str]:
    """One name for each row, of its class or group."""
    values = np.asarray(given)
    if values.ndim == 2 and values.shape[1] == 1:  # a column, of a data frame say
        values = values[:, 0]
    cells: Sequence[Any] = values.tolist()
    if (
        not isinstance(cells, list)
        or len(cells) != n_rows
        or any(isinstance(c, list) for c in cells)
    ):
        raise UserError(f"{what}: must name the {one} of each of the {n_rows} rows")
    names = [(group_name if what == "groups" else class_name)(cell) for cell in cells]
    if None in names:
        raise UserError(f"{what}: row {names.index(None) + 1} has no {one}; leave the row out")
    return names

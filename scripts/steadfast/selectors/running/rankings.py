"""Folds and rankings as plain text, for selectors that are a rule in any language.

A fold goes out as comma-separated values; a ranking comes back as a tab-separated table and is
checked before anything later sees it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.files import csv_to_bytes
from steadfast.data.encoding import Levels, category_mask, fill_gaps

#: Columns of a ranking that say which features and in which order; all others explain.
_BY_NAME, _BY_NUMBER, _RANK, _WEIGHT, _SELECTED = "feature", "column", "rank", "weight", "selected"

#: Columns that mean something else in a fold's file.
_TAKEN = ("action", "iteration", "note")


def fold_to_csv(
    X: np.ndarray, y: np.ndarray, features: Sequence[str], levels: Levels = ()
) -> bytes:
    """The training rows of a fold: a column for each feature, then the class.

    Names are quoted where they need it, so that only the header can hold quotes: rows are numbers
    with all digits, `c1`, `c2`, … for the classes and `v1`, `v2`, … for the categories of a column,
    both in the order of the data set's description. Missing numbers get the median of these rows.
    """
    columns: list[list[Any]] = fill_gaps(X).T.tolist()
    for at in np.flatnonzero(category_mask(levels, len(features))):
        columns[at] = [f"v{int(code) + 1}" for code in columns[at]]
    header = [*features, class_column(features)]
    return csv_to_bytes(header, zip(*columns, (f"c{code + 1}" for code in y.tolist()), strict=True))


def class_column(features: Sequence[str]) -> str:
    """The name of the class column: `class`, with underscores while a feature has that name."""
    name = "class"
    while name in features:
        name += "_"
    return name


def read_ranking(path: Path, features: Sequence[str]) -> SimpleNamespace:
    """What a rule ranked, in the form of a fitted `steadfast.core.estimator.Selector`.

    By `rank`, lowest first, else by `weight`, highest first; equal ones by the order of the
    columns of the data set; with neither, in the order of the lines.
    """
    table = _read_cells(path)
    columns = _columns(path, table, features)
    m = len(features)
    if _RANK in table:
        ranks = _numbers(path, _RANK, table)
        order = np.lexsort((columns, ranks))
        weights = _falling_weights(ranks[order], m)
    elif _WEIGHT in table:
        order = np.lexsort((columns, -_numbers(path, _WEIGHT, table)))
    else:
        order = np.arange(columns.size)
        weights = _falling_weights(order, m)
    if _WEIGHT in table:
        weights = _numbers(path, _WEIGHT, table)[order]
    sequence, scores = columns[order], np.zeros(m)
    scores[sequence] = weights
    explanations = [
        name for name in table if name not in (_BY_NAME, _BY_NUMBER, _RANK, _WEIGHT, _SELECTED)
    ]
    return SimpleNamespace(
        sequence_=sequence,
        scores_=scores,
        steps_={name: [table[name][row] for row in order] for name in explanations},
        support_=_support(path, table, order, sequence, m) if _SELECTED in table else None,
    )


def _falling_weights(keys: np.ndarray, m: int) -> np.ndarray:
    """Weights of sorted ranks: 1 for the first of m features, falling evenly; equals share one."""
    return 1 - np.searchsorted(keys, keys, side="left") / m


def _read_cells(path: Path) -> dict[str, list[str]]:
    """The columns of a ranking as text, every line as long as the header."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UserError(
            f"{path}: cannot be read: {reason}; look at the rule that wrote it"
        ) from None
    if len(lines) < 2:
        found = "is empty" if not lines else "has a header and no feature below it"
        raise UserError(f"{path}: {found}; the rule must write one line for each ranked feature")
    header, *rows = (line.split("\t") for line in lines)
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise UserError(
                f"{path}: line {number}: has {len(row)} cells, but the header has {len(header)}; "
                "separate them by tabs, and give every line as many as the header"
            )
    _check_header(path, header)
    return {name: [row[at] for row in rows] for at, name in enumerate(header)}


def _check_header(path: Path, header: Sequence[str]) -> None:
    named = [name for name in (_BY_NAME, _BY_NUMBER) if name in header]
    if not named:
        shown = ", ".join(header)
        raise UserError(
            f"{path}: feature: this column is missing from the header ({shown}); name the features "
            "under feature, or number them from 1 under column; cells are separated by tabs"
        )
    if len(named) > 1:
        raise UserError(f"{path}: column: stands beside feature; leave one of the two out")
    for at, name in enumerate(header):
        if not name or name in header[:at]:
            found = "stands twice in the header" if name else "a column of the header has no name"
            raise UserError(f"{path}: {name or 'header'}: {found}; give each column its own name")
        if name in _TAKEN:
            raise UserError(
                f"{path}: {name}: this name means something else in files of folds; rename the "
                "column"
            )


def _columns(path: Path, table: Mapping[str, list[str]], features: Sequence[str]) -> np.ndarray:
    """The numbers, from 0, of the features that the lines name."""
    by_name = _BY_NAME in table
    column_of = (
        {name: column for column, name in enumerate(features)}
        if by_name
        else {str(column + 1): column for column in range(len(features))}
    )
    key = _BY_NAME if by_name else _BY_NUMBER
    seen: dict[int, int] = {}
    for line, cell in enumerate(table[key], start=2):
        if cell not in column_of:
            advice = suggest(cell, features) if by_name else f"they go from 1 to {len(features)}"
            unquoted = cell.strip('"')
            if unquoted in column_of:
                advice = f"write {unquoted} without quotes"
            raise UserError(
                f"{path}: {key}: line {line}: {cell!r} is no {key} of the data set; {advice}"
            )
        column = column_of[cell]
        if column in seen:
            raise UserError(
                f"{path}: {key}: line {line}: {cell} stands in line {seen[column]} too; rank it "
                "once"
            )
        seen[column] = line
    return np.array(list(seen), dtype=np.int64)


def _numbers(path: Path, key: str, table: Mapping[str, list[str]]) -> np.ndarray:
    values = np.empty(len(table[key]))
    for at, cell in enumerate(table[key]):
        try:
            values[at] = float(cell)
        except ValueError:
            values[at] = np.nan
        if np.isnan(values[at]):
            raise UserError(
                f"{path}: {key}: line {at + 2}: {cell!r} is no number; write one, or leave the "
                "feature out of the ranking"
            )
    return values


def _support(
    path: Path, table: Mapping[str, list[str]], order: np.ndarray, sequence: np.ndarray, m: int
) -> np.ndarray:
    """The mask of the features that the rule chose, which must come first."""
    cells = [table[_SELECTED][row] for row in order]
    unknown = next((cell for cell in cells if cell not in ("yes", "no")), None)
    if unknown is not None:
        raise UserError(f"{path}: selected: {unknown!r} is neither yes nor no")
    chosen = np.array([cell == "yes" for cell in cells])
    if not chosen[: np.count_nonzero(chosen)].all():
        raise UserError(f"{path}: selected: the selected features must have the first ranks")
    support = np.zeros(m, dtype=bool)
    support[sequence[chosen]] = True
    return support

"""From cells to numbers and class names, with missing values found and treated."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steadfast.core.errors import UserError, shorten, suggest
from steadfast.data.ids import IdColumn, leave_out_ids
from steadfast.data.reading.allowance import NUMBER, OBJECT
from steadfast.data.reading.noticing import as_seen, notice_names
from steadfast.data.reading.sheet import PackedColumns, Places, Sheet
from steadfast.data.table import check_names
from steadfast.data.understand import MISSING, ColumnContent, class_name, group_name, understand

#: What stands for a missing category, which is a category of its own.
NO_VALUE = "(no value)"


@dataclass(frozen=True)
class Frame:
    """Numbers and class names, before missing values are treated.

    Attributes
    ----------
    X : rows by features; NaN where a value is missing
    labels : the class name of each row; None where it is missing
    features : names of the columns of `X`
    target : name of the column that held the class
    places : where each row stands in the file, such as "line 7"
    where : what error messages call the source
    levels : names of the categories of each column; none for numbers, and () if all are numbers
    groups : the group of each row that no split may tear apart; None where there are none
    left_out : columns that are no features, and why
    noticed : what the user should know of how the table was read, in sentences
    proposed_groups : columns that look like the id of what rows belong to, the clearest first
    """

    X: np.ndarray
    labels: list[str | None]
    features: tuple[str, ...]
    target: str
    places: Sequence[str]
    where: str
    levels: tuple[tuple[str, ...], ...] = ()
    groups: list[str | None] | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    noticed: tuple[str, ...] = ()
    proposed_groups: tuple[IdColumn, ...] = ()


@dataclass(frozen=True)
class Columns:
    """What a catalogue entry says of the columns of its table.

    Attributes
    ----------
    target : the class column; without it, the last column that is not dropped
    drop : columns to leave out; each must be there
    drop_if_there : columns to leave out where the file has them
    groups : the column whose rows of one value no split may tear apart
    any_kind : whether text columns are categories, and ids, dates and constant columns left out;
        otherwise every column must be one of numbers
    categories : columns that are categories, whatever they hold
    keep : columns that are features, even if they look like an id
    """

    target: str | None = None
    drop: Sequence[str] = ()
    drop_if_there: Sequence[str] = ()
    groups: str | None = None
    any_kind: bool = False
    categories: Sequence[str] = ()
    keep: Sequence[str] = ()


def to_frame(sheet: Sheet, spec: Columns) -> Frame:
    """Split a sheet into features, class and groups; its rows are consumed."""
    header = sheet.header
    for key in ("drop", "categories", "keep"):
        for name in getattr(spec, key):
            if name not in header:
                raise UserError(f"{sheet.where}: `{key}` names {_unknown_column(name, header)}")
    left_out = {*spec.drop, *spec.drop_if_there}
    unnamed = [i + 1 for i, name in enumerate(header) if spec.any_kind and name == ""]
    if unnamed:
        left_out.add("")
    kept = [i for i, name in enumerate(header) if name not in left_out]
    names = [header[i] for i in kept]
    if len(names) < 2:
        raise UserError(f"{sheet.where}: fewer than two columns are left after `drop`")
    check_names(names, sheet.where)
    for key in ("target", "groups"):
        name = getattr(spec, key)
        if name is not None and name not in names:
            below = next(iter(sheet.rows), (0, ()))[1]
            title = ", but a cell below the first line: if that is a title, take it out"
            why = _unknown_column(name, names) if name not in below else f"{shorten(name)}{title}"
            raise UserError(f"{sheet.where}: `{key}` names {why}")
    group_column = None
    if spec.groups is not None:
        if spec.groups == spec.target:
            raise UserError(f"{sheet.where}: `groups` and `target` both name {spec.target!r}")
        group_column = kept.pop(names.index(spec.groups))
        names.remove(spec.groups)
    class_column = kept.pop(names.index(spec.target) if spec.target is not None else -1)
    if not kept:
        raise UserError(f"{sheet.where}: no feature is left beside `target` and `groups`")
    fill = _fill_any if spec.any_kind or spec.categories else _fill_numbers
    frame = fill(sheet, kept, class_column, group_column, spec)
    nameless = tuple((f"(column {number}, without a name)", "it has no name") for number in unnamed)
    frame = replace(frame, left_out=(*nameless, *frame.left_out))
    _refuse_infinite(frame)
    _refuse_data_as_header(frame)
    _refuse_thousands(sheet, frame)
    names_noticed = notice_names(frame.features, frame.labels, frame.levels)
    return replace(frame, noticed=(*sheet.noticed, *names_noticed, *frame.noticed))


def _fill_numbers(
    sheet: Sheet, columns: list[int], class_column: int, group_column: int | None, spec: Columns
) -> Frame:
    """All features are numbers."""
    features = tuple(sheet.header[i] for i in columns)
    rows, labels, places, groups = [], [], [], []
    for number, cells in sheet.rows:
        place = f"{sheet.place} {number}"
        sheet.allowance.spend(NUMBER * len(cells) + 4 * OBJECT)
        rows.append(_numbers([cells[i] for i in columns], features, sheet.where, place))
        labels.append(class_name(cells[class_column]))
        places.append(number)
        groups.append(None if group_column is None else group_name(cells[group_column]))
    _require_rows(rows, sheet)
    return Frame(
        *(np.vstack(rows), labels, features, sheet.header[class_column]),
        *(Places(sheet.place, places), sheet.where),
        groups=None if group_column is None else groups,
    )


def _require_rows(rows: Sequence[Any], sheet: Sheet) -> None:
    if not rows:
        raise UserError(f"{sheet.where}: a header, but no rows; get the file again")


def _fill_any(
    sheet: Sheet, columns: list[int], class_column: int, group_column: int | None, spec: Columns
) -> Frame:
    """Features are numbers or categories; what cannot be a feature is left out and named."""
    packed = PackedColumns(sheet)
    places = packed.places
    _require_rows(places, sheet)
    found: dict[str, ColumnContent] = {}
    for i in columns:
        name = sheet.header[i]
        cells = packed.column(i)
        wanted = name in spec.categories
        if not spec.any_kind and not wanted:
            pairs = zip(cells, places, strict=True)
            values = [_number(cell, name, sheet.where, place) for cell, place in pairs]
            found[name] = ColumnContent(np.array(values))
            continue
        keep = name in spec.keep
        found[name] = understand(name, cells, places, sheet.where, category=wanted, keep=keep)
    labels = _each_once(class_name(cell) for cell in packed.column(class_column))
    declared = {*spec.categories, *spec.keep}
    ids = leave_out_ids(found, labels, declared, spec.groups is not None) if spec.any_kind else []
    kept = {name: column for name, column in found.items() if not column.reason}
    left_out = tuple((name, column.reason) for name, column in found.items() if column.reason)
    if not kept:
        reasons = "; ".join(f"{name!r}: {reason}" for name, reason in left_out[:3])
        raise UserError(f"{sheet.where}: no column is left that could be a feature ({reasons})")
    levels = tuple(column.levels for column in kept.values())
    groups = None
    if group_column is not None:
        groups = _each_once(group_name(cell) for cell in packed.column(group_column))
    return Frame(
        np.column_stack([column.values for column in kept.values()]),
        *(labels, tuple(kept), sheet.header[class_column], places, sheet.where),
        levels if any(levels) else (),
        groups,
        left_out,
        tuple(one.notice() for one in ids if not one.sure),
        tuple(one for one in ids if one.sure),
    )


def _each_once(names: Iterable[str | None]) -> list[str | None]:
    """The names, equal ones as one object, so that a million rows take little memory."""
    known: dict[str | None, str | None] = {}
    return [known.setdefault(name, name) for name in names]


def _numbers(cells: list[Any], features: Sequence[str], where: str, place: str) -> np.ndarray:
    try:
        if "_" not in "".join(cells):  # float() takes 1_2 for 12
            return np.array([float(cell) for cell in cells])
    except (TypeError, ValueError):
        pass
    return np.array([_number(*pair, where, place) for pair in zip(cells, features, strict=True)])


def _number(cell: Any, feature: str, where: str, place: str) -> float:
    if cell is None:
        return math.nan
    if isinstance(cell, str):
        cell = cell.strip()
        if cell.lower() in MISSING:
            return math.nan
    try:
        if isinstance(cell, str) and "_" in cell:
            raise ValueError
        return float(cell)
    except (TypeError, ValueError):
        raise UserError(
            f"{where}, {place}: column {shorten(feature)} holds {shorten(cell)}, not a number; "
            "encode the column, or name it under `drop`"
        ) from None


def _unknown_column(name: str, names: Sequence[str]) -> str:
    for other in names:
        if as_seen(other) == as_seen(name):
            return f"{shorten(name)}, which only looks like {other!a}; copy it from the file"
    return f"{shorten(name)}, which is no column; {suggest(name, names)}"


def _refuse_infinite(frame: Frame) -> None:
    found = np.argwhere(np.isinf(frame.X))
    if len(found):
        row, column = found[0]
        raise UserError(
            f"{frame.where}, {frame.places[row]}: column {shorten(frame.features[column])} holds "
            "an infinite value; replace it by a number, or leave the field empty"
        )


def _refuse_data_as_header(frame: Frame) -> None:
    """A file without a header: its first row gave the names, one of the classes and a number."""
    if class_name(frame.target) in frame.labels and any(map(_is_number, frame.features)):
        raise UserError(
            f"{frame.where}: the first line holds values, not column names; add a line of names"
        )


def _refuse_thousands(sheet: Sheet, frame: Frame) -> None:
    """Refuse numbers whose points or commas may stand between thousands."""
    if sheet.marks is not None:
        levels = frame.levels or [()] * len(frame.features)
        numbers = {name for name, names in zip(frame.features, levels, strict=True) if not names}
        columns = {i for i, name in enumerate(sheet.header) if name in numbers}
        sheet.marks.refuse_thousands(sheet.header, columns, sheet.where)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def treat_missing(frame: Frame, how: str) -> tuple[Frame, dict[str, object] | None]:
    """Refuse, fill or leave out what is missing.

    Parameters
    ----------
    frame : the data
    how : "refuse"; "median": numbers stay NaN and get the median of the training rows of each fold,
        a missing category is one of its own, rows without a class are left out; or "drop_rows"

    Returns
    -------
    The frame, and what was done (None if nothing was missing).
    """
    gaps = np.isnan(frame.X)
    unlabelled = np.array([label is None for label in frame.labels])
    ungrouped = np.array([group is None for group in frame.groups or ["all"] * len(frame.labels)])
    count = int(gaps.sum() + unlabelled.sum() + ungrouped.sum())
    if count == 0:
        return frame, None
    if how == "drop_rows":
        complete = np.flatnonzero(~(gaps.any(axis=1) | unlabelled | ungrouped))
        dropped = len(frame.X) - len(complete)
        return _take_rows(frame, complete), {"values": count, "how": f"{dropped} rows left out"}
    if how == "median":
        frame = _take_rows(frame, np.flatnonzero(~(unlabelled | ungrouped)))
        how = _describe_missing(frame, gaps, unlabelled)
        return _add_missing_category(frame), {"values": count, "how": how}
    if how != "refuse":
        raise UserError(
            f"{frame.where}: `missing: {how}` is unknown; use refuse, median or drop_rows"
        )
    advice = "fill it, or set `missing` to median or drop_rows"
    for missing, what in (
        (unlabelled, f"class in column {shorten(frame.target)}"),
        (ungrouped, "group"),
    ):
        if missing.any():
            place = frame.places[int(np.argmax(missing))]
            raise UserError(f"{frame.where}, {place}: no {what}; {advice}")
    row, column = np.argwhere(gaps)[0]
    raise UserError(
        f"{frame.where}, {frame.places[row]}: column {shorten(frame.features[column])} has no "
        f"value ({count} missing in all); {advice}"
    )


def _describe_missing(frame: Frame, gaps: np.ndarray, unlabelled: np.ndarray) -> str:
    """What becomes of missing values, in print; `frame` has no rows without a class any more."""
    parts = []
    categories = np.array([bool(names) for names in frame.levels or [()] * len(frame.features)])
    if gaps[:, ~categories].any():
        parts.append("median of the training rows of each fold")
    if gaps[:, categories].any():
        parts.append(f"a category of its own, {NO_VALUE}")
    dropped = len(gaps) - len(frame.X)
    if dropped:
        without = "class" if unlabelled.any() else "group"
        if 0 < unlabelled.sum() < dropped:
            without = "class or a group"
        parts.append(f"{dropped} rows without a {without} left out")
    return "; ".join(parts)


def _add_missing_category(frame: Frame) -> Frame:
    """Missing categories as one more; a column of numbers without any number is refused."""
    gaps = np.isnan(frame.X)
    levels = list(frame.levels or [()] * len(frame.features))
    X = frame.X.copy()
    for column in np.flatnonzero(gaps.any(axis=0)):
        if levels[column]:
            X[gaps[:, column], column] = len(levels[column])
            levels[column] = (*levels[column], _distinct_name(NO_VALUE, levels[column]))
        elif gaps[:, column].all():
            raise UserError(
                f"{frame.where}: column {shorten(frame.features[column])} has no value, so no "
                "median; name it under `drop`"
            )
    return replace(frame, X=X, levels=tuple(levels) if frame.levels else ())


def _distinct_name(name: str, names: Sequence[str]) -> str:
    """A name that is not among others."""
    while name in names:
        name = f"({name})"
    return name


def _take_rows(frame: Frame, rows: np.ndarray) -> Frame:
    if not len(rows):
        raise UserError(
            f"{frame.where}: every row has a missing value; leaving them out leaves nothing"
        )
    return replace(
        frame,
        X=frame.X[rows],
        labels=[frame.labels[row] for row in rows],
        places=[frame.places[row] for row in rows],
        groups=None if frame.groups is None else [frame.groups[row] for row in rows],
    )


def join(frames: Sequence[Frame], prefixes: Sequence[str] = ()) -> Frame:
    """Frames of the same rows side by side.

    Parameters
    ----------
    frames : at least one; all of the same rows, with the same classes
    prefixes : one short name per frame, put before its feature names; needed if names would clash
    """
    first = frames[0]
    if prefixes and len(prefixes) != len(frames):
        raise UserError(f"{first.where}: {len(prefixes)} `prefixes` for {len(frames)} tables")
    for other in frames[1:]:
        if other.labels != first.labels:
            raise UserError(
                f"{other.where}: its rows are not those of {first.where} (number or classes "
                "differ), so the two cannot be joined; correct `id`"
            )
    starts = [f"{prefix}_" for prefix in prefixes] or [""] * len(frames)
    pairs = zip(starts, frames, strict=True)
    names = tuple(start + name for start, frame in pairs for name in frame.features)
    if len(set(names)) < len(names):
        raise UserError(
            f"{first.where}: the joined tables share feature names; give each a name under "
            "`prefixes`"
        )
    return replace(first, X=np.hstack([frame.X for frame in frames]), features=names)

"""From cells to numbers and class names, with missing values found and treated."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steadfast.data.readers import Sheet
from steadfast.data.table import check_names
from steadfast.errors import UserError, nearest

#: What a cell without a value may say.
MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "NULL", "null", "None"})

_WHOLE_NUMBER = re.compile(r"([+-]?\d+)\.0*")


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
    """

    X: np.ndarray
    labels: list[str | None]
    features: tuple[str, ...]
    target: str
    places: list[str]
    where: str


def to_frame(
    sheet: Sheet,
    target: str | None = None,
    drop: Sequence[str] = (),
    drop_if_there: Sequence[str] = (),
) -> Frame:
    """Split a sheet into features and class.

    Parameters
    ----------
    sheet : the opened file; its rows are consumed
    target : name of the class column; without it, the last column that is not dropped
    drop : columns to leave out; each must be there
    drop_if_there : columns to leave out where the file has them
    """
    for name in drop:
        if name not in sheet.header:
            raise UserError(f"{sheet.where}: `drop` names {_unknown(name, sheet.header)}")
    left_out = {*drop, *drop_if_there}
    kept = [i for i, name in enumerate(sheet.header) if name not in left_out]
    names = [sheet.header[i] for i in kept]
    if len(names) < 2:
        raise UserError(f"{sheet.where}: fewer than two columns are left after `drop`")
    check_names(names, sheet.where)
    if target is not None and target not in names:
        raise UserError(f"{sheet.where}: `target` names {_unknown(target, names)}")
    class_column = kept.pop(names.index(target) if target is not None else -1)
    frame = _fill(sheet, kept, class_column)
    _refuse_infinite(frame)
    _refuse_data_as_header(frame)
    return frame


def _fill(sheet: Sheet, feature_columns: list[int], class_column: int) -> Frame:
    features = tuple(sheet.header[i] for i in feature_columns)
    rows, labels, places = [], [], []
    for number, cells in sheet.rows:
        place = f"{sheet.place} {number}"
        rows.append(_numbers([cells[i] for i in feature_columns], features, sheet.where, place))
        labels.append(class_name(cells[class_column]))
        places.append(place)
    if not rows:
        raise UserError(f"{sheet.where}: a header, but no rows; get the file again")
    return Frame(np.vstack(rows), labels, features, sheet.header[class_column], places, sheet.where)


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
        if cell in MISSING:
            return math.nan
    try:
        if isinstance(cell, str) and "_" in cell:
            raise ValueError
        return float(cell)
    except (TypeError, ValueError):
        raise UserError(
            f"{where}, {place}: column {feature!r} holds {str(cell)[:40]!r}, not a number; "
            "encode the column, or name it under `drop`"
        ) from None


def class_name(cell: Any) -> str | None:
    """The name of a class: 1 and 1.0 are both "1"; None if the cell is empty."""
    name = str(cell).strip() if cell is not None else ""
    if name in MISSING:
        return None
    whole = _WHOLE_NUMBER.fullmatch(name)
    return whole.group(1) if whole else name


def _unknown(name: str, names: Sequence[str]) -> str:
    return f"{name!r}, which is no column; {nearest(name, names)}"


def _refuse_infinite(frame: Frame) -> None:
    found = np.argwhere(np.isinf(frame.X))
    if len(found):
        row, column = found[0]
        raise UserError(
            f"{frame.where}, {frame.places[row]}: column {frame.features[column]!r} holds an "
            "infinite value; replace it by a number, or leave the field empty"
        )


def _refuse_data_as_header(frame: Frame) -> None:
    """A file without a header: its first row gave the names, numbers and one of the classes."""
    if class_name(frame.target) in frame.labels and all(map(_is_number, frame.features)):
        raise UserError(
            f"{frame.where}: the first line holds values, not column names; add a line of names"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def treat_missing(frame: Frame, how: str) -> tuple[Frame, dict[str, object] | None]:
    """Refuse, fill or leave out what is missing.

    Parameters
    ----------
    frame : the data
    how : "refuse", "median" (of the column, over all rows) or "drop_rows"

    Returns
    -------
    The complete frame, and what was done (None if nothing was missing).
    """
    gaps = np.isnan(frame.X)
    unlabelled = np.array([label is None for label in frame.labels])
    count = int(gaps.sum() + unlabelled.sum())
    if count == 0:
        return frame, None
    if how == "drop_rows":
        complete = np.flatnonzero(~(gaps.any(axis=1) | unlabelled))
        dropped = len(frame.X) - len(complete)
        return _rows_of(frame, complete), {"values": count, "how": f"{dropped} rows left out"}
    if how == "median":
        _refuse_unlabelled(frame, "give it one, or leave such rows out with `missing: drop_rows`")
        return _with_medians(frame, gaps), {"values": count, "how": "median of the column"}
    if how != "refuse":
        raise UserError(
            f"{frame.where}: `missing: {how}` is unknown; use refuse, median or drop_rows"
        )
    advice = "fill it, or set `missing` of its catalogue entry to median or drop_rows"
    _refuse_unlabelled(frame, advice)
    row, column = np.argwhere(gaps)[0]
    raise UserError(
        f"{frame.where}, {frame.places[row]}: column {frame.features[column]!r} has no value "
        f"({count} missing in all); {advice}"
    )


def _refuse_unlabelled(frame: Frame, advice: str) -> None:
    if None in frame.labels:
        place = frame.places[frame.labels.index(None)]
        raise UserError(f"{frame.where}, {place}: no class in column {frame.target!r}; {advice}")


def _rows_of(frame: Frame, rows: np.ndarray) -> Frame:
    if not len(rows):
        raise UserError(f"{frame.where}: every row has a missing value; `drop_rows` leaves nothing")
    return replace(
        frame,
        X=frame.X[rows],
        labels=[frame.labels[row] for row in rows],
        places=[frame.places[row] for row in rows],
    )


def _with_medians(frame: Frame, gaps: np.ndarray) -> Frame:
    empty = np.flatnonzero(gaps.all(axis=0))
    if len(empty):
        raise UserError(
            f"{frame.where}: column {frame.features[empty[0]]!r} has no value, so no median; name "
            "it under `drop`"
        )
    return replace(frame, X=np.where(gaps, np.nanmedian(frame.X, axis=0), frame.X))


def join(frames: Sequence[Frame], prefixes: Sequence[str] = ()) -> Frame:
    """Frames of the same rows side by side.

    Parameters
    ----------
    frames : at least one; all of the same rows, with the same classes
    prefixes : one short name a frame, put before its feature names; needed if names would clash
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

"""The checked table every later stage works on, and the file it is kept in."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from steadfast.core.errors import UserError, shorten
from steadfast.core.files import arrays_to_bytes, read_arrays, write_with_manifest

#: A target of more distinct values than this, some of them fractions, is a measurement.
MANY_FRACTIONS = 10

#: So is one of more whole numbers than this, if there are fewer rows of each.
MANY_VALUES, ROWS_A_CLASS = 20, 30

#: Longer ones are names: Python makes no integer of thousands of digits.
_INTEGER = re.compile(r"[+-]?\d{1,300}")
_BREAKS_A_TABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers, classes and their names.

    Attributes
    ----------
    X : float64 array, rows by features, C-contiguous
    y : int64 array, the number of each row's class in `classes`
    features : names of the columns of `X`
    classes : names of the classes, sorted (as numbers if all of them are integers)
    levels : names of the categories of each column, whose numbers `X` has; none for a column of
        numbers, and () if all are numbers
    groups : the number of each row's group, which no split may tear apart; None where there are
        none

    Numbers that are missing are NaN; each fold learns what to put in their place
    (`steadfast.data.encoding`).
    """

    X: np.ndarray
    y: np.ndarray
    features: tuple[str, ...]
    classes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...] = ()
    groups: np.ndarray | None = None

    def class_counts(self) -> dict[str, int]:
        """How many rows each class has."""
        counts = np.bincount(self.y, minlength=len(self.classes))
        return dict(zip(self.classes, counts.tolist(), strict=True))

    def take(self, rows: np.ndarray) -> "Table":
        """The table of some of its rows; classes and categories keep their numbers."""
        groups = None if self.groups is None else self.groups[rows]
        return replace(self, X=self.X[rows], y=self.y[rows], groups=groups)


def make_table(
    X: np.ndarray,
    labels: Sequence[str],
    features: Sequence[str],
    where: str,
    levels: tuple[tuple[str, ...], ...] = (),
    groups: Sequence[str] | None = None,
    *,
    surely_classes: bool = False,
) -> Table:
    """A table from numbers and class names.

    Parameters
    ----------
    X : rows by features
    labels : the class name of each row
    features : the name of each column
    where : what error messages call the source
    levels : names of the categories of each column; see `Table`
    groups : the name of each row's group
    surely_classes : whether many numbers are classes all the same
    """
    check_names(features, where)
    check_labels(labels, where, surely_classes)
    classes = sort_classes(set(labels))
    code = {name: number for number, name in enumerate(classes)}
    y = np.array([code[label] for label in labels], dtype=np.int64)
    codes = None
    if groups is not None:
        codes = np.unique(np.array(groups, dtype=str), return_inverse=True)[1].astype(np.int64)
        if codes.max() == 0:
            raise UserError(f"{where}: `groups`: all rows are of one group, so none can be split")
    return Table(
        np.ascontiguousarray(X, dtype=np.float64), y, tuple(features), classes, levels, codes
    )


def sort_classes(names: set[str]) -> tuple[str, ...]:
    """Class names in order; 2 comes before 10 if all of them are integers."""
    if all(_INTEGER.fullmatch(name) for name in names):
        return tuple(sorted(names, key=lambda name: (int(name), name)))
    return tuple(sorted(names))


def check_names(names: Sequence[str], where: str) -> None:
    """Refuse column names that are empty, double, or would break a tab-separated line."""
    for number, name in enumerate(names, start=1):
        if not name:
            raise UserError(
                f"{where}: column {number} has no name (row numbers saved along with the table?); "
                'name it, or leave it out with `drop: [""]`'
            )
        if _BREAKS_A_TABLE.search(name):
            raise UserError(
                f"{where}: the name of column {number}, {shorten(name)}, holds a tab, a line break "
                "or another control character; rename the column"
            )
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise UserError(
            f"{where}: {count} columns are named {shorten(name)}; give each its own name"
        )


def check_labels(labels: Sequence[str], where: str, surely_classes: bool = False) -> None:
    """Refuse what is not a set of classes: one class only, a measurement, a class of one row."""
    counts = Counter(labels)
    if not surely_classes and _looks_continuous(counts, len(labels)):
        raise UserError(
            f"{where}: the target has {len(counts)} distinct values such as {labels[0][:40]}: it "
            "looks like a measurement, not a class (regression is not what this is for); name the "
            "class column under `target`, cut the measurement into classes first, or, if these are "
            "classes, name it under `categories` too"
        )
    if len(counts) < 2:
        raise UserError(
            f"{where}: all {len(labels)} rows are of class {shorten(labels[0])}; at least two "
            "classes are needed: is the right column named under `target`?"
        )
    name, count = min(counts.items(), key=lambda item: item[1])
    if count < 2:
        raise UserError(
            f"{where}: class {shorten(name)} has one row only ({len(counts)} classes in all), two "
            "are needed; leave that row out, or name the class column under `target`"
        )
    for name in counts:
        if _BREAKS_A_TABLE.search(name):
            raise UserError(
                f"{where}: class {shorten(name)} holds a control character; rename the class"
            )


def _looks_continuous(counts: Mapping[str, int], n_rows: int) -> bool:
    """Many different numbers: some of them fractions, or whole ones with few rows each."""
    try:
        fractions = any(not float(name).is_integer() for name in counts)
    except (ValueError, OverflowError):
        return False
    if fractions:
        return len(counts) > min(MANY_FRACTIONS, max(2, n_rows / 2))
    return len(counts) > MANY_VALUES and n_rows < ROWS_A_CLASS * len(counts)


def check_expectation(table: Table, expect: Mapping[str, int], name: str, where: str) -> None:
    """Compare rows, features and classes with what the catalogue expects."""
    found = {
        "rows": table.X.shape[0],
        "features": table.X.shape[1],
        "classes": len(table.classes),
    }
    for key, number in expect.items():
        if found[key] != number:
            raise UserError(
                f"{where}: {found[key]} {key} found, but the catalogue expects {number} for "
                f"{name!r}; bring the right file, or correct `expect` in the catalogue"
            )


def without_rows(table: Table, other: Table, where: str) -> Table:
    """The rows of `table` that are not in `other`, as a difference of multisets.

    A row that stands three times in `table` and once in `other` stays twice. Rows are compared by
    their values and the name of their class.
    """
    if table.X.shape[1] != other.X.shape[1]:
        raise UserError(
            f"{where}: has {table.X.shape[1]} features, but the table named under "
            f"`without_rows_of` has {other.X.shape[1]}; name a table of the same columns"
        )
    if table.levels or other.levels or table.groups is not None:
        raise UserError(
            f"{where}: `without_rows_of` compares numbers; take out `categories` and `groups`"
        )
    to_leave_out = Counter(_row_keys(other))
    kept = []
    for row, key in enumerate(_row_keys(table)):
        if to_leave_out[key] > 0:
            to_leave_out[key] -= 1
        else:
            kept.append(row)
    if not kept:
        raise UserError(f"{where}: every row is also in the table named under `without_rows_of`")
    labels = [table.classes[code] for code in table.y[kept]]
    return make_table(table.X[kept], labels, table.features, where)


def _row_keys(table: Table) -> list[tuple[bytes, str]]:
    X = table.X + 0.0  # 0.0 and -0.0 are one value, but different bytes
    return [(row.tobytes(), table.classes[code]) for row, code in zip(X, table.y, strict=True)]


def save(table: Table, description: Mapping[str, object], npz_path: Path) -> None:
    """Write `NAME.npz`, `NAME.json` (the description) and `NAME.sha256` (their checksums)."""
    more = {}
    if table.levels:
        more["levels"] = np.array([name for names in table.levels for name in names])
        more["level_counts"] = np.array([len(names) for names in table.levels])
    if table.groups is not None:
        more["groups"] = table.groups
    arrays = arrays_to_bytes(
        X=table.X,
        y=table.y,
        features=np.array(table.features),
        classes=np.array(table.classes),
        **more,
    )
    text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
    write_with_manifest({npz_path: arrays, npz_path.with_suffix(".json"): text.encode()})


def read_table(npz_path: Path) -> Table:
    """The table that `save` wrote, checked against its checksum."""
    arrays = read_arrays(npz_path)
    names = {key: tuple(arrays[key].tolist()) for key in ("features", "classes")}
    levels = ()
    if "levels" in arrays:
        ends = np.cumsum(arrays["level_counts"])[:-1]
        levels = tuple(tuple(part.tolist()) for part in np.split(arrays["levels"], ends))
    return Table(
        *(np.ascontiguousarray(arrays["X"]), arrays["y"], names["features"], names["classes"]),
        *(levels, arrays.get("groups")),
    )

"""Is a table read right? What was read beside what was meant, and the first difference in words."""

import json
import math
import re
from collections.abc import Callable, Sequence
from datetime import date, time
from typing import Any

from fuzz.odd_tables.meant import Meant
from fuzz.odd_tables.plain_reader import Cell

#: What stands for a missing category, and for rare ones.
NO_VALUE, OTHERS = "(no value)", "(other)"
_LIKE_A_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?|\d{1,2}:\d{2}(:\d{2}.*)?")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def first_difference(meant: Meant, table: Any, about: dict[str, Any]) -> str:
    """Nothing where the reading is right; else what is wrong.

    Right is: every column is a feature, in order, or named with a true reason among those left out;
    every row is there with its class, or told of; every value is what was meant.
    """
    kept, trouble = _kept_rows(meant, table, about)
    return (
        trouble
        or _columns_differ(meant, table, about)
        or _classes_differ(meant, kept, table)
        or _values_differ(meant, kept, table)
        or _gaps_differ(meant, kept, table, about)
    )


def _kept_rows(meant: Meant, table: Any, about: dict[str, Any]) -> tuple[list[int], str]:
    """The rows that must be there: all with a class. A class that is left out must be named."""
    labels = meant.column(meant.target)
    kept = [row for row, label in enumerate(labels) if label is not None]
    told = json.dumps(about.get("missing"), ensure_ascii=False)
    if len(table.y) != len(kept):
        # Words such as NA may be read as no class, if the description says so.
        gone = [word for word in dict.fromkeys(labels) if word and f"{word!r}" in told]
        kept = [row for row in kept if labels[row] not in gone]
    if len(table.y) != len(kept):
        return kept, f"{len(table.y)} rows read, {len(kept)} meant"
    dropped = len(labels) - len(kept)
    if dropped and f"{dropped} rows without a class" not in told:
        return kept, f"{dropped} rows without a class left out without a word"
    return kept, ""


def _columns_differ(meant: Meant, table: Any, about: dict[str, Any]) -> str:
    wanted = [name.strip() for name in meant.names if name != meant.target]
    left_out = {one["column"]: one["reason"] for one in about.get("left_out", [])}
    nameless = [i + 1 for i, name in enumerate(meant.names) if not name.strip()]
    for number in nameless:
        if left_out.pop(f"(column {number}, without a name)", None) != "it has no name":
            return f"column {number} has no name and is not told of"
    wanted = [name for name in wanted if name]
    expected = [name for name in wanted if name not in left_out]
    if list(table.features) != expected:
        return f"features {_short(table.features)} read, {_short(expected)} meant"
    unknown = [name for name in left_out if name not in wanted]
    if unknown:
        return f"{unknown[0]!r} is told to be left out, but is no column"
    own = {name.strip(): name for name in meant.names}
    for name, reason in left_out.items():
        if not _is_true(reason, meant.column(own[name])):
            return f"column {name!r} is left out because of {reason!r}, which is not so"
    return ""


def _is_true(reason: str, cells: Sequence[Cell]) -> bool:
    """Whether a column is what the reason for leaving it out says."""
    seen = [cell for cell in cells if cell is not None]
    different = {str(cell) for cell in seen}
    like_an_id = 10 <= len(different) < len(seen) and "looks like" in reason
    beginnings: dict[str, Callable[[], bool]] = {
        "no value in any row": lambda: not seen,
        "the same value": lambda: len(different) == 1,
        "the same text": lambda: len(different) == 1,
        "a different": lambda: len(different) == len(seen),
        "dates or times": lambda: bool(seen) and all(map(_is_date, seen)),
        f"{len(different)} different texts": lambda: len(different) > 20 or like_an_id,
        f"{len(different)} different whole numbers": lambda: like_an_id,
    }
    return any(reason.startswith(start) and is_so() for start, is_so in beginnings.items())


def _is_date(cell: Cell) -> bool:
    if isinstance(cell, (date, time)):
        return True
    return isinstance(cell, str) and _LIKE_A_DATE.fullmatch(cell) is not None


def _classes_differ(meant: Meant, kept: Sequence[int], table: Any) -> str:
    labels = meant.column(meant.target)
    for place, row in enumerate(kept):
        read, wanted = table.classes[table.y[place]], _class(labels[row])
        if read != wanted:
            return f"row {row + 1} is of class {_short(read)}, {_short(wanted)} was meant"
    return ""


def _class(label: Cell) -> str:
    """1 and 1.0 are one class."""
    if isinstance(label, bool):
        return str(label)
    text = str(label).strip()
    whole = re.fullmatch(r"([+-]?\d+)\.0*", text)
    return whole[1] if whole else text


def _values_differ(meant: Meant, kept: Sequence[int], table: Any) -> str:
    own = {name.strip(): name for name in meant.names}
    for place, name in enumerate(table.features):
        cells = [meant.column(own[name])[row] for row in kept]
        levels = table.levels[place] if table.levels else ()
        if levels:
            read = [levels[int(code)] for code in table.X[:, place]]
            trouble = _categories_differ(cells, read)
        else:
            trouble = _numbers_differ(cells, table.X[:, place])
        if trouble:
            return f"column {_short(name)}, {trouble}"
    return ""


def _numbers_differ(cells: Sequence[Cell], read: Sequence[float]) -> str:
    for row, (cell, number) in enumerate(zip(cells, read, strict=True), start=1):
        if cell is None and math.isnan(number):
            continue
        if not isinstance(cell, float) or isinstance(cell, bool) or cell != number:
            return f"row {row}: {number!r} read, {_short(cell)} meant"
    return ""


def _categories_differ(cells: Sequence[Cell], read: Sequence[str]) -> str:
    """Texts must be the same; numbers that are read as categories must stay apart."""
    found: dict[Cell, str] = {}
    many = len({cell for cell in cells if cell is not None}) > 100
    for row, (cell, level) in enumerate(zip(cells, read, strict=True), start=1):
        if many and level == OTHERS:
            continue
        if found.setdefault(cell, level) != level:
            return f"row {row}: {_short(level)} read where {_short(found[cell])} was before"
        if isinstance(cell, str) and _class(_CONTROL.sub(" ", cell)) != level:
            return f"row {row}: {_short(level)} read, {_short(cell)} meant"
        if cell is None and level.strip("()") != NO_VALUE.strip("()"):
            return f"row {row}: {_short(level)} read, nothing meant"
    if not many and len(set(found.values())) < len(found):
        return f"{len(found)} different values are read as {len(set(found.values()))}"
    return ""


def _gaps_differ(meant: Meant, kept: Sequence[int], table: Any, about: dict[str, Any]) -> str:
    """The number of missing values that is told."""
    features, own = set(table.features), {name.strip(): name for name in meant.names}
    cells = [cell for name in features for cell in meant.column(own[name])]
    wanted = cells.count(None) + len(meant.rows) - len(kept)
    told = (about.get("missing") or {"values": 0})["values"]
    return "" if told == wanted else f"{told} missing values told, {wanted} meant"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

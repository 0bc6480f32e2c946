"""Text files with one sign between their columns: csv, tsv, and what spreadsheets call so."""

import csv
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from steadfast.core.errors import UserError, shorten
from steadfast.data.reading.allowance import OBJECT, Allowance
from steadfast.data.reading.decimal_marks import DecimalMarks
from steadfast.data.reading.sheet import Sheet
from steadfast.data.reading.text import TextFile
from steadfast.data.understand import MISSING

#: The sign that the ending of a name promises.
USUAL = {".csv": ",", ".tsv": "\t"}

NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}

#: Lines below comments that are looked at to tell what they are.
_SAMPLE = 40

_STATED = re.compile(r'"?sep=([^\w"\r\n.+-])"?[,;\s]*', re.IGNORECASE)
_COMMENT = re.compile(r"\s*(#|%|//)")


class _Start(NamedTuple):
    """What stands above the column names, and what follows from it.

    Attributes
    ----------
    skipped : number of lines above the names
    delimiter : what stands between columns
    noticed : what was skipped or settled, in sentences
    """

    skipped: int
    delimiter: str
    noticed: tuple[str, ...]


def open_delimited(file: TextFile, kind: str, allowance: Allowance) -> Sheet:
    """The header and the rows of a text file.

    Parameters
    ----------
    file : the file
    kind : ".csv" or ".tsv"
    allowance : the memory that it may take
    """
    where = file.where
    lines = file.lines("".join(NAMES))
    sample = _sample(lines)
    start = _find_start(sample, kind, where)
    rows = _rows(chain(sample[start.skipped :], lines), start, where)
    try:
        first, header = next(rows)
    except StopIteration:
        raise UserError(f"{where}: the file holds nothing but empty lines; get it again") from None
    allowance.spend(OBJECT * len(header))
    names = tuple(name.strip() for name in header)
    rows, marks = _check_lengths(rows, first, names, where), None
    if start.delimiter != ",":
        # With semicolons, it is what spreadsheets call csv where the comma stands before decimals.
        marks = DecimalMarks(points_usual=start.delimiter != ";")
        rows = marks.read(rows)
    noticed = start.noticed
    if file.encoding != "utf-8-sig":
        noticed = (f"read as {file.encoding.upper()} text", *noticed)
    return Sheet(names, rows, "line", where, allowance, noticed, marks)


def _sample(lines: Iterator[str]) -> list[str]:
    """The first lines, with enough of them below comments."""
    found, below = [], 0
    for line in lines:
        found.append(line)
        below += not _COMMENT.match(line)
        if below == _SAMPLE:
            break
    return found


def _find_start(sample: list[str], kind: str, where: str) -> _Start:
    """Skip what stands above the column names: `sep=;`, and comments."""
    numbers = [i for i, line in enumerate(sample) if line.strip()]
    noticed, stated = [], None
    if numbers and (found := _STATED.fullmatch(sample[numbers[0]].strip("\r\n"))):
        stated = found[1]
        noticed.append(f"line {numbers[0] + 1} is no row, it states what separates the columns")
        numbers = numbers[1:]
    comments = []
    while numbers and _COMMENT.match(sample[numbers[0]]):
        comments.append(numbers.pop(0))
    below = [sample[i] for i in numbers]
    delimiter = stated or (USUAL[kind] if kind == ".tsv" else _find_delimiter(below, where))
    if comments and _names_columns(sample[comments[-1]], below, delimiter, where):
        numbers.insert(0, comments.pop())
    if comments:
        lines = f"{len(comments)} comment line{'s' * (len(comments) > 1)}"
        noticed.append(f"{lines} above the column names left out: {_cut(sample[comments[0]])}")
    if stated is None and delimiter in "|\t" and kind == ".csv":
        noticed.append(f"its columns are separated by {NAMES[delimiter]}")
    return _Start(numbers[0] if numbers else 0, delimiter, tuple(noticed))


def _cut(line: str) -> str:
    return shorten(line.strip())


def _find_delimiter(lines: list[str], where: str) -> str:
    """The sign that parts all lines alike; where the names hold one sign only, that sign."""
    # A title above the names holds none; it is refused later, by what follows it.
    signs = ([sign for sign in NAMES if sign in line] for line in lines)
    there = next(filter(None, signs), [","])
    if len(there) == 1:
        return there[0]
    alike = [sign for sign in there if _parts_alike(lines, sign)]
    if len(alike) > 1 and len(lines) > 1:
        clear = [sign for sign in alike if _leaves_none(lines[1:], sign, alike)]
        if len(clear) == 1:
            return clear[0]
        first, second = (NAMES[sign] for sign in alike[:2])
        raise UserError(
            f"{where}: its columns may be separated by {first} or by {second}; put a line "
            f"`sep={alike[0]}` or `sep={alike[1]}` at its top"
        )
    return alike[0] if len(alike) == 1 else there[0]


def _parts_alike(lines: list[str], delimiter: str) -> bool:
    """Whether all rows have as many cells as the first, at least two.

    A cell in quotes may go on beyond these lines: an error in the last one does not count.
    """
    reader, lengths = _reader(iter(lines), delimiter), []
    try:
        lengths += (len(cells) for cells in reader if cells)
    except csv.Error:
        if reader.line_num < len(lines):
            return False
    return len(set(lengths)) == 1 and lengths[0] > 1


def _leaves_none(lines: list[str], delimiter: str, signs: list[str]) -> bool:
    """Whether no cell holds another of the signs, but for decimal commas."""
    rows = islice(_reader(iter(lines), delimiter), len(lines) - 1)
    return not any(
        sign in cell and not _is_number(cell) for cells in rows for cell in cells for sign in signs
    )


def _names_columns(comment: str, below: list[str], delimiter: str, where: str) -> bool:
    """Whether a line that looks like a comment holds the column names, such as `#chrom,start`."""
    try:
        rows = [cells for cells in islice(_reader(iter([comment, *below]), delimiter), 3) if cells]
    except csv.Error:
        return False
    if len(rows) < 2:
        return not below
    first, second = rows[:2]
    if len(first) < 2 or any(map(_is_number, first)):
        return False
    holds_values = any(
        _is_number(cell) or cell.strip().lower() in MISSING - {""} for cell in second
    )
    if len(first) == len(second):
        if holds_values:
            return True
        if len(rows) > 2 and all(second) and any(map(_is_number, rows[2])):
            return False
    elif not holds_values:
        return False
    raise UserError(
        f"{where}: {_cut(comment)} may be a comment or the column names; take the line out, or its "
        "first sign"
    )


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"\s*[+-]?\d*[.,]?\d+([eE][+-]?\d+)?\s*", cell) is not None


def _reader(lines: Iterator[str], delimiter: str) -> Any:
    return csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=delimiter != " ")


def _rows(lines: Iterator[str], start: _Start, where: str) -> Iterator[tuple[int, list[str]]]:
    reader = _reader(lines, start.delimiter)
    try:
        for cells in reader:
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield start.skipped + reader.line_num, cells
    except csv.Error as error:
        raise UserError(
            f"{where}, line {start.skipped + reader.line_num}: cannot be read ({error}); mend that "
            "line"
        ) from None


def _check_lengths(
    rows: Iterator[tuple[int, list[str]]], first: int, names: tuple[str, ...], where: str
) -> Iterator[tuple[int, list[str]]]:
    fix = f"mend that line, or, if line {first} does not name the columns, take it out"
    for line, cells in rows:
        if len(cells) != len(names):
            fields = f"{len(cells)} field{'s' * (len(cells) > 1)}"
            columns = f"{len(names)} column{'s' * (len(names) > 1)}"
            raise UserError(
                f"{where}, line {line}: {fields}, but the header names {columns}; {fix}"
            )
        fix = "mend that line"
        yield line, cells

"""The first sheet of an Excel workbook, values as they were last computed."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from steadfast.core.errors import UserError, shorten
from steadfast.data.reading.allowance import Allowance
from steadfast.data.reading.sheet import Sheet

#: Rows of a sheet, as Excel has them.
MOST_ROWS = 1_048_576

#: Bytes in memory for each byte of a part: sheets are read bit by bit, shared texts are kept, and
#: of all else trees of objects are made.
_COST = {"xl/worksheets/": 0, "xl/sharedStrings": 4, "": 30}

#: How entities are declared that stand for longer texts, in any encoding; no workbook has them.
_DECLARED = re.compile(rb"<\0?!\0?D\0?O\0?C\0?T\0?Y\0?P\0?E", re.IGNORECASE)

_ROW = re.compile(rb'<(?:\w+:)?row\s(?:[^>]*\s)?r="(\d+)"')

_CHUNK = 1 << 20


def open_workbook(content: bytes, where: str, allowance: Allowance) -> Sheet:
    """The header and the rows; those beyond the size that the file states are read too."""
    rows, noticed = _opened(content, where, allowance)
    filled = ((number, row) for number, row in rows if _has_value(row))
    try:
        _, header = next(filled)
    except StopIteration:
        raise UserError(f"{where}: its first sheet is empty; put the table there") from None
    width = max(i for i, cell in enumerate(header, start=1) if _has_value([cell]))
    names = tuple("" if cell is None else str(cell).strip() for cell in header[:width])
    return Sheet(names, _cells(filled, width, where), "row", where, allowance, noticed)


def _opened(
    content: bytes, where: str, allowance: Allowance
) -> tuple[Iterator[tuple[int, tuple[Any, ...]]], tuple[str, ...]]:
    """Rows of the first sheet with their numbers, and what is to be said of the others."""
    import openpyxl

    try:
        _check_parts(content, allowance)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and validations that are not kept
            book = openpyxl.load_workbook(
                io.BytesIO(content), read_only=True, data_only=True, keep_links=False
            )
        first = book.worksheets[0]
        # What a file states of its size may be wrong, and rows beyond it would be lost.
        first.reset_dimensions()
        rows = first.iter_rows(values_only=True)
    except UserError:
        raise
    except Exception as error:  # openpyxl has no error of its own for what it cannot read
        raise _unreadable(error, where) from None
    others = len(book.worksheets) - 1
    noticed = (f"the first sheet, {shorten(first.title)}, is read, {others} more are not",)
    return _numbered(rows, where), noticed if others else ()


def _check_parts(content: bytes, allowance: Allowance) -> None:
    """Unpack each part once, without keeping it: how large it is, and whether it grows.

    No part gives more than the size that the archive states of it.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        allowance.check(max((part.file_size for part in archive.infolist()), default=0))
        for part in archive.namelist():
            cost = next(cost for start, cost in _COST.items() if part.startswith(start))
            if not part.endswith((".xml", ".rels")):
                continue
            with archive.open(part) as stream:
                _check_part(stream, cost, allowance)


def _check_part(stream: IO[bytes], cost: int, allowance: Allowance) -> None:
    last, end = 0, b""
    while chunk := stream.read(_CHUNK):
        allowance.spend(cost * len(chunk))
        chunk = end + chunk
        if _DECLARED.search(chunk):
            raise ValueError("it declares entities")
        for row in map(int, _ROW.findall(chunk)):
            if row <= last:  # openpyxl leaves such a row out
                raise ValueError(f"row {row} stands below row {last}")
            last = row
        # A tag that goes on in the next chunk is looked at there.
        begun = chunk[chunk.rfind(b"<") :] if b"<" in chunk else b""
        end = b"" if b">" in begun else begun[-1000:]


def _numbered(rows: Iterator[Any], where: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for number, row in enumerate(rows, start=1):
                if number > MOST_ROWS:
                    raise ValueError(f"a row beyond number {MOST_ROWS}")
                yield number, row
    except UserError:
        raise
    except Exception as error:
        raise _unreadable(error, where) from None


def _unreadable(error: Exception, where: str) -> UserError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return UserError(
        f"{where}: cannot be read as an Excel workbook ({reason}); save it again as .xlsx"
    )


def _cells(
    rows: Iterator[tuple[int, tuple[Any, ...]]], width: int, where: str
) -> Iterator[tuple[int, list[Any]]]:
    """Rows as wide as the header; a value beyond it has no name."""
    for number, row in rows:
        if _has_value(row[width:]):
            raise UserError(
                f"{where}, row {number}: a value beyond the last named column; name that column, "
                "or take a title above the column names out"
            )
        yield number, [*row[:width], *[None] * (width - len(row))]


def _has_value(cells: Any) -> bool:
    return any(cell is not None and str(cell).strip() for cell in cells)

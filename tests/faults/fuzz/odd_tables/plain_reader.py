"""An independent reader of tables, by hand and with as little as possible: no pandas, no steadfast.

What it accepts is what a careful person would see in the file; anything else is `Unreadable`.
"""

import gzip
import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from datetime import date

#: What a cell may mean.
Cell = float | str | bool | date | None

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_NOT_FINITE = re.compile(r"[+-]?(inf|infinity)", re.IGNORECASE)
_NO_VALUE = {"", "?", "-", ".", "na", "n/a", "#n/a", "nan", "+nan", "-nan", "null", "none"}
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+([eE][+-]?\d+)?", re.ASCII)
_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

Sheet = tuple[list[str], list[list[str]]]


class Unreadable(ValueError):
    """What no reader can be sure about."""


def meaning(text: str) -> Cell:
    """What the text of a cell means: a number, no value, or the text itself."""
    plain = text.strip()
    if plain.lower() in _NO_VALUE:
        return None
    if _NUMBER.fullmatch(plain) or _NOT_FINITE.fullmatch(plain):
        return float(plain)
    return plain


def read(content: bytes, suffix: str, delimiter: str = ",", decimal: str = ".") -> Sheet:
    """The header and the rows of a file, every cell as text."""
    if suffix.endswith(".gz"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise Unreadable(str(error)) from None
    if suffix == ".xlsx":
        return _read_workbook(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(str(error)) from None
    if suffix == ".arff":
        return _read_arff(text)
    header, rows = parse_delimited(text, delimiter)
    if decimal == ",":
        rows = [[_with_point(cell) for cell in row] for row in rows]
    return header, rows


def _with_point(cell: str) -> str:
    plain = cell.strip()
    return plain.replace(",", ".") if _DECIMAL_COMMA.fullmatch(plain) else cell


def parse_delimited(text: str, delimiter: str) -> Sheet:
    """Records of RFC 4180: quotes around a cell, two of them for one inside."""
    records = [cells for cells in _records(text, delimiter) if len(cells) > 1 or cells[0].strip()]
    if not records:
        raise Unreadable("no records")
    header = [name.strip() for name in records[0]]
    if any(len(cells) != len(header) for cells in records):
        raise Unreadable("records of different lengths")
    return header, records[1:]


def _records(text: str, delimiter: str) -> list[list[str]]:
    records, cells, cell, place = [], [], "", 0
    while place < len(text):
        sign = text[place]
        if sign == '"' and not cell.strip(" "):
            cell, place = _quoted(text, place + 1, delimiter)
        elif sign == delimiter:
            cells, cell, place = [*cells, cell], "", place + 1
        elif sign in "\r\n":
            place += 2 if text[place : place + 2] == "\r\n" else 1
            records.append([*cells, cell])
            cells, cell = [], ""
        else:
            cell, place = cell + sign, place + 1
    return [*records, [*cells, cell]] if cells or cell else records


def _quoted(text: str, start: int, delimiter: str) -> tuple[str, int]:
    """The content of a quoted cell, and the place after it."""
    cell, place = "", start
    while True:
        end = text.find('"', place)
        if end < 0:
            raise Unreadable("a quote that does not end")
        cell += text[place:end]
        if text[end + 1 : end + 2] != '"':
            break
        cell, place = cell + '"', end + 2
    if text[end + 1 : end + 2] not in ("", delimiter, "\r", "\n"):
        raise Unreadable("text after a quoted cell")
    return cell, end + 1


def _read_arff(text: str) -> Sheet:
    """Dense ARFF as this project's forms write it: names in quotes or plain, no tabs."""
    head, found, data = (
        re.split(r"(?im)^\s*(@data)\s*$", text, maxsplit=1)
        if re.search(r"(?im)^\s*@data\s*$", text)
        else (text, "", "")
    )
    if not found:
        raise Unreadable("no @data")
    names = []
    for line in head.splitlines():
        if not line.strip() or line.lstrip().startswith("%"):
            continue
        attribute = re.fullmatch(r"(?i)\s*@attribute\s+('(?:[^'\\]|\\.)*'|\S+)\s+(\S.*)", line)
        if attribute:
            names.append(re.sub(r"\\(.)", r"\1", attribute[1].strip("'")).strip())
        elif not re.match(r"(?i)\s*@relation\b", line):
            raise Unreadable(line)
    rows = []
    for line in data.splitlines():
        if line.strip() and not line.lstrip().startswith("%"):
            rows.append(
                [_arff_cell(cell) for cell in re.split(r",(?=(?:[^']*'[^']*')*[^']*$)", line)]
            )
    if not rows or any(len(row) != len(names) for row in rows):
        raise Unreadable("rows of different lengths")
    return names, rows


def _arff_cell(text: str) -> str:
    plain = text.strip()
    if len(plain) > 1 and plain[0] == plain[-1] == "'":
        return re.sub(r"\\(.)", r"\1", plain[1:-1])
    return plain


def _read_workbook(content: bytes) -> Sheet:
    """The first sheet of a workbook of one sheet; the place of a cell is what its `r` says."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            sheet = ElementTree.fromstring(parts.read("xl/worksheets/sheet1.xml"))
            shared = []
            if "xl/sharedStrings.xml" in parts.namelist():
                strings = ElementTree.fromstring(parts.read("xl/sharedStrings.xml"))
                shared = ["".join(one.itertext()) for one in strings]
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError, OSError, zlib.error) as error:
        raise Unreadable(str(error)) from None
    rows = [_workbook_row(row, shared) for row in sheet.iter(f"{_SHEET}row")]
    rows = [row for row in rows if any(cell.strip() for cell in row.values())]
    if not rows:
        raise Unreadable("an empty sheet")
    width = max(rows[0]) + 1
    if any(place >= width and cell for row in rows[1:] for place, cell in row.items()):
        raise Unreadable("a value beyond the header")
    header, *others = [[row.get(place, "").strip() for place in range(width)] for row in rows]
    return header, others


def _workbook_row(row: ElementTree.Element, shared: list[str]) -> dict[int, str]:
    cells: dict[int, str] = {}
    for cell in row.iter(f"{_SHEET}c"):
        place = _column_number(cell.get("r", "")) if cell.get("r") else max(cells, default=-1) + 1
        value = cell.find(f"{_SHEET}v")
        text = "" if value is None else value.text or ""
        if cell.get("t") == "s":
            text = shared[int(text)]
        elif cell.get("t") == "inlineStr":
            text = "".join(one.text or "" for one in cell.iter(f"{_SHEET}t"))
        elif cell.get("t") == "b":
            text = {"1": "true", "0": "false"}[text]
        cells[place] = text
    return cells


def _column_number(reference: str) -> int:
    number = 0
    for letter in re.match("[A-Z]*", reference)[0]:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number - 1

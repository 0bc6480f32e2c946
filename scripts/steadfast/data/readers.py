"""Files of a table, opened as a header and rows of cells: csv, tsv, ARFF, Parquet, xlsx."""

import csv
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadfast.core.errors import UserError

#: Endings that are read, in the order in which a folder is searched for a data set.
SUFFIXES = (".csv.gz", ".csv", ".tsv.gz", ".tsv", ".arff", ".parquet", ".xlsx")

#: 3,7 in a file with semicolons between its columns.
_DECIMAL_COMMA = re.compile(r"^(\s*[+-]?\d+),(\d+(?:[eE][+-]?\d+)?\s*)$")

_DELIMITERS = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True)
class Sheet:
    """A table as it stands in a file, before its cells are understood.

    Attributes
    ----------
    header : the names of the columns
    rows : pairs of a row's place in the file and its cells (text, numbers, or None); read once
    place : what the places count: "line" of a text file, "row" of others
    where : what error messages call the file
    """

    header: tuple[str, ...]
    rows: Iterator[tuple[int, list[Any]]]
    place: str
    where: str


def suffix_of(path: Path) -> str:
    """The ending that says how a file is read."""
    for suffix in SUFFIXES:
        if path.name.lower().endswith(suffix):
            return suffix
    raise UserError(f"{path}: unknown kind of file; save it as one of {', '.join(SUFFIXES)}")


def open_sheet(
    content: bytes, suffix: str, where: str, holds: str = "features and a class"
) -> Sheet:
    """The header and the rows of a file.

    Parameters
    ----------
    content : the bytes of the file
    suffix : one of `SUFFIXES`
    where : what error messages call the file
    holds : what its columns must be, at least two
    """
    if not content:
        raise UserError(f"{where}: the file is empty; get it again")
    if suffix == ".parquet":
        sheet = _open_parquet(content, where)
    elif suffix == ".arff":
        sheet = _open_arff(_decode(content, where), where)
    elif suffix == ".xlsx":
        sheet = _open_workbook(content, where)
    else:
        kind = suffix.removesuffix(".gz")
        plain = _unzip(content, where) if suffix.endswith(".gz") else content
        sheet = _open_delimited(_decode(plain, where), _DELIMITERS[kind], where)
    if len(sheet.header) < 2:
        raise UserError(
            f"{where}: one column only ({_shorten(sheet.header[0])}); a table needs {holds}"
            f"{_other_delimiter(sheet.header[0], suffix)}"
        )
    return sheet


def _unzip(content: bytes, where: str) -> bytes:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(
            f"{where}: cannot be unpacked, it is damaged or not a gzip file ({error}); get it again"
        ) from None


def _decode(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8 text"
        if content.startswith(b"\x1f\x8b"):
            hint = "it is packed with gzip: add .gz to its name"
        raise UserError(f"{where}: not UTF-8 text (byte {error.start + 1}); {hint}") from None


def _open_delimited(text: str, delimiter: str, where: str) -> Sheet:
    lines = io.StringIO(text, newline="")
    if delimiter == ",":
        first = text.lstrip().partition("\n")[0]
        # What spreadsheets call csv where the comma stands before decimals.
        delimiter = ";" if ";" in first and "," not in first else ","
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    rows = _delimited_rows(reader, where)
    try:
        _, header = next(rows)
    except StopIteration:
        raise UserError(f"{where}: the file holds nothing but empty lines; get it again") from None
    names = tuple(name.strip() for name in header)
    equal = _check_lengths(rows, len(names), where)
    if delimiter == ";":
        equal = (
            (line, [_DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in row]) for line, row in equal
        )
    return Sheet(names, equal, "line", where)


def _delimited_rows(reader: Any, where: str) -> Iterator[tuple[int, list[str]]]:
    try:
        for cells in reader:
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield reader.line_num, cells
    except csv.Error as error:
        raise UserError(
            f"{where}, line {reader.line_num}: cannot be read ({error}); mend that line"
        ) from None


def _check_lengths(
    rows: Iterator[tuple[int, list[str]]], length: int, where: str
) -> Iterator[tuple[int, list[str]]]:
    for line, cells in rows:
        if len(cells) != length:
            raise UserError(
                f"{where}, line {line}: {len(cells)} fields, but the header names {length} "
                "columns; mend that line"
            )
        yield line, cells


def _other_delimiter(header: str, suffix: str) -> str:
    names = {",": "commas", ";": "semicolons", "\t": "tabs"}
    found = [name for sign, name in names.items() if sign in header]
    if not found or suffix not in (".csv", ".csv.gz", ".tsv", ".tsv.gz"):
        return ""
    wanted = names[_DELIMITERS[suffix.removesuffix(".gz")]]
    return f" (columns separated by {found[0]}? save it with {wanted})"


def _shorten(text: str, length: int = 40) -> str:
    return repr(text if len(text) <= length else text[: length - 3] + "...")


def _open_arff(text: str, where: str) -> Sheet:
    import arff

    # liac-arff cuts the fraction off what an INTEGER column holds; to Weka it is any number.
    text = re.sub(r"(?im)^([ \t]*@attribute\b.*\s)integer[ \t\r]*$", r"\1REAL", text)
    sparse = re.search(r"(?im)^\s*@data\b.*\n(?:\s*(?:%.*)?\n)*\s*\{", text) is not None
    try:
        document = arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE)
    except (arff.ArffException, ValueError, LookupError) as error:
        raise UserError(
            f"{where}: cannot be read as ARFF ({error}); mend it or get it again"
        ) from None
    rows = document["data"]
    if sparse:
        # What a sparse row leaves out is zero, and of named values the first.
        kinds = [kind for _, kind in document["attributes"]]
        zeros = [0.0 if isinstance(kind, str) else kind[0] for kind in kinds]
        rows = ([row.get(i, zero) for i, zero in enumerate(zeros)] for row in rows)
    header = tuple(name.strip() for name, _ in document["attributes"])
    return Sheet(header, iter(enumerate(rows, start=1)), "row", where)


def _open_parquet(content: bytes, where: str) -> Sheet:
    import pyarrow
    import pyarrow.parquet

    try:
        table = pyarrow.parquet.read_table(io.BytesIO(content))
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{where}: cannot be read as Parquet ({reason}); get it again") from None
    # pandas keeps the row labels of a data frame as a column of this name.
    kept = [i for i, name in enumerate(table.column_names) if not name.startswith("__index_level_")]
    if not kept:
        raise UserError(f"{where}: no columns; get it again")
    columns = [table.column(i).to_pylist() for i in kept]
    header = tuple(table.column_names[i].strip() for i in kept)
    rows = (list(cells) for cells in zip(*columns, strict=True))
    return Sheet(header, iter(enumerate(rows, start=1)), "row", where)


def _open_workbook(content: bytes, where: str) -> Sheet:
    """The first sheet of a workbook, values as they were last computed."""
    import warnings

    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and validations that are not kept
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            filled = [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]
    except Exception as error:  # openpyxl has no error of its own for what it cannot read
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UserError(
            f"{where}: cannot be read as an Excel workbook ({reason}); save it again as .xlsx"
        ) from None
    numbered = [(i, row) for i, row in enumerate(filled, start=1) if _has_value(row)]
    if not numbered:
        raise UserError(f"{where}: its first sheet is empty; put the table there")
    (_, header), *rows = numbered
    width = max(i for i, cell in enumerate(header, start=1) if _has_value([cell]))
    names = tuple("" if cell is None else str(cell).strip() for cell in header[:width])
    for line, row in rows:
        if _has_value(row[width:]):
            raise UserError(
                f"{where}, row {line}: a value beyond the last named column; name that column"
            )
    cells = ((line, (row + [None] * width)[:width]) for line, row in rows)
    return Sheet(names, cells, "row", where)


def _has_value(cells: list[Any]) -> bool:
    return any(cell is not None and str(cell).strip() for cell in cells)

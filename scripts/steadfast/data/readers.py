"""Files of a table, opened as a header and rows of cells: csv, tsv, ARFF, Parquet, xlsx."""

from pathlib import Path

from steadfast.core.errors import UserError, shorten
from steadfast.data.reading.allowance import Allowance
from steadfast.data.reading.arff_file import open_arff
from steadfast.data.reading.delimited import NAMES, USUAL, open_delimited
from steadfast.data.reading.parquet import open_parquet
from steadfast.data.reading.sheet import Sheet
from steadfast.data.reading.text import TextFile
from steadfast.data.reading.workbook import open_workbook

#: Endings that are read, in the order in which a folder is searched for a data set.
SUFFIXES = (".csv.gz", ".csv", ".tsv.gz", ".tsv", ".arff", ".parquet", ".xlsx")


def suffix_of(path: Path) -> str:
    """The ending that says how a file is read."""
    for suffix in SUFFIXES:
        if path.name.lower().endswith(suffix):
            return suffix
    raise UserError(f"{path}: unknown kind of file; save it as one of {', '.join(SUFFIXES)}")


def open_sheet(
    content: bytes,
    suffix: str,
    where: str,
    holds: str = "features and a class",
    limit: int | None = None,
) -> Sheet:
    """The header and the rows of a file.

    Parameters
    ----------
    content : the bytes of the file
    suffix : one of `SUFFIXES`
    where : what error messages call the file
    holds : what its columns must be, at least two
    limit : bytes that the table may take; without it, half of the memory
    """
    if not content:
        raise UserError(f"{where}: the file is empty; get it again")
    allowance = Allowance(where, limit)
    allowance.spend(len(content))
    if suffix == ".parquet":
        sheet = open_parquet(content, where, allowance)
    elif suffix == ".xlsx":
        sheet = open_workbook(content, where, allowance)
    else:
        file = TextFile(content, suffix.endswith(".gz"), allowance)
        kind = suffix.removesuffix(".gz")
        if kind == ".arff":
            sheet = open_arff(file, allowance)
        else:
            sheet = open_delimited(file, kind, allowance)
    _check_header(sheet, suffix.removesuffix(".gz"), holds)
    return sheet


def _check_header(sheet: Sheet, kind: str, holds: str) -> None:
    """Refuse one column, and a title in the place of the column names."""
    header = sheet.header
    named = [name for name in header if name]
    if len(header) < 2:
        next(sheet.rows, None)  # says so where there is more in a row than in the header
        raise UserError(
            f"{sheet.where}: one column only ({shorten(header[0])}); a table needs {holds}"
            f"{_other_delimiter(header[0], kind)}"
        )
    if len(named) == 1:
        raise UserError(
            f"{sheet.where}: {shorten(named[0])} is the only column name; if it is a title, take "
            "it out, so that the column names come first"
        )


def _other_delimiter(header: str, kind: str) -> str:
    found = [name for sign, name in NAMES.items() if sign in header]
    if not found or kind not in USUAL:
        return ""
    return f" (columns separated by {found[0]}? save it with {NAMES[USUAL[kind]]})"

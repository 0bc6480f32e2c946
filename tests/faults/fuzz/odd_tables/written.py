"""A table as meant, written into a file: text by hand, workbooks as parts of XML, ARFF, Parquet."""

import gzip
import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from fuzz.odd_tables.meant import Meant
from fuzz.odd_tables.plain_reader import Cell

#: Bytes of a workbook that are the same whatever it holds.
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/'
    '2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-'
    'package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    "{more}</Types>"
)
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships">{all}</Relationships>'
)
_RELATION = (
    '<Relationship Id="{id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/{sort}" Target="{target}"/>'
)
_BOOK = (
    '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
    'main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
    '<sheet name="data" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
_STYLES = (
    '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
    'main"><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill/></fill></fills>'
    '<borders count="1">'
    '<border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId'
    '="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>'
)
_STYLES_TYPE = (
    '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.spreadsheetml.styles+xml"/>'
)


@dataclass(frozen=True)
class Written:
    """A file, and what it means.

    Attributes
    ----------
    suffix, content : the file
    meant : what it says; None where nobody can say, so that it must be refused
    sound : whether it must be read: nothing about it is odd enough to refuse it
    options : of the command
    """

    suffix: str
    content: bytes
    meant: Meant | None
    sound: bool = False
    options: tuple[tuple[str, str], ...] = ()


def plain(cell: Cell) -> str:
    """A cell as text, as programs write it."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def delimited(
    meant: Meant,
    delimiter: str = ",",
    *,
    cell: Callable[[Cell], str] = plain,
    newline: str = "\n",
    quote_all: bool = False,
) -> str:
    """Lines of text with a header; cells are quoted where they must be."""

    def quoted(text: str) -> str:
        needs = quote_all or any(sign in text for sign in (delimiter, '"', "\n", "\r"))
        needs = needs or text != text.strip()
        return '"' + text.replace('"', '""') + '"' if needs else text

    lines = [delimiter.join(map(quoted, meant.names))]
    lines += [delimiter.join(quoted(cell(one)) for one in row) for row in meant.rows]
    return newline.join(lines) + newline


def with_decimal_comma(cell: Cell) -> str:
    """Numbers as spreadsheets write them on most of the continent."""
    return plain(cell).replace(".", ",") if isinstance(cell, float) else plain(cell)


def workbook(
    meant: Meant,
    *,
    dimension: str | None = "right",
    inline: bool = True,
    references: bool = True,
    prelude: Sequence[Sequence[Cell]] = (),
    cell: Callable[[Cell], Any] = lambda value: value,
) -> bytes:
    """A workbook of one sheet; `dimension` is what the sheet says of its size, None for nothing."""
    shared: list[str] = []
    rows = [*prelude, meant.names, *([cell(one) for one in row] for row in meant.rows)]
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = [
            _cell_of(value, f"{letters(column)}{number}" if references else "", inline, shared)
            for column, value in enumerate(row)
        ]
        place = f' r="{number}"' if references else ""
        lines.append(f"<row{place}>{''.join(cells)}</row>")
    if dimension == "right":
        dimension = f"A1:{letters(len(meant.names) - 1)}{len(rows)}"
    size = f"<dimension ref={quoteattr(dimension)}/>" if dimension is not None else ""
    return workbook_of(f"{size}<sheetData>{''.join(lines)}</sheetData>", shared)


def workbook_of(sheet: str, shared: Sequence[str] = (), prologue: str = "") -> bytes:
    """A workbook around the content of its sheet."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relations = [("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "styles", "styles.xml")]
    parts = {
        "xl/workbook.xml": _BOOK,
        "xl/worksheets/sheet1.xml": f'<?xml version="1.0" encoding="UTF-8"?>{prologue}<worksheet '
        f'xmlns="{space}">{sheet}</worksheet>',
        "xl/styles.xml": _STYLES,
    }
    types = _STYLES_TYPE
    if shared:
        texts = "".join(f'<si><t xml:space="preserve">{escape(one)}</t></si>' for one in shared)
        parts["xl/sharedStrings.xml"] = f'<?xml version="1.0"?><sst xmlns="{space}">{texts}</sst>'
        relations.append(("rId3", "sharedStrings", "sharedStrings.xml"))
        types += _STYLES_TYPE.replace("styles", "sharedStrings")
    parts["[Content_Types].xml"] = _TYPES.replace("{more}", types)
    parts["_rels/.rels"] = _relations([("rId1", "officeDocument", "xl/workbook.xml")])
    parts["xl/_rels/workbook.xml.rels"] = _relations(relations)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            # A fixed time: the same case must be the same bytes.
            file.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _relations(entries: Sequence[tuple[str, str, str]]) -> str:
    lines = [_RELATION.format(id=id_, sort=sort, target=target) for id_, sort, target in entries]
    return _RELATIONS.replace("{all}", "".join(lines))


def _cell_of(value: Any, reference: str, inline: bool, shared: list[str]) -> str:
    place = f' r="{reference}"' if reference else ""
    if value is None:
        return f"<c{place}/>"
    if isinstance(value, bool):
        return f'<c{place} t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date):
        return f'<c{place} s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, float):
        return f"<c{place}><v>{value!r}</v></c>"
    if inline:
        text = escape(str(value))
        return f'<c{place} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    shared.append(str(value))
    return f'<c{place} t="s"><v>{len(shared) - 1}</v></c>'


def letters(column: int) -> str:
    """The letters of a column, from 0."""
    return (letters(column // 26 - 1) if column >= 26 else "") + chr(ord("A") + column % 26)


def arff(meant: Meant, *, newline: str = "\n", comments: bool = False) -> str:
    """Dense ARFF: numbers are numeric, texts nominal, gaps question marks."""
    lines = ["% made for a test", "@relation 'a table'", ""] if comments else ["@relation t"]
    for name in meant.names:
        texts = sorted({cell for cell in meant.column(name) if isinstance(cell, str)})
        kind = "{" + ",".join(map(_arff_text, texts)) + "}" if texts else "numeric"
        lines.append(f"@attribute {_arff_text(name)} {kind}")
    lines.append("@data")
    for row in meant.rows:
        cells = [_arff_text(cell) if isinstance(cell, str) else plain(cell) for cell in row]
        lines.append(",".join(cell or "?" for cell in cells))
    return newline.join(lines) + newline


def _arff_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def columns_of(meant: Meant) -> dict[str, list[Cell]]:
    """The cells of a table, column by column."""
    return {name: meant.column(name) for name in meant.names}


def parquet(columns: dict[str, Any], **options: Any) -> bytes:
    """A Parquet file of these columns."""
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), buffer, **options)
    return buffer.getvalue()


def packed(content: bytes) -> bytes:
    """A gzip file, of no time."""
    return gzip.compress(content, mtime=0)

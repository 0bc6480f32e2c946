"""Odd workbooks, ARFF and Parquet files, and files of another kind."""

import io
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

from fuzz.odd_tables.forms import form
from fuzz.odd_tables.meant import Meant, dates, draw, make_up
from fuzz.odd_tables.plain_reader import Cell
from fuzz.odd_tables.written import (
    Written,
    arff,
    columns_of,
    delimited,
    letters,
    parquet,
    plain,
    with_decimal_comma,
    workbook,
    workbook_of,
)

# Workbooks: whether they must be read, and how they are written

WORKBOOKS: dict[str, tuple[bool, Callable[[Meant, Random], bytes]]] = {
    "workbook": (True, lambda m, r: workbook(m)),
    "shared_strings": (True, lambda m, r: workbook(m, inline=False)),
    "no_dimension": (True, lambda m, r: workbook(m, dimension=None)),
    "no_references": (True, lambda m, r: workbook(m, references=False)),
    "small_dimension": (True, lambda m, r: workbook(m, dimension=_corner(m, r.uniform(0.2, 0.9)))),
    "narrow_dimension": (True, lambda m, r: workbook(m, dimension=f"A1:B{len(m.rows) + 1}")),
    "dimension_of_one_cell": (True, lambda m, r: workbook(m, dimension="A1")),
    "large_dimension": (True, lambda m, r: workbook(m, dimension="A1:XFD1048576")),
    "long_dimension": (True, lambda m, r: workbook(m, dimension="A1:H1048576")),
    "shifted_dimension": (True, lambda m, r: workbook(m, dimension="C3:D9")),
    "no_sense_as_dimension": (False, lambda m, r: workbook(m, dimension="here")),
    "title_in_a_workbook": (False, lambda m, r: workbook(m, prelude=[["Results of 2026"]])),
    "numbers_as_texts": (True, lambda m, r: workbook(m, cell=plain)),
    "numbers_as_texts_with_commas": (False, lambda m, r: workbook(m, cell=with_decimal_comma)),
}


def _corner(meant: Meant, share: float) -> str:
    return f"A1:{letters(len(meant.names) - 1)}{max(2, int(share * len(meant.rows)))}"


def _register_workbook(name: str, sound: bool, write: Callable[[Meant, Random], bytes]) -> None:
    def make(random: Random) -> Written:
        meant = draw(random)
        return Written(".xlsx", write(meant, random), meant, sound)

    form("Excel", name)(make)


for _name, _entry in WORKBOOKS.items():
    _register_workbook(_name, *_entry)


def _sheet(change: Callable[[str], str], meant: Meant) -> bytes:
    """A workbook whose sheet is changed as text."""
    with zipfile.ZipFile(io.BytesIO(workbook(meant))) as parts:
        text = parts.read("xl/worksheets/sheet1.xml").decode()
    body = text.partition("<worksheet ")[2].partition(">")[2].removesuffix("</worksheet>")
    return workbook_of(change(body))


@form("Excel")
def cells_of_many_sorts(random: Random) -> Written:
    """Days, truth values, errors of formulas, formulas without a value."""
    meant = make_up(random)
    n = len(meant.rows)
    truth: list[Cell] = [random.random() < 0.5 for _ in range(n - 2)] + [True, False]
    whole = meant.with_column("when", dates(random, n)).with_column("smoker", truth)
    return Written(".xlsx", workbook(whole), whole, True)


@form("Excel")
def a_date_among_numbers(random: Random) -> Written:
    """What a spreadsheet makes of 3.5: one cell of a column of numbers is the third of May."""
    meant = make_up(random)
    cells: list[Cell] = [round(random.gauss(0, 1), 3) for _ in meant.rows]
    cells[random.randrange(len(cells))] = dates(random, 1)[0]
    return Written(".xlsx", workbook(meant.with_column("odd column", cells)), None)


@form("Excel")
def an_error_in_a_cell(random: Random) -> Written:
    word = random.choice(["#DIV/0!", "#REF!", "#NAME?", "#VALUE!"])
    meant = make_up(random)
    cells: list[Cell] = [round(random.gauss(0, 1), 3) for _ in meant.rows]
    content = _sheet(
        lambda text: text.replace("<v>987654.0</v>", f"<v>{word}</v>").replace(
            '"><v>' + word, '" t="e"><v>' + word
        ),
        meant.with_column("odd column", [*cells[:-1], 987654.0]),
    )
    return Written(".xlsx", content, None)


@form("Excel")
def formulas_without_a_value(random: Random) -> Written:
    """A formula that was never computed has no value: a gap."""
    meant = make_up(random)
    cells: list[Cell] = [float(i % 7) for i in range(len(meant.rows))]
    content = _sheet(
        lambda text: text.replace("<v>987654.0</v>", "<f>SUM(B1:B2)</f>"),
        meant.with_column("odd column", [*cells[:-1], 987654.0]),
    )
    return Written(".xlsx", content, meant.with_column("odd column", [*cells[:-1], None]), True)


@form("Excel")
def rows_with_gaps_between(random: Random) -> Written:
    """Rows and cells that hold nothing are not in the file at all."""
    meant = draw(random)
    n = len(meant.rows) + 1

    def spread(text: str) -> str:
        for number in range(n, n // 2, -1):
            text = text.replace(f'<row r="{number}"', f'<row r="{number + 9}"')
            for column in range(len(meant.names)):
                cell = f"{letters(column)}{number}"
                text = text.replace(f'r="{cell}"', f'r="{letters(column)}{number + 9}"')
        return text.replace(f'{n}"/><sheetData', f'{n + 9}"/><sheetData')

    return Written(".xlsx", _sheet(spread, meant), meant, True)


@form("Excel")
def two_rows_of_one_number(random: Random) -> Written:
    """Which of them counts? Nobody knows."""
    meant = draw(random)
    return Written(".xlsx", _sheet(lambda t: t.replace('r="3"', 'r="2"'), meant), meant)


@form("Excel")
def a_bomb_of_entities(random: Random) -> Written:
    """Names that stand for ten names each: a few lines that are gigabytes."""
    lines = ['<!ENTITY a0 "boom">']
    lines += [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)]
    body = (
        '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&a9;</t></is></c></row></sheetData>'
    )
    bomb = workbook_of(body, prologue=f"<!DOCTYPE x [{''.join(lines)}]>")
    return Written(".xlsx", bomb, None)


# ARFF


@form("ARFF")
def weka(random: Random) -> Written:
    meant = draw(random)
    text = arff(meant, newline=random.choice(["\n", "\r\n"]), comments=random.random() < 0.5)
    return Written(".arff", text.encode(), meant, "#cells" not in meant.names)


@form("ARFF")
def sparse_weka(random: Random) -> Written:
    """What a sparse row leaves out is zero."""
    n, lines, rows = random.randint(12, 40), [], []
    for i in range(n):
        cells = [float(random.choice([0, 0, 0, 3, 5])) for _ in range(3)]
        rows.append((*cells, "no" if i % 2 else "yes"))
        said = [f"{place} {plain(cell)}" for place, cell in enumerate(cells) if cell]
        lines.append("{" + ", ".join([*said, *(["3 yes"] if i % 2 == 0 else [])]) + "}")
    head = "@relation t\n@attribute a numeric\n@attribute b numeric\n@attribute c numeric\n"
    text = head + "@attribute class {no,yes}\n@data\n" + "\n".join(lines) + "\n"
    return Written(
        ".arff", text.encode(), Meant(("a", "b", "c", "class"), tuple(rows), "class"), True
    )


ARFF_FAULTS = {
    "weka_without_data": lambda text, random: text.partition("@data")[0],
    "weka_with_an_unknown_value": lambda text, random: text.rpartition(",")[0] + ",never\n",
    "weka_with_an_unknown_type": lambda text, random: text.replace("numeric", "complex", 1),
    "weka_with_a_short_row": lambda text, random: text + "1,2\n",
    "weka_with_equal_names": lambda text, random: text.replace(
        "@data", "@attribute 'class' numeric\n@data"
    ),
    "weka_with_relations": lambda text, random: text.replace("numeric", "relational", 1),
    "weka_of_nothing": lambda text, random: "@relation t\n@data\n",
}


def _register_arff(name: str, change: Callable[[str, Random], str]) -> None:
    def make(random: Random) -> Written:
        return Written(".arff", change(arff(make_up(random)), random).encode(), None)

    form("ARFF", name)(make)


for _name, _change in ARFF_FAULTS.items():
    _register_arff(_name, _change)


# Parquet


@form("Parquet")
def columns_file(random: Random) -> Written:
    meant = draw(random)
    options = {"compression": random.choice(["snappy", "gzip", "zstd", "none"])}
    return Written(".parquet", parquet(columns_of(meant), **options), meant, True)


def _with_typed_column(random: Random, cells: list[Any], typed: Any, sound: bool) -> Written:
    """One more column, whose cells are written as some type of Arrow's."""
    import pyarrow

    meant = make_up(random)
    n = len(meant.rows)
    whole = meant.with_column("odd", (cells * n)[:n])
    columns = {"odd": pyarrow.array((typed[0] * n)[:n], typed[1]), **columns_of(meant)}
    return Written(".parquet", parquet(columns), whole, sound)


@form("Parquet")
def typed_columns(random: Random) -> Written:
    """Whole numbers, short floats, decimals, truth values, days, texts as codes."""
    import pyarrow as pa

    days = dates(random, 4)
    choices = [
        ([1.0, 2.0, 250.0], ([1, 2, 250], pa.uint8())),
        ([1.5, 2.25, -3.0], ([1.5, 2.25, -3.0], pa.float32())),
        ([1.0, None, 3.0], ([1, None, 3], pa.int64())),
        ([True, False, None], ([True, False, None], pa.bool_())),
        (["a", "b", "a"], (["a", "b", "a"], pa.dictionary(pa.int8(), pa.string()))),
        (days, (days, pa.date32())),
        ([None], ([None], pa.null())),
        ([1.5, None, 3.0], ([1.5, float("nan"), 3.0], pa.float64())),
    ]
    cells, typed = random.choice(choices)
    return _with_typed_column(random, cells, typed, True)


@form("Parquet")
def bytes_for_texts(random: Random) -> Written:
    """Texts that were kept as bytes, as some programs do: classes and categories."""
    import pyarrow

    meant = make_up(random)
    labels = pyarrow.array([label.encode() for label in meant.column("class")], pyarrow.binary())
    return Written(".parquet", parquet({**columns_of(meant), "class": labels}), meant)


@form("Parquet")
def lists_in_cells(random: Random) -> Written:
    """Left out, refused, or taken for names: all the same, as long as they stay apart."""
    return _with_typed_column(random, [1.0, 2.0, 3.0], ([[1, 2], [3], [4]], None), False)


@form("Parquet")
def labels_of_a_frame(random: Random) -> Written:
    """The row labels of a data frame are no column."""
    meant = draw(random)
    columns = {**columns_of(meant), "__index_level_0__": list(range(len(meant.rows)))}
    return Written(".parquet", parquet(columns), meant, True)


# Files of another kind under a known ending


@form("other kinds")
def another_kind(random: Random) -> Written:
    meant = make_up(random)
    contents = {
        "xlsx": workbook(meant),
        "parquet": parquet(columns_of(meant)),
        "html": b"<html><body><table><tr><td>1</td></tr></table></body></html>",
        "json": b'[{"a": 1, "class": "x"}, {"a": 2, "class": "y"}]',
        "old Excel": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "PDF": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
        "login page": b"<!DOCTYPE html>\n<title>Log in, please</title>\n",
        "bits": random.randbytes(3000),
        "zip": _zipped(delimited(meant).encode()),
    }
    suffix = random.choice([".csv", ".tsv", ".csv.gz", ".xlsx", ".parquet", ".arff"])
    own = {".xlsx": ["xlsx"], ".parquet": ["parquet"]}.get(suffix, [])
    name = random.choice([name for name in contents if name not in own])
    return Written(suffix, contents[name], None)


@form("other kinds")
def unknown_ending(random: Random) -> Written:
    suffix = random.choice([".npz", ".zip", ".xls", ".ods", ".json", ".txt", ".csv.zip", ".dat"])
    return Written(suffix, delimited(make_up(random)).encode(), None)


def _zipped(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(
            zipfile.ZipInfo("t.csv", (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED
        )
    return buffer.getvalue()

"""Odd files of users: each is read right, or refused in one line that says what to do."""

import gzip
import io
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from test_data import load_file, refusal

from steadfast.core.environment import memory_mb
from steadfast.core.errors import UserError
from steadfast.data import understand
from steadfast.data.frame import Columns, to_frame
from steadfast.data.readers import open_sheet
from steadfast.data.reading import allowance

ROOT = Path(__file__).parents[2]
ROWS = [("1.5", "7", "yes"), ("2.25", "950", "no"), ("3.0", "8", "yes"), ("0.125", "9", "no")]
NUMBERS = [[1.5, 7], [2.25, 950], [3, 8], [0.125, 9]]


def lines(separator=",", names=("a", "b", "y"), rows=ROWS) -> str:
    return "\n".join(separator.join(row) for row in [names, *rows]) + "\n"


def semicolons(*columns: str) -> str:
    """A file with semicolons, from the cells of its columns."""
    cells = [column.split() for column in columns]
    labels = ["yes", "no"] * (len(cells[0]) // 2)
    rows = [";".join(row) for row in zip(*cells, labels, strict=True)]
    names = [*"abcdef"[: len(cells)], "y"]
    return "\n".join([";".join(names), *rows]) + "\n"


def own(path: Path, **options):
    """A table as `advise` reads it."""
    return load_file(path, source="file", path=path.name, columns="any", missing="median")


@pytest.mark.parametrize(
    ("content", "noticed"),
    [
        ("sep=;\n" + lines(";"), "line 1 is no row"),
        ('"sep=|"\r\n' + lines("|"), "line 1 is no row"),
        ("# made by hand\n\n# on Monday, at noon\n" + lines(), "2 comment lines above"),
        ("% one, two, three\n" + lines(), "1 comment line above"),
        ("# one, two, three\n" * 50 + lines(), "50 comment lines above"),
        ("// made by hand\n" + lines(";"), "1 comment line above"),
        (lines("|"), "separated by pipes"),
        (lines("\t"), "separated by tabs"),
        (lines().encode("utf-16"), "read as UTF-16"),
        (lines().encode("utf-16-le"), "read as UTF-16-LE"),
        (lines(";").encode("utf-16-be"), "read as UTF-16-BE"),
    ],
)
def test_what_stands_around_a_table_is_skipped_and_named(tmp_path, content, noticed):
    table, about = load_file(tmp_path / "t.csv", content)
    assert table.features == ("a", "b")
    assert table.X.tolist() == NUMBERS
    assert noticed in about["noticed"][0]


def test_a_plain_table_leaves_nothing_to_notice(tmp_path):
    assert "noticed" not in load_file(tmp_path / "t.csv", lines())[1]


def test_a_line_number_counts_skipped_lines(tmp_path):
    content = "sep=,\n# one\n" + lines() + "1,oops,yes\n"
    assert "line 8: column 'b' holds 'oops'" in refusal(tmp_path / "t.csv", content)


def test_names_may_begin_like_a_comment(tmp_path):
    table, about = load_file(tmp_path / "t.csv", lines(names=("#chrom", "b", "y")))
    assert table.features == ("#chrom", "b")
    assert "noticed" not in about
    table, _ = load_file(tmp_path / "t.csv", "# a note\n" + lines(names=("%fat", "b", "y")))
    assert table.features == ("%fat", "b")
    gap = [("NA", "?", "yes"), *ROWS, ("1", "2", "no")]
    table, _ = load_file(
        tmp_path / "t.csv", lines(names=("#a", "b", "y"), rows=gap), missing="median"
    )
    assert (table.features, len(table.X)) == (("#a", "b"), 6)
    text = "#one,two\nred,x\nblue,z\nred,x\n"
    assert "a comment or the column names" in refusal(tmp_path / "t.csv", text)
    text = lines(";", ("#a", "b;c", "y"))
    assert "a comment or the column names" in refusal(tmp_path / "t.csv", text)


@pytest.mark.parametrize("names", [("a, mg", "b", "y"), ("a, mg", "b, mg, dl", "y")])
def test_a_comma_in_a_name_of_a_semicolon_file_is_part_of_the_name(tmp_path, names):
    text = lines(";", names, rows=[("1,5", "7", "yes"), ("2", "8,5", "no")] * 3)
    table, _ = load_file(tmp_path / "t.csv", text)
    assert table.features == names[:2]
    assert table.X[:2].tolist() == [[1.5, 7], [2, 8.5]]


def test_columns_that_two_signs_may_separate_are_refused_until_one_is_stated(tmp_path):
    text = lines(";", ("a, mg", "b", "y"), rows=[("1,5", "7", "yes"), ("2,x", "8", "no")] * 2)
    assert "put a line `sep=,` or `sep=;`" in refusal(tmp_path / "t.csv", text)
    table, _ = load_file(tmp_path / "t.csv", "sep=;\n" + text.replace("x", "5"))
    assert table.features == ("a, mg", "b")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Patients of 2024\n" + lines(), "line 2: 3 fields, but the header names 1 column; mend"),
        ("Patients of 2024\n" + lines(";"), "if line 1 does not name the columns, take it out"),
        ("Patients, 2024\n" + lines(), "if line 1 does not name the columns, take it out"),
        ("Patients;;\n" + lines(";"), "'Patients' is the only column name"),
        ("\x01" * 200 + "\n", "one column only ('\\x01"),
        (lines().encode("utf-16-le")[:-1], "not UTF-16-LE text"),
        (
            lines() + "1," + "x" * 5000 + ",yes\n",
            "holds 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'",
        ),
    ],
)
def test_what_cannot_be_told_is_refused_with_what_to_do(tmp_path, content, words):
    message = refusal(tmp_path / "t.csv", content)
    assert words in message
    assert len(message) < 400


@pytest.mark.parametrize(
    ("columns", "line", "cell"),
    [
        (("1.014 950 2.500 7", "1,5 2,25 3 4"), 2, "1.014"),
        (("0,5 950 2.500 7",), 4, "2.500"),
        (("1,014 950 2,500 7",), 2, "1,014"),
        (("1.014 950 2.500 7",), 2, "1.014"),
        (("1,014 950 2,500 7", "1.5 2.25 3 4"), 2, "1,014"),
        (("1.5 1,014 2 7",), 3, "1,014"),
    ],
)
def test_marks_that_may_stand_between_thousands_are_refused(tmp_path, columns, line, cell):
    for columns_key in ("numbers", "any"):
        message = refusal(tmp_path / "t.csv", semicolons(*columns), columns=columns_key)
        assert (
            f"line {line}: column 'a' holds {cell!r}, which may be {re.sub('[.,]', '', cell)}"
            in message
        )


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        (("0,125 0,250 1,014 2,500",), [0.125, 0.25, 1.014, 2.5]),
        (("1,754 1,823 1,660 1,701", "0,5 2 3 4"), [1.754, 1.823, 1.66, 1.701]),
        (("1.754 1.823 1.660 1.701", "0.5 2 3 4"), [1.754, 1.823, 1.66, 1.701]),
        (("1014,25 2,5 1,014 3",), [1014.25, 2.5, 1.014, 3]),
        (("1,014e2 2 3 4",), [101.4, 2, 3, 4]),
    ],
)
def test_decimals_are_no_thousands(tmp_path, columns, values):
    table, _ = load_file(tmp_path / "t.csv", semicolons(*columns))
    assert table.X[:, 0].tolist() == values


@pytest.mark.parametrize("sign", ["\t", "|"])
def test_decimal_commas_are_read_beside_tabs_and_pipes_too(tmp_path, sign):
    path = tmp_path / ("t.tsv" if sign == "\t" else "t.csv")
    path.write_text(semicolons("0,5 12,75 3,25 1,5", "7 950 8 9").replace(";", sign))
    assert own(path)[0].X[:, 0].tolist() == [0.5, 12.75, 3.25, 1.5]
    path.write_text(semicolons("1.014 1.250 2.125 7", "7 950 8 9").replace(";", sign))
    assert own(path)[0].X[:, 0].tolist() == [1.014, 1.25, 2.125, 7]
    path.write_text(semicolons("1,014 1,250 2,125 7", "7 950 8 9").replace(";", sign))
    with pytest.raises(UserError, match=r"line 2: column 'a' holds '1,014', which may be 1014 or"):
        own(path)
    path.write_text(semicolons("1.014 950 2.125 7", "0,5 12,75 8 9").replace(";", sign))
    with pytest.raises(UserError, match=r"line 2: column 'a' holds '1.014', which may be 1014 or"):
        own(path)


def test_a_title_of_as_many_fields_is_told_by_the_target_below_it(tmp_path):
    (tmp_path / "t.csv").write_text("Report,2020,v1\n" + lines())
    with pytest.raises(UserError, match=r"`target` names 'y', but a cell below the first line: if"):
        load_file(tmp_path / "t.csv", source="file", path="t.csv", columns="any", target="y")


def test_marks_in_other_columns_than_numbers_do_not_matter(tmp_path):
    text = semicolons("1 2 3 4 5 6", "1.014 x w x z z", "0,5 2 1 7 8 9")
    (tmp_path / "t.csv").write_text(text)
    table, about = own(tmp_path / "t.csv")
    assert about["categories"] == {"b": ["1.014", "w", "x", "z"]}
    assert table.features == ("a", "b", "c")


@pytest.mark.parametrize(
    "cell", ["1,014", "1 014", "1'014", "1_014", "1\u202f014", "1.014.500", "2,5"]
)
def test_few_numbers_with_marks_are_no_categories(cell):
    cells = [cell, f"3{cell[1:]}", cell] * 4
    with pytest.raises(UserError, match=r"row 3: column 'a' holds .* marks between its digits"):
        understand.understand("a", cells, [f"row {i}" for i in range(3, 15)], "t.tsv")
    found = understand.understand("a", cells, [""] * 12, "t.tsv", category=True)
    assert len(found.levels) == 2


def test_numbers_are_read_the_same_by_both_ways():
    texts = ["1", " 2.5 ", "-3e-7", "0.1", "1e22", "٣"]
    slow = understand.understand("a", [*texts, None], [""] * 7, "t").values[:-1]
    np.testing.assert_array_equal(understand.understand("a", texts, [""] * 6, "t").values, slow)


@pytest.mark.parametrize("label", ["none", "-", "NA", "n/a", "null", "?", "nan"])
def test_what_stands_for_nothing_elsewhere_may_be_a_class(tmp_path, label):
    rows = [(*row[:2], label if row[2] == "no" else "yes") for row in ROWS]
    table, about = load_file(tmp_path / "t.csv", lines(rows=rows) + "1,2,\n", missing="median")
    assert set(table.classes) == {label, "yes"}
    assert f"class '{label}' (2 rows) is taken for a class" in about["noticed"][0]
    assert about["missing"] == {"values": 1, "how": "1 rows without a class left out"}


def test_a_class_of_thousands_of_digits_is_a_name(tmp_path):
    long = "1" * 5000
    rows = [(*row[:2], long if row[2] == "no" else "7") for row in ROWS]
    table, _ = load_file(tmp_path / "t.csv", lines(rows=rows))
    assert table.classes == (long, "7")
    message = refusal(tmp_path / "t.csv", lines(rows=rows[:-1]))
    assert f"class '{'1' * 39}…' has one row only" in message


def test_names_that_look_alike_are_named(tmp_path):
    names = ("caf\u00e9", "cafe\u0301", "b", "y")
    rows = [("1", "2", "b\u200bx" if i % 3 else "bx", "Yes" if i < 4 else "yes") for i in range(4)]
    rows += [("2", "1", "c", label) for label in ("yes", "no", "yes", "no")]
    (tmp_path / "t.csv").write_text(lines(names=names, rows=rows))
    _, about = own(tmp_path / "t.csv")
    assert about["noticed"] == [
        "columns 'caf\\xe9' and 'cafe\\u0301' look alike; if they are one, write them the same way",
        "classes 'Yes' and 'yes' look alike; if they are one, write them the same way",
        "categories of 'b': 'bx' and 'b\\u200bx' look alike; if they are one, write them the same "
        "way",
    ]
    message = refusal(tmp_path / "t.csv", lines(names=("caf\u00e9", "b", "y")), target="cafe\u0301")
    assert r"only looks like 'caf\xe9'" in message


def workbook(rows, dimension: str, **parts: str) -> bytes:
    """A workbook that states another size, and has other parts."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    made, changed = io.BytesIO(), io.BytesIO()
    book.save(made)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            text = old.read(part).decode()
            if part.endswith("sheet1.xml"):
                text = re.sub('<dimension ref="[^"]*"', f'<dimension ref="{dimension}"', text)
                for written, instead in parts.items():
                    text = text.replace(written, instead)
            new.writestr(part, text)
    return changed.getvalue()


SHEET = [["a", "b", "y"], *[[i / 4, i % 5, "yes" if i % 2 else "no"] for i in range(60)]]


@pytest.mark.parametrize("dimension", ["A1:C31", "A1:A1", "B2:C31", "A1:XFD1048576", "A1:C61"])
def test_a_workbook_is_read_beyond_the_size_that_it_states(tmp_path, dimension):
    (tmp_path / "t.xlsx").write_bytes(workbook(SHEET, dimension))
    table, about = own(tmp_path / "t.xlsx")
    assert table.X.tolist() == [row[:2] for row in SHEET[1:]]
    assert "noticed" not in about


def test_sheets_that_are_not_read_are_named(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in SHEET:
        book.active.append(row)
    book.create_sheet("notes")
    book.save(tmp_path / "t.xlsx")
    assert own(tmp_path / "t.xlsx")[1]["noticed"] == [
        "the first sheet, 'Sheet', is read, 1 more are not"
    ]


def test_workbooks_that_would_never_end_are_refused(tmp_path):
    far = workbook(SHEET, "A1:C61", **{'r="61"': 'r="999999999999"'})
    assert "a row beyond number 1048576" in refusal(tmp_path / "t.xlsx", far)
    twice = workbook(SHEET, "A1:C61", **{'r="61"': 'r="60"'})
    assert "row 60 stands below row 60" in refusal(tmp_path / "t.xlsx", twice)
    laughs = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet'
    assert "it declares entities" in refusal(
        tmp_path / "t.xlsx", workbook(SHEET, "A1:C61", **{"<worksheet": laughs})
    )


def parquet(**columns) -> bytes:
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), buffer, compression="zstd")
    return buffer.getvalue()


BOMBS = {
    "a packed file": (".csv.gz", gzip.compress((lines() + "1,2,yes\n" * 200_000).encode())),
    "one packed line": (".csv.gz", gzip.compress(b"," * 2_000_000)),
    "one line of columns": (".csv", b"a" + b",12" * 300_000 + b"\n1,2\n"),
    "rows": (".csv", lines(rows=[("1", "2", "no")] * 10_000)),
    "columns": (".csv", lines(names=[f"a{i}" for i in range(9999)], rows=[["1"] * 9999] * 10)),
    "parquet": (".parquet", parquet(a=[1] * 50_000, b=[2] * 50_000, y=["x"] * 50_000)),
    "texts of a workbook": (
        ".xlsx",
        workbook([["a", "b", "y"], *[["x" * 9000, i, "no"] for i in range(200)]], "A1:C3"),
    ),
    "one text in many cells": (
        ".xlsx",
        workbook([["a", "b", "y"], *[["x" * 9000, "no", "no"]] * 200], "A1:C3"),
    ),
    "zeros of a sparse file": (
        ".arff",
        "@relation r\n"
        + "".join(f"@attribute a{i} numeric\n" for i in range(300))
        + "@data\n"
        + "{1 2}\n" * 1000,
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("any_kind", [True, False])
def test_what_would_take_too_much_memory_is_refused_while_it_is_read(bomb, any_kind):
    suffix, content = BOMBS[bomb]
    content = content.encode() if isinstance(content, str) else content
    with pytest.raises(UserError, match=r"t: too large to read: it takes more than 1\.0 MB, half"):
        to_frame(open_sheet(content, suffix, "t", limit=1_000_000), Columns(any_kind=any_kind))


def test_half_of_the_memory_is_the_limit():
    assert allowance.Allowance("t").limit == memory_mb() * 500_000


def test_a_file_beyond_the_limit_is_not_even_read(tmp_path):
    with (tmp_path / "t.csv").open("wb") as file:
        file.truncate(memory_mb() * 1_000_000)
    assert "too large to read" in refusal(tmp_path / "t.csv")

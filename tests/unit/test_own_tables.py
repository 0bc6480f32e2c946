"""What `make advise` makes of a table: 50 odd or bad ones, each read, or refused in one line."""

import io
import os
import sys
from pathlib import Path

import advised
import numpy as np
import pytest

from steadfast.command.main import main
from steadfast.core.errors import UserError
from steadfast.page import sections

ROOT = Path(__file__).parents[2]
ROWS = 24


def table(names=("a", "b", "c"), target="y", classes=("no", "yes"), rows=ROWS, cells=None, seed=0):
    """Lines of a csv file: numbers, the first of which tells the class."""
    draw = np.random.default_rng(seed)
    lines = [",".join([*names, target])]
    for row in range(rows):
        label = classes[row % len(classes)]
        values = draw.normal(size=len(names))
        values[0] += row % len(classes)
        numbers = [f"{value:.4f}" for value in values]
        lines.append(",".join([*(cells(row, numbers) if cells else numbers), label]))
    return "\n".join(lines) + "\n"


def replace_cell(row_number, column, text):
    """Cells with one changed."""

    def cells(row, numbers):
        return [text if (row == row_number and i == column) else n for i, n in enumerate(numbers)]

    return cells


def workbook(rows) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def chart_sheet() -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.create_chartsheet(index=0)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def parquet(**columns) -> bytes:
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), buffer)
    return buffer.getvalue()


PLAIN = table()
ARFF = (
    "@relation r\n@attribute a numeric\n@attribute colour {red,blue}\n@attribute y {no,yes}\n"
    "@data\n"
    + "".join(
        f"{i % 7},{'red' if i % 3 else 'blue'},{'yes' if i % 2 else 'no'}\n" for i in range(24)
    )
)
SHEET = [["a", "b", "y"], *[[i * 1.5 % 7, i % 5, "yes" if i % 2 else "no"] for i in range(ROWS)]]
NAMES = [
    'a"quote',
    "it's",
    "x/y",
    "a b",
    "<b>bold</b>",
    "😀",
    "--help",
    "-1",
    "a;b",
    "$HOME",
    "`x`",
]

#: What the file is called, its content, more options, and the words of the refusal (None:
#: it is read).
CASES = {
    "plain": ("t.csv", PLAIN, {}, None),
    "empty file": ("t.csv", "", {}, "the file is empty"),
    "only blank lines": ("t.csv", "\n\n  \n", {}, "nothing but empty lines"),
    "header only": ("t.csv", "a,b,y\n", {}, "a header, but no rows"),
    "one column": ("t.csv", "y\n1\n2\n", {}, "one column only"),
    "target only": ("t.csv", "a,y\n1,x\n1,x\n2,z\n2,z\n", {"drop": "a"}, "fewer than two columns"),
    "one class": ("t.csv", table(classes=("x",)), {}, "all 24 rows are of class 'x'"),
    "one row per class": ("t.csv", table(classes=("x", "z"), rows=2), {}, "has one row only"),
    "a class of one row": ("t.csv", PLAIN + "1,2,3,rare\n", {}, "class 'rare' has one row only"),
    "two rows per class": ("t.csv", table(rows=4), {}, "none to test on"),
    "one feature": ("t.csv", table(), {"drop": "b,c"}, "one feature only"),
    "all constant": (
        "t.csv",
        table(cells=lambda row, numbers: ["1", "2", "3"]),
        {},
        "no column is left that could be a feature",
    ),
    "one constant": ("t.csv", table(cells=lambda row, numbers: ["1", *numbers[1:]]), {}, None),
    "duplicate names": ("t.csv", table(names=("a", "a", "c")), {}, "2 columns are named 'a'"),
    "target named twice": ("t.csv", table(names=("a", "y", "c")), {}, "2 columns are named 'y'"),
    "a column without a name": ("t.csv", table(names=("a", "", "c")), {}, None),
    "trailing commas": ("t.csv", PLAIN.replace("\n", ",\n"), {"target": "y"}, None),
    "row numbers without a name": (
        "t.csv",
        table(names=("", "b", "c"), cells=lambda row, numbers: [str(row), *numbers[1:]]),
        {},
        None,
    ),
    "not UTF-8": ("t.csv", PLAIN.replace("no", "n\u00f6").encode("latin-1"), {}, "not UTF-8"),
    "UTF-16": ("t.csv", PLAIN.encode("utf-16"), {}, None),
    "byte order mark": ("t.csv", b"\xef\xbb\xbf" + PLAIN.encode(), {}, None),
    "quoted commas": ("t.csv", table(names=('"a,b"', "b", "c")), {}, None),
    "an open quote": ("t.csv", PLAIN.replace("\nn", '\n"n') + '"', {}, "cannot be read"),
    "1e308": ("t.csv", table(cells=replace_cell(3, 1, "1e308")), {}, "too large to compute with"),
    "infinite": ("t.csv", table(cells=replace_cell(3, 1, "inf")), {}, "too large to compute with"),
    "1e-308": ("t.csv", table(cells=replace_cell(3, 1, "1e-308")), {}, None),
    "NaN target": ("t.csv", PLAIN + "1,2,3,\n3,1,2,\n", {}, None),
    "NA as a class": ("t.csv", PLAIN + "3,1,2,NA\n", {}, "class 'NA' has one row only"),
    "NaN target refused": ("t.csv", PLAIN + "1,2,3,\n", {"missing": "refuse"}, "no class"),
    "a quarter is text": (
        "t.csv",
        table(cells=lambda row, n: [n[0], "<0.5" if row % 4 == 0 else n[1], n[2]]),
        {},
        "holds '<0.5' among numbers",
    ),
    "marks for nothing": (
        "t.csv",
        table(
            cells=lambda row, n: [
                n[0],
                ["n/a", "-", ".", "NAN"][row % 4] if row < 8 else n[1],
                n[2],
            ]
        ),
        {},
        None,
    ),
    "decimal commas": ("t.csv", PLAIN.replace(",", ";").replace(".", ","), {}, None),
    "per cent": (
        "t.csv",
        table(cells=lambda row, n: [n[0], f"{row}%", n[2]]),
        {},
        "a number with something around it",
    ),
    "thousands": (
        "t.csv",
        table(cells=lambda row, n: [n[0], f'"1,{row:03d}"', n[2]]),
        {},
        "a number with marks between its digits",
    ),
    "age as target": (
        "t.csv",
        table(classes=[str(i) for i in range(30, 80)], rows=500),
        {},
        "looks like a measurement",
    ),
    "age as classes": (
        "t.csv",
        table(classes=[str(i) for i in range(30, 80)], rows=500),
        {"target": "y", "categories": "y"},
        None,
    ),
    "half points as target": (
        "t.csv",
        table(classes=[str(i / 2) for i in range(20)], rows=200),
        {},
        "looks like a measurement",
    ),
    "chart sheet first": ("t.xlsx", chart_sheet(), {}, "cannot be read as an Excel workbook"),
    "text among numbers": (
        "t.csv",
        table(cells=replace_cell(3, 1, "oops")),
        {},
        "holds 'oops' among",
    ),
    "missing value": ("t.csv", table(cells=replace_cell(3, 1, "?")), {}, None),
    "missing value refused": (
        "t.csv",
        table(cells=replace_cell(3, 1, "?")),
        {"missing": "refuse"},
        "line 5: column 'b' has no value",
    ),
    "a column without values": ("t.csv", table(cells=lambda r, n: [n[0], "", n[2]]), {}, None),
    "continuous target": ("t.csv", PLAIN, {"target": "a"}, "looks like a measurement"),
    "whole numbers as target": (
        "t.csv",
        table(classes=[str(i) for i in range(40, 65)], rows=50),
        {},
        "looks like a measurement",
    ),
    "target not there": ("t.csv", PLAIN, {"target": "why"}, "`target` names 'why'"),
    "groups not there": ("t.csv", PLAIN, {"groups": "patient"}, "`groups` names 'patient'"),
    "drop not there": ("t.csv", PLAIN, {"drop": "zz"}, "`drop` names 'zz'"),
    "groups is the target": ("t.csv", PLAIN, {"target": "y", "groups": "y"}, "both name 'y'"),
    "one group": (
        "t.csv",
        table(cells=lambda row, numbers: [numbers[0], "p1", numbers[2]]),
        {"groups": "b"},
        "all rows are of one group",
    ),
    "unknown missing": ("t.csv", PLAIN, {"missing": "mean"}, "'mean' is not known"),
    "zero-byte parquet": ("t.parquet", b"", {}, "the file is empty"),
    "broken parquet": ("t.parquet", b"PAR1 x", {}, "cannot be read as Parquet"),
    "broken workbook": ("t.xlsx", b"PK\x03\x04 x", {}, "cannot be read as an Excel workbook"),
    "empty workbook": ("t.xlsx", workbook([]), {}, "first sheet is empty"),
    "value beyond the header": ("t.xlsx", workbook([*SHEET, [1, 2, "no", 4]]), {}, "row 26"),
    "old Excel": ("t.xls", b"\xd0\xcf", {}, "unknown kind of file"),
    "workbook": ("t.xlsx", workbook(SHEET), {}, None),
    "parquet": (
        "t.parquet",
        parquet(a=list(np.arange(ROWS) % 5 / 2), b=[True, False] * 12, y=["u", "v"] * 12),
        {},
        None,
    ),
    "arff": ("t.arff", ARFF, {}, None),
    "tsv": ("t.tsv", PLAIN.replace(",", "\t"), {}, None),
    "semicolons": ("t.csv", PLAIN.replace(",", ";"), {}, None),
    "ragged": ("t.csv", PLAIN + "1,2\n", {}, "2 fields, but the header names 4"),
    "odd names": (
        "t.csv",
        table(names=[f'"{n.replace(chr(34), chr(34) * 2)}"' for n in NAMES]),
        {},
        None,
    ),
    "a tab in a name": ("t.csv", table(names=("a\tb", "b", "c")), {}, "holds a tab"),
    "a line break in a name": (
        "t.csv",
        table(names=('"a\nb"', "b", "c")),
        {},
        "holds a tab, a line",
    ),
    "target with a dash": ("t.csv", table(target="--target"), {"target": "--target"}, None),
    "a name beyond measure": ("t.csv", table(names=("n" * 5000, "b", "c")), {}, None),
    "a file name beyond ASCII": ("täble 1 'q'.csv", PLAIN, {}, None),
    "dates": (
        "t.csv",
        table(cells=lambda row, numbers: [numbers[0], f"2024-01-{row + 1:02d}", numbers[2]]),
        {},
        None,
    ),
    "many classes": ("t.csv", table(classes=[f"c{i}" for i in range(30)], rows=90), {}, None),
    "a number as class": ("t.csv", table(classes=("0", "1")), {}, None),
}


def run_check(path: Path, options: dict[str, str], monkeypatch, capsys) -> tuple[int, str, str]:
    """Exit code, output and error of `steadfast advise PATH --check …`, in this process."""
    monkeypatch.chdir(path.parent)
    for key in [key for key in os.environ if key.startswith("ADVISE_")]:
        monkeypatch.delenv(key)
    flags = [f"--{key}={value}" for key, value in options.items()]
    code = 0
    try:
        main(["advise", "--check", *flags, "--", path.name])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
        print(stop.code if isinstance(stop.code, str) else "", file=sys.stderr)
    output = capsys.readouterr()
    return code, output.out, output.err.strip()


@pytest.mark.parametrize("case", CASES)
def test_a_table_is_read_or_refused_in_one_line(case, tmp_path, monkeypatch, capsys):
    name, content, options, words = CASES[case]
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    code, out, error = run_check(tmp_path / name, options, monkeypatch, capsys)
    if words is None:
        assert (code, error) == (0, "")
        assert "rows" in out
    else:
        assert code == 1
        assert words in error
        assert len(error.splitlines()) == 1
        assert "Traceback" not in error
    assert [path.name for path in tmp_path.iterdir()] == [name]  # nothing half-written


def test_what_was_noticed_and_left_out_is_printed(tmp_path, monkeypatch, capsys):
    names = ["a", "b", *(f"constant{i}" for i in range(12))]
    made = table(names, classes=("NA", "yes"), cells=lambda row, n: [*n[:2], *["1"] * 12])
    (tmp_path / "t.csv").write_text("# by hand\n" + made)
    code, out, _ = run_check(tmp_path / "t.csv", {}, monkeypatch, capsys)
    assert code == 0
    assert "  ! 1 comment line above the column names left out: '# by hand'\n" in out
    assert "  ! class 'NA' (12 rows) is taken for a class" in out
    assert "  left out: constant9: the same value, 1, in every row\n  … and 2 more" in out
    found = advised.advise(tmp_path / "t.csv", 4, ("mrmr", "fisher"), [1])
    facts = "".join(map(str, sections._facts(found, "h3")))
    assert "<li>1 comment line above the column names left out" in facts


@pytest.mark.parametrize("case", [case for case, entry in CASES.items() if entry[3] is None])
def test_what_is_read_goes_all_the_way_to_advice(case, tmp_path):
    name, content, options, _ = CASES[case]
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    selectors = ("mrmr", "info_gain", "fisher", "relieff")
    found = advised.advise(path, 4, selectors, [1, 2], **options)
    assert len(found["advice"]["answer"]) in (3, 4, 5)
    names = {feature["name"] for feature in found["features"]}
    assert names <= set(advised.read(path, **options)[0].features)


def test_ids_constants_dates_and_free_text_are_left_out_and_named(tmp_path):
    lines = ["id,patient_id,site,when,note,age,colour,y"]
    for row in range(40):
        note = f"remark {row}"
        cells = [row, 1000 - 7 * row, "here", f"2024-02-{row % 9 + 1:02d}", note, row % 13]
        lines.append(",".join(map(str, [*cells, ["red", "blue"][row % 3 == 0], row % 2])))
    (tmp_path / "t.csv").write_text("\n".join(lines))
    table, about = advised.read(tmp_path / "t.csv", target="y")
    left_out = {one["column"]: one["reason"] for one in about["left_out"]}
    assert table.features == ("age", "colour")
    assert "an id" in left_out["id"]
    assert "an id" in left_out["patient_id"]
    assert left_out["site"] == "the same text, 'here', in every row"
    assert left_out["when"] == "dates or times"
    assert "an id" in left_out["note"]
    assert about["categories"] == {"colour": ["blue", "red"]}
    kept, _ = advised.read(tmp_path / "t.csv", target="y", keep=["patient_id"])
    assert "patient_id" in kept.features


def test_numbers_can_be_declared_categories(tmp_path):
    (tmp_path / "t.csv").write_text(table(cells=lambda row, numbers: [*numbers[:2], str(row % 3)]))
    found, about = advised.read(tmp_path / "t.csv", categories="c")
    assert about["categories"] == {"c": ["0", "1", "2"]}
    assert found.levels == ((), (), ("0", "1", "2"))


def test_rare_categories_are_taken_together(tmp_path):
    cells = [f"c{row % 150:03d}" if row >= 40 else "often" for row in range(400)]
    lines = [f"{cell},{row % 9},{row % 2}" for row, cell in enumerate(cells)]
    (tmp_path / "t.csv").write_text("city,b,y\n" + "\n".join(lines))
    found, about = advised.read(tmp_path / "t.csv")
    assert len(found.levels[0]) == 100
    assert "(other)" in about["categories"]["city"]
    assert "often" in about["categories"]["city"]


def test_a_folder_and_a_name_of_the_catalogue_are_data_too(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text(PLAIN)
    run, study = advised.study_of(tmp_path, target="y")
    assert study.datasets == ["one", "two"]
    assert run.local_files["one"] == tmp_path / "one.csv"
    _, study = advised.study_of(Path("wine"))
    assert (study.name, study.datasets) == ("wine", ["wine"])
    run, study = advised.study_of(Path("openml:61"), target="class")
    assert run.catalogue["openml_61"]["id"] == 61
    assert study.name == "openml_61_class"


def test_files_of_a_folder_that_would_share_a_name_are_refused(tmp_path):
    for name in ("a b", "a_b"):
        (tmp_path / f"{name}.csv").write_text(PLAIN)
    with pytest.raises(UserError, match=r"a b\.csv and a_b\.csv would both be a_b in paths"):
        advised.study_of(tmp_path, target="y")


@pytest.mark.parametrize(
    ("name", "options"),
    [("wine", {"groups": "alcohol"}), ("wine", {"drop": "alcohol"}), ("sonar", {"groups": "f1"})],
)
def test_what_cannot_be_asked_of_a_data_set_of_the_catalogue_is_refused(name, options):
    (key,) = options
    with pytest.raises(UserError, match=f"{key}: the catalogue says what {name} holds"):
        advised.study_of(Path(name), **options)


def test_columns_of_a_data_set_of_the_catalogue_can_be_left_out():
    run, _ = advised.study_of(Path("sonar"), drop="V1")
    assert run.catalogue["sonar"]["drop"] == ["V1"]
    assert "expect" not in run.catalogue["sonar"]

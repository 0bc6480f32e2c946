"""Tables from files and scikit-learn: what is read, what is refused, and in which words."""

import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from steadfast.core.errors import UserError
from steadfast.data import Table, load, local_files, read_table, save

ROWS = [
    ("1", "0.5", "yes"),
    ("2", "-1e-3", "no"),
    ("3", "1234.5678901234567", "yes"),
    ("4", "0", "no"),
]
CSV = "\n".join(",".join(row) for row in [("width", "height", "class"), *ROWS]) + "\n"
ARFF = """% a comment
@RELATION made-up
@ATTRIBUTE width integer
@ATTRIBUTE 'height' NUMERIC
@ATTRIBUTE class {yes,no}
@DATA
""" + "\n".join(",".join(row) for row in ROWS)


def pack(text: str) -> bytes:
    """Packed without the time of day, so that names of tests are the same in every process."""
    return gzip.compress(text.encode(), mtime=0)


def load_file(path: Path, content: str | bytes | None = None, /, **entry: object):
    """Load a file as a user's own."""
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load(path.name, entry, root=path.parent, cache=path.parent / "cache", local_file=path)


def refusal(path: Path, content: str | bytes | None = None, /, **entry: object) -> str:
    """The line that says why a file is refused."""
    with pytest.raises(UserError) as caught:
        load_file(path, content, **entry)
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message
    return message


def write_parquet(path: Path, **columns: list) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table(columns), path)


def check_made_up(table: Table) -> None:
    assert table.features == ("width", "height")
    assert table.classes == ("no", "yes")
    assert table.y.tolist() == [1, 0, 1, 0]
    assert table.X.tolist() == [[1, 0.5], [2, -1e-3], [3, 1234.5678901234567], [4, 0]]
    assert table.X.dtype == np.float64
    assert table.X.flags.c_contiguous
    assert table.y.dtype == np.int64


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", CSV),
        ("t.csv", "\ufeff" + CSV.replace("\n", "\r\n")),
        ("t.csv", CSV.replace("width,", ' "width",').replace("1,", "1 , ") + "\n  \n"),
        ("t.csv.gz", pack(CSV)),
        ("t.tsv", CSV.replace(",", "\t")),
        ("t.csv", CSV.replace(",", "\t")),
        ("t.tsv.gz", pack(CSV.replace(",", "\t"))),
        ("t.arff", ARFF),
    ],
)
def test_text_formats_give_the_same_table(tmp_path, name, content):
    table, _ = load_file(tmp_path / name, content)
    check_made_up(table)


def test_parquet_gives_the_same_table_and_ignores_row_labels_of_pandas(tmp_path):
    path = tmp_path / "t.parquet"
    columns = {"width": [1, 2, 3, 4], "height": [float(row[1]) for row in ROWS]}
    labels = [row[2] for row in ROWS]
    write_parquet(path, **columns, **{"class": labels, "__index_level_0__": [7, 8, 9, 10]})
    table, _ = load_file(path)
    check_made_up(table)


def test_sparse_arff_is_filled_up_and_integer_columns_keep_fractions(tmp_path):
    text = ARFF.split("@DATA")[0] + "@DATA\n{0 1.5}\n{1 2}\n{0 3, 2 no}\n{2 no}\n"
    table, _ = load_file(tmp_path / "t.arff", text)
    assert table.X.tolist() == [[1.5, 0], [0, 2], [3, 0], [0, 0]]
    assert table.y.tolist() == [1, 1, 0, 0]


def test_classes_that_are_integers_are_sorted_as_numbers(tmp_path):
    rows = "".join(f"{i},{name}\n" for i, name in enumerate(["10", "2.0", "-1", "2", "10.0", "-1"]))
    table, description = load_file(tmp_path / "t.csv", "x,class\n" + rows)
    assert table.classes == ("-1", "2", "10")
    assert description["classes"] == {"-1": 2, "2": 2, "10": 2}


def test_target_by_name_and_columns_to_drop(tmp_path):
    content = "class,id,x\na,s1,1\na,s2,2\nb,s3,3\nb,s4,4\n"
    table, _ = load_file(tmp_path / "t.csv", content, target="class", drop=["id", "not there"])
    assert table.features == ("x",)
    assert table.classes == ("a", "b")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "empty"),
        ("\n\n", "empty lines"),
        ("a,b,class\n", "no rows"),
        ("class\na\nb\n", "one column only"),
        ("a,a,class\n1,2,x\n", "2 columns are named 'a'"),
        (",a,class\n1,2,x\n", "column 1 has no name"),
        ('"a\tb",c,class\n1,2,x\n', "tab"),
        ("a,b,class\n1,2,x\n1,x\n", "line 3: 2 fields, but the header names 3"),
        ('a,b,class\n1,2,x\n1,"2,x\n', "line 3: cannot be read"),
        ("a,b,class\n1,2,x\n1,red,x\n", "line 3: column 'b' holds 'red'"),
        ("a,b,class\n1,2,x\n1,2_0,x\n", "line 3: column 'b' holds '2_0'"),
        ("a,b,class\n1,2,x\n-inf,2,x\n", "line 3: column 'a' holds an infinite value"),
        ("a,b,class\n1,2,x\n1,,y\n?,NA,y\n", "line 3: column 'b' has no value (3 missing"),
        ("a,b,class\n1,2,x\n1,2,\n", "line 3: no class in column 'class'"),
        ("a,b,class\n1,2,x\n1,2,x\n", "all 2 rows are of class 'x'"),
        ("a,b,class\n1,2,x\n1,2,x\n1,2,y\n", "class 'y' has one row only"),
        ("0.1,0.2,R\n1,2,R\n3,4,M\n1,2,R\n3,4,M\n", "not column names"),
        ("a,b\n" + "".join(f"1,{i}.5\n" for i in range(30)), "looks like a measurement"),
        (b"a,b\xe9,class\n1,2,x\n", "not UTF-8"),
        (pack(CSV), "add .gz to its name"),
    ],
)
def test_a_csv_file_that_cannot_be_used_is_refused_in_one_line(tmp_path, content, words):
    assert words in refusal(tmp_path / "t.csv", content)


def test_damaged_files_are_refused_in_one_line(tmp_path):
    packed = pack(CSV)
    assert "cannot be unpacked" in refusal(tmp_path / "t.csv.gz", packed[:-12])
    assert "cannot be unpacked" in refusal(tmp_path / "t.csv.gz", CSV)
    assert "cannot be read as Parquet" in refusal(tmp_path / "t.parquet", b"PAR1 nonsense")
    assert "cannot be read as ARFF" in refusal(tmp_path / "t.arff", CSV)
    assert "cannot be read as ARFF" in refusal(tmp_path / "t.arff", ARFF.replace("2,-", "two,-"))
    assert "cannot be read as an Excel workbook" in refusal(tmp_path / "t.xlsx", b"PK nonsense")
    assert "unknown kind of file" in refusal(tmp_path / "t.xls", b"")
    assert "No such file" in refusal(tmp_path / "missing.csv")


def test_parquet_columns_that_are_no_numbers_are_refused(tmp_path):
    path = tmp_path / "t.parquet"
    write_parquet(path, a=[1, 2], b=[[1], [2]], c=["x", "y"])
    assert "row 1: column 'b' holds '[1]'" in refusal(path)


def test_a_wrong_target_or_drop_suggests_the_nearest_column(tmp_path):
    assert "did you mean 'class'?" in refusal(tmp_path / "t.csv", CSV, target="clas")
    entry = {"source": "file", "path": "t.csv", "drop": ["widht"]}
    with pytest.raises(UserError, match=r"`drop` names 'widht'.*did you mean 'width'"):
        load("t", entry, root=tmp_path, cache=tmp_path)


def test_missing_values_are_filled_or_their_rows_left_out_as_the_entry_says(tmp_path):
    content = "a,b,class\n1,,x\n2,5,x\n6,7,y\n?,9,y\n8,9,y\n"
    table, description = load_file(tmp_path / "t.csv", content, missing="median")
    np.testing.assert_array_equal(table.X, [[1, np.nan], [2, 5], [6, 7], [np.nan, 9], [8, 9]])
    how = "median of the training rows of each fold"
    assert description["missing"] == {"values": 2, "how": how}
    with pytest.raises(UserError, match="class 'x' has one row only"):
        load_file(tmp_path / "t.csv", missing="drop_rows")
    table, description = load_file(tmp_path / "t.csv", content + "3,3,x\n", missing="drop_rows")
    assert table.X.tolist() == [[2, 5], [6, 7], [8, 9], [3, 3]]
    assert description["missing"] == {"values": 2, "how": "2 rows left out"}
    assert "no median" in refusal(tmp_path / "t.csv", "a,class\n,x\n,y\n", missing="median")
    assert "no class" in refusal(tmp_path / "t.csv", "a,class\n2,x\n1,\n")
    _, description = load_file(tmp_path / "t.csv", content + "3,3,\n", missing="median")
    assert description["missing"]["how"] == f"{how}; 1 rows without a class left out"
    assert "leaves nothing" in refusal(tmp_path / "t.csv", "a,class\n,x\n1,\n", missing="drop_rows")


@pytest.mark.parametrize("expect", [{"rows": 5}, {"features": 3}, {"classes": 3}])
def test_a_table_of_another_shape_than_expected_is_refused(tmp_path, expect):
    ((key, number),) = expect.items()
    message = refusal(tmp_path / "t.csv", CSV, expect=expect)
    assert f"{key} found, but the catalogue expects {number}" in message


def test_a_bundled_table_is_checked_against_its_checksum(tmp_path):
    path = tmp_path / "tables" / "t.csv.gz"
    path.parent.mkdir()
    path.write_bytes(pack(CSV))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    entry = {"source": "bundled", "path": "tables/t.csv.gz", "sha256": digest}
    table, description = load("t", entry, root=tmp_path, cache=tmp_path)
    check_made_up(table)
    assert description["origin"] == "bundled tables/t.csv.gz"
    assert description["sha256"] == digest
    path.write_bytes(pack(CSV.replace("0.5", "0.6")))
    with pytest.raises(UserError, match=rf"{digest[:12]}.*git checkout -- tables/t.csv.gz"):
        load("t", entry, root=tmp_path, cache=tmp_path)
    path.unlink()
    with pytest.raises(UserError, match="git checkout"):
        load("t", entry, root=tmp_path, cache=tmp_path)


def test_a_local_file_comes_before_the_source_but_must_meet_the_expectation(tmp_path):
    entry = {"source": "bundled", "path": "gone.csv", "sha256": "0" * 64, "title": "Made up"}
    path = tmp_path / "t.csv"
    _, description = load_file(path, CSV, **entry, expect={"rows": 4})
    assert description["origin"] == "local file t.csv"
    assert description["title"] == "Made up"
    assert "expects 9" in refusal(path, CSV, **entry, expect={"rows": 9})


def test_a_folder_is_searched_for_packed_files_first(tmp_path):
    assert local_files(tmp_path) == {}
    for ending in ("parquet", "arff", "tsv", "tsv.gz", "csv", "csv.gz"):
        (tmp_path / f"t.{ending}").touch()
        assert local_files(tmp_path) == {"t": tmp_path / f"t.{ending}"}
    with pytest.raises(UserError, match=r"local_data: .* is not a folder"):
        local_files(tmp_path / "nowhere")


def test_rows_of_another_table_are_left_out_once_for_each_time_they_stand_there(tmp_path):
    whole = "x,class\n1,a\n1,a\n2,a\n-0.0,b\n3,b\n3,b\n1,b\n"
    part = "pixel,label\n0,b\n1,a\n3,b\n9,a\n9,b\n9,a\n"
    (tmp_path / "whole.csv").write_text(whole)
    (tmp_path / "part.csv").write_text(part)
    catalogue = {
        "whole": {"source": "file", "path": "whole.csv", "without_rows_of": "part"},
        "part": {"source": "file", "path": "part.csv"},
    }
    places = {"root": tmp_path, "cache": tmp_path, "catalogue": catalogue}
    table, description = load("whole", catalogue["whole"], **places)
    assert table.X[:, 0].tolist() == [1, 2, 3, 1]
    assert [table.classes[code] for code in table.y] == ["a", "a", "b", "b"]
    assert description["origin"] == "file whole.csv without the rows of part"
    catalogue["whole"]["without_rows_of"] = "parts"
    with pytest.raises(UserError, match=r"no data set 'parts'.*did you mean 'part'"):
        load("whole", catalogue["whole"], **places)


def test_scikit_learn_data_are_pinned(tmp_path):
    entry = {"source": "sklearn", "loader": "wine", "expect": {"rows": 178, "features": 13}}
    table, description = load("wine", entry, root=tmp_path, cache=tmp_path)
    assert table.classes == ("class_0", "class_1", "class_2")
    assert description["origin"] == "scikit-learn load_wine"
    entry["sha256"] = "0" * 64
    with pytest.raises(UserError, match="pinned version of scikit-learn"):
        load("wine", entry, root=tmp_path, cache=tmp_path)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({}, "no `source`"),
        ({"source": "web"}, "`source: web` is unknown"),
        ({"source": "bundled", "path": "t.csv"}, "no `sha256`"),
        ({"source": "sklearn", "loader": "boston"}, "`loader: boston` is unknown"),
        ({"source": "openml"}, "no `id`"),
        ({"source": "file", "path": "t.csv"}, "local_data=FOLDER"),
    ],
)
def test_an_entry_that_cannot_be_followed_is_explained(tmp_path, entry, words):
    with pytest.raises(UserError, match=words):
        load("t", entry, root=tmp_path, cache=tmp_path)


def test_a_saved_table_comes_back_and_damage_is_noticed(tmp_path):
    table, description = load_file(tmp_path / "t.csv", CSV)
    path = tmp_path / "results" / "t.npz"
    save(table, description, path)
    check_made_up(read_table(path))
    assert json.loads(path.with_suffix(".json").read_text())["classes"] == {"no": 2, "yes": 2}
    first = path.read_bytes()
    save(table, description, path)
    assert path.read_bytes() == first
    path.write_bytes(first[:-1])
    with pytest.raises(UserError, match="differs from the checksum"):
        read_table(path)

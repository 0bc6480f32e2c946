"""Folds as text for rules in any language, and the rankings that come back."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.selectors.running.fold_file import read_selections, selection_to_bytes
from steadfast.selectors.running.rankings import fold_to_csv, read_ranking

FEATURES = ["alcohol", "ash, wet", 'the "hue"', "x 4"]


@pytest.fixture
def read(tmp_path):
    def read_text(text, features=FEATURES):
        path = tmp_path / "f01.tsv"
        path.write_bytes(text.encode())
        return read_ranking(path, features)

    return read_text


names = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(names, min_size=1, max_size=5, unique=True), st.data())
def test_a_fold_keeps_names_digits_and_classes(features, data):
    row = st.lists(numbers, min_size=len(features), max_size=len(features))
    X = np.array(data.draw(st.lists(row, min_size=1, max_size=4)))
    y = np.arange(len(X)) % 3
    header, *rows = csv.reader(io.StringIO(fold_to_csv(X, y, features).decode(), newline=""))
    assert header[:-1] == features
    assert header[-1] not in features
    assert np.array_equal(np.array([row[:-1] for row in rows], dtype=float), X)
    assert [row[-1] for row in rows] == [f"c{code + 1}" for code in y]


def test_only_the_header_of_a_fold_can_hold_quotes():
    text = fold_to_csv(np.array([[1, 2.5, 1e-300, 0.1]]), np.array([1]), FEATURES).decode()
    assert text == (
        'alcohol,"ash, wet","the ""hue""",x 4,class\n1.0,2.5,1e-300,0.1,c2\n'
    )  # so that awk -F, reads the rows


def test_categories_are_codes_and_missing_numbers_the_median_of_the_fold():
    X = np.array([[1.0, 0], [np.nan, 2], [4, 0], [9, 1]])
    text = fold_to_csv(X, np.array([0, 1, 0, 1]), ["a", "b"], ((), ("x", "y, z", "w"))).decode()
    assert text == "a,b,class\n1.0,v1,c1\n4.0,v3,c2\n4.0,v1,c1\n9.0,v2,c2\n"


def test_the_class_column_gives_way_to_a_feature_of_its_name():
    header, _ = fold_to_csv(np.ones((1, 2)), np.zeros(1, int), ["class_", "class"]).split(b"\n", 1)
    assert header == b"class_,class,class__"


@pytest.mark.parametrize(
    ("text", "sequence", "weights"),
    [
        ("feature\nx 4\nalcohol\n", [3, 0], [1, 0.75]),
        ("column\tweight\n1\t0.5\n2\t-1\n3\t2\n", [2, 0, 1], [2, 0.5, -1]),
        # equal weights and ranks by column, whatever the order of the lines
        ("feature\tweight\nx 4\t7\nash, wet\t7\n", [1, 3], [7, 7]),
        ("column\trank\n4\t1.5\n2\t1.5\n1\t3\n", [1, 3, 0], [1, 1, 0.5]),
        # the rank orders, the weight is kept
        ("feature\trank\tweight\nalcohol\t2\t9\nx 4\t1\t-inf\n", [3, 0], [-np.inf, 9]),
        ('\ufefffeature\r\nthe "hue"\r\n', [2], [1]),
    ],
)
def test_a_ranking_is_by_rank_else_by_weight_else_by_line(read, text, sequence, weights):
    found = read(text)
    assert found.sequence_.tolist() == sequence
    assert found.scores_[sequence].tolist() == weights


def test_further_columns_explain_each_step_in_the_files_of_folds(tmp_path, read):
    found = read("column\tweight\tselected\twhy\n2\t1\tno\tb\n4\t3\tyes\ta\n")
    path = tmp_path / "s001.tsv"
    write_with_manifest({path: selection_to_bytes(found, FEATURES)}, tmp_path / "batch0.sha256")
    assert path.read_text() == (
        "rank\tfeature\tweight\tselected\twhy\n1\tx 4\t3.0\tyes\ta\n2\tash, wet\t1.0\tno\tb\n"
    )
    back = read_selections([tmp_path / "batch0.sha256"], ["s001"], FEATURES)["s001"]
    assert (back.sequence.tolist(), back.chosen.tolist()) == ([3, 1], [3])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "is empty; the rule must write one line for each ranked feature"),
        ("feature\n", "has a header and no feature below it; the rule must write one line"),
        ("rank\tweight\n1\t2\n", "feature: this column is missing from the header (rank, weight)"),
        ("feature\nalcool\n", "feature: line 2: 'alcool' is no feature of the data set; did you"),
        ('feature\n"x 4"\n', "feature: line 2: '\"x 4\"' is no feature of the data set; write x 4"),
        ("column\n2\n0\n", "column: line 3: '0' is no column of the data set; they go from 1 to 4"),
        ("column\n2\n1\n2\n", "column: line 4: 2 stands in line 2 too; rank it once"),
        ("column\tweight\n2\tNA\n", "weight: line 2: 'NA' is no number; write one, or leave"),
        ("column\trank\n2\t\n", "rank: line 2: '' is no number"),
        ("column\tweight\n2\n", "line 2: has 1 cells, but the header has 2; separate them by tabs"),
        ("column\tfeature\n1\talcohol\n", "column: stands beside feature; leave one of the two"),
        ("column\twhy\twhy\n1\ta\tb\n", "why: stands twice in the header; give each column"),
        ("column\t\n1\ta\n", "header: a column of the header has no name"),
        ("column\taction\n1\ta\n", "action: this name means something else in files of folds"),
        ("column\tselected\n1\t1\n", "selected: '1' is neither yes nor no"),
        (
            "column\tselected\n1\tno\n2\tyes\n",
            "selected: the selected features must have the first",
        ),
    ],
)
def test_a_wrong_ranking_is_one_line_with_file_field_and_fix(read, text, line):
    with pytest.raises(UserError, match=rf"f01\.tsv: {re.escape(line)}") as caught:
        read(text)
    assert "\n" not in str(caught.value)


def test_a_ranking_that_is_no_text_is_named(tmp_path):
    (tmp_path / "f01.tsv").write_bytes(b"feature\n\xff\xfe\n")
    with pytest.raises(UserError, match=r"f01\.tsv: cannot be read: it is not UTF-8 text"):
        read_ranking(tmp_path / "f01.tsv", FEATURES)

"""Readings give the printed numbers, by the values that the documents keep of a default run."""

import pytest
from documents import ROOT

from check_documents import NUMBERS, read_numbers
from steadfast.study.published import read_published, rows_of_table

#: How near the rows of Wine as published come to the printed ones.
NEAR = {"rate": 0.01, "size": 0.4, "cw": 0.04, "jaccard": 0.04, "cw_rel": 0.06}


def kept(paper):
    """Values of cells by file, row and column."""
    numbers = read_numbers(NUMBERS / f"{paper}.csv")
    return {(one.file, one.row, one.column): float(one.value) for one in numbers}


@pytest.mark.parametrize("selector", ["sfs_gaussian", "sffs_gaussian", "sfs_knn", "sffs_knn"])
def test_wrappers_on_wine_as_published(selector):
    rows = rows_of_table(read_published(ROOT / "config/published/somol2008.csv"), "table1")
    ours = kept("somol2008")
    for column, near in NEAR.items():
        key = ("somol2008/tables/table1.csv", f"selector={selector}_published", column)
        assert ours[key] == pytest.approx(rows[selector][column], abs=near)


def test_mrsmr_gains_where_its_memory_is_carried_and_not_as_written():
    ours = kept("ji2015")
    low, high = (
        {
            selector: ours[
                "ji2015_readings/tables/readings.csv", f"dataset=mfeat;selector={selector}", end
            ]
            for selector in ("carried", "written")
        }
        for end in ("difference low", "difference high")
    )
    assert low["carried"] >= 0.12
    assert high["written"] < 0


def test_no_one_rule_for_constant_features_serves_digits_and_ionosphere():
    ours = kept("gulgezen2009")

    def difference(dataset, rule):
        row = f"dataset={dataset};rule={rule}"
        return ours["gulgezen2009/tables/table7_constant.csv", row, "difference"]

    assert difference("digits", 1) <= 0.3 < difference("digits", 0)
    assert difference("ionosphere", 0) <= 0.45 < difference("ionosphere", 1)

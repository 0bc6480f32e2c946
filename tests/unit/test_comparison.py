"""Published numbers beside ours, tables in print, and the summary's arithmetic."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import Pair, pair_up, read_pairs, to_csv
from steadfast.outputs.summary import agreement
from steadfast.outputs.table import markdown_rows
from steadfast.statistics.correlation import spearman
from steadfast.study.published import read_published

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "config/published/gulgezen2009.csv"


def test_every_published_number_is_there():
    every = read_published(PUBLISHED)
    rows = [row for row in every if row["table"] != "table2"]
    assert (len(every) - len(rows), len(rows)) == (8 * 3, 4 * 4 * 5 + 2 * 8 * 5)
    sums = {}
    for row in rows:
        key = row["table"], row["row"]
        sums[key] = sums.get(key, 0) + float(row["value"])
    # Five ranks sum to 15; ties that share the smaller rank only take away.
    assert all(13 <= total <= 15.11 for total in sums.values())
    cells = {(row["table"], row["row"], row["column"]): row["value"] for row in rows}
    for table, summary, dataset in (("table3", "table7", "musk1"), ("table6", "table8", "mfeat")):
        for alpha in ("0", "0.25", "0.5", "0.75", "1"):
            column = f"mid_alpha_{alpha}"
            assert cells[table, "0.25", column] == cells[summary, dataset, column]


def test_one_published_row_cannot_come_from_ranks_over_all_sizes():
    """All α choose the same first feature, and all features at the last size.

    There all five share rank 1, so that with m sizes the mean ranks of a row sum to at most
    (15(m − 2) + 2·5) / m, and each is rounded by at most 0.05.
    """
    rows = read_published(PUBLISHED)
    features = {r["row"]: float(r["value"]) for r in rows if r["column"] == "features"}
    sums = {}
    for row in rows:
        if row["table"] in ("table7", "table8"):
            key = row["table"], row["row"]
            sums[key] = sums.get(key, 0) + float(row["value"])
    allowed = {name: (15 * (m - 2) + 10) / m + 5 * 0.05 for name, m in features.items()}
    impossible = [key for key, total in sums.items() if total > allowed[key[1]] + 1e-9]
    assert impossible == [("table8", "wine")]
    assert sums["table8", "wine"] == pytest.approx(13.9)
    assert allowed["wine"] == pytest.approx(13.71, abs=0.005)


def test_cells_are_paired_by_table_row_and_column_with_stand_ins(tmp_path):
    published = [
        {"table": "table7", "row": "optdigits_train", "column": "a", "value": "2", "sd": "1"},
        {"table": "table7", "row": "parkinsons", "column": "a", "value": "2", "sd": "1"},
        {"table": "table9", "row": "wine", "column": "a", "value": "2", "sd": "1"},
    ]
    write_with_manifest({tmp_path / "table7.csv": b"dataset,sizes,a,a sd\ndigits,64,2.5,0.5\n"})
    (pair,) = pair_up(published, [tmp_path / "table7.csv"], {"optdigits_train": "digits"})
    assert (pair.ours, pair.difference, pair.ours_sd) == (2.5, 0.5, 0.5)
    assert pair.note == "digits stands in for optdigits_train"
    write_with_manifest({tmp_path / "published.csv": to_csv([pair])})
    assert read_pairs(tmp_path / "published.csv") == [pair]
    header = next(csv.reader((tmp_path / "published.csv").open()))
    assert header[:6] == ["table", "row", "column", "published", "ours", "difference"]


def test_a_printed_row_is_paired_with_each_of_its_readings(tmp_path):
    published = [{"table": "t", "row": "sfs", "column": "a", "value": "2", "sd": "1"}]
    write_with_manifest({tmp_path / "t.csv": b"selector,a\nsfs,1\nanew,3\n"})
    pairs = pair_up(published, [tmp_path / "t.csv"], {}, {"sfs": ["anew", "sfs", "absent"]})
    assert [(pair.row, pair.difference) for pair in pairs] == [("anew", 1), ("sfs", -1)]


def test_agreement_is_the_mean_absolute_difference_and_the_mean_rank_correlation():
    ours, theirs = [1.1, 2.3, 2.9, 1.5, 2.0, 4.0], [1.0, 2.0, 3.0, 2.0, 1.5, 4.0]
    pairs = [
        Pair("t", "r1" if i < 3 else "r2", str(i), theirs[i], ours[i], 0, 0, "") for i in range(6)
    ]
    result = agreement(pairs)
    assert result["difference"] == pytest.approx(np.mean([0.1, 0.3, 0.1, 0.5, 0.5, 0]))
    expected = [spearmanr(ours[s], theirs[s]).statistic for s in (slice(3), slice(3, 6))]
    assert result["correlation"] == pytest.approx(np.mean(expected))


def test_spearman_agrees_with_scipy_and_is_nan_for_constants():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 4, 20).astype(float), rng.integers(0, 4, 20).astype(float)
    assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic)
    assert np.isnan(spearman(np.ones(4), np.arange(4.0)))


def test_markdown_cells_may_hold_bars():
    assert markdown_rows(["a|b", "c"], [["1", "2"]]) == [
        "| a\\|b | c |",
        "| --- | :---: |",
        "| 1 | 2 |",
    ]

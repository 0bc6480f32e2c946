"""Kalousis et al. (2005): what its printed numbers say, and readings of them."""

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import yaml

from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.data.sources.synthetic import synthetic
from steadfast.outputs.published import MEAN_ROW, pair_means, pair_up
from steadfast.outputs.tables.readings import expected_overlap, random_choice
from steadfast.selectors import InformationGain
from steadfast.study.context import evidence_context
from steadfast.study.load import load_study
from steadfast.study.published import read_published
from steadfast.study.run import load_run, study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
PUBLISHED = read_published(ROOT / "config/published/kalousis2005.csv")
SELECTORS = ("info_gain", "relieff", "svm_one", "svm_rfe")
CELLS = {(row["table"], row["row"], row["column"]): row for row in PUBLISHED}

MEASURES = ["jaccard", "spearman", "spearman_random_ties", "pearson"]
STUDY = {
    "title": "For tests",
    "datasets": ["wine", "iris"],
    "stand_ins": {"ovarian": "wine"},
    "resample": {"scheme": "subsample", "repeats": 3},
    "selectors": {
        "info_gain": {"label": "IG"},
        "reversed": {"use": "info_gain", "order": "ascending", "page": False, "label": "Reversed"},
    },
    "stability": {"compare": "all_pairs", "measures": MEASURES},
    "accuracy": {"classifiers": {}},
}


def value(table, row, column):
    return float(CELLS[table, row, column]["value"])


def test_table_3_repeats_table_2_but_for_the_cells_that_are_marked():
    """Table 3 has two digits of Table 2's S_S, mostly cut off, not rounded."""
    odd = []
    for dataset in ("ovarian", "prostate", "stroke"):
        for name in SELECTORS:
            exact = value("table2", dataset, f"{name} jaccard")
            short = value("table3", f"{dataset} 10", f"{name} stability")
            if abs(exact - short) > 0.01:
                odd.append((dataset, name))
                notes = (
                    CELLS["table2", dataset, f"{name} jaccard"]["note"],
                    CELLS["table3", f"{dataset} 10", f"{name} stability"]["note"],
                )
                assert notes[0] == f"Table 3 prints {short:.2f} for the same".replace("0.", ".")
                assert notes[1] == f"Table 2 prints {exact:.4f} for the same".replace("0.", ".")
    assert odd == [("ovarian", "info_gain"), ("ovarian", "svm_one")]


def test_derived_cells_are_marked_and_follow_from_the_overlaps():
    derived = [row for row in PUBLISHED if row["note"].startswith("derived")]
    assert len(derived) == 4
    for row in derived:
        name = row["column"].partition(" ")[0]
        overlap = value("table2", row["row"], f"{name} expected_overlap")
        assert float(row["value"]) == pytest.approx(overlap / (20 - overlap), abs=1e-4)
        assert expected_overlap(float(row["value"]), 10) == pytest.approx(overlap, abs=0.005)


@pytest.mark.parametrize("name", ["info_gain", "relieff"])
@pytest.mark.parametrize("measure", ["pearson", "spearman", "jaccard"])
def test_the_papers_own_averages_are_those_of_its_rows(name, measure):
    rows = [value("table2", row, f"{name} {measure}") for row in ("ovarian", "prostate", "stroke")]
    assert value("table2", MEAN_ROW, f"{name} {measure}") == pytest.approx(np.mean(rows), abs=1e-4)


def test_a_random_choice_shares_what_all_pairs_of_subsets_share():
    subsets = [set(each) for each in combinations(range(7), 3)]
    mean = np.mean([len(a & b) / len(a | b) for a in subsets for b in subsets])
    assert random_choice(7, 3) == pytest.approx(mean, abs=1e-12)
    assert random_choice(3, 3) == 1


def test_ascending_order_turns_the_gains_round():
    frame, _ = synthetic("made", {"rows": 60, "features": 30, "relevant": 5, "separation": 2})
    y = np.unique(frame.labels, return_inverse=True)[1]
    down, up = InformationGain().fit(frame.X, y), InformationGain(order="ascending").fit(frame.X, y)
    assert up.scores_.tolist() == (0.0 - down.scores_).tolist()
    assert not np.signbit(up.scores_[down.scores_ == 0]).any()
    assert down.scores_[up.sequence_].tolist() == sorted(down.scores_)
    with pytest.raises(ValueError, match="order must be one of"):
        InformationGain(order="up").fit(frame.X, y)
    with pytest.raises(ValueError, match="places must be one of"):
        InformationGain(places="bins").fit(frame.X, y)


def test_synthetic_classes_may_have_sizes():
    settings = {"rows": 10, "features": 3, "relevant": 1, "class_rows": [7, 3]}
    frame, _ = synthetic("made", settings)
    assert np.unique(frame.labels, return_counts=True)[1].tolist() == [7, 3]
    with pytest.raises(UserError, match="class_rows: must be 2 numbers that add up to 10 rows"):
        synthetic("made", {**settings, "class_rows": [7, 4]})


def load(tmp_path, **changes):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **changes}, sort_keys=False))
    return load_study(path, SCHEMA, ["wine", "iris"])


def test_the_page_does_not_judge_a_reading(tmp_path):
    study = load(tmp_path)
    assert list(study.selectors) == ["info_gain", "reversed"]
    context = evidence_context(study, "wine", folds_per_job=50, seed=1)
    assert list(context["selectors"]) == ["info_gain"]


def test_cells_of_sizes_and_selectors_are_paired_with_notes(tmp_path):
    table2 = b"dataset,selector,jaccard,choice\nwine,info_gain,0.7,x\nmean,info_gain,0.5,x\n"
    table3 = b"dataset,k,info_gain stability,choice\nwine,10,0.7,info_gain\n"
    paths = [tmp_path / "table2.csv", tmp_path / "table3.csv"]
    for path, content in zip(paths, (table2, table3), strict=True):
        write_with_manifest({path: content})
    pairs = pair_up(PUBLISHED, paths, {"ovarian": "wine"})
    found = {(pair.table, pair.row, pair.column): pair for pair in pairs}
    assert set(found) == {
        ("table2", "wine", "info_gain jaccard"),
        ("table3", "wine 10", "info_gain stability"),
    }
    pair = found["table2", "wine", "info_gain jaccard"]
    assert (pair.published, pair.ours) == (0.0293, 0.7)
    assert pair.note == "wine stands in for ovarian; Table 3 prints .01 for the same"


def test_means_name_derived_cells_and_the_papers_own(tmp_path):
    header = ["dataset", "selector", "jaccard"]
    rows = [["wine", name, 0.5] for name in SELECTORS] + [["mean", name, 9] for name in SELECTORS]
    lines = "\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n"
    write_with_manifest({tmp_path / "table2.csv": lines.encode()})
    pairs = pair_means(PUBLISHED, [tmp_path / "table2.csv"], {"table2": ["jaccard"]})
    means = {pair.column: pair for pair in pairs if pair.row == "mean of jaccard"}
    assert all(pair.ours == 0.5 for pair in pairs)
    assert means["svm_rfe"].note.count("derived: S = r/(20 − r)") == 2
    assert "derived" not in means["relieff"].note
    own = {pair.column: pair for pair in pairs if pair.row != "mean of jaccard"}
    assert list(own) == ["info_gain", "relieff"]
    assert own["relieff"].published == 0.5411


def test_the_file_of_published_numbers_may_be_another_studys(tmp_path):
    config = {**read_yaml(ROOT / "config/config.yaml"), "studies": [str(tmp_path / "mine.yaml")]}
    load(tmp_path, published="kalousis2005", stand_ins={})
    assert len(load_run(config, ROOT).published["mine"]) == len(PUBLISHED)
    load(tmp_path, published="kalousis2004", stand_ins={})
    with pytest.raises(UserError, match=r"published: .*kalousis2004.csv is not there"):
        load_run(config, ROOT)


def test_the_printed_numbers_have_a_note_column():
    with (ROOT / "config/published/kalousis2005.csv").open(newline="") as file:
        assert next(csv.reader(file)) == ["table", "row", "column", "value", "sd", "note"]

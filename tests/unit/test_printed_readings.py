"""Kalousis et al. (2005): what its numbers say, and the kinds that hold readings against them."""

import csv
import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import yaml
from summaries import summarise

from steadfast.core.config import read_yaml
from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.sources.synthetic import synthetic
from steadfast.outputs.published import MEAN_ROW, Pair, pair_means, pair_up
from steadfast.outputs.tables.pool import pool_size, random_choice
from steadfast.outputs.tables.profile import expected_overlap
from steadfast.outputs.view import View
from steadfast.selectors import InformationGain
from steadfast.study.context import evidence_context, output_context
from steadfast.study.load import kind_of, load_study
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
    assert np.isnan(random_choice(2, 3))
    # About N / (2P); the pool is found again.
    assert random_choice(289, 10) == pytest.approx(10 / (2 * 289), rel=0.1)
    assert pool_size(random_choice(4000, 50), 50) == pytest.approx(4000, rel=0.05)
    assert np.isnan(pool_size(0.0, 10))


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


def write_results(folder, values):
    """Data set → selector → measure → values at sizes 10 and 20; half of them has no weight."""
    for dataset, selectors in values.items():
        about = {"title": dataset.upper(), "features": 20, "rows": 9, "classes": {"a": 5, "b": 4}}
        write_with_manifest({folder / f"data/{dataset}.json": json.dumps(about).encode()})
        for selector, measures in selectors.items():
            rows = [
                (name, "all_pairs", 1.0, k, v, v - 0.01, v + 0.01, 0.0)
                for name, pair in measures.items()
                for k, v in zip((10, 20), pair, strict=True)
            ]
            header = ("measure", "compare", "ratio", "k", "value", "low", "high", "sd")
            units = [("zero_weights", "", 1.0, f"f{i}", 0.5) for i in range(3)]
            below = folder / f"mine/stability/{dataset}"
            files = {
                below / f"{selector}.tsv": table_to_bytes(header, rows),
                below / f"{selector}.units.tsv": table_to_bytes(
                    ("measure", "compare", "ratio", "unit", "value"), units
                ),
            }
            write_with_manifest(files, below / f"{selector}.sha256")


WINE = {
    "info_gain": {
        **{"pearson": (0.9, 0.9), "spearman": (0.1, 0.8)},
        **{"spearman_random_ties": (0.2, 0.3), "jaccard": (0.7, 1.0)},
    },
    "reversed": {
        **{"pearson": (0.9, 0.9), "spearman": (0.1, 0.95)},
        **{"spearman_random_ties": (0.1, 0.95), "jaccard": (0.04, 1.0)},
    },
}


def claim_of(tmp_path, claim, pairs=()):
    """The one claim with its verdict, as claims.json has it."""
    study = load(tmp_path, datasets=["wine"], claims=[{"text": "It is so.", **claim}])
    write_results(tmp_path, {"wine": WINE})
    return summarise(study, tmp_path, pairs)[0][0]


def test_measures_of_one_selector_are_put_in_order(tmp_path):
    """Ranks and weights count whole (size 20), subsets at the size."""
    claim = {"kind": "measure_order", "selectors": ["info_gain", "reversed"]}
    found = claim_of(tmp_path, {**claim, "measures": ["pearson", "spearman", "jaccard"]})
    assert (found["for"], found["against"], found["verdict"]) == (1, 1, "holds in part")
    assert "The smallest step is -0.050." in found["sentence"]
    row = "| WINE | IG | 0.900 ± 0.010 | 0.800 ± 0.010 | 0.700 ± 0.010 | yes |"
    assert row in found["details"]
    ties = {**claim, "measures": ["spearman", "spearman_random_ties"]}
    assert claim_of(tmp_path, ties)["for"] == 1, "equal is not in order"
    equal = claim_of(tmp_path, {**ties, "selectors": ["reversed"], "expect": {"within": 0.01}})
    assert equal["verdict"] == "holds"
    assert equal["sentence"].startswith("The stability of ranks (S_R) of Reversed and ")


def test_a_selector_is_held_against_others_by_whole_rankings(tmp_path):
    claim = {"kind": "profile_order", "better": "info_gain", "than": ["reversed"]}
    found = claim_of(tmp_path, {**claim, "measures": ["spearman", "jaccard"]})
    assert (found["for"], found["against"], found["verdict"]) == (1, 1, "holds in part")
    assert "from -0.150 (S_R, WINE) to +0.660 (S_S, WINE)" in found["sentence"]


def test_measures_that_no_profile_has_are_refused(tmp_path):
    claim = {"kind": "measure_order", "text": "T", "selectors": ["info_gain"]}
    with pytest.raises(UserError, match="canberra"):
        load(tmp_path, claims=[{**claim, "measures": ["pearson", "canberra"]}])


def table_3(tmp_path):
    """Table 3 of a reading: its entry, its context, and what it builds."""
    table = {"kind": "pool", "title": "T", "selector": "info_gain", "sizes": [10]}
    table["selectors"] = ["info_gain", "reversed"]
    study = load(tmp_path, datasets=["wine"], tables={"table3": table})
    write_results(tmp_path, {"wine": WINE})
    entry = study.tables["table3"]
    printed = {"ovarian 10": {"info_gain stability": 0.01, "info_gain stability sd": float("nan")}}
    run = {"published": printed, "folds_per_job": 50, "seed": 1}
    context = output_context(study, kind_of("table", entry), entry, **run)
    return kind_of("table", entry).build(View(context, str(tmp_path)))


def test_a_random_choice_among_features_without_weight_stands_beside_the_printed(tmp_path):
    result = table_3(tmp_path)
    row = dict(zip(result.header, result.rows[0], strict=True))
    assert (row["zero_weights"], row["others"], row["published"]) == (10, 10, 0.01)
    assert (row["info_gain stability"], row["reversed stability"]) == (0.7, 0.04)
    assert row["reversed pool"] == pytest.approx(10 * 1.04 / 0.08)
    assert row["published_pool"] == pytest.approx(505)
    assert row["random_of_zero"] == 1
    assert len(result.rows) == 1  # as many without weight as the only size


def test_readings_are_ranked_by_their_distance_from_the_printed(tmp_path):
    pair = Pair("table3", "wine 10", "info_gain stability", 0.02, 0.7, 0.0, 0.0, "")
    claim = {"kind": "reading", "table": "table3", "printed": "info_gain"}
    table = {"kind": "pool", "title": "T", "selector": "info_gain", "sizes": [10]}
    table["selectors"] = claim["selectors"] = ["info_gain", "reversed"]
    claim["claimed"] = "reversed"
    claims = [{"text": "It is so.", **claim}]
    study = load(tmp_path, datasets=["wine"], tables={"table3": table}, claims=claims)
    write_results(tmp_path, {"wine": WINE})
    (found,), text = summarise(study, tmp_path, [pair])
    assert found["verdict"] == "holds"
    assert "WINE, N = 10, the one case, where the difference is +0.020." in found["sentence"]
    assert "- IG: mean absolute difference 0.680." in text
    assert "- Reversed: mean absolute difference 0.020." in text
    assert "| WINE | Reversed | 0.040 | 0.020 | 2 |" in text
    assert "| WINE, N = 10 | IG | 0.700 (0.020) |" in text
    (found,), text = summarise(study, tmp_path)
    assert found["verdict"] == "cannot be tested here"
    assert "config/published has no numbers" in text


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

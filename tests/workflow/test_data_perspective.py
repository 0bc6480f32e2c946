"""Transforms, perturbed samples and causes of instability in the real workflow."""

import json
import sys

import numpy as np
import pytest
from conftest import ROOT, copy_project

sys.path.insert(0, str(ROOT / "scripts"))
from steadfast.data.table import read_table
from steadfast.outputs.verdict import VERDICTS
from steadfast.resampling.folds import read_plan
from steadfast.selectors import FisherScore


@pytest.fixture(scope="module")
def study_run(tmp_path_factory):
    names = ("treated", "perturbed", "causes")
    project = copy_project(tmp_path_factory.mktemp("treated") / "project", *names)
    project.run()
    return project


def ranking(project, selector, fold="f02"):
    rows = project.rows(f"treated/selections/wine/{selector}/{fold}.tsv")
    return [row["feature"] for row in rows]


def by_hand(project, learn):
    """Fisher's ranking after rank 1 by class, learnt from some rows, written out."""
    table = read_table(project.folder / "results/data/wine.npz")
    plan = read_plan(project.folder / "results/treated/resamples/wine.npz")
    train = next(fold.train for fold in plan if fold.name == "f02")
    drawn = np.unique(np.concatenate([fold.train for fold in plan]))
    learnt = {
        "training": train,
        "all": drawn,
        "frozen": np.setdiff1d(np.arange(len(table.y)), drawn),
    }[learn]
    rows = table.X[train]
    for label in range(3):
        of_class = learnt[table.y[learnt] == label]
        first = np.linalg.svd(table.X[of_class], full_matrices=False)[2][0]
        own = table.y[train] == label
        rows[own] = np.outer(rows[own] @ first, first)
    sequence = FisherScore().fit(rows, table.y[train]).sequence_
    return [table.features[column] for column in sequence]


def test_a_transform_learns_from_the_training_rows_unless_the_study_says_which(study_run):
    assert ranking(study_run, "fisher+svd1") == by_hand(study_run, "training")
    assert ranking(study_run, "fisher+svd1_published") == by_hand(study_run, "all")
    assert ranking(study_run, "fisher+svd1_frozen") == by_hand(study_run, "frozen")


def test_half_of_the_rows_of_each_class_are_in_no_fold(study_run):
    table = read_table(study_run.folder / "results/data/wine.npz")
    plan = read_plan(study_run.folder / "results/treated/resamples/wine.npz")
    for fold in plan:
        assert not set(fold.train) & set(fold.test)
    everywhere = [set(fold.train) | set(fold.test) for fold in plan]
    assert all(rows == everywhere[0] for rows in everywhere)
    assert np.bincount(table.y[sorted(everywhere[0])]).tolist() == [29, 35, 24]


def test_fold_files_tables_and_the_summary_say_what_was_learnt_from_all_rows(study_run):
    note = study_run.rows("treated/selections/wine/fisher+svd1_published/f01.tsv")[0]["note"]
    assert note.endswith("learnt from all rows, test rows included (as published)")
    note = study_run.rows("treated/selections/wine/fisher+svd1/f01.tsv")[0]["note"]
    assert note == "low_rank(rank=1, by=class, method=svd), learnt from the training rows"
    about = json.loads(
        (study_run.folder / "results/treated/transformed/wine/svd1_published.json").read_text()
    )
    assert "test rows included" in about["transform"]
    results = study_run.folder / "results/treated"
    assert "SVD r=1 (as published)" in (results / "tables/treatments.md").read_text()
    summary = (results / "summary.md").read_text()
    assert "test rows included, as published**: SVD r=1 (as published)" in summary
    assert "learnt once from rows that are in no fold: SVD r=1 (frozen)" in summary
    assert "| SVD r=1 (frozen) | " in summary
    assert "relevant features found after SVD r=1" in summary
    claims = json.loads((results / "claims.json").read_text())
    assert {claim["verdict"] for claim in claims["claims"]} <= set(VERDICTS)
    assert len(claims["claims"]) == 3


def test_a_transform_that_keeps_the_order_of_fisher_scores_keeps_the_ranking(study_run):
    assert ranking(study_run, "fisher+scaled") == ranking(study_run, "fisher+original")


def test_labels_of_a_transform_take_the_place_of_the_classes(study_run):
    assert ranking(study_run, "fisher+clusters") != ranking(study_run, "fisher+original")


def test_a_selector_is_run_after_the_transforms_it_names(study_run):
    folder = study_run.folder / "results/treated/selections/wine"
    assert {path.name for path in folder.iterdir()} == {
        *("fisher+original", "fisher+svd1", "fisher+svd1_published", "fisher+svd2"),
        *("fisher+whole1", "fisher+scaled", "fisher+clusters", "fisher+svd1_frozen"),
        *("chi2+original", "chi2+svd1", "chi2+svd1_published"),
    }


def test_the_table_of_treatments_has_the_values_of_the_curves(study_run):
    rows = {row["row"]: row for row in study_run.rows("treated/tables/treatments.csv")}
    assert set(rows) == {"fisher wine", "chi2 wine"}
    curve = study_run.rows("treated/stability/wine/chi2.tsv")
    value = next(r["value"] for r in curve if (r["transform"], r["k"]) == ("svd1", "4"))
    assert rows["chi2 wine"]["svd1 stability"] == value
    clustered = study_run.rows("treated/tables/accuracy.csv")[0]
    scores = [
        float(row["value"])
        for row in study_run.rows("treated/accuracy/wine/fisher.tsv")
        if (row["transform"], row["classifier"], row["k"]) == ("svd1", "kmeans", "4")
    ]
    assert float(clustered["svd1 accuracy"]) == pytest.approx(np.mean(scores))


def test_gains_are_differences_of_the_curves_and_means_of_them(study_run):
    def value(of, family, transform, k):
        rows = study_run.rows(f"treated/{of}/wine/{family}.tsv")
        own = [r for r in rows if r["transform"] == transform and r["k"] == str(k)]
        own = [r for r in own if r.get("classifier", "knn") == "knn"]
        return np.mean([float(r["value"]) for r in own])

    rows = study_run.rows("treated/tables/gains.csv")
    gains = {(r["selector"], r["dataset"], r["transform"], r["size"]): r for r in rows}
    for of in ("stability", "accuracy"):
        both = [
            value(of, family, "svd1", 6) - value(of, family, "original", 6)
            for family in ("fisher", "chi2")
        ]
        own = float(gains["fisher", "wine", "svd1", "6"][f"{of}_gain"])
        assert own == pytest.approx(both[0])
        mean = float(gains["mean", "mean", "svd1", "6"][f"{of}_gain"])
        assert mean == pytest.approx(np.mean(both))


def test_random_ties_are_those_of_the_curves_and_without_ties_both_orders_agree(study_run):
    (row,) = study_run.rows("treated/tables/ties.csv")
    curve = study_run.rows("treated/stability/wine/fisher.tsv")
    for transform in ("original", "svd1"):
        for k, ending in ((4, ""), (2, " 2")):
            own = next(r for r in curve if (r["transform"], r["k"]) == (transform, str(k)))
            name = f"fisher+{transform}"
            assert float(row[f"{name}{ending}"]) == pytest.approx(float(own["value"]))
            assert row[f"{name}{ending}"] == row[f"{name} by column{ending}"]


def test_the_table_of_singular_values_has_those_of_numpy(study_run):
    table = read_table(study_run.folder / "results/data/wine.npz")
    rows = study_run.rows("treated/tables/spectra.csv")
    own = table.X[table.y == 1]
    for form, X in (("rows", own), ("centred", own - own.mean(axis=0))):
        found = [r for r in rows if (r["class"], r["rows"]) == (table.classes[1], form)]
        wanted = np.sqrt(np.linalg.eigvalsh(X.T @ X))[::-1][:6]
        assert [float(r["value"]) for r in found] == pytest.approx(wanted.tolist(), rel=1e-6)


def test_the_table_of_precision_has_means_over_data_sets(study_run):
    found = study_run.rows("treated/tables/found.csv")
    values = [
        float(row["precision"])
        for m in (8, 12)
        for row in study_run.rows(f"treated/precision/features{m}.tsv")
        if (row["noise"], row["transform"]) == ("1", "svd1")
    ]
    own = next(r for r in found if (r["transform"], float(r["noise"])) == ("svd1", 1.0))
    assert float(own["precision"]) == pytest.approx(np.mean(values))
    assert own["data_sets"] == "4"
    assert float(own["chance"]) == pytest.approx(0.25)


def test_a_new_transform_runs_its_own_selections_only(study_run):
    path = "config/studies/treated.yaml"
    before = (study_run.folder / path).read_text()
    study_run.edit_yaml(
        path, lambda study: study["transforms"].update(svd3={"use": "low_rank", "rank": 3})
    )
    try:
        planned = study_run.planned()
    finally:
        (study_run.folder / path).write_text(before)
    assert planned["select"] == 1
    assert planned["stability"] == planned["accuracy"] == 1  # of the selector, all transforms


def test_precision_counts_relevant_features_in_every_row(study_run):
    rows = study_run.rows("treated/precision/features8.tsv")
    assert len(rows) == 2 * 2 * 1 * 1 * 3
    clean = [row for row in rows if row["noise"] == "0" and row["transform"] == "original"]
    assert all(0 <= float(row["precision"]) <= 1 for row in rows)
    assert np.mean([float(row["precision"]) for row in clean]) > 0.25


def test_samples_without_perturbation_are_alike_and_stability_falls_with_it(study_run):
    rows = study_run.rows("perturbed/stability/sonar/fisher.tsv")
    at = {float(row["ratio"]): float(row["value"]) for row in rows if row["k"] == "10"}
    assert at[0.0] == 1.0
    assert at[1.0] < at[0.5] < 1.0
    verdict = {row["dataset"]: row for row in study_run.rows("perturbed/tables/verdict.csv")}
    assert float(verdict["wine"]["distance"]) + float(verdict["wine"]["similarity"]) == 1
    assert not (study_run.folder / "results/perturbed/accuracy").exists()


def test_the_surface_has_every_cell_of_its_grid(study_run):
    rows = study_run.rows("causes/surface/sonar/relieff.tsv")
    cells = {(int(row["rows"]), int(row["features"])) for row in rows}
    assert cells == {(n, m) for n in (20, 80, 140, 200, 208) for m in (20, 35, 50)}


def test_absent_data_sets_of_a_group_are_left_out_and_figures_are_drawn(study_run):
    drawn = {path.stem for path in (study_run.folder / "results").glob("*/figures/*.png")}
    assert drawn == {
        *("by_rank", "precision", "noisy", "clean", "gains", "spectra"),
        *("lines", "bars", "verdict"),
        *("peaks", "surface", "weights", "disjoint", "without_fold", "groups"),
    }
    groups = study_run.rows("causes/tables/groups.csv")
    assert [(row["dataset"], row["size"]) for row in groups] == [("wine", "4"), ("sonar", "8")]


def test_tables_about_causes_hold_what_the_curves_and_surfaces_say(study_run):
    means = {row["row"]: row for row in study_run.rows("causes/tables/means.csv")}
    groups = {row["dataset"]: row for row in study_run.rows("causes/tables/groups.csv")}
    for group, dataset in (("few", "wine"), ("many", "sonar")):
        assert means[group]["fisher"] == groups[dataset]["fisher"]
    assert abs(float(means["correlation with rows"]["fisher"])) == pytest.approx(1)  # two sets
    surface = study_run.rows("causes/surface/sonar/fisher.tsv")
    found = next(
        row for row in study_run.rows("causes/tables/effects.csv") if row["selector"] == "fisher"
    )
    smallest = min(int(row["rows"]) for row in surface)
    at = [row for row in surface if int(row["rows"]) == smallest]
    values = [float(row["value"]) for row in sorted(at, key=lambda row: int(row["features"]))]
    assert float(found["fewest rows"]) == pytest.approx(values[-1] - values[0])
    trends = {
        (row["dataset"], row["measure"]): row for row in study_run.rows("causes/tables/by_size.csv")
    }
    assert float(trends["wine", "jaccard"]["fisher last"]) == 1  # all features
    for row in study_run.rows("causes/tables/disjoint.csv"):
        assert row["ten"] == row["without last"]


def test_a_claim_that_a_table_answers_stands_in_the_summary(study_run):
    summary = (study_run.folder / "results/causes/summary.md").read_text()
    assert "## Claim 1: Rows matter more.\n" in summary
    assert "\n\n**Effects**\n" in summary


def test_readings_of_the_samples_similarity_and_ties_by_column(study_run):
    verdict = {row["dataset"]: row for row in study_run.rows("perturbed/tables/verdict.csv")}
    readings = {
        (row["dataset"], row["reading"]): row
        for row in study_run.rows("perturbed/tables/readings.csv")
    }
    for dataset, row in verdict.items():
        for reading in ("distance", "similarity"):
            value = float(readings[dataset, reading]["value"])
            assert value == pytest.approx(float(row[reading]))
        least = float(row["distance"])
        stable = [n for n in ("fisher", "chi2") if float(row[f"{n} stability"]) >= least]
        assert readings[dataset, "distance"]["stable"].split() == stable
    for row in study_run.rows("perturbed/tables/ties.csv"):
        assert row["fisher"] == row["fisher by column"]  # no ties
        wanted = float(verdict[row["dataset"]]["chi2 stability"])
        assert float(row["chi2"]) == pytest.approx(wanted)

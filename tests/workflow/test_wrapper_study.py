"""Wrappers in the real workflow: subsets of their own size, time limits, and what a kill leaves."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import copy_project

PUBLISHED = "table,row,column,value,sd\n" + "".join(
    f"table1,{row},{column},{value},{sd}\n"
    for row, rate, cw in (("sfs_gaussian", 0.59, 0.519), ("sffs_gaussian", 0.625, 0.514))
    for column, value, sd in (("rate", rate, 0.023), ("size", 3.7, 1.7), ("cw", cw, "nan"))
)


def wrapper_project(folder):
    project = copy_project(folder, "wrapped")
    (folder / "config/published/wrapped.csv").write_text(PUBLISHED)
    return project


@pytest.fixture(scope="module")
def study_run(tmp_path_factory):
    project = wrapper_project(tmp_path_factory.mktemp("wrapped") / "project")
    project.run()
    return project


def test_the_table_says_rate_size_consistency_and_runs(study_run):
    rows = {row["selector"]: row for row in study_run.rows("wrapped/tables/table1.csv")}
    assert [rows[name]["runs"] for name in ("sfs_gaussian", "sffs_knn")] == ["6", "4"]
    row = rows["sffs_gaussian"]
    assert 0.9 < float(row["held_out"]) <= float(row["rate"]) <= 1
    assert 1 <= float(row["size"]) <= 13
    assert float(row["cw_min"]) <= float(row["cw"]) <= float(row["cw_max"])
    assert 0 <= float(row["cw by chance"]) < float(row["cw"])


def test_the_rate_and_size_are_those_of_the_fold_files(study_run):
    rows = {row["selector"]: row for row in study_run.rows("wrapped/tables/table1.csv")}
    row = rows["sfs_gaussian"]
    sizes, rates = [], []
    for run in range(1, 7):
        fold = study_run.rows(f"wrapped/selections/wine/sfs_gaussian/s{run:03d}.tsv")
        sizes.append(sum(step["selected"] == "yes" for step in fold))
        rates.append(max(float(step["criterion"]) for step in fold))
    assert float(row["size"]) == pytest.approx(sum(sizes) / 6)
    assert float(row["rate"]) == pytest.approx(sum(rates) / 6)


def test_a_run_over_its_time_limit_is_reported(study_run):
    fold = study_run.rows("wrapped/selections/wine/stopped/s001.tsv")
    assert [step["note"] for step in fold] == ["stopped by its time limit of 0.2 s"]
    table = (study_run.folder / "results/wrapped/tables/table1.md").read_text()
    assert "0 (4 stopped)" in table
    (row, *_) = study_run.rows("wrapped/stability/wine/stopped.tsv")
    assert "4 of 4 folds have no selection" in row["note"]


def test_published_numbers_stand_beside_ours(study_run):
    table = (study_run.folder / "results/wrapped/tables/table1.md").read_text()
    assert "0.590 ∓ 0.023" in table
    summary = (study_run.folder / "results/wrapped/summary.md").read_text()
    assert "(0.625)" in summary
    assert "Gauss. SFFS" in summary.partition("Claim 1")[2]
    assert "-0.005" in summary.partition("Claim 1")[2], "the published difference of CW"
    # Both readings of the first row beside its three numbers.
    rows = [row["row"] for row in study_run.rows("wrapped/published.csv")]
    assert sorted(rows) == sorted(["anew", "sfs_gaussian", "sffs_gaussian"] * 3)


def test_a_reading_that_sees_all_rows_is_scored_and_judged_by_nobody(study_run):
    results = study_run.folder / "results/wrapped"
    rows = {row["selector"]: row for row in study_run.rows("wrapped/tables/table1.csv")}
    assert rows["anew"]["held_out"] == "nan"
    assert not (results / "accuracy/wine/anew.tsv").exists()
    assert "anew" not in (results / "evidence/wine.json").read_text()
    seen = {
        tuple(fold.read_bytes().splitlines()) for fold in results.glob("selections/wine/anew/s*")
    }
    assert len(seen) == 6, "splits are drawn anew in every run"


def test_a_selector_with_no_runs_on_a_data_set_is_left_out_there(study_run):
    results = study_run.folder / "results/wrapped"
    for place in ("selections", "stability", "accuracy"):
        names = {path.name.partition(".")[0] for path in (results / place / "iris").iterdir()}
        assert names == {"anew", "sfs_gaussian"} - ({"anew"} if place == "accuracy" else set())
    summary = (results / "summary.md").read_text()
    assert "| Iris | Gauss. SFS, anew | Gauss. SFS |" in summary
    assert "| Iris | Gauss. SFFS" not in summary


def test_times_stand_apart_and_the_rest_is_the_same_with_one_core(study_run, tmp_path):
    assert len(study_run.rows("benchmarks/wrapped/times.csv")) == 5
    again = wrapper_project(tmp_path / "project")
    again.run(cores=1)
    assert again.results() == study_run.results()


def test_more_runs_leave_those_that_there_are(study_run):
    more = study_run.folder / "more.yaml"
    none = "{datasets: [iris], selectors: [sffs_gaussian, sffs_knn, stopped], runs: 0}"
    four = "{selectors: [stopped], runs: 4, per_job: 2}"
    fewer = f"[{none}, {{selectors: [sffs_knn], per_job: 2}}, {four}]"
    more.write_text(f"overrides: {{wrapped: {{runs: {fewer}}}}}\n")
    planned = study_run.planned("--configfile", str(more))
    # From four runs to all six is one job of two runs more.
    assert planned["select"] == planned["stability"] == planned["accuracy"] == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"runs": [{"runs": 9}]}, "runs.0.runs: 9 are more than resample.repeats, 6"),
        (
            {"resample": {"scheme": "nested_cv"}, "runs": []},
            "tables.table1: nested_cv has folds of several kinds; wrappers needs subsample",
        ),
        ({"runs": [{"selectors": ["sfss"]}]}, "runs.0.selectors: unknown selector 'sfss'"),
        (
            {"claims": [{"kind": "pairs", "text": "x", "pairs": [["sffs_knn", "sfs_gaussian"]]}]},
            "claims.0.pairs: sffs_knn has 4 runs on wine, sfs_gaussian 6",
        ),
        (
            {"stability": {"compare": "chosen", "measures": ["cw", "jaccard"]}},
            "tables.table1: c is not measured by chosen",
        ),
    ],
)
def test_a_mistake_about_runs_is_one_line(tmp_path, change, says):
    project = wrapper_project(tmp_path / "project")
    project.edit_yaml("config/studies/wrapped.yaml", lambda study: study.update(change))
    done = project.snakemake("--dry-run")
    assert done.returncode == 1
    assert says in done.stdout.strip().splitlines()[-1]


def test_a_printed_number_that_is_none_is_one_line(tmp_path):
    project = wrapper_project(tmp_path / "project")
    published = project.folder / "config/published/wrapped.csv"
    published.write_text(published.read_text().replace("0.59,", "0.59O,"))
    done = project.snakemake("--dry-run")
    assert done.returncode == 1
    last = done.stdout.strip().splitlines()[-1]
    assert last.endswith("wrapped.csv: line 2: value: must be a number or nan, got '0.59O'")


def test_a_classifier_that_is_none_is_one_line(tmp_path):
    project = wrapper_project(tmp_path / "project")
    project.edit_yaml(
        "config/studies/wrapped.yaml",
        lambda study: study["selectors"]["sfs_gaussian"].update(classifier="gausian"),
    )
    done = project.snakemake("results/wrapped/selections/wine/sfs_gaussian/batch0.sha256")
    assert done.returncode == 1
    assert "classifier: 'gausian' is none of gaussian, knn, svm" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_killed_job_goes_on_from_its_last_fold(study_run, tmp_path):
    results, out = study_run.folder / "results", tmp_path / "folds"
    settings = '{"use": "sfs", "params": {"classifier": "svm", "fast": false, "n_splits": 5}}'
    command = [sys.executable, "scripts/select_features.py", str(results / "data/wine.npz")]
    command += ["--plan", str(results / "wrapped/resamples/wine.npz"), "--selector", settings]
    command += ["--folds", "s001", "s002", "s003", "--seed", "1", "--code", "abc"]
    command += ["--manifest", str(out / "batch0.sha256")]
    first = subprocess.Popen(command, cwd=study_run.folder, stderr=subprocess.PIPE, text=True)
    assert first.stderr.readline().startswith("s001: ")
    deadline = time.time() + 30
    while not list(out.rglob("s001.tsv")) and time.time() < deadline:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert not (out / "s001.tsv").exists()
    second = subprocess.run(
        command, cwd=study_run.folder, stderr=subprocess.PIPE, text=True, check=True
    )
    assert "s001: " not in second.stderr
    assert "s003: " in second.stderr
    assert sorted(path.name for path in out.iterdir()) == [
        *("batch0.sha256", "s001.tsv", "s002.tsv", "s003.tsv")
    ]

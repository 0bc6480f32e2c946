"""mRSmR and ensembles in the real workflow, and what their stability costs."""

import json

import pytest
from conftest import copy_project


@pytest.fixture(scope="module")
def study_run(tmp_path_factory):
    project = copy_project(tmp_path_factory.mktemp("balanced") / "project", "balanced")
    project.run()
    return project


def test_the_fold_file_shows_the_iterations_below_the_ranking(study_run):
    rows = study_run.rows("balanced/selections/wine/mrsmr/h01.tsv")
    ranked, iterations = rows[:8], rows[8:]
    assert [row["rank"] for row in ranked] == [str(rank) for rank in range(1, 9)]
    assert [row["iteration"] for row in iterations] == [
        str(number) for number in range(1, len(iterations) + 1)
    ]
    assert {row["feature"] for row in iterations} == {""}
    assert all(float(row["similarity"]) <= 1 for row in iterations[1:])


def test_the_cost_counts_rankings(study_run):
    rows = {row["selector"]: row for row in study_run.rows("balanced/tables/cost.csv")}
    assert float(rows["mid"]["rankings"]) == 1
    assert float(rows["ensemble_mid"]["rankings"]) == 3
    assert float(rows["ensemble_mid"]["training_sets_read"]) == pytest.approx(2.4)
    files = [
        study_run.rows(f"balanced/selections/wine/mrsmr/h{half:02d}.tsv") for half in range(1, 5)
    ]
    counts = [sum(bool(row["iteration"]) for row in rows) for rows in files]
    assert float(rows["mrsmr"]["rankings"]) == pytest.approx(sum(counts) / 4)
    assert {"mid", "mrsmr"} <= {
        row["selector"] for row in study_run.rows("benchmarks/balanced/times.csv")
    }


def test_accuracy_at_equal_stability_is_that_of_sizes_which_reach_it(study_run):
    by_level = {
        float(row["level"]): row for row in study_run.rows("balanced/tables/at_stability.csv")
    }
    stability = {
        int(row["k"]): float(row["value"])
        for row in study_run.rows("balanced/stability/wine/mid.tsv")
        if row["measure"] == "nogueira"
    }
    scored: dict[int, list[float]] = {}
    for row in study_run.rows("balanced/accuracy/wine/mid.tsv"):
        scored.setdefault(int(row["k"]), []).append(float(row["value"]))
    for level, row in by_level.items():
        means = [
            sum(values) / len(values)
            for k, values in scored.items()
            if stability.get(k, -2) >= level
        ]
        found = float(row["mid"])
        assert found == pytest.approx(max(means)) if means else found != found


def test_what_is_chosen_on_scenarios_of_known_truth_is_counted_and_judged(study_run):
    found = study_run.rows("balanced/recovery/small/significant.tsv")
    assert [(row["set"], row["relevant"], row["blocks"]) for row in found] == [
        ("1", "5", "5"),
        ("2", "5", "5"),
    ]
    (small, empty) = study_run.rows("balanced/tables/recovery.csv")
    assert float(small["recall"]) == sum(int(row["found"]) / 5 for row in found) / 2
    assert (empty["scenario"], empty["recall"]) == ("empty", "nan")
    claims = json.loads((study_run.folder / "results/balanced/claims.json").read_text())["claims"]
    assert [claim["verdict"] for claim in claims] == ["holds"]
    timed = [row["dataset"] for row in study_run.rows("benchmarks/balanced/times.csv")]
    assert timed[-2:] == ["small", "empty"]


def test_figures_are_drawn_and_sizes_end_where_asked(study_run):
    folder = study_run.folder / "results/balanced/figures"
    assert {path.stem for path in folder.glob("*.png")} == {"figure1", "plane", "sensitivity"}
    stability = study_run.rows("balanced/stability/wine/mrsmr.tsv")
    assert max(int(row["k"]) for row in stability) == 6


@pytest.mark.parametrize(
    ("module", "jobs"),
    [
        ("mrmr.py", 2),  # mid and ensemble_mid
        ("kernels/forward.py", 4),  # and mrsmr, which shares its rule for ties, twice
    ],
)
def test_an_edit_of_the_base_reruns_the_ensemble_and_not_the_others(study_run, module, jobs):
    path = study_run.folder / "scripts/steadfast/selectors" / module
    text = path.read_text()
    path.write_text(text + "\n# An edit.\n")
    try:
        planned = study_run.planned()
    finally:
        path.write_text(text)
    assert planned["select"] == jobs


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {
                "figures": {
                    "s": {
                        "kind": "sensitivity",
                        "title": "x",
                        "dataset": "wine",
                        "sweeps": [{"parameter": "kapa", "selectors": ["mrsmr", "mrsmr_strong"]}],
                    }
                }
            },
            "figures.s.sweeps.0.parameter: kapa of mrsmr is None, no number; did you mean 'kappa'?",
        ),
        (
            {"accuracy": {"classifiers": {"svm": {"tune": "once", "C": 2}}}},
            "accuracy.classifiers.svm.C: tune chooses it; take one of them out",
        ),
    ],
)
def test_a_mistake_about_sweeps_and_tuning_is_one_line(study_run, change, says):
    more = study_run.folder / "mistake.yaml"
    more.write_text(json.dumps({"overrides": {"balanced": change}}))
    done = study_run.snakemake("--dry-run", "--configfile", str(more))
    assert done.returncode == 1
    assert done.stdout.strip().splitlines()[-1].endswith(says)

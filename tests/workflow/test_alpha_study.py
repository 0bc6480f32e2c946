"""α and the size from the data in the real workflow: every α, what rules choose, what is lost."""

import json

import numpy as np
import pytest
from conftest import copy_project

FOLDS = [f"s{number:03d}" for number in range(1, 5)]


@pytest.fixture(scope="module")
def study_run(tmp_path_factory):
    project = copy_project(tmp_path_factory.mktemp("alphas") / "project", "alphas")
    project.run()
    return project


def curve(study_run, alpha, column):
    rows = study_run.rows("alphas/alpha/wine.tsv")
    return [float(row[column]) for row in rows if row["alpha"] == alpha]


@pytest.mark.parametrize(
    ("measure", "column"), [("nogueira", "stability"), ("su_matching", "matching")]
)
def test_stability_of_half_is_that_of_mid_in_the_chain(study_run, measure, column):
    rows = study_run.rows("alphas/stability/wine/mid.tsv")
    expected = [float(row["value"]) for row in rows if row["measure"] == measure]
    assert curve(study_run, "0.5", column) == pytest.approx(expected, abs=1e-12)


def test_accuracy_of_half_is_that_of_mid_in_the_chain(study_run):
    rows = study_run.rows("alphas/accuracy/wine/mid.tsv")
    by_size = {
        k: np.mean([float(row["value"]) for row in rows if int(row["k"]) == k]) for k in range(1, 7)
    }
    assert curve(study_run, "0.5", "accuracy") == pytest.approx([*by_size.values()], abs=1e-12)


def test_what_is_chosen_is_worth_what_the_chain_measures(study_run):
    """The stability of the selector that chose α, and the accuracy on rows it never saw."""
    stability = study_run.rows("alphas/stability/wine/auto_alpha.tsv")
    accuracy = study_run.rows("alphas/accuracy/wine/auto_alpha.tsv")
    expected = [
        np.mean([float(row["value"]) for row in stability if row["measure"] == "nogueira"]),
        np.mean([float(row["value"]) for row in accuracy]),
    ]
    rows = study_run.rows("alphas/alpha/wine.choices.tsv")
    chosen = next(row for row in rows if (row["question"], row["rule"]) == ("alpha", "auto"))
    found = [float(chosen[key]) for key in ("stability", "accuracy")]
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_grid_of_one_half_gives_the_files_of_mid(study_run):
    folder = study_run.folder / "results/alphas/selections/wine"
    for fold in FOLDS:
        one, mid = (folder / name / f"{fold}.tsv" for name in ("one", "mid"))
        assert one.read_bytes() == mid.read_bytes()


def test_the_fold_file_shows_what_was_tried_and_what_was_chosen(study_run):
    rows = study_run.rows("alphas/selections/wine/auto_both/s001.tsv")
    tried = [row for row in rows if not row["rank"]]
    assert len(tried) == 11 * 6
    (chosen,) = (row for row in tried if row["choice"] == "chosen")
    selected = [row for row in rows if row["selected"] == "yes"]
    assert len(selected) == int(chosen["size"])
    as_accurate = [row for row in tried if row["choice"]]
    assert float(chosen["stability"]) == max(float(row["stability"]) for row in as_accurate)


def test_rules_lose_what_is_missing_to_the_best(study_run):
    rows = study_run.rows("alphas/alpha_rules.tsv")
    of = {(row["question"], row["aim"], row["dataset"], row["rule"]): row for row in rows}
    for question in ("alpha", "size", "both"):
        for aim in ("stability", "accuracy", "both"):
            best, half = (of[question, aim, "wine", rule] for rule in ("best", "half"))
            assert float(best[f"lost_{aim}"]) == pytest.approx(0, abs=1e-12)
            lost = float(best[aim]) - float(half[aim])
            assert float(half[f"lost_{aim}"]) == pytest.approx(lost, abs=1e-12)


def test_kin_are_not_learnt_from(study_run):
    """Of iris and wine, which are kin here, blocks_base alone is the other one's teacher."""
    rows = study_run.rows("alphas/alpha_rules.tsv")
    mine = {
        (row["dataset"], row["rule"]): float(row["alpha"])
        for row in rows
        if (row["question"], row["aim"]) == ("alpha", "both")
    }
    assert mine["iris", "average"] == mine["wine", "average"] == mine["blocks_base", "best"]


def test_tables_figures_and_verdicts_come_out(study_run):
    regret = study_run.rows("alphas/tables/regret.csv")
    assert {"auto", "once", "settled", "half", "average"} <= {row["rule"] for row in regret}
    assert (study_run.folder / "results/alphas/figures/regret.png").stat().st_size > 10_000
    claims = json.loads((study_run.folder / "results/alphas/claims.json").read_text())["claims"]
    assert [claim["for"] + claim["open"] + claim["against"] for claim in claims] == [3, 3]


def test_nothing_runs_again_and_an_edit_of_a_rule_reruns_the_study_of_alpha_alone(study_run):
    assert study_run.planned() == {}
    path = study_run.folder / "scripts/steadfast/experiments/alpha/choices.py"
    text = path.read_text()
    path.write_text(text.replace("HALF = 0.5", "HALF = 0.50"))
    planned = study_run.planned()
    path.write_text(text)
    assert planned["alpha"] == 3
    assert not {"select", "stability", "accuracy", "evidence"} & set(planned)

"""Tests over data sets and between selectors in the real workflow."""

import numpy as np
import pytest
from conftest import copy_project
from scipy.stats import friedmanchisquare, rankdata

SELECTORS = ("chi2", "own", "fisher")
DATASETS = ("wine", "iris", "swiss_banknotes")


@pytest.fixture(scope="module")
def study_run(tmp_path_factory):
    project = copy_project(tmp_path_factory.mktemp("several") / "project", "several")
    project.run()
    return project


def facts(project, table, what):
    rows = project.rows(f"several/tables/{table}.csv")
    return {
        (row["dataset"], row["selector"], row["against"]): float(row["value"])
        for row in rows
        if row["what"] == what
    }


def ranks_by_hand(study_run):
    """Mean over the sizes of one plus the number of selectors that are better, and its ranks."""
    means = []
    for dataset in DATASETS:
        curves = []
        for selector in SELECTORS:
            rows = study_run.rows(f"several/stability/{dataset}/{selector}.tsv")
            own = [float(row["value"]) for row in rows if row["measure"] == "kuncheva"]
            curves.append([value for value in own if value == value])
        curves = np.array(curves)
        better = (curves[None] > curves[:, None] + 1e-10).sum(axis=1)
        means.append((1 + better).mean(axis=1))
    return np.array(means), rankdata(np.round(means, 9), axis=1)


def test_friedmans_table_is_what_the_curves_say(study_run):
    means, ranks = ranks_by_hand(study_run)
    values = facts(study_run, "friedman", "value")
    found = facts(study_run, "friedman", "rank")
    for row, dataset in enumerate(DATASETS):
        for column, selector in enumerate(SELECTORS):
            key = (dataset, selector, "")
            assert values[key] == pytest.approx(means[row, column])
            assert found[key] == ranks[row, column]
    assert list(facts(study_run, "friedman", "mean_rank").values()) == pytest.approx(
        ranks.mean(axis=0)
    )
    expected = friedmanchisquare(*ranks.T)
    assert facts(study_run, "friedman", "p")["", "", ""] == pytest.approx(expected.pvalue)
    assert set(facts(study_run, "friedman", "nemenyi_p")) == {
        ("", "chi2", "own"),
        ("", "chi2", "fisher"),
        ("", "own", "fisher"),
    }
    assert facts(study_run, "friedman", "critical_difference")["", "", ""] == pytest.approx(
        2.3437 * np.sqrt(12 / 18), rel=1e-4
    )


def test_the_stability_of_a_test_is_that_of_the_selections(study_run):
    """Nogueira's stability from frequencies, by its definition."""
    rows = study_run.rows("several/tables/stability_test.csv")
    assert [(row["dataset"], row["first"], row["second"]) for row in rows] == [
        (dataset, "fisher", other) for dataset in DATASETS for other in SELECTORS[:2]
    ]
    for row in rows:
        for which in ("first", "second"):
            chosen = [
                {
                    line["feature"]
                    for line in study_run.rows(
                        f"several/selections/{row['dataset']}/{row[which]}/s{s:03d}.tsv"
                    )
                    if line["rank"] in ("1", "2")
                }
                for s in range(1, 6)
            ]
            m = len(study_run.rows(f"several/selections/{row['dataset']}/{row[which]}/s001.tsv"))
            shares = [
                np.mean([feature in subset for subset in chosen])
                for feature in set().union(*chosen)
            ]
            spread = 5 / 4 * sum(share * (1 - share) for share in shares) / m
            assert float(row[f"{which}_stability"]) == pytest.approx(
                1 - spread / (2 / m * (1 - 2 / m))
            )
            assert row[f"{which}_runs"] == "5"
        if row["p"] != "nan":
            assert float(row["p_holm"]) >= float(row["p"])


def test_the_diagram_is_the_same_twice_whatever_the_order_of_sets(study_run, monkeypatch):
    path = study_run.folder / "results/several/figures/critical_difference.svg"
    before = path.read_bytes()
    for suffix in (".svg", ".png", ".sha256"):
        path.with_suffix(suffix).unlink()
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    study_run.run("results/several/figures/critical_difference.svg")
    assert path.read_bytes() == before


def test_a_new_test_runs_no_selection_and_two_data_sets_have_none(study_run):
    study = "config/studies/several.yaml"
    before = (study_run.folder / study).read_text()
    try:
        more = {"kind": "friedman", "title": "At two", "of": "stability", "size": 2}
        study_run.edit_yaml(study, lambda s: s["tables"].update(more=more))
        planned = study_run.planned()
        assert planned["table"] == 1
        assert not {"select", "stability"} & set(planned)
        study_run.edit_yaml(study, lambda s: s.update(datasets=["wine", "iris"]))
        study_run.run("results/several/summary.md")
        summary = (study_run.folder / "results/several/summary.md").read_text()
        assert "critical_difference (Friedman's test needs 3 data sets)" in summary
        planned = study_run.planned()
        assert planned["table"] == 1  # stability_test, of one data set less
        assert not {"select", "stability"} & set(planned)
    finally:
        (study_run.folder / study).write_text(before)

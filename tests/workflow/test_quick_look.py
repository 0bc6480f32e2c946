"""`snakemake --directory .test`, Snakemake's convention for a small run of a workflow."""

import shutil

import pytest
from conftest import ROOT, Project, copy_project


@pytest.fixture(scope="module")
def quick(tmp_path_factory) -> Project:
    """A project in which it has run; results are in .test, whence `Project` is asked for them."""
    project = copy_project(tmp_path_factory.mktemp("quick") / "project")
    shutil.copytree(
        ROOT / ".test", project.folder / ".test", ignore=shutil.ignore_patterns("results", ".*")
    )
    project.run("--directory", ".test")
    return project


def test_it_runs_every_stage_into_its_own_folder(quick):
    results = quick.folder / ".test" / "results"
    study = results / "quick"
    assert (results / "index.html").stat().st_size > 1000
    assert (study / "page.html").stat().st_size > 1000
    assert "does not hold" in (study / "summary.md").read_text()
    assert (study / "figures" / "curves.svg").exists()
    assert "quick/page.html" in (results / "index.html").read_text()
    assert not (quick.folder / "results").exists()


def test_its_table_ranks_the_selectors_on_both_data_sets(quick):
    rows = Project(quick.folder / ".test").rows("quick/tables/ranks.csv")
    assert [row["dataset"] for row in rows] == ["wine", "glass"]
    assert all(1 <= float(row[name]) <= 2 for row in rows for name in ("mid", "miq"))


def test_nothing_is_left_to_do(quick):
    assert quick.planned("--directory", ".test") == {}
    quick.run("--directory", ".test", "verify")


def test_what_a_run_leaves_there_is_not_committed():
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/.test/results/", ".snakemake/", ".cache/"} <= set(ignored)

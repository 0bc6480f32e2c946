"""Whatever can be added is added by one file: selector, measure, transform, scheme, table, …"""

import shutil

import pytest
from conftest import ROOT, copy_project

from steadfast.core.registry import FOLDERS

ADDITIONS = ROOT / "tests" / "data" / "additions"
HOMES = {**FOLDERS, "measure": "measures"}


@pytest.fixture(scope="module")
def extended_project(tmp_path_factory):
    """A project with one more file of every sort, and a study that names them all."""
    project = copy_project(tmp_path_factory.mktemp("extended") / "project")
    for sort, home in HOMES.items():
        target = project.folder / "scripts/steadfast" / home / f"added_{sort}.py"
        shutil.copy2(ADDITIONS / f"{sort}.py", target)
    shutil.copy2(ADDITIONS / "study.yaml", project.folder / "config/studies/added.yaml")
    (project.folder / "config/config.yaml").write_text("studies: [added]\nseed: 1\n")
    project.edit_yaml(
        "config/datasets.yaml",
        lambda catalogue: catalogue.update(
            made={"title": "Multiples", "source": "multiples", "features": 6}
        ),
    )
    project.output = project.run()
    return project


def test_there_is_an_example_of_every_sort():
    assert {path.stem for path in ADDITIONS.glob("*.py")} == set(HOMES)


def test_a_data_source_and_a_scheme_make_folds(extended_project):
    folds = extended_project.rows("added/resamples/made.tsv")
    assert [fold["fold"] for fold in folds] == ["k0", "k1", "k2", "k3"]
    assert {fold["train_rows"] for fold in folds} == {"45"}


def test_a_selector_and_a_transform_select(extended_project):
    plain, doubled = (
        extended_project.rows(f"added/selections/made/by_range+{name}/k1.tsv")
        for name in ("none", "doubled")
    )
    assert [row["feature"] for row in plain] == [row["feature"] for row in doubled]
    assert [2 * float(row["weight"]) for row in plain] == [float(row["weight"]) for row in doubled]


def test_a_measure_and_classifiers_measure(extended_project):
    stability = extended_project.rows("added/stability/made/by_range.tsv")
    assert {row["measure"] for row in stability} == {"smaller_share"}
    assert {row["transform"] for row in stability} == {"none", "doubled"}
    accuracy = extended_project.rows("added/accuracy/made/by_range.tsv")
    assert {row["classifier"] for row in accuracy} == {"majority", "bayes"}
    assert {row["k"] for row in accuracy if row["classifier"] == "bayes"} == {"1", "3"}


def test_a_table_a_figure_and_a_claim_are_printed(extended_project):
    table = extended_project.rows("added/tables/extremes.csv")
    assert [row["selector"] for row in table] == ["by_range+none", "by_range+doubled"]
    assert all(0 <= float(row["least"]) <= float(row["largest"]) <= 1 for row in table)
    figure = extended_project.folder / "results/added/figures/classes.png"
    assert figure.stat().st_size > 5_000
    summary = (extended_project.folder / "results/added/summary.md").read_text()
    assert "Claim 1: Ranges are stable." in summary
    assert "\n\n**Holds.** The largest stability exceeds the level" in summary
    assert "The largest stability is" in summary


@pytest.mark.parametrize(
    ("sort", "reruns"),
    [
        ("source", {"load_data", "resample", "select", "stability", "chance", "accuracy"}),
        ("scheme", {"resample", "select", "stability", "accuracy"}),
        ("transform", {"select", "stability", "accuracy"}),
        ("selector", {"select", "stability", "accuracy"}),
        ("measure", {"stability", "chance"}),
        ("classifier", {"accuracy"}),
        ("table", {"table"}),
        ("figure", {"figure"}),
        ("claim", {"summary"}),
    ],
)
def test_an_edit_of_the_file_reruns_what_uses_it_and_what_follows(extended_project, sort, reruns):
    path = extended_project.folder / "scripts/steadfast" / HOMES[sort] / f"added_{sort}.py"
    text = path.read_text()
    path.write_text(text + "\n# An edit.\n")
    try:
        planned = extended_project.planned()
    finally:
        path.write_text(text)
    follows = {"index"}
    if sort not in ("table", "figure", "claim"):
        follows |= {"curves", "table", "summary", "evidence", "page"}
        follows |= {"figure"} if sort == "source" else set()
        follows -= {"evidence", "page"} if sort == "measure" else set()  # no measure of the page
    assert set(planned) == reruns | follows


def test_a_key_that_an_added_kind_does_not_have_is_one_line(extended_project):
    change = '{"added": {"tables": {"extremes": {"leval": 1}}}}'
    done = extended_project.snakemake("--dry-run", "--config", f"overrides={change}")
    assert done.returncode == 1
    last = done.stdout.strip().splitlines()[-1]
    assert "tables.extremes.leval: kind extremes has no such key; known are" in last

"""docs/add-a-selector.md as written: every file and command, and what is said to come out."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
import yaml
from conftest import ROOT, Project, copy_project

from steadfast.core.files import parse_table
from steadfast.data.table import read_table
from steadfast.resampling.folds import read_plan
from steadfast.selectors import ReliefF
from steadfast.selectors.running.rankings import fold_to_csv, read_ranking
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

TEXT = (ROOT / "docs/add-a-selector.md").read_text()
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WEKA = Path("/usr/share/java/weka.jar")

#: What a section needs beside this project.
NEEDS = {
    "The same in R": (shutil.which("Rscript"), "Rscript (Debian: r-base-core)"),
    "The same with Weka": (shutil.which("java") and WEKA.exists(), "Weka (Debian: weka)"),
}

FOLDS = [f"s{number:03d}" for number in range(1, 11)]
BY_RULE = {"fold_rows": 10, "gap": 10, "read_rankings": 1, "stability": 1, "accuracy": 1}
SHOWN = {"curves": 1, "table": 1, "figure": 1, "summary": 1, "evidence": 1, "page": 1, "index": 1}


@dataclass
class Section:
    """What running a section of the document planned and printed."""

    planned: list[dict[str, int]] = field(default_factory=list)
    printed: str = ""
    expected: list[str] = field(default_factory=list)


def sections() -> dict[str, list[tuple[str, str, str]]]:
    """Blocks (language, what stands after it, content) by heading."""
    parts = re.split(r"^#{2,3} (.+)$", TEXT, flags=re.MULTILINE)
    return {title: BLOCK.findall(body) for title, body in zip(parts[1::2], parts[2::2])}


def with_environment(project: Project) -> Project:
    """The project with its Makefile, default configuration and a `.venv` that is up to date."""
    for name in ("Makefile", "config/config.yaml"):
        shutil.copy2(ROOT / name, project.folder / name)
    venv = project.folder / ".venv"
    venv.mkdir()
    for entry in Path(sys.prefix).iterdir():
        if entry.name != ".ready":
            (venv / entry.name).symlink_to(entry)
    (venv / ".ready").touch()
    return project


def run(project: Project, command: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        ["bash", "-euc", command],
        cwd=project.folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}"
    return done.stdout


def plan(project: Project, command: str) -> list[dict[str, int]]:
    """The jobs of the Snakemake commands of a block, before they are run."""
    lines = [line for line in command.splitlines() if line.startswith(".venv/bin/snakemake")]
    return [project.planned(*shlex.split(line)[1:]) for line in lines]


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """The document, from top to bottom."""
    project = with_environment(copy_project(tmp_path_factory.mktemp("document") / "project"))
    found = {}
    for title, blocks in sections().items():
        here = found[title] = Section()
        if not NEEDS.get(title, (True,))[0]:
            continue
        for language, about, content in blocks:
            if about.startswith("title="):
                path = project.folder / about.removeprefix("title=")
                path.parent.mkdir(exist_ok=True)
                path.write_text(content)
            elif language == "sh":
                here.planned += plan(project, content) if title[0].isdigit() else []
                here.printed += run(project, content)
            elif language == "text" and here.printed:
                here.expected += content.splitlines()
    return project, found


def table(project, path):
    return parse_table((project.folder / path).read_bytes())


def test_what_is_said_to_be_printed_is_printed(walk):
    _, found = walk
    expected = [(title, line) for title, here in found.items() for line in here.expected]
    assert len(expected) > 10
    for title, line in expected:
        assert line.split() in [given.split() for given in found[title].printed.splitlines()], line


def test_a_config_line_runs_its_own_jobs_only(walk):
    project, found = walk
    planned = {"select": 2, "stability": 2, "accuracy": 2, **SHOWN}
    assert found["1. A config line"].planned == [planned]
    at_stability = (project.folder / "results/trial/tables/at_stability.md").read_text()
    assert "ANOVA F" in at_stability
    assert "Random forest" in at_stability


def test_one_python_file_runs_its_own_jobs_only(walk):
    project, found = walk
    planned = {"select": 1, "stability": 1, "accuracy": 1, **SHOWN}
    assert found["2. One Python file"].planned == [planned]
    fold = table(project, "results/trial/selections/wine/spread/s001.tsv")
    assert list(fold) == ["rank", "feature", "weight", "low", "high"]


def test_a_rule_runs_its_own_jobs_only(walk):
    project, found = walk
    assert found["3. A rule in any language"].planned == [{**BY_RULE, **SHOWN}]
    for kind in ("stability", "accuracy"):
        assert (project.folder / f"results/trial/{kind}/wine/gap.tsv").is_file()
    assert (
        "Gap of class means"
        in (project.folder / "results/trial/tables/at_stability.md").read_text()
    )
    assert not list((project.folder / "results/trial/folds").rglob("*.csv"))
    # The run of the last section made the index for its own study.
    again = project.run("--configfile", "mine/config.yaml")
    assert set(re.findall(r"^Finished jobid: \d+ \(Rule: (\w+)\)", again, re.MULTILINE)) == {
        "index",
        "default",
    }
    assert "Nothing to be done" in project.run("--configfile", "mine/config.yaml")


def test_the_rule_in_awk_ranks_as_f_values_do(walk):
    """F = η² / (1 − η²) · (n − c) / (c − 1) rises with η², the share that the rule computes."""
    project, _ = walk
    for fold in FOLDS:
        theirs, ours = (
            table(project, f"results/trial/selections/wine/{name}/{fold}.tsv")
            for name in ("gap", "anova")
        )
        assert theirs["feature"] == ours["feature"]


def skip_without(title):
    present, tool = NEEDS[title]
    if not present:
        pytest.skip(f"{tool} is not installed")


def training_rows(project, study, fold):
    data = read_table(project.folder / "results/data/wine.npz")
    plan = read_plan(project.folder / f"results/{study}/resamples/wine.npz")
    train = next(one.train for one in plan if one.name == fold)
    return data.X[train], data.y[train], data.features


def test_the_rule_in_r_is_scipys_test(walk):
    skip_without("The same in R")
    from scipy.stats import kruskal

    project, _ = walk
    X, y, features = training_rows(project, "in_r", "s003")
    found = table(project, "results/in_r/selections/wine/kruskal/s003.tsv")
    expected = [kruskal(*(column[y == label] for label in range(3))).statistic for column in X.T]
    weights = dict(zip(found["feature"], map(float, found["weight"]), strict=True))
    assert [weights[name] for name in features] == pytest.approx(expected, rel=1e-9)


def test_the_rule_of_weka_is_relieff(walk):
    skip_without("The same with Weka")
    project, _ = walk
    X, y, features = training_rows(project, "in_weka", "s002")
    found = table(project, "results/in_weka/selections/wine/weka/s002.tsv")
    weights = dict(zip(found["feature"], map(float, found["weight"]), strict=True))
    expected = ReliefF(n_neighbours=10).fit(X, y).scores_
    assert [weights[name] for name in features] == pytest.approx(expected, abs=1e-4)


def test_an_edit_of_the_program_reruns_its_jobs_only(walk, tmp_path):
    project, _ = walk
    shutil.copytree(project.folder, tmp_path / "project", symlinks=True)
    own = Project(tmp_path / "project")
    program = own.folder / "mine/gap.awk"
    program.write_text(program.read_text().replace('"%d', '"2%d'))
    planned = own.planned("--configfile", "mine/config.yaml")
    shown = {name: 1 for name in SHOWN if name != "summary"}
    assert planned == {**BY_RULE, **shown}
    done = own.snakemake("--configfile", "mine/config.yaml")
    assert done.returncode == 1
    [line] = next(content.splitlines() for _, _, content in sections()["What a rule writes"])
    assert line in done.stdout
    assert "Traceback" not in done.stdout


def test_a_selector_without_its_rule_is_one_line(walk):
    project, _ = walk
    done = project.snakemake("--config", "studies=[mine/trial.yaml]")
    assert done.returncode == 1
    line = done.stdout.strip().splitlines()[-1]
    assert line.startswith("steadfast: study trial: selectors.gap: use: rule, but no rule (the")
    assert "has an output for results/trial/rankings/wine/gap/s001.tsv; write it as" in line
    assert "Exception" not in done.stdout


def test_a_transform_of_ones_own_runs(walk):
    project, _ = walk
    printed = (project.folder / "results/pulled/tables/gain.md").read_text()
    assert "without outliers" in printed
    fold = table(project, "results/pulled/selections/wine/fisher+winsor/s001.tsv")
    assert fold["note"][0] == "winsor(share=0.1), learnt from the training rows"


@pytest.mark.parametrize(
    "block",
    [
        content
        for blocks in sections().values()
        for _, about, content in blocks
        if about == "selectors"
    ],
)
def test_lines_to_start_from_are_right(block, tmp_path):
    study = yaml.safe_load(next(c for _, about, c in sections()["A study to add it to"] if about))
    added = yaml.safe_load(block)
    study["selectors"] |= added.pop("selectors", {})
    study |= added
    for part in ("tables", "figures"):
        study.pop(part)
    path = tmp_path / "study.yaml"
    path.write_text(yaml.safe_dump(study))
    load_study(path, study_schema(ROOT / "workflow/schemas"), {"wine"})


def test_a_fold_and_a_ranking_have_the_form_that_the_document_says(tmp_path):
    text = fold_to_csv(np.array([[0.1, 2]]), np.array([2]), ["a, b", "class"]).decode()
    assert text == '"a, b",class,class_\n0.1,2.0,c3\n'
    path = tmp_path / "f01.tsv"
    path.write_text(
        "feature\trank\tweight\tselected\twhy\nclass\t2\t1\tno\tb\na, b\t1\t0\tyes\ta\n"
    )
    assert read_ranking(path, ["a, b", "class"]).sequence_.tolist() == [0, 1]

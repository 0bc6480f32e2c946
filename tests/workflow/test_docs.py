"""Every command and every piece of Python in the documents runs as it is printed.

They run in one copy of the project, document by document. Its config makes every study small by
`overrides`, so that the commands themselves stay as they are.
"""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from conftest import ROOT, Project, copy_project
from documents import Block, blocks, commands, documents

#: Commands that are not run here, and why.
NOT_RUN = {
    "make test": "runs these tests",
    "make chaos minutes=10 seed=1": "tests/workflow/test_chaos.py runs a short part of it",
    "make machines": "takes 20 minutes; tests/workflow/test_slurm.py has the same Slurm",
    "make executors": "needs packages of its own; tests/unit/test_executors.py compares profiles",
    "make keep local_data=data": "needs every study at full size; tests/unit/test_kept_runs.py",
    "pip install 'steadfast[workflow]'": "tests/workflow/test_wheel.py installs the wheel so",
    "steadfast advise openml:61": "needs a network; tests/workflow/test_advise.py has a server",
}
#: Documents whose commands another test runs.
ELSEWHERE = {
    "docs/cluster.md": "tests/workflow/test_slurm.py",
    "docs/add-a-selector.md": "tests/workflow/test_add_a_selector.py",
    "docs/inside-your-workflow.md": "tests/workflow/test_anywhere.py",
    "docs/tidy-files.md": "tests/workflow/test_tidy_files.py",
}
#: What is left of each study: data set, selectors (and their changes), resampling, table.
SMALL = {
    "gulgezen2009": {
        "datasets": ["wine"],
        "selectors": {"mid": {}, "mid_alpha_0": {}},
        "resample": {"repeats": 3, "ratios": [0.25, 1.0]},
        "tables": {"table7": {"selectors": ["mid_alpha_0", "mid"]}},
    },
    "kalousis2005": {
        "datasets": ["iris"],
        "selectors": {"relieff": {}},
        "resample": {"folds": 3, "inner": 3},
    },
    "somol2008": {"datasets": ["wine"], "selectors": {"sffs_knn": {}}, "resample": {"repeats": 3}},
    "ji2015": {
        "datasets": ["wine"],
        "selectors": {"mrsmr": {"n_features_to_select": 5}},
        "resample": {"repeats": 3},
    },
    "ji2015_sensitivity": {
        "datasets": ["wine"],
        "selectors": {"kappa_0": {"n_features_to_select": 5}},
        "resample": {"repeats": 3},
    },
    "ji2015_readings": {
        "datasets": ["wine"],
        "selectors": {"mid": {"n_features_to_select": 5}},
        "resample": {"experiments": 2, "repeats": 3},
    },
    "alelyani2013_dilemma": {
        "datasets": ["iris"],
        "selectors": {"fisher": {}},
        "resample": {"repeats": 3, "perturbations": [0, 1]},
    },
    "alelyani2013_causes": {"datasets": ["iris"], "selectors": {"fisher": {}}},
    "alelyani2013_slrma": {
        "datasets": ["iris"],
        "selectors": {"fisher": {}},
        "transforms": {"original": {}},
    },
    "alelyani2013_lsvd": {
        "datasets": ["iris"],
        "selectors": {"fisher": {}},
        "transforms": {"clusters": {}},
    },
    "alelyani2013_frozen": {
        "datasets": ["iris"],
        "selectors": {"fisher": {}},
        "transforms": {"original": {}},
    },
    "alpha_from_data": {
        "datasets": ["iris"],
        "selectors": {"auto_alpha": {}},
        "resample": {"repeats": 3},
        "alpha": None,
    },
    "advise": {"selectors": {"fisher": {}, "random": {}}, "resample": {"repeats": 4}},
}


def as_text(rows, separator: str = "\t") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def runs_of(seed: int, n_listed: int, ranks: bool = True) -> str:
    """Five runs that list some of 60 features, best first."""
    draw = np.random.default_rng(seed)
    worth = draw.normal(size=60)
    rows = [("run", "feature", "rank")]
    for run in range(5):
        order = np.argsort(worth + 0.5 * draw.normal(size=60))[:n_listed]
        rows += [(run, f"x{feature}", rank) for rank, feature in enumerate(order, start=1)]
    return as_text(rows if ranks else (row[:2] for row in rows))


def table_of(n_features: int) -> str:
    """Sixty rows of numbers, of which the first feature tells the classes apart."""
    draw = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = draw.normal(size=(60, n_features)) + np.outer(y, np.arange(n_features) == 0)
    rows = [(*row, "yes" if label else "no") for row, label in zip(X.round(4).tolist(), y)]
    return as_text([(*(f"x{i}" for i in range(n_features)), "class"), *rows], ",")


#: Files that commands of the documents read and that no block of theirs shows.
FILES = {
    "subsets.tsv": runs_of(1, 9, ranks=False),
    "ranks.tsv": runs_of(2, 60),
    "a.tsv": runs_of(3, 9, ranks=False),
    "b.tsv": runs_of(4, 9, ranks=False),
    "table.csv": table_of(60),
    "tables/mine.csv": table_of(6),
    "my.csv": table_of(6).replace("class", "diagnosis", 1),
    "docs/examples/patients.csv": (ROOT / "docs/examples/patients.csv").read_text(),
    "data/any.csv": table_of(6),
    "config/paper.yaml": "results: results/paper\n",
}


def small(study: str) -> dict:
    """Changes that leave of a study what `SMALL` says: no classifiers, figures or claims."""
    folder = "config" if study == "advise" else "config/studies"
    declared = yaml.safe_load((ROOT / folder / f"{study}.yaml").read_text())
    kept = SMALL[study]
    dropped = {"claims", "runs", "precision", "stand_ins", "published_means", "readings"}
    dropped &= set(declared)
    changes = dict.fromkeys(dropped) | kept
    for key in ("selectors", "transforms", "tables", "figures"):
        rest = {name: None for name in declared.get(key, {})}
        if rest:
            changes[key] = rest | kept.get(key, {})
    classifiers = declared.get("accuracy", {}).get("classifiers", {})
    return changes | {"accuracy": {"classifiers": dict.fromkeys(classifiers)}}


def environment_in(folder: Path) -> None:
    """The running environment as the copy's `.venv`, ready so that `make` installs nothing."""
    (folder / ".venv").mkdir()
    for part in Path(sys.prefix).iterdir():
        if part.name != ".ready":
            (folder / ".venv" / part.name).symlink_to(part)
    (folder / ".venv/.ready").touch()


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Project:
    """A project with small studies, and with the files that the documents show."""
    project = copy_project(tmp_path_factory.mktemp("documents") / "project")
    shutil.copy2(ROOT / "Makefile", project.folder)
    environment_in(project.folder)
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    config |= {"studies": list(SMALL)[:1], "overrides": {study: small(study) for study in SMALL}}
    (project.folder / "config/config.yaml").write_text(yaml.safe_dump(config))
    shown = {block.file: block.text for path in documents() for block in own_blocks(path)}
    for name, text in (FILES | {name: text for name, text in shown.items() if name}).items():
        path = project.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def own_blocks(path: Path, *languages: str) -> list[Block]:
    """The blocks of a document unless another test runs it."""
    name = path.relative_to(ROOT).as_posix()
    return [] if name in ELSEWHERE else blocks(path, *languages)


def run(command: str, project: Project) -> str:
    # As with the copy installed in its environment, and that environment activated.
    variables = {
        **os.environ,
        "PYTHONPATH": str(project.folder / "scripts"),
        "PATH": f"{project.folder}/.venv/bin:{os.environ['PATH']}",
    }
    done = subprocess.run(
        command,
        shell=True,
        cwd=project.folder,
        env=variables | {"SEEDS": "1 2"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}"
    return done.stdout


WITH_COMMANDS = [path for path in documents() if own_blocks(path, "sh")]
SCRIPTS = [block for path in documents() for block in own_blocks(path, "python") if not block.file]


@pytest.mark.parametrize("path", WITH_COMMANDS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_run_as_printed(path, copy):
    for command in commands(path):
        if command not in NOT_RUN:
            run(command, copy)


@pytest.mark.parametrize("block", SCRIPTS, ids=str)
def test_python_runs_as_printed(block, copy):
    """As after `pip install .`: the library is found wherever Python runs."""
    (copy.folder / "block.py").write_text(block.text)
    assert run(".venv/bin/python block.py", copy).strip()


def cells(shown: str) -> list[dict[str, str]]:
    """The rows of a table of aligned columns, by its header."""
    header, *rows = shown.splitlines()
    starts = [match.start() for match in re.finditer(r"\S+", header)]
    ends = [*starts[1:], None]
    return [
        {header[a:b].strip(): row[a:b].strip() for a, b in zip(starts, ends)}
        for row in rows
        if row != "…"
    ]


def rounded(value: str) -> str | float:
    return round(float(value), 4) if re.fullmatch(r"-?\d+\.\d+(e-\d+)?", value) else value


@pytest.mark.parametrize(
    ("number", "file"),
    [
        (0, "results/gulgezen2009/selections/wine/mid/b01_r0.25.tsv"),
        (1, "results/somol2008/selections/wine/sffs_knn/s001.tsv"),
    ],
)
def test_the_folds_that_are_shown_are_those_of_a_run(number, file, copy):
    document = ROOT / "docs/read-a-fold.md"
    assert file in document.read_text()
    batch = f"{file.rpartition('/')[0]}/batch0.sha256"
    run(f".venv/bin/snakemake --cores 2 {batch} --config 'studies=[gulgezen2009,somol2008]'", copy)
    with open(copy.folder / file, newline="") as opened:
        found = list(csv.DictReader(opened, delimiter="\t"))
    for row in cells(blocks(document, "")[number].text):
        own = next(line for line in found if line["feature"] == row["feature"])
        if "step" in row:
            own = next(line for line in found if line["step"] == row["step"])
        assert {key: rounded(own[key]) for key in row} == {k: rounded(v) for k, v in row.items()}


def test_the_measure_that_is_added_has_the_value_that_is_said(copy):
    out = run("steadfast score runs.tsv --features 13", copy)
    assert re.search(r"^simpson +0\.66667 ", out, re.MULTILINE)
    curve = (copy.folder / "results/simpson/stability/wine/mid.tsv").read_text()
    assert "\nsimpson\t" in curve


def test_what_is_not_run_here_is_still_printed_and_run_elsewhere():
    printed = {command for path in documents() for command in commands(path)}
    assert set(NOT_RUN) <= printed
    tests = re.findall(r"tests/\S+\.py", " ".join([*NOT_RUN.values(), *ELSEWHERE.values()]))
    assert [name for name in tests if not (ROOT / name).is_file()] == []

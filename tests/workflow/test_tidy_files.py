"""The tidy files of a study, and the document that explains them."""

import json
import shutil
import sqlite3
import subprocess
import sys

import pandas as pd
import pytest
from conftest import ROOT, Project
from documents import blocks, table_rows

from steadfast.core.paths import Paths
from steadfast.outputs.frames import CURVES, UNITS, study_frames, to_parquet

DOCUMENT = ROOT / "docs" / "tidy-files.md"
#: The study whose files the document reads; the small study has all that it asks for.
SHOWN = "gulgezen2009"


@pytest.fixture(scope="module")
def folder(finished, tmp_path_factory):
    """A folder in which the study of the document has run."""
    found = tmp_path_factory.mktemp("tidy")
    for name in ("curves", "units"):
        place = found / f"results/{SHOWN}"
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy2(finished.folder / f"results/small/{name}.parquet", place)
    return found


@pytest.mark.parametrize("block", blocks(DOCUMENT, "python"), ids=str)
def test_python_runs_as_printed(block, folder):
    done = subprocess.run(
        [sys.executable, "-c", block.text], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    if "savefig" in block.text:
        assert (folder / "stability.png").stat().st_size > 10_000
    else:
        assert "mean" in done.stdout


def test_sql_is_right(folder):
    """SQLite has no Parquet: it reads the same columns from a table of the file's name."""
    (block,) = blocks(DOCUMENT, "sql")
    file = f"results/{SHOWN}/curves.parquet"
    curves = pd.read_parquet(folder / file)
    with sqlite3.connect(":memory:") as connection:
        curves.to_sql(file, connection, index=False)
        found = pd.read_sql(block.text, connection)
    assert set(found["selector"]) == set(curves["selector"]) - {""}
    assert len(found) == 13 * found["selector"].nunique()
    assert found["beyond_chance"].between(-1, 1).all()


def test_r_names_columns_that_there_are():
    (block,) = blocks(DOCUMENT, "r")
    for name in ("quantity", "dataset", "measure", "ratio", "size", "value", "low", "high"):
        assert name in block.text
        assert name in CURVES.names


def test_every_column_is_explained():
    tables = [part for part in DOCUMENT.read_text().split("\n## ") if part.startswith("Columns")]
    names = [
        {name.strip("` ") for row in table_rows(text)[1:] for name in row[0].split(",")}
        for text in tables
    ]
    both, curves, units = names
    assert both | curves == set(CURVES.names)
    assert both | units == set(UNITS.names)


def test_the_files_have_what_the_text_files_have(finished):
    """Numbers of rows; `tests/unit/test_frames.py` compares each value."""
    curves, units = (
        pd.read_parquet(finished.folder / f"results/small/{name}.parquet")
        for name in ("curves", "units")
    )
    count = {"stability": 0, "chance": 0, "accuracy": 0, "units": 0}
    for dataset in ("wine", "iris"):
        count["chance"] += len(finished.rows(f"small/chance/{dataset}.tsv"))
        for selector in ("mid", "miq", "mid_alpha_0.25", "own", "anova", "chance"):
            file = f"{dataset}/{selector}"
            count["stability"] += len(finished.rows(f"small/stability/{file}.tsv"))
            count["accuracy"] += len(finished.rows(f"small/accuracy/{file}.tsv"))
            count["units"] += len(finished.rows(f"small/stability/{file}.units.tsv"))
    assert (curves["quantity"] == "stability").sum() == count["stability"]
    assert (curves["quantity"] == "chance").sum() == count["chance"]
    assert (units["quantity"] == "accuracy").sum() == count["accuracy"]
    assert (units["quantity"] != "accuracy").sum() == count["units"]


#: The plan in the copy of the project, which has a selector of its own.
PLANNED = """
import json, sys
from pathlib import Path
sys.path.insert(0, "scripts")
from steadfast.core.config import read_yaml
from steadfast.study.plan import Plan
from steadfast.study.run import load_run
plan = Plan(load_run(read_yaml(Path("config/config.yaml")), Path.cwd()), "scripts")
print(json.dumps([plan.curve_inputs("small"), json.loads(plan.curve_context("small"))]))
"""


def test_the_inputs_of_the_rule_are_all_that_is_read(finished, tmp_path):
    planned = subprocess.check_output([sys.executable, "-c", PLANNED], cwd=finished.folder)
    files, context = json.loads(planned)
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(finished.folder / file, tmp_path / file)
    paths = Paths(str(tmp_path / "results")).within(study="small")
    frames = study_frames(paths, context)
    for name, frame, schema in zip(("curves", "units"), frames, (CURVES, UNITS), strict=True):
        written = (finished.folder / f"results/small/{name}.parquet").read_bytes()
        assert to_parquet(frame, schema) == written


@pytest.mark.parametrize("name", ["curves", "units"])
def test_a_damaged_file_is_named_and_brought_back(project: Project, name):
    path = project.folder / f"results/small/{name}.parquet"
    before = path.read_bytes()
    path.write_bytes(before[:-1])
    verified = project.snakemake("verify")
    assert verified.returncode
    assert f"results/small/{name}.parquet: its content differs" in verified.stdout
    path.unlink()
    planned = project.planned()
    assert {rule for rule, jobs in planned.items() if jobs} == {
        *("curves", "table", "figure", "summary", "index")
    }
    project.run()
    assert path.read_bytes() == before

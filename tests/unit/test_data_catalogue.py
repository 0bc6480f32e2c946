"""The project's catalogue, its schema, and the command that loads from it."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import jsonschema
import pytest
import yaml

from steadfast.data import load, read_table

ROOT = Path(__file__).parents[2]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/datasets.schema.yaml").read_text())
AT_HAND = [name for name in CATALOGUE if CATALOGUE[name]["source"] in ("bundled", "sklearn")]


def problems(catalogue: dict) -> list[str]:
    return [
        error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(catalogue)
    ]


def test_the_catalogue_follows_its_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert problems(CATALOGUE) == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("sonar", {"sha": "1"}),
        ("sonar", {"sha256": None}),
        ("sonar", {"id": 40}),
        ("wine", {"loader": "boston"}),
        ("parkinsons", {"id": "1488"}),
        ("parkinsons", {"expect": {"row": 195}}),
        ("parkinsons", {"missing": "mean"}),
        ("audio_genre5", {"path": "data/audio.xls"}),
    ],
)
def test_the_schema_refuses_what_the_loader_would_not_understand(name, change):
    catalogue = deepcopy(CATALOGUE)
    catalogue[name].update(change)
    catalogue[name] = {key: value for key, value in catalogue[name].items() if value is not None}
    assert problems(catalogue)


def test_every_entry_is_credited_and_names_entries_that_exist():
    for entry in CATALOGUE.values():
        assert entry["licence"]
        assert entry["citation"]
        assert entry.get("without_rows_of", "wine") in CATALOGUE


@pytest.mark.parametrize("name", AT_HAND)
def test_what_needs_no_network_loads_and_is_as_expected(tmp_path, name):
    _, about = load(name, CATALOGUE[name], root=ROOT, cache=tmp_path, catalogue=CATALOGUE)
    found = {"rows": about["rows"], "features": about["features"], "classes": len(about["classes"])}
    assert found == CATALOGUE[name]["expect"]


def command(*arguments: object) -> subprocess.CompletedProcess:
    script = str(ROOT / "scripts/load_data.py")
    return subprocess.run(
        [sys.executable, script, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )


def test_the_command_writes_a_table_and_its_description(tmp_path):
    out = tmp_path / "results" / "sonar.npz"
    done = command("sonar", "--cache", tmp_path, "--out", out)
    origin = "bundled config/datasets/sonar.csv.gz"
    assert done.stdout == f"sonar: 208 rows, 60 features, 2 classes from {origin}\n"
    assert (done.returncode, done.stderr) == (0, "")
    assert read_table(out).X.shape == (208, 60)
    assert json.loads(out.with_suffix(".json").read_text())["origin"] == origin


def test_the_command_takes_a_file_that_the_catalogue_does_not_know(tmp_path):
    (tmp_path / "mine.csv").write_text("x,class\n1,a\n2,a\n3,b\n4,b\n")
    out = tmp_path / "mine.npz"
    done = command("mine", "--local-file", tmp_path / "mine.csv", "--cache", tmp_path, "--out", out)
    assert done.returncode == 0
    assert read_table(out).classes == ("a", "b")


def test_the_command_ends_a_mistake_with_one_line(tmp_path):
    done = command("sonnar", "--cache", tmp_path, "--out", tmp_path / "x.npz")
    assert done.returncode == 1
    assert done.stderr == (
        "steadfast: config/datasets.yaml: no data set 'sonnar' in the catalogue; "
        "did you mean 'sonar'?\n"
    )
    assert not list(tmp_path.iterdir())

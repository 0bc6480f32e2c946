"""The project's catalogue, how it is checked, and the command that loads from it."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from steadfast.core.errors import UserError
from steadfast.data import load, read_table
from steadfast.data.catalogue import check_catalogue

ROOT = Path(__file__).parents[2]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())
OFFLINE = ("bundled", "sklearn", "scenario")
AT_HAND = [name for name in CATALOGUE if CATALOGUE[name]["source"] in OFFLINE]
#: Keys that hold settings with defaults of their own.
NESTED = ("generator", "scenario")


def test_the_catalogue_is_as_it_should_be_and_gets_its_defaults():
    checked = check_catalogue(CATALOGUE, "datasets.yaml")
    assert list(checked) == list(CATALOGUE)
    for name, entry in checked.items():
        given = CATALOGUE[name]
        assert {key: entry[key] for key in given if key not in NESTED} == {
            key: value for key, value in given.items() if key not in NESTED
        }
        assert entry["missing"] in ("refuse", "median", "drop_rows")


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("sonar", {"sha": "1"}, "sonar.sha: source bundled has no such key; did you mean 'sha256'"),
        ("sonar", {"sha256": None}, "sonar.sha256: this key is missing"),
        ("sonar", {"licence": None}, "sonar.licence: this key is missing"),
        ("sonar", {"id": 40}, "sonar.id: source bundled has no such key"),
        ("sonar", {"generator": {}}, "sonar.generator: source bundled has no such key"),
        ("sonar", {"source": "bundeld"}, "sonar.source: 'bundeld' is not known; did you mean"),
        ("sonar", {"source": None}, "sonar.source: this key is missing"),
        ("wine", {"loader": "boston"}, "wine.loader: 'boston' is not known"),
        ("wine", {"path": "wine.csv"}, "wine.path: source sklearn has no such key"),
        ("wine", {"columns": "any"}, "wine.columns: source sklearn has no such key"),
        ("synthetic_20x2000", {"target": "y"}, "target: source synthetic has no such key"),
        ("synthetic_20x2000", {"generator": {"rows": 9}}, "generator.features: this key is missi"),
        ("parkinsons", {"id": "1488"}, "parkinsons.id: '1488' is not valid"),
        ("parkinsons", {"sha256": "0" * 64}, "parkinsons.sha256: source openml has no such key"),
        ("parkinsons", {"expect": {"row": 195}}, "expect.row: unknown key; did you mean 'rows'?"),
        ("parkinsons", {"missing": "mean"}, "parkinsons.missing: 'mean' is not known"),
        ("parkinsons", {"title": ""}, "parkinsons.title: '' should be non-empty"),
        ("audio_genre5", {"path": "data/audio.xls"}, "path: 'data/audio.xls' does not match"),
    ],
)
def test_what_the_loader_would_not_understand_is_refused_in_one_line(name, change, words):
    catalogue = deepcopy(CATALOGUE)
    catalogue[name].update(change)
    catalogue[name] = {key: value for key, value in catalogue[name].items() if value is not None}
    with pytest.raises(UserError) as caught:
        check_catalogue(catalogue, "datasets.yaml")
    assert str(caught.value).startswith("datasets.yaml: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["my set", "a/b", "-a", "a.b", ""])
def test_a_name_that_is_no_part_of_a_path_is_refused(name):
    with pytest.raises(UserError, match=r"datasets\.yaml: the file: .* does not match"):
        check_catalogue({name: CATALOGUE["wine"]}, "datasets.yaml")
    with pytest.raises(UserError, match="non-empty"):
        check_catalogue({}, "datasets.yaml")


def test_every_entry_is_credited_and_names_entries_that_exist():
    for entry in CATALOGUE.values():
        assert entry["licence"]
        assert entry["citation"]
        assert entry.get("without_rows_of", "wine") in CATALOGUE


def test_no_number_of_openml_stands_in_two_entries():
    numbers = [entry["id"] for entry in CATALOGUE.values() if entry["source"] == "openml"]
    single = [number for number in numbers if isinstance(number, int)]
    assert len(single) == len(set(single))


@pytest.mark.parametrize("name", AT_HAND)
def test_what_needs_no_network_loads_and_is_as_expected(tmp_path, name):
    _, about = load(name, CATALOGUE[name], root=ROOT, cache=tmp_path, catalogue=CATALOGUE)
    found = {"rows": about["rows"], "features": about["features"], "classes": len(about["classes"])}
    assert found == CATALOGUE[name]["expect"]


def test_benign_is_the_first_class_of_wdbc(tmp_path):
    """The Gaussian of somol2008 as published takes the first class's mean for all."""
    _, about = load("wdbc", CATALOGUE["wdbc"], root=ROOT, cache=tmp_path, catalogue=CATALOGUE)
    assert next(iter(about["classes"])) == "benign"


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

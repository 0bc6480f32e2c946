"""Sources of data sets as classes: how they are found, what they declare, and what a load needs."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.imports import import_closure
from steadfast.data import loader, sources
from steadfast.data.catalogue import check_catalogue, keys_of
from steadfast.data.source import COMMON, TABLE, Source
from steadfast.data.sources.synthetic import GENERATOR, synthetic

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts"
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())
NAMES = sorted(registry.declared("source"))

OWN = '''
import numpy as np

from steadfast.core.keys import whole
from steadfast.core.registry import source
from steadfast.data.frame import Frame
from steadfast.data.source import Origin, Source

@source("counting")
class Counting(Source):
    """Whole numbers in order."""

    keys = {"up_to": whole("The last number.", least=4, required=True)}
    is_table = False

    def read(self, name, entry, place):
        numbers = np.arange(entry["up_to"], dtype=float)
        labels = ["even" if number % 2 == 0 else "odd" for number in numbers]
        places = [f"row {row}" for row in range(1, len(numbers) + 1)]
        frame = Frame(numbers[:, None], labels, ("number",), "parity", places, "counting")
        return Origin(frame, "counting", "0" * 64)
'''


def test_a_source_is_found_by_the_text_of_its_file(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    found = registry.declared("source", tmp_path)
    assert {name: about.class_name for name, about in found.items()} == {"counting": "Counting"}


def test_a_source_in_one_file_is_checked_and_loaded(tmp_path, monkeypatch):
    folder = tmp_path / "counting_source"
    folder.mkdir()
    (folder / "own.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    known = dict(registry.declared("source"))
    declared = registry.declared("source", folder)["counting"]
    own = registry.Declaration("counting", "counting_source.own", declared.class_name)
    monkeypatch.setattr(registry, "declared", lambda sort, folder=None: {**known, "counting": own})
    registry.load.cache_clear()
    entry = {"title": "Numbers", "source": "counting", "up_to": 8}
    checked = check_catalogue({"numbers": entry}, "datasets.yaml")["numbers"]
    assert checked == {**entry, "missing": "refuse"}
    table, about = loader.load("numbers", checked, root=tmp_path, cache=tmp_path)
    assert table.X[:, 0].tolist() == list(range(8))
    assert (about["origin"], table.classes) == ("counting", ("even", "odd"))
    with pytest.raises(UserError, match=r"numbers\.upto: source counting has no such key; did you"):
        check_catalogue({"numbers": {**entry, "upto": 8}}, "datasets.yaml")
    with pytest.raises(UserError, match=r"numbers\.up_to: 3 is less than the minimum of 4"):
        check_catalogue({"numbers": {**entry, "up_to": 3}}, "datasets.yaml")


@pytest.mark.parametrize("name", NAMES)
def test_every_source_and_key_is_described(name):
    found = registry.load("source", name)
    assert issubclass(found, Source)
    assert found.__doc__.splitlines()[0].endswith(".")
    assert all(key.description.endswith(".") for key in keys_of(name).values())
    assert set(COMMON) | {"source"} <= set(keys_of(name))
    assert found.is_table == (set(TABLE) <= set(found.keys))


def test_sources_of_whole_tables_and_others():
    assert {name for name in NAMES if sources.create(name).is_table} == {
        "bundled",
        "file",
        "openml",
    }


def test_files_of_an_entry_are_those_that_it_is_read_from():
    found = {
        name: loader.source_of(name, entry).files(entry, ROOT) for name, entry in CATALOGUE.items()
    }
    for name, entry in CATALOGUE.items():
        assert found[name] == ([ROOT / entry["path"]] if "path" in entry else [])
    assert any(found.values())


def test_the_code_of_a_load_is_that_of_its_sources():
    assert loader.code_files("wine", CATALOGUE) == ["steadfast/data/sources/sklearn.py"]
    both = {
        "whole": {"source": "openml", "without_rows_of": "part"},
        "part": {"source": "file", "without_rows_of": "whole"},
    }
    wanted = ["steadfast/data/sources/file.py", "steadfast/data/sources/openml.py"]
    assert loader.code_files("whole", both) == wanted
    assert loader.code_files("mine", both) == []
    for name in NAMES:
        assert (SCRIPTS / sources.file_of(name)).is_file()


def test_the_command_depends_on_no_source_that_it_does_not_read():
    closure = {str(path) for path in import_closure([SCRIPTS / "load_data.py"], SCRIPTS)}
    found = {Path(path).name for path in closure if "data/sources/" in path}
    assert found == {"__init__.py"}
    assert not any("openml_cache" in path for path in closure)


def test_a_load_imports_its_own_source_alone():
    code = (
        "import sys, yaml; from pathlib import Path; from steadfast.data.loader import load;"
        "c = yaml.safe_load(Path('../config/datasets.yaml').read_text());"
        "load('glass', c['glass'], root=Path('..'), cache=Path('nowhere'));"
        "print(*(name for name in sys.modules if 'data.sources.' in name or name == 'sklearn'))"
    )
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, capture_output=True, text=True, check=True, cwd=SCRIPTS)
    assert done.stdout.split() == ["steadfast.data.sources.file"]


def test_a_source_that_is_not_known_suggests_the_nearest():
    with pytest.raises(UserError, match="t: `source: openlm` is unknown; did you mean 'openml'"):
        loader.source_of("t", {"source": "openlm"})


def test_a_generator_needs_its_sizes_and_has_defaults_for_the_rest():
    needed = {"rows": 20, "features": 6, "relevant": 2}
    _, digest = synthetic("made_up", needed)
    defaults = {key: about.default for key, about in GENERATOR.items() if about.has_default}
    assert synthetic("made_up", {**defaults, **needed})[1] == digest
    assert set(defaults) | set(needed) == set(GENERATOR)
    for key in needed:
        given = {name: value for name, value in needed.items() if name != key}
        with pytest.raises(UserError, match=f"made_up: its generator has no `{key}`; add it"):
            synthetic("made_up", given)


PARTS = {
    "wine": CATALOGUE["wine"],
    "few": {"source": "part", "of": "wine", "rows": 40, "title": "Few"},
}


def load_part(tmp_path, catalogue=PARTS, **settings):
    settings = {"root": ROOT, "cache": tmp_path, "catalogue": catalogue, **settings}
    return loader.load("few", catalogue["few"], **settings)


def test_a_part_has_rows_of_the_whole_and_its_share_of_every_class(tmp_path):
    whole, _ = loader.load("wine", CATALOGUE["wine"], root=ROOT, cache=tmp_path)
    few, about = load_part(tmp_path)
    rows = {(*row, label) for row, label in zip(whole.X.tolist(), whole.y.tolist(), strict=True)}
    drawn = [(*row, label) for row, label in zip(few.X.tolist(), few.y.tolist(), strict=True)]
    assert set(drawn) <= rows
    assert about["origin"] == "40 of 178 rows of wine"
    # 59, 71 and 48 of 178: 13.26, 15.96 and 10.79 of 40.
    assert list(few.class_counts().values()) == [13, 16, 11]
    assert load_part(tmp_path)[0].X.tolist() == few.X.tolist()
    assert loader.code_files("few", PARTS) == [
        "steadfast/data/sources/part.py",
        "steadfast/data/sources/sklearn.py",
    ]


def test_a_part_comes_from_the_users_own_file_of_the_whole(tmp_path):
    own = tmp_path / "wine.csv"
    own.write_text("a,b,class\n" + "".join(f"{i},{i % 7},{'xy'[i % 2]}\n" for i in range(50)))
    wine = {key: value for key, value in CATALOGUE["wine"].items() if key != "expect"}
    few, _ = load_part(tmp_path, {**PARTS, "wine": wine}, local_file=own)
    assert few.X.shape == (40, 2)
    assert set(few.X[:, 0]) < set(range(50))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": 179}, "few: `rows: 179`: there are 178; ask for fewer"),
        ({"of": "wein"}, "few: `of`: no data set 'wein' in the catalogue; did you mean 'wine'"),
    ],
)
def test_a_part_that_cannot_be_drawn_is_one_line(tmp_path, change, words):
    with pytest.raises(UserError, match=words):
        load_part(tmp_path, {**PARTS, "few": {**PARTS["few"], **change}})

"""Kinds of tables, figures and claims: what they declare is whole, checked and documented."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from steadfast.core import registry
from steadfast.core.errors import UserError
from steadfast.core.keys import Key, check_entry, named_values, schema_of, text
from steadfast.study.documentation import (
    SORTS,
    explain,
    keys_of,
    mark,
    markdown,
    scenario_keys,
    summary,
)
from steadfast.study.load import load_study
from steadfast.study.run import study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow/schemas")
EVERY = [(sort, name) for sort in SORTS for name in registry.declared(sort)]
STUDY = {
    "title": "Mine",
    "datasets": ["wine"],
    "resample": {"scheme": "subsample"},
    "selectors": {"mid": {}, "miq": {}},
    "stability": {"compare": "all_pairs", "measures": ["nogueira"]},
}


@pytest.mark.parametrize(("sort", "name"), EVERY)
def test_everything_that_can_be_named_says_what_it_is(sort, name):
    assert summary(sort, name).endswith("."), "the first line of the docstring is a sentence"
    for key, about in keys_of(sort, name).items():
        assert about.description.endswith("."), f"{name}.{key}"
        assert about.schema, f"{name}.{key} has no type"
    assert f"{sort} {name}: " in explain(sort, name)


@pytest.mark.parametrize("sort", SORTS)
def test_the_readme_of_the_config_has_the_tables_of_the_classes(sort):
    content = (ROOT / "config/README.md").read_text()
    start, end = mark(sort)
    between = content.partition(start)[2].partition(end)[0].strip()
    assert between == markdown(sort), "run: python scripts/kinds.py --into config/README.md"


def test_the_readme_of_the_config_has_the_keys_of_a_scenario():
    start, end = mark("scenario")
    content = (ROOT / "config/README.md").read_text()
    assert content.partition(start)[2].partition(end)[0].strip() == scenario_keys()
    assert "    effect (any, default 1.0): " in explain("source", "scenario")


def test_the_command_lists_and_explains():
    def printed(*arguments: str) -> str:
        command = [sys.executable, "scripts/kinds.py", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    everything = printed()
    assert all(f"  {name}: " in everything for _, name in EVERY)
    assert "smallest (integer, default 10)" in printed("table", "knots")


def load(tmp_path, **parts):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**STUDY, **parts}, sort_keys=False))
    return load_study(path, SCHEMA, {"wine", "sonar"})


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        ({"tables": {"a": {"kind": "knot", "title": "A"}}}, "a.kind: 'knot' is not known; did you"),
        ({"tables": {"a": {"kind": "knots"}}}, "tables.a.title: this key is missing"),
        (
            {"tables": {"a": {"kind": "knots", "title": "A", "levels": [1]}}},
            "tables.a.levels: kind knots has no such key; ",
        ),
        (
            {"tables": {"a": {"kind": "knots", "title": "A", "smalest": 3}}},
            "tables.a.smalest: kind knots has no such key; did you mean 'smallest'?",
        ),
        (
            {"figures": {"a": {"kind": "plane", "title": "A", "marked": ["x"]}}},
            "figures.a.marked.0: 'x' is not of type 'integer'",
        ),
        (
            {"claims": [{"kind": "compare", "text": "A", "of": "stability", "better": "mid"}]},
            "claims.0.than: this key is missing",
        ),
        (
            {"claims": [{"kind": "pairs", "text": "A", "pairs": [["mid", "mit"]]}]},
            "claims.0.pairs: unknown selector 'mit'; did you mean 'mi",
        ),
    ],
)
def test_a_key_of_another_kind_is_refused_with_one_line(tmp_path, parts, line):
    with pytest.raises(UserError, match=re.escape(line)) as caught:
        load(tmp_path, **parts)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))


def test_an_entry_gets_the_defaults_of_its_own_kind_and_of_the_study(tmp_path):
    study = load(tmp_path, tables={"a": {"kind": "knots", "title": "A"}})
    own = {"kind": "knots", "title": "A", "smallest": 10}
    given = {"ratio": 1.0, "measure": "nogueira", "compare": "all_pairs"}
    assert study.tables["a"] == own | given


def test_a_kind_without_a_key_for_it_gets_no_default_of_another(tmp_path):
    study = load(tmp_path, tables={"a": {"kind": "datasets", "title": "A"}})
    assert study.tables["a"] == {"kind": "datasets", "title": "A"}


def test_the_schema_of_keys_refuses_fills_in_and_names():
    keys = {
        "selector": text("Selector.", names="selector", required=True),
        "pairs": Key("Pairs.", {"type": "array"}, names="selector"),
        "by_name": Key("By name.", {"type": "object"}, names="dataset"),
        "size": Key("Size.", {"type": "integer"}, default=3),
    }
    assert schema_of(keys)["required"] == ["selector"]
    entry = {"selector": "mid", "pairs": [["a", "b"]], "by_name": {"x": ["wine"]}}
    filled = check_entry(entry, keys, "file.yaml", "tables.t")
    assert filled == {**entry, "size": 3}
    assert list(named_values(filled, keys, "at")) == [
        ("at.selector", "selector", "mid"),
        ("at.pairs", "selector", "a"),
        ("at.pairs", "selector", "b"),
        ("at.by_name.x", "dataset", "wine"),
    ]
    with pytest.raises(UserError, match=r"file\.yaml: tables\.t\.sizes: this has no such key; did"):
        check_entry({**entry, "sizes": 1}, keys, "file.yaml", "tables.t", of="this")


def test_a_default_is_no_object_that_entries_share():
    keys = {"sizes": Key("Sizes.", {"type": "array"}, default=[1])}
    first = check_entry({}, keys, "f", "a")
    first["sizes"].append(2)
    assert check_entry({}, keys, "f", "a") == {"sizes": [1]}

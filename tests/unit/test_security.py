"""What a table, a config or a page that someone sends can do: docs/security.md, row by row."""

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from page_cases import AWKWARD
from rules_text import rules

from steadfast.command import advise
from steadfast.command.running import load_asked
from steadfast.core.config import check_schema
from steadfast.core.errors import UserError, plain
from steadfast.core.files import csv_to_bytes, write_atomically
from steadfast.core.paths import NAME
from steadfast.data.catalogue import check_catalogue
from steadfast.outputs.figures import panels
from steadfast.outputs.table import markdown_rows
from steadfast.reports.markdown import render, render_line
from steadfast.study.foreign import announcement, foreign_code
from steadfast.study.load import load_study
from steadfast.study.plan import Plan
from steadfast.study.run import load_run, over_default, read_config, study_paths, study_schema

ROOT = Path(__file__).parents[2]
SCHEMA = study_schema(ROOT / "workflow" / "schemas")
SOURCES = [*ROOT.glob("scripts/**/*.py"), *ROOT.glob("workflow/**/*.smk"), ROOT / "Snakefile"]

#: Names that would leave the folder of results, break a line, or mean something to a system.
OUTSIDE = [
    *("..", "../x", "a/../../x", "/etc/passwd", "a/b", r"a\b", "~", ".hidden", "-rf", "--out"),
    *("a b", "a;b", "$(id)", "`id`", "a\nb", "wine\n", "a\0b", "a\tb", "a|b", "*", "{x}", "%n"),
    *("CON", "nul", "aux.txt", "Com1", "lpt9.x", "a.", "", "x" * 81, "x" * 300, "é", "a\u202eb"),
]

STUDY = """
title: Mine
datasets: [wine]
resample: {scheme: subsample, repeats: 3}
selectors: {mid: {}}
stability: {compare: all_pairs, measures: [jaccard]}
"""


# A config


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_leaves_its_folder_is_refused_wherever_it_becomes_a_path(name, tmp_path):
    file, declared = tmp_path / "mine.yaml", yaml.safe_load(STUDY)
    for change in (
        {"selectors": {name: {"use": "mid"}}},
        {"transforms": {name: {"use": "none"}}},
        {"tables": {name: {"kind": "datasets"}}},
        {"figures": {name: {"kind": "curves"}}},
        {"recovery": {"scenarios": {name: {}}}},
        {"datasets": [name]},
        {"published": name},
    ):
        file.write_text(yaml.safe_dump(declared | change))
        with pytest.raises(UserError, match=r"mine\.yaml: ") as refused:
            load_study(file, SCHEMA, {"wine", name})
        assert len(plain(str(refused.value)).splitlines()) == 1
    with pytest.raises(UserError):
        check_catalogue({name: {"source": "sklearn", "loader": "load_wine"}}, "datasets.yaml")
    if name:
        with pytest.raises(UserError):
            study_paths([f"{name}.yaml", "data.yaml"], ROOT)


def test_schema_and_code_agree_on_names():
    assert SCHEMA["$defs"]["id"]["pattern"] == NAME
    for name in ("mid", "mid_alpha_0.25", "a-b", "7", "console", "x" * 80):
        assert re.search(NAME, name)


@pytest.mark.parametrize("name", ["data", "logs", "index.html"])
def test_a_study_does_not_take_the_place_of_what_every_run_has(name):
    with pytest.raises(UserError, match="becomes part of paths"):
        study_paths([f"{name}.yaml"], ROOT)


@pytest.mark.parametrize("key", ["results", "cache"])
@pytest.mark.parametrize("folder", ["", "-x", "a\nb", "a\n", "a\0b", "{study}", "\x1b[2J"])
def test_folders_have_names_that_programs_take_as_they_are(key, folder):
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    with pytest.raises(UserError, match=rf"c\.yaml: {key}: .* does not match"):
        check_schema({"studies": ["x"], "seed": 1, key: folder}, schema, "c.yaml")


def test_a_run_says_whose_code_it_runs(tmp_path):
    file = tmp_path / "mine.yaml"
    study = yaml.safe_load(STUDY) | {
        "title": "some.Name in.a title",
        "selectors": {
            "mid": {"label": "St.Louis"},
            "own": {"use": "mine.Selector"},
            "known": {"use": "sklearn.svm.LinearSVC"},
            "inner": {"use": "ensemble", "base": "other.module.Inner"},
        },
        "accuracy": {"classifiers": {"forest": {"use": "third.Forest"}}},
    }
    file.write_text(yaml.safe_dump(study, sort_keys=False))
    config = {"studies": [str(file)], "rules": ["my.smk"]}
    expected = ["my.smk", "mine.Selector", "other.module.Inner", "third.Forest"]
    assert foreign_code(config, ROOT) == expected
    assert all(name in announcement(config, ROOT) for name in expected)
    changes = {"mine": {"transforms": {"t": {"use": "fourth.T"}}}}
    assert foreign_code(config | {"overrides": changes}, ROOT) == [*expected, "fourth.T"]


def test_the_projects_own_configuration_runs_no_other_code():
    assert announcement(read_config(ROOT), ROOT) == ""
    assert announcement(read_config(ROOT) | {"data": "my.csv"}, ROOT) == ""


def test_the_commands_say_so_once_and_the_workflow_before_rules_are_included(
    tmp_path, monkeypatch, capsys
):
    study = yaml.safe_load(STUDY) | {"selectors": {"mid": {}, "own": {"use": "mine.Selector"}}}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(study))
    monkeypatch.chdir(tmp_path)
    load_asked({"studies": ["mine.yaml"]})
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("This configuration runs code of mine.Selector: ")
    main = (ROOT / "workflow" / "Snakefile").read_text()
    common = (ROOT / "workflow" / "rules" / "common.smk").read_text()
    assert main.index("rules/common.smk") < main.index('PLAN.config["rules"]')
    assert common.index("announcement(whole") < common.index("load_run(whole")


# Files and shells


def test_a_link_among_results_is_replaced_and_not_followed(tmp_path):
    elsewhere = tmp_path / "precious.txt"
    elsewhere.write_text("precious")
    link = tmp_path / "results" / "table.csv"
    link.parent.mkdir()
    link.symlink_to(elsewhere)
    write_atomically(link, b"ours")
    assert elsewhere.read_text() == "precious"
    assert not link.is_symlink()
    assert link.read_bytes() == b"ours"


#: What rules put into a shell without quotes: numbers, what the plan has quoted, options that the
#: rule itself spells out, and names, which are letters, digits, dots, - and _.
UNQUOTED = {
    *("params.options", "params.folds", "params.seed", "params.code", "params.learn"),
    *("params.published", "params.bootstraps", "params.ratio", "params.runs"),
    *("params.rows", "params.fewer", "params.pack"),
    *(f"wildcards.{name}" for name in ("study", "dataset", "selector", "transform", "batch")),
    *(f"wildcards.{name}" for name in ("fold", "number", "scenario", "table", "figure", "paper")),
}


def test_rules_quote_every_path_in_a_shell():
    shells = {
        name: text.partition("    shell:\n")[2]
        for name, text in rules().items()
        if "    shell:\n" in text
    }
    assert len(shells) > 20
    for name, shell in shells.items():
        for field in re.findall(r"(?<!\{)\{([^{}]+)\}(?!\})", shell):
            assert field.endswith(":q") or field in UNQUOTED, f"{name}: {field}"


@pytest.mark.parametrize("name", ["-rf.csv", "a b;touch x.csv", "$(id) 'q'.csv", "--out.csv"])
def test_a_table_of_any_name_is_one_word_of_a_command(name, tmp_path, monkeypatch):
    (tmp_path / name).write_text("x,y,class\n" + "1,2,a\n2,1,b\n" * 20)
    monkeypatch.chdir(tmp_path)
    run = load_run(over_default({"data": name}, ROOT), ROOT)
    (dataset,) = run.local_files
    assert re.search(NAME, dataset)
    words = shlex.split(Plan(run, "scripts", "").load_options(dataset))
    assert f"--local-file={name}" in words


#: What runs, or unpacks into running code, whatever text or bytes it is given.
FORBIDDEN = re.compile(
    r"^\s*(?:import|from) (?:pickle|dill|shelve|marshal)\b"
    r"|(?<![\w.])(?:eval|exec|compile|__import__)\("
    r"|os\.(?:system|popen)\(|joblib\.load|allow_pickle=True|shell=True"
    r"|yaml\.(?:unsafe_load|full_load|Loader|FullLoader|UnsafeLoader)\b",
    re.MULTILINE,
)


def test_no_source_unpickles_evaluates_or_opens_a_shell():
    assert len(SOURCES) > 200
    for path in SOURCES:
        text = path.read_text()
        assert not FORBIDDEN.search(text), path
        # With the loader of `core.config`, which is a safe one.
        assert "yaml.load(" not in text or path.name == "config.py", path
        assert text.count("np.load(") <= text.count("allow_pickle=False"), path


def test_only_the_cache_of_openml_opens_a_connection():
    network = re.compile(
        r"^\s*(import|from) (requests|urllib\.request|urllib3|http|socket|ftplib|openml|aiohttp)\b"
        r"|urlopen|urlretrieve|(?:datasets\.|import )fetch_|read_csv\(.*http",
        re.MULTILINE,
    )
    found = {path.name: path.read_text() for path in SOURCES if network.search(path.read_text())}
    assert set(found) == {"openml_cache.py", "server.py"}
    assert re.findall(r"\bAF_\w+", found["server.py"]) == ["AF_UNIX"]  # a file of this machine


# Names from a table, wherever they are shown


def test_a_formula_in_a_name_is_text_in_a_figure():
    with panels.style():
        figure = panels.pyplot().figure()
        names = [name for name in AWKWARD if "\U0001f9ec" not in name]  # not in matplotlib's font
        for at, name in enumerate([*names, "a $x$ b", "-->", "$$", r"\$1$"]):
            figure.text(0.1, at / 40, panels.as_text(name))
        title = panels.as_text({"entry": {"title": r"$\frac{ of MID_α"}})["entry"]["title"]
        panels.grid(1, title, 3, width=4)[0].canvas.draw()
        drawn = panels.to_bytes(figure, "svg")
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}
    assert not tags & {"script", "a", "image", "foreignObject"}
    assert panels.as_text(panels.as_text("a $x$")) == r"a \$x\$"


def test_a_name_stays_in_its_cell_of_a_markdown_table():
    names = [*AWKWARD, "a|b", "two\nlines", "</td></table><script>x</script>", "[x](javascript:x)"]
    page = render("\n".join(markdown_rows(["name", "n"], [[name, "1"] for name in names])))
    assert page.count("<tr>") == len(names) + 1
    assert page.count("<td") == 2 * len(names)
    assert not re.search(r"<(script|img|svg|style|a)\b", page)
    lines = markdown_rows(["name"], [["<script>x</script>"]])
    assert "<script" not in "".join(lines)


@pytest.mark.parametrize("link", ["javascript:x", "data:text/html,x", "vbscript:x", "JaVaScRiPt:x"])
def test_a_link_that_would_run_something_stays_text(link):
    assert "href" not in render_line(f"[here]({link})")
    assert "src" not in render_line(f"![here]({link})")


def test_a_terminal_obeys_no_name(capsys):
    name = "\x1b]0;broken\x07\x1b[2J\x9b31m\rgone\u202egpj\u2028x"
    about = {"title": name, "rows": 1, "features": 2, "classes": {name: 3}}
    about |= {"categories": {name: []}, "left_out": [{"column": name, "reason": name}]}
    advise.tell(about)
    shown = capsys.readouterr().out
    assert "broken" in shown
    assert not set(shown) & set("\x1b\x07\x9b\r\u202e\u2028")
    assert len(shown.splitlines()) == 3


def test_cells_of_csv_files_are_data_as_they_are():
    assert csv_to_bytes(["=1+1"], [['=cmd|"/C calc"!A1']]) == b'=1+1\n"=cmd|""/C calc""!A1"\n'

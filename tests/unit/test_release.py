"""What a release rests on: metadata, lowest versions, the citation, the workflows that check it."""

import re
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml
from documents import section, table_rows
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rules_text import ROOT
from test_environments import pins, wanted

import check_release
import steadfast

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text())
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CATALOGUE = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())
PYTHONS = ["3.11", "3.12", "3.13"]


def required(*extras: str) -> dict[str, SpecifierSet]:
    """The package's requirements with those of extras, which may name others."""
    found = {one.name: one.specifier for one in map(Requirement, PROJECT["dependencies"])}
    for extra in extras:
        for one in map(Requirement, EXTRAS[extra]):
            found |= required(*one.extras) if one.name == "steadfast" else {one.name: one.specifier}
    return found


def lowest(specifier: SpecifierSet) -> str:
    (bound,) = [one.version for one in specifier if one.operator == ">="]
    return bound


# Versions of packages


def test_the_lowest_versions_are_the_ones_that_are_tested():
    assert pins("oldest.txt") == {name: lowest(s) for name, s in required("all").items()}


def test_the_pinned_versions_are_in_the_ranges():
    pinned = pins("requirements.txt")
    for name, specifier in required("all").items():
        assert specifier.contains(pinned[name]), name


def test_extras_have_what_the_rules_need():
    envs = ROOT / "envs"
    assert set(required("data")) == wanted(envs / "rules" / "data.in")
    compute = wanted(envs / "rules" / "compute.in")
    assert set(required("report")) | compute == wanted(envs / "rules" / "outputs.in")
    assert set(required("all")) == wanted(envs / "workflow.in")
    assert set(required("all")) - set(required("workflow")) == {"snakemake-executor-plugin-slurm"}


def test_the_pythons_that_are_named_are_those_that_are_allowed_and_tested():
    allowed = SpecifierSet(PROJECT["requires-python"])
    assert [minor for minor in range(30) if allowed.contains(f"3.{minor}")] == [11, 12, 13]
    named = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if "Python :: 3." in c]
    assert named == PYTHONS
    library = yaml.safe_load((WORKFLOWS[0]).read_text())["jobs"]["library"]
    assert [one["python"] for one in library["strategy"]["matrix"]["include"]] == PYTHONS
    rows = table_rows(section(ROOT / "CONTRIBUTING.md", "Versions"))[1:]
    assert [row[0] for row in rows] == PYTHONS


# The version and the citation


def test_a_tag_is_compared_with_every_place_that_states_the_version():
    version = steadfast.__version__
    assert not any("tag" in line for line in check_release.differences(f"v{version}"))
    assert any("the tag is v0.0" in line for line in check_release.differences("v0.0"))
    for name, pattern in check_release.STATED.items():
        found = re.findall(pattern, (ROOT / name).read_text(), re.MULTILINE)
        # Between releases the changelog begins with what is not released; no tag passes then.
        stated = next(version for version in found if version != "Unreleased")
        assert stated == CITED["version"], name


def test_the_citation_file_has_what_its_schema_asks_for():
    """cffconvert --validate says so of the whole file; see CONTRIBUTING.md."""
    assert CITED["cff-version"] == "1.2.0"
    assert CITED["type"] == "software"
    assert isinstance(CITED["date-released"], date)
    assert {"title", "message", "authors", "version", "license", "abstract"} <= CITED.keys()
    assert CITED["keywords"] == PROJECT["keywords"]
    assert CITED["authors"] == PROJECT["authors"]
    assert CITED["license"] == PROJECT["license"]
    for entry in CITED["references"]:
        assert {"type", "title", "authors", "year"} <= entry.keys()
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert f"## [{CITED['version']}] - {CITED['date-released']}" in changes


def test_the_catalogue_of_workflows_finds_what_it_looks_for():
    usage = CATALOGUE["usage"]
    assert usage["software-stack-deployment"] == {"conda": True}
    assert usage["report"] is True
    assert usage.keys() <= {"mandatory-flags", "software-stack-deployment", "report"}
    for file in ("README.md", "workflow/Snakefile", "config/README.md"):
        assert (ROOT / file).is_file()
    assert "snakemake workflow" in (ROOT / "README.md").read_text().lower()


# Workflows of GitHub


def steps(path: Path) -> list[dict]:
    jobs = yaml.safe_load(path.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_as_the_schema_says(path):
    tool = Path(sys.executable).parent / "check-jsonschema"
    if not tool.exists():
        pytest.skip("check-jsonschema (envs/requirements.txt) is not installed")
    schema = ["--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([tool, *schema, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_what_is_there(path):
    makefile = (ROOT / "Makefile").read_text()
    folders = r"\.ci|config|docs|envs|scripts|tests|workflow"
    for step in steps(path):
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])
        for line in step.get("run", "").splitlines():
            for target in re.findall(r"\bmake ([a-z-]+)", line):
                assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
            for name in re.findall(rf"(?<![\w./])((?:{folders})/[\w./-]+)", line):
                assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_read_and_no_more_unless_a_job_says_so(path):
    workflow = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())
    assert "secrets." not in path.read_text()
    assert "://" not in path.read_text(), "no address of an index"


def test_a_release_is_checked_built_tried_and_published_in_this_order():
    release = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    assert release[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as true
    build = " ".join(step.get("run", "") for step in release["jobs"]["build"]["steps"])
    parts = ["check_release.py", "uv build", "dist/*.whl", "steadfast --help"]
    assert sorted(parts, key=build.index) == parts
    publish = release["jobs"]["publish"]
    assert publish["needs"] == "build"
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["steps"][-1]["run"].startswith("uv publish")


def test_what_decides_here_decides_there():
    runs = [step.get("run") for step in steps(ROOT / ".github/workflows/ci.yml")]
    assert ".ci/run" in runs
    assert "make lint" in runs

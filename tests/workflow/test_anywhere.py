"""The workflow used from elsewhere: another folder, a module, a hosted repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from conftest import ROOT, copy_project
from documents import blocks, commands

DOCUMENT = ROOT / "docs/inside-your-workflow.md"
#: Advice that takes seconds: one selector, few subsamples, no classifiers, no copies.
QUICK = {
    "advise": {
        "resample": {"repeats": 3},
        "selectors": {
            **dict.fromkeys(("mrmr", "info_gain", "relieff", "svm_rfe", "forest", "random")),
            "fisher": {},
        },
        "accuracy": {"classifiers": {"svm": None, "knn": None}},
        "probes": False,
    }
}
ASKED = {"data": "patients.csv", "target": "diagnosis", "overrides": QUICK}
PAGE = "results/advice/patients_diagnosis/page.html"


class Folder:
    """A user's working folder with a table, and with no file of the project."""

    def __init__(self, path: Path, cache: Path):
        self.path, self.cache = path, cache
        path.mkdir()
        shutil.copy(ROOT / "docs/examples/patients.csv", path)

    def write(self, name: str, content: str | dict) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))

    def snakemake(self, *arguments: str) -> str:
        """Run Snakemake here and expect success; its own clones are the only repositories."""
        variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
            cwd=self.path,
            env=variables | {"XDG_CACHE_HOME": str(self.cache)},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-4000:]
        return done.stdout

    def names(self) -> set[str]:
        return {path.name for path in self.path.iterdir()} - {".snakemake", ".cache"}


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    """The project's files as a repository with two tags, of which the second has new words."""
    folder = copy_project(tmp_path_factory.mktemp("hosted") / "steadfast").folder
    shutil.copy(ROOT / "config/config.yaml", folder / "config/config.yaml")
    git(folder, "init", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--message=first")
    git(folder, "tag", "v1.0.0")
    page = folder / "scripts/steadfast/page/document.py"
    page.write_text(page.read_text() + "\n# A comment changes the code of the page alone.\n")
    git(folder, "commit", "--all", "--message=second")
    git(folder, "tag", "v1.0.1")
    return folder


@pytest.fixture(scope="module")
def cache(repository, tmp_path_factory) -> Path:
    """Snakemake's cache with a bare clone of it, as after a first use with a network."""
    cache = tmp_path_factory.mktemp("cache")
    clones = cache / "snakemake/snakemake/source-cache/snakemake-git-cache/github.com/owner"
    clones.mkdir(parents=True)
    git(clones, "clone", "--bare", str(repository), "steadfast")
    return cache


@pytest.fixture
def folder(tmp_path, cache) -> Folder:
    return Folder(tmp_path / "work", cache)


def module(snakefile: str, *lines: str) -> str:
    """A user's Snakefile with the project as a module, its rules renamed."""
    body = [f"snakefile: {snakefile}", *lines]
    return (
        'configfile: "config/config.yaml"\n'
        "module steadfast:\n"
        + "".join(f"    {line}\n" for line in body)
        + "use rule * from steadfast as trust_*\n"
    )


def test_a_snakefile_elsewhere_needs_no_config_here(folder):
    folder.write("asked.yaml", ASKED)
    folder.snakemake("-s", str(ROOT / "Snakefile"), PAGE, "--configfile", "asked.yaml")
    assert folder.names() == {"asked.yaml", "patients.csv", "results"}
    assert (folder.path / PAGE).stat().st_size > 10_000


def test_a_config_here_is_merged_over_the_projects(folder):
    folder.write("config/config.yaml", {**ASKED, "seed": 5})
    out = folder.snakemake("-s", str(ROOT / "Snakefile"), "--dry-run", "--printshellcmds", PAGE)
    assert "--seed 5 " in out


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ('prefix: "part"', f"part/{PAGE}"),
        ('replace_prefix: {"results/": "part/"}', PAGE.replace("results", "part")),
    ],
)
def test_a_prefix_goes_before_results_and_nothing_else(folder, line, place):
    folder.write("config/config.yaml", ASKED)
    snakefile = json.dumps(str(ROOT / "workflow/Snakefile"))
    folder.write("Snakefile", module(snakefile, "config: config", line))
    folder.snakemake(place)
    assert folder.names() == {"config", "Snakefile", "patients.csv", "part"}
    assert "Nothing to be done" in folder.snakemake(place)


def test_a_rule_of_the_module_can_be_changed(folder):
    folder.write("config/config.yaml", ASKED)
    snakefile = json.dumps(str(ROOT / "workflow/Snakefile"))
    changed = 'use rule page from steadfast as trust_page with:\n    message: "Mine"\n'
    folder.write("Snakefile", module(snakefile, "config: config", 'prefix: "part"') + changed)
    out = folder.snakemake("--dry-run", f"part/{PAGE}")
    assert re.search(r"Job \d+: Mine\n", out)
    assert "trust_select " in out


def test_a_hosted_module_runs_from_its_revision_and_reruns_what_another_changes(folder):
    """As snakedeploy writes it: all rules under their own names, the config handed on."""
    folder.write("config/config.yaml", ASKED)
    snakefile = 'github("owner/steadfast", path="workflow/Snakefile", tag="v1.0.0")'
    text = module(snakefile, "config: config").replace(" as trust_*", "")
    folder.write("workflow/Snakefile", text)
    folder.snakemake(PAGE)
    assert "Nothing to be done" in folder.snakemake(PAGE)
    folder.write("workflow/Snakefile", text.replace("v1.0.0", "v1.0.1"))
    out = folder.snakemake("--dry-run", PAGE)
    assert "page " in out.rpartition("Job stats:")[2]
    assert "select " not in out.rpartition("Job stats:")[2]


def test_gh_and_git_addresses_run(folder, repository):
    folder.write("config/config.yaml", ASKED)
    folder.snakemake("-s", "gh:owner/steadfast@main", PAGE)
    assert folder.names() == {"config", "patients.csv", "results"}
    local = f"git+file://{repository}/workflow/Snakefile@v1.0.1"
    assert "Nothing to be done" in folder.snakemake("-s", local, PAGE)


def test_the_documents_example_runs(folder):
    for block in blocks(DOCUMENT):
        if block.file:
            folder.write(block.file, block.text)
    whole = yaml.safe_load((folder.path / "config/config.yaml").read_text())
    folder.write("quick.yaml", {"steadfast": {"overrides": QUICK | {"advise": TRUSTED}}})
    assert whole["steadfast"]["target"] == "diagnosis"
    first, second = commands(DOCUMENT)
    assert first == "snakemake --cores 2"
    folder.snakemake("--configfile", "quick.yaml")
    assert "esr" in (folder.path / "trusted.txt").read_text().split()
    assert second.startswith("snakemake -s gh:owner/steadfast@v1.0.0 --cores 2 advise ")
    (folder.path / "config/config.yaml").unlink()
    folder.snakemake(*second.split()[1:], "--dry-run")


#: Enough of the advice that some feature is trusted.
TRUSTED = {
    **QUICK["advise"],
    "resample": {"repeats": 6},
    "selectors": {"svm_rfe": None, "forest": None, "random": None, "mrmr": None},
    "probes": True,
}


def test_a_plain_address_is_refused_in_one_line():
    address = "https://example.org/steadfast/workflow/rules"
    base = SimpleNamespace(get_path_or_uri=lambda secret_free: address)
    rules = (ROOT / "workflow/rules/home.smk").read_text()
    with pytest.raises(SystemExit, match=f"^steadfast: {address}: name the repository by github"):
        exec(rules, {"workflow": SimpleNamespace(current_basedir=base)})

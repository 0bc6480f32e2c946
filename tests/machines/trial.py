"""A copy of the project with a study of a given size, and Snakemake run in it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from conftest import ROOT, copy_project
from slurm import Slurm

PROFILE = "profiles/slurm/config.yaml"


class Cost(NamedTuple):
    """What a process took: seconds on the clock, and memory at most."""

    seconds: float
    megabytes: int
    said: str


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder with a short path, as sockets need it."""
    with tempfile.TemporaryDirectory(prefix="machines") as folder:
        yield Path(folder)


@contextmanager
def slurm_of(nodes: int) -> Iterator[Slurm]:
    """A Slurm of so many nodes, one core each."""
    with scratch() as folder:
        cluster = Slurm(folder, nodes, cores=1)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


def study_of(
    datasets: Sequence[str], selectors: Mapping[str, Mapping[str, Any]], repeats: int = 2
) -> dict[str, Any]:
    """A study that selects and measures, and prints nothing."""
    return {
        "title": "A study to be timed",
        "datasets": list(datasets),
        "resample": {"scheme": "subsample", "repeats": repeats},
        "selectors": dict(selectors),
        "stability": {"compare": "all_pairs", "measures": ["nogueira"]},
        "accuracy": {"classifiers": {}},
    }


def project(folder: Path, study: Mapping[str, Any], portion: int = 1) -> Path:
    """The project's files with this study, and so many selections in one Slurm job."""
    copy = copy_project(folder)
    shutil.copy2(ROOT / "tests/data/costly.py", folder / "scripts/steadfast/selectors/costly.py")
    (folder / "config/studies/timed.yaml").write_text(json.dumps(study))
    (folder / "config/config.yaml").write_text("studies: [timed]\nseed: 1\n")
    (folder / ".venv").symlink_to(sys.prefix)

    def change(profile: dict) -> None:
        profile["group-components"]["select"] = portion
        profile["slurm-init-seconds-before-status-checks"] = 2

    copy.edit_yaml(PROFILE, change)
    return folder


def batches(study: Mapping[str, Any]) -> list[str]:
    """The manifests of all selections of a study whose folds fit one batch."""
    return [
        f"results/timed/selections/{dataset}/{selector}/batch0.sha256"
        for dataset in study["datasets"]
        for selector in study["selectors"]
    ]


def snakemake(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> Cost:
    """Run Snakemake to its end, and say what it took."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "snakemake", *arguments],
        cwd=folder,
        env=dict(environment or os.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"machines: snakemake {' '.join(arguments)[:200]} failed\n{said[-3000:]}")
    return Cost(time.monotonic() - started, usage.ru_maxrss // 1000, said)


def catalogue_with(folder: Path, names: Sequence[str]) -> None:
    """Add small made-up data sets to the catalogue of a copy."""
    path = folder / "config/datasets.yaml"
    entry = {
        "title": "made up",
        "source": "synthetic",
        "generator": {"rows": 50, "features": 10, "relevant": 2, "classes": 2, "seed": 1},
        "expect": {"rows": 50, "features": 10, "classes": 2},
        "licence": "none needed",
        "citation": "generated",
    }
    added = yaml.safe_dump({name: entry for name in names})
    path.write_text(f"{path.read_text()}\n{added}")


def print_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A table as documents have it."""
    for cells in (header, ["---"] * len(header), *rows):
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
    print(flush=True)

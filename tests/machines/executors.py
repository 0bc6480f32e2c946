"""Every profile in a dry run, and what can be run here without a cluster: one line for each."""

import os
import re
import subprocess
import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

import yaml
from conftest import ROOT, Project

from machines.s3 import Store, store
from machines.trial import project, scratch, study_of

VENV = ROOT / ".venv-executors"
PYTHON = VENV / "bin" / "python"
PROFILES = sorted(path.parent.name for path in (ROOT / "profiles").glob("*/config.yaml"))
STUDY = study_of(["iris"], {"mid": {}, "fisher": {}}, repeats=4)
# A measure that reads bins, too.
STUDY["stability"]["measures"].append("su_matching")
#: As qsub, on this machine: takes options and a script, prints an id, runs the script with a folder
#: of its own for what comes from a storage; the folder is gone when the job is.
QSUB = """#!/bin/sh
for script; do :; done
job() {
    JOB_FOLDER=$(mktemp -d "$JOBS_FOLDER/job.XXXXXX")
    export JOB_FOLDER
    sh "$script" > "$JOB_FOLDER.log" 2>&1
    status=$?
    rm -rf "$JOB_FOLDER"
    return $status
}
case "$*" in *block=true*) job; exit $?;; esac
job < /dev/null > /dev/null 2>&1 &
echo $!
"""
#: Kueue's plugin looks for a cluster as soon as it is imported.
KUBECONFIG = {
    "apiVersion": "v1",
    "kind": "Config",
    "clusters": [{"name": "none", "cluster": {"server": "https://127.0.0.1:1"}}],
    "users": [{"name": "none", "user": {}}],
    "contexts": [{"name": "none", "context": {"cluster": "none", "user": "none"}}],
    "current-context": "none",
}
NOTHING = "Nothing to be done"
#: All but what jobs read and write.
NOT_SHARED = (
    *("--shared-fs-usage", "persistence", "sources", "source-cache", "software-deployment"),
    *("--remote-job-local-storage-prefix", "$JOB_FOLDER"),
)


def main(given: Namespace) -> int:
    """Print one line per profile and trial; how many failed."""
    if not PYTHON.exists():
        sys.exit("machines: there is no .venv-executors; `make executors` sets it up")
    faults = 0
    with scratch() as folder, store(VENV, folder / "s3.log") as s3:
        for profile in PROFILES:
            if profile != "default":
                faults += _dry_run(profile, folder / profile, s3)
        wanted = _local_results(project(folder / "local", STUDY))
        for profile in ("cluster-generic", "cluster-sync"):
            faults += _run(profile, folder / f"run-{profile}", wanted)
        faults += _run_stored(folder / "stored", s3, wanted)
    return faults


def keys_of(profile: str) -> dict[str, object]:
    """What a profile says."""
    return yaml.safe_load((ROOT / "profiles" / profile / "config.yaml").read_text())


def _dry_run(profile: str, folder: Path, s3: Store) -> int:
    stored = "default-storage-provider" in keys_of(profile)
    done = _snakemake(
        project(folder, STUDY, portion=10),
        *("--profile", f"profiles/{profile}", "--dry-run"),
        *(s3.options(profile) if stored else ()),
        environment=s3.environment,
    )
    jobs = re.findall(r"^total\s+(\d+)", done.stdout, re.MULTILINE)
    place = ", its storage replaced by S3 on this machine" if stored else ""
    return _say(profile, f"dry run of {jobs[-1] if jobs else 'no'} jobs{place}", done, bool(jobs))


def _run(profile: str, folder: Path, wanted: Mapping[str, bytes]) -> int:
    copy = project(folder, STUDY, portion=10)
    done = _snakemake(copy, "--profile", f"profiles/{profile}")
    same = Project(copy).results() == wanted
    return _say(profile, "run, by a stand-in for qsub: bytes of a local run", done, same)


def _run_stored(folder: Path, s3: Store, wanted: Mapping[str, bytes]) -> int:
    """By jobs that see the store and nothing else of each other."""
    copy = project(folder, STUDY, portion=1)
    options = ("--profile", "profiles/cluster-generic", *s3.options("run"), *NOT_SHARED)
    done = _snakemake(copy, *options, environment=s3.environment)
    asked, again = s3.requests("run"), done
    if not done.returncode:
        again = _snakemake(copy, *options, "--dry-run", environment=s3.environment)
    differ = sorted(set(wanted.items()) ^ set(s3.results("run").items()))
    same = not differ and not Project(copy).results() and NOTHING in again.stdout
    print(*(name for name, _ in differ), sep="\n", end="\n" if differ else "")
    what = f"run without shared files, through S3 by {asked} requests: bytes of a local run"
    return _say("cluster-generic", what, done, same)


def _say(name: str, what: str, done: subprocess.CompletedProcess, right: bool) -> int:
    if done.returncode or not right:
        print(f"{name}: FAILED: {what}\n{done.stdout[-6000:]}", flush=True)
        return 1
    print(f"{name}: {what}", flush=True)
    return 0


def _local_results(folder: Path) -> dict[str, bytes]:
    done = _snakemake(folder, "--cores", "2")
    if done.returncode:
        sys.exit(f"machines: the local run failed\n{done.stdout[-3000:]}")
    return Project(folder).results()


def _snakemake(
    folder: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess:
    """Snakemake of the environment with all plugins, beside a stand-in for qsub."""
    programs, jobs = folder / "programs", folder / "jobs"
    for place in (programs, jobs):
        place.mkdir(exist_ok=True)
    (programs / "qsub").write_text(QSUB)
    (programs / "qsub").chmod(0o755)
    (folder / "kubeconfig").write_text(yaml.safe_dump(KUBECONFIG))
    variables = {
        **os.environ,
        **(environment or {}),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "JOBS_FOLDER": str(jobs),
        "KUBECONFIG": str(folder / "kubeconfig"),
    }
    return subprocess.run(
        [PYTHON, "-m", "snakemake", *arguments],
        cwd=folder,
        env=variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )

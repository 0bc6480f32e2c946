"""docs/cluster.md on a real Slurm of several nodes: its commands run, and results are those of a
local run; also when a node dies, and when a job takes more memory than it may.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from conftest import ROOT, Project, copy_project
from documents import commands
from slurm import CannotStart, Slurm, missing

STUDY = """
title: A study for a cluster
datasets: [iris]
resample: {scheme: subsample, repeats: 4}
selectors: {mid: {}, fisher: {}}
stability: {compare: all_pairs, measures: [nogueira]}
accuracy: {classifiers: {}}
tables:
  orders: {kind: orders, title: Stability, selectors: [mid, fisher]}
"""
#: Two folds each: one selector has a node die under it, the other is too large at first.
BAD_DAY = """
title: A study on a bad day
datasets: [iris]
resample: {scheme: subsample, repeats: 2}
selectors:
  patient: {use: costly, seconds: 2}
  greedy: {use: costly, seconds: 2.5, megabytes: 1100}
stability: {compare: all_pairs, measures: [nogueira]}
accuracy: {classifiers: {}}
"""
SELECTED = [
    f"results/small/selections/iris/{selector}/batch0.sha256" for selector in ("patient", "greedy")
]


@pytest.fixture(scope="module")
def cluster():
    if missing():
        pytest.skip(f"Slurm is not installed ({', '.join(missing())}): see .ci/system-packages")
    with tempfile.TemporaryDirectory(prefix="slurm") as folder:
        slurm = Slurm(Path(folder), nodes=3, cores=1)
        try:
            slurm.start()
        except CannotStart as reason:
            pytest.skip(f"Slurm cannot be started here: {reason}")
        else:
            yield slurm
        finally:
            slurm.stop()


def project_with(folder: Path, study: str) -> Project:
    project = copy_project(folder)
    (folder / "config/studies/small.yaml").write_text(study)
    (folder / "config/config.yaml").write_text("studies: [small]\nseed: 1\n")
    (folder / ".venv").symlink_to(sys.prefix)
    shutil.copy2(ROOT / "tests/data/costly.py", folder / "scripts/steadfast/selectors/costly.py")
    # Jobs take seconds here, so Slurm is asked sooner.
    profile = folder / "profiles/slurm/config.yaml"
    profile.write_text(
        re.sub(r"(init-seconds-before-status-checks): \d+", r"\1: 5", profile.read_text())
    )
    return project


def small_project(folder: Path) -> Project:
    return project_with(folder, STUDY)


@pytest.fixture(scope="module")
def cluster_run(cluster, tmp_path_factory) -> Project:
    """A project in which every command of docs/cluster.md has run; `output` is what they said."""
    project = small_project(tmp_path_factory.mktemp("cluster") / "project")
    project.output = ""
    for command in commands(ROOT / "docs/cluster.md"):
        done = subprocess.run(
            command,
            shell=True,
            cwd=project.folder,
            env=cluster.environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}"
        project.output += done.stdout
    return project


def test_results_are_those_of_a_local_run(cluster_run, tmp_path):
    local = small_project(tmp_path / "project")
    local.run()
    assert cluster_run.results() == local.results()


def test_the_work_was_done_by_slurm_in_few_jobs(cluster_run, cluster):
    ids = re.findall(r"submitted with SLURM jobid (\d+)", cluster_run.output)
    ended = {job["JobId"]: job for job in cluster.completed()}
    assert {ended[number]["JobState"] for number in ids} == {"COMPLETED"}
    jobs = cluster.ask("scontrol", "show", "job")
    for kind in ("select", "measure", "print"):
        assert re.search(rf"Comment=\S*{kind}", jobs), f"no job of the group {kind}:\n{jobs}"
    # By what the rules state: the largest of a portion (curves run side by side with a figure),
    # and Snakemake's own.
    assert set(re.findall(r"MinMemoryNode=(\w+)", jobs)) == {"1200M", "850M", "800M"}
    # Two selections; stability and chance; a table and the curves: a job for each kind.
    assert len(ids) == 3


def test_both_profiles_are_in_use(cluster_run):
    assert "profiles/slurm and workflow specific profile profiles/default" in cluster_run.output


def test_a_share_of_cpu_time_is_told_for_local_runs_only(cluster_run):
    assert "CPU time:" not in cluster_run.output


# A node that dies, a job that is too large


def bad_day_project(folder: Path) -> Project:
    """One selection per Slurm job, and less memory at first than one of them takes."""
    project = project_with(folder, BAD_DAY)

    def change(profile: dict) -> None:
        profile["group-components"]["select"] = 1
        profile["set-resources"]["select"] = {"mem_mb": "attempt * 1000"}
        # The plugin asks after 1 s, and then after 11, 21, … more while nothing has ended.
        profile["slurm-init-seconds-before-status-checks"] = 1

    project.edit_yaml("profiles/slurm/config.yaml", change)
    return project


@pytest.fixture(scope="module")
def bad_day(cluster, tmp_path_factory) -> Project:
    """A run in which the node of a selection dies when one of its two folds is done."""
    project = bad_day_project(tmp_path_factory.mktemp("bad_day") / "project")
    with open(project.folder / "said.txt", "w") as said:
        run = subprocess.Popen(
            [".venv/bin/snakemake", "--profile", "profiles/slurm", *SELECTED],
            cwd=project.folder,
            env=cluster.environment,
            stdout=said,
            stderr=said,
        )
    kept = (project.folder / SELECTED[0]).parent
    while run.poll() is None and not list(kept.glob(".batch0.unfinished/*/*.tsv")):
        time.sleep(0.1)
    project.died = cluster.node_of(SELECTED[0])
    if project.died:
        cluster.kill_node(project.died)
    run.wait(timeout=180)
    project.output = (project.folder / "said.txt").read_text()
    assert run.returncode == 0, project.output[-4000:]
    return project


def test_results_are_right_after_a_bad_day(bad_day, tmp_path):
    local = project_with(tmp_path / "project", re.sub(", seconds.+}", "}", BAD_DAY))
    local.run(*SELECTED)
    assert bad_day.results() == local.results()


def test_slurm_sends_the_job_of_a_node_that_died_to_another(bad_day, cluster):
    lost, *more = [job for job in cluster.completed() if job["JobState"] == "NODE_FAIL"]
    assert (lost["NodeList"], more) == (bad_day.died, [])
    ends = [job for job in cluster.completed() if job["JobId"] == lost["JobId"]]
    assert ends[-1]["JobState"] == "COMPLETED"
    assert ends[-1]["NodeList"] != bad_day.died


def test_a_job_over_its_memory_is_ended_and_gets_twice_as_much(bad_day, cluster):
    ends = [job for job in cluster.completed() if job["WorkDir"] == str(bad_day.folder)]
    asked = [(job["JobState"], re.search(r"mem=(\w+)", job["Tres"])[1]) for job in ends]
    # Slurm ends the step; what had started it ends with an error.
    assert sorted(asked) == [
        ("COMPLETED", "1000M"),
        ("COMPLETED", "2000M"),
        ("FAILED", "1000M"),
        ("NODE_FAIL", "1000M"),
    ]
    (failed,) = [job["JobId"] for job in ends if job["JobState"] == "FAILED"]
    (log,) = (bad_day.folder / ".snakemake/slurm_logs").rglob(f"{failed}.log")
    assert "exceeded memory limit" in log.read_text()

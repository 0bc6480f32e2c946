"""docs/cluster.md on a real Slurm: its commands run, and results are those of a local run."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from conftest import ROOT, Project, copy_project
from documents import commands
from slurm import CannotStart, OneNode, missing

STUDY = """
title: A study for a cluster of one node
datasets: [iris]
resample: {scheme: subsample, repeats: 4}
selectors: {mid: {}, fisher: {}}
stability: {compare: all_pairs, measures: [nogueira]}
accuracy: {classifiers: {}}
tables:
  orders: {kind: orders, title: Stability, selectors: [mid, fisher]}
"""


@pytest.fixture(scope="module")
def cluster():
    if missing():
        pytest.skip(f"Slurm is not installed ({', '.join(missing())}): see .ci/system-packages")
    with tempfile.TemporaryDirectory(prefix="slurm") as folder:
        node = OneNode(Path(folder))
        try:
            node.start()
        except CannotStart as reason:
            pytest.skip(f"Slurm cannot be started here: {reason}")
        else:
            yield node
        finally:
            node.stop()


def small_project(folder: Path) -> Project:
    project = copy_project(folder)
    (folder / "config/studies/small.yaml").write_text(STUDY)
    (folder / "config/config.yaml").write_text("studies: [small]\nseed: 1\n")
    (folder / ".venv").symlink_to(sys.prefix)
    # Jobs take seconds here, so Slurm is asked sooner.
    profile = folder / "profiles/slurm/config.yaml"
    profile.write_text(
        re.sub(r"(init-seconds-before-status-checks): \d+", r"\1: 5", profile.read_text())
    )
    return project


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
    assert {cluster.completed().get(number) for number in ids} == {"COMPLETED"}
    jobs = cluster.ask("scontrol", "show", "job")
    for kind in ("select", "measure", "print"):
        assert re.search(rf"Comment=\S*{kind}", jobs), f"no job of the group {kind}:\n{jobs}"
    # By what the rules state: the largest of a portion, and Snakemake beside it.
    assert set(re.findall(r"MinMemoryNode=(\w+)", jobs)) == {"850M", "800M"}
    # Two selections, two files of stability, a table: a job for each kind.
    assert len(ids) == 3


def test_both_profiles_are_in_use(cluster_run):
    assert "profiles/slurm and workflow specific profile profiles/default" in cluster_run.output


def test_a_share_of_cpu_time_is_told_for_local_runs_only(cluster_run):
    assert "CPU time:" not in cluster_run.output

"""Whatever is damaged, lost or killed: the printed advice works, and the bytes are the same."""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from conftest import Project, copy_project

from steadfast.command import locks, verify
from steadfast.core.errors import UserError


def faults(project: Project) -> list[str]:
    """What `verify` names, one line each, paths from the project's folder."""
    try:
        verify.run(argparse.Namespace(results=project.folder / "results"))
    except UserError as error:
        return str(error).replace(f"{project.folder}/", "").splitlines()[1:]
    return []


def follow(project: Project, lines: list[str]) -> None:
    """Do what the lines say, but for the last of it, which is to run again."""
    for line in lines:
        path, advice = re.fullmatch(r"(results/\S+): .*; (.*)", line).groups()
        what, _, again = advice.rpartition("run the command that made it again")
        assert again == ""
        assert what in ("", "delete it and ", "move it away and ")
        if what:
            (project.folder / path).unlink(missing_ok=True)


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    return content[:-2] + bytes([content[-2] ^ 1]) + content[-1:]


def damage(project: Project, files: list[str], how: Callable[[bytes], bytes]) -> None:
    for file in files:
        path = project.folder / "results" / file
        path.write_bytes(how(path.read_bytes()))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Project:
    """A finished run with a file of nearly every kind."""
    project = copy_project(tmp_path_factory.mktemp("mending") / "project", "tiny")
    project.run()
    return project


def test_the_printed_advice_mends_files_of_every_kind(tiny):
    """Every file is damaged, half of the manifests, too, and then each job has lost a file."""
    before = tiny.results()
    assert faults(tiny) == []
    manifests = [file for file in before if file.endswith(".sha256")]
    kinds = {file.removeprefix("tiny/").partition("/")[0] for file in manifests}
    assert kinds >= {"data", "discrete", "resamples", "selections", "stability", "accuracy"}
    assert kinds >= {"chance", "trust", "probes", "evidence", "tables", "figures", "index.sha256"}
    damage(tiny, manifests[::2], cut)
    damage(tiny, [file for file in before if file not in manifests], flip)
    lines = faults(tiny)
    named = {line.partition(": ")[0] for line in lines}
    assert named == {f"results/{file}" for file in {*before} - {*manifests[1::2]}}
    follow(tiny, lines)
    tiny.run()
    assert tiny.results() == before
    assert faults(tiny) == []


@pytest.mark.parametrize(
    ("targets", "lost", "jobs"),
    [
        (["results/tiny/page.html"], ["evidence/iris.json"], {"evidence": 1, "page": 1}),
        ([], ["probes/iris/mid.tsv", "figures/figure1.png"], {"probes": 1, "figure": 1}),
    ],
)
def test_a_lost_file_comes_back_alone_whatever_is_asked_for(tiny, targets, lost, jobs):
    paths = [tiny.folder / "results/tiny" / file for file in lost]
    kept = {path: path.read_bytes() for path in paths}
    for path in paths:
        path.unlink()
    planned = tiny.planned(*targets)
    for path, content in kept.items():
        path.write_bytes(content)
    after = {"evidence", "page", "index"} - set(jobs)
    assert {rule: count for rule, count in planned.items() if rule not in after} == jobs


def test_after_a_hard_kill_the_same_command_goes_on_and_says_so(tiny):
    """Snakemake and its job are killed; the job was to write the page of the run."""
    before = tiny.results()
    (tiny.folder / "results/index.html").unlink()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    call = [sys.executable, "scripts", "reproduce", "--cores", "1"]
    settings = {"cwd": tiny.folder, "env": environment, "text": True}
    run = subprocess.Popen(call, start_new_session=True, stdout=subprocess.DEVNULL, **settings)
    wait_for(lambda: list((tiny.folder / locks.LOCKS).glob("*.output.lock")))
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    done = subprocess.run(call, capture_output=True, check=False, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(locks.KILLED) == 1
    (tiny.folder / "results/asked.yaml").unlink()
    assert tiny.results() == before
    assert faults(tiny) == []


def wait_for(something: Callable[[], object]) -> None:
    deadline = time.time() + 120
    while not something():
        assert time.time() < deadline
        time.sleep(0.02)

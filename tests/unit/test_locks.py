"""Locks of killed runs are removed, those of living ones never."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steadfast.command import locks

SCRIPTS = Path(__file__).parents[2] / "scripts"

#: A run that locks its results as Snakemake does, says what it was told, starts a job, and waits.
RUN = """
import subprocess, sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from steadfast.command import locks
presence, line = locks.enter(sys.argv[2])
print(line, flush=True)
if not locks.LOCKS.is_dir():
    locks.LOCKS.mkdir()
    (locks.LOCKS / "0.output.lock").write_text(sys.argv[2] + "/index.html\\n")
job = subprocess.Popen(["sleep", sys.argv[3]], pass_fds=[presence.descriptor])
print(job.pid, flush=True)
time.sleep(float(sys.argv[4]))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(results: str = "results", job: float = 0, seconds: float = 60) -> subprocess.Popen:
    command = [sys.executable, "-c", RUN, SCRIPTS, results, str(job), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def begin(results: str = "results") -> str:
    """What a run is told that begins now; it leaves at once."""
    presence, line = locks.enter(results)
    presence.path.unlink()
    os.close(presence.descriptor)
    return line


def notes() -> list[dict]:
    return [json.loads(path.read_text()) for path in locks.NOTES.glob("*.json")]


def kill(run: subprocess.Popen) -> None:
    run.kill()
    run.communicate()


def test_the_lock_of_a_killed_run_is_removed_and_told_once():
    run = start()
    assert run.stdout.readline() == "\n"
    run.stdout.readline()
    Path("results/mine").mkdir(parents=True)
    Path("results/mine/.page.html.17.tmp").touch()
    assert begin() == (
        f"{locks.HELD}: another run (pid {run.pid}, begun {notes()[0]['begun']}); "
        "wait until it has ended"
    )
    assert list(locks.LOCKS.iterdir())
    kill(run)
    line = begin()
    assert line.startswith(f"{locks.KILLED} (pid {run.pid}, begun ")
    assert line.endswith("; its lock is removed, and what it finished stays")
    assert not list(locks.LOCKS.iterdir())
    assert not list(Path("results").rglob(".*.tmp"))
    assert begin() == ""
    assert notes() == []


def test_a_job_that_outlives_its_run_keeps_the_lock():
    run = start(job=60)
    run.stdout.readline()
    job = int(run.stdout.readline())
    run.kill()
    run.wait()
    try:
        line = begin()
        assert line.startswith(f"{locks.HELD}: jobs of an earlier run that was killed")
        assert line.endswith(f"or end them: kill {job}")
        assert list(locks.LOCKS.iterdir())
    finally:
        os.kill(job, signal.SIGKILL)
    deadline = time.time() + 10
    while not (line := begin()).startswith(locks.KILLED):
        assert time.time() < deadline, line
        time.sleep(0.02)


def test_of_runs_that_begin_together_one_removes():
    kill_early = start()
    kill_early.stdout.readline()
    kill_early.stdout.readline()
    kill(kill_early)
    runs = [start(seconds=1) for _ in range(3)]
    told = [run.communicate()[0].splitlines()[0] for run in runs]
    assert sorted(line.startswith(locks.KILLED) for line in told) == [False, False, True]
    # Those that come later find the lock of the first one again, or none yet.
    assert all(line == "" or line.startswith((locks.KILLED, locks.HELD)) for line in told)


def test_locks_of_other_results_and_of_other_workflows_stay():
    run = start("elsewhere")
    run.stdout.readline()
    run.stdout.readline()
    kill(run)
    (locks.LOCKS / "1.input.lock").write_text("table.csv\nresults/index.html\n")
    assert begin() == ""  # nobody of ours was killed: Snakemake says what it says
    assert len(list(locks.LOCKS.iterdir())) == 2
    assert begin("elsewhere").startswith(locks.KILLED)
    assert [path.name for path in locks.LOCKS.iterdir()] == ["1.input.lock"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"host": "other", "boot": "other"}, "on other"),
        ({"on_cluster": True}, "with jobs on a cluster"),
    ],
)
def test_a_run_on_another_machine_is_never_taken_for_dead(monkeypatch, change, where):
    run = start()
    run.stdout.readline()
    run.stdout.readline()
    kill(run)
    (path,) = locks.NOTES.glob("*.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    monkeypatch.setattr(sys, "argv", ["snakemake", "--cores", "2"])
    line = begin()
    assert f"a run {where}" in line
    assert line.endswith(": snakemake --cores 2 --unlock")
    assert list(locks.LOCKS.iterdir())
    (locks.LOCKS / "0.output.lock").unlink()  # as that command does
    assert begin() == ""
    assert notes() == []


def test_a_run_tells_that_its_jobs_are_on_a_cluster():
    presence, _ = locks.enter("results")
    presence.tell_cluster()
    assert notes()[0]["on_cluster"] is True
    presence.path.unlink()
    os.close(presence.descriptor)


def test_where_no_note_can_be_written_nothing_is_removed(folder):
    Path(".snakemake").write_text("a file")
    assert locks.enter("results") == (None, "")


def test_a_note_that_was_never_finished_goes():
    locks.NOTES.mkdir(parents=True)
    (locks.NOTES / "a.json").touch()
    assert begin() == ""
    assert not list(locks.NOTES.glob("*.json"))

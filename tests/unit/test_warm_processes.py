"""Warm processes: a command ends as it would without them, whoever is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steadfast.command.warm import client, server, starting
from steadfast.command.warm.starting import WarmProcesses
from steadfast.core.cli import INTERRUPTED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="warm processes are for Linux")

SCRIPT = """
import os, sys, time
print(*sys.argv[1:], sep="|")
print(os.getcwd(), os.environ["WHO"], __name__, file=sys.stderr)
if "modules" in sys.argv:
    import sklearn.base
if "mistake" in sys.argv:
    raise ValueError("a mistake")
if "exit" in sys.argv:
    sys.exit(int(sys.argv[-1]))
if "wait" in sys.argv:
    open("job.pid", "w").write(str(os.getpid()))
    time.sleep(60)
"""


@pytest.fixture
def warm(tmp_path, monkeypatch):
    """Warm processes for the scripts of a folder; what to run them with."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "job.py").write_text(SCRIPT)
    real = Path(starting.project_folder() / "scripts" / "keep_warm.py")
    (tmp_path / "scripts" / "keep_warm.py").symlink_to(real)
    monkeypatch.setattr(starting, "project_folder", lambda: tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(real.parent))
    monkeypatch.chdir(tmp_path)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = {**os.environ, "WHO": "the client", "PATH": path}
    processes = WarmProcesses(variables)
    _wait_until(lambda: (processes._folder / "socket").exists())
    yield processes
    processes.end()


def _wait_until(happened, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


def start(warm: WarmProcesses, *words: str) -> subprocess.Popen:
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(["python", *words], env=warm._variables, **streams)


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def start_waiting(warm: WarmProcesses) -> tuple[subprocess.Popen, int]:
    """A job at work, and its process."""
    process = start(warm, "scripts/job.py", "wait")
    pid = Path("job.pid")
    _wait_until(lambda: pid.exists() and pid.read_text())
    return process, int(pid.read_text())


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_a_script_has_its_words_streams_folder_and_variables(warm, tmp_path):
    process = start(warm, "scripts/job.py", "a b", "", "ü")
    out, error = process.communicate()
    assert (process.returncode, out) == (0, "a b||ü\n")
    assert error == f"{tmp_path} the client __main__\n"


@pytest.mark.parametrize("code", [0, 3])
def test_it_ends_with_the_code_of_the_script(warm, code):
    assert start(warm, "scripts/job.py", "exit", str(code)).wait() == code


def test_a_mistake_is_a_trace_that_begins_with_the_script(warm):
    process = start(warm, "scripts/job.py", "mistake")
    _, error = process.communicate()
    assert process.returncode == 1
    assert error.splitlines()[1].startswith("Traceback")
    assert error.splitlines()[2].startswith('  File "scripts/job.py", line')
    assert error.endswith("ValueError: a mistake\n")


def test_everything_else_is_plain_python(warm):
    out, _ = start(warm, "-c", "import sys; print(sys.argv)", "x").communicate()
    assert out == "['-c', 'x']\n"


def test_a_job_is_a_child_of_the_warm_process_and_dies_with_its_client(warm):
    process, job = start_waiting(warm)
    assert parent_of(job) == warm._server.pid
    process.kill()
    _wait_until(lambda: is_gone(job))


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_a_job_that_is_killed_ends_its_client_likewise(warm, sign):
    process, job = start_waiting(warm)
    os.kill(job, sign)
    assert process.wait() == -sign


def test_a_signal_to_the_client_reaches_the_job(warm):
    process, job = start_waiting(warm)
    process.terminate()
    assert process.wait() == -signal.SIGTERM
    assert is_gone(job)


def test_without_the_warm_process_a_command_runs_by_itself(warm):
    process, job = start_waiting(warm)
    Path("job.pid").unlink()
    warm._server.kill()
    _wait_until(lambda: is_gone(job))
    pid = Path("job.pid")
    _wait_until(lambda: pid.exists() and pid.read_text())
    assert int(pid.read_text()) == process.pid
    process.kill()
    assert start(warm, "scripts/job.py", "exit", "4").wait() == 4


def test_what_jobs_import_again_and_again_is_loaded_for_the_next(warm):
    def loaded() -> bool:
        maps = Path(f"/proc/{warm._server.pid}/maps").read_text()
        return "sklearn" in maps

    start(warm, "scripts/job.py", "modules").wait()
    assert not loaded()
    start(warm, "scripts/job.py", "modules").wait()
    _wait_until(loaded)
    assert start(warm, "scripts/job.py", "modules").wait() == 0


def test_it_ends_with_the_run_and_leaves_nothing(warm):
    folder, pid = warm._folder, warm._server.pid
    warm.end()
    assert is_gone(pid)
    assert not folder.exists()
    assert str(folder) not in warm._variables["PATH"]


def test_a_command_is_what_was_packed():
    words, variables = ["a b", "", "ü"], {"x": "1=2", "y": ""}
    assert client.unpack(client.pack("/some where", words, variables)) == (
        *("/some where", words, variables),
    )


def test_packages_that_are_loaded_exist():
    for name in server.SLOW:
        __import__(name)


def test_an_interrupt_is_for_the_job_alone(warm):
    process, job = start_waiting(warm)
    for pid in (warm._server.pid, process.pid):
        os.kill(pid, signal.SIGINT)
    assert start(warm, "scripts/job.py", "exit", "0").wait() == 0
    assert process.poll() is None
    os.kill(job, signal.SIGINT)
    _, error = process.communicate()
    assert process.returncode == server.INTERRUPTED == INTERRUPTED
    assert error.endswith("\nsteadfast: stopped\n")

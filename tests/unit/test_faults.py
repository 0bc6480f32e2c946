"""A full disk, no permission, no memory, a missing package: one line, and never a trace."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from steadfast.command.failures import ending, trouble
from steadfast.core import cli
from steadfast.core.environment import require_room
from steadfast.core.errors import UserError, line_of, plain
from steadfast.core.files import write_atomically, write_with_manifest

ROOT = Path(__file__).parents[2]
AS_ROOT = os.geteuid() == 0


def python(code: str, **streams) -> subprocess.CompletedProcess:
    """Run Python as a job is run."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    variables = os.environ | {"PYTHONPATH": str(ROOT / "scripts")}
    call = [sys.executable, "-c", code]
    return subprocess.run(call, env=variables, text=True, check=False, **streams)


def last_line(error: BaseException, capsys) -> str:
    """What a command says that ends with this error; it must be one line, and no success."""

    def fail() -> None:
        raise error

    with pytest.raises(SystemExit) as stopped:
        cli.run(fail)
    assert stopped.value.code not in (0, None)
    (line,) = capsys.readouterr().err.splitlines()
    assert str(stopped.value) == line
    return line


# Disks


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "make room"),
        (errno.EDQUOT, "make room"),
        (errno.EFBIG, "ulimit"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permissions"),
        (errno.EPERM, "permissions"),
        (errno.ENAMETOOLONG, "shorter"),
        (errno.EIO, "the disk failed"),
    ],
)
@pytest.mark.parametrize("function", ["os.fsync", "os.replace"])
def test_a_write_that_fails_names_the_file_and_loses_nothing(
    function, number, advice, tmp_path, monkeypatch, capsys
):
    first, second = tmp_path / "first.tsv", tmp_path / "second.tsv"
    write_with_manifest({first: b"1", second: b"2"})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))  # as `write` does: without a name

    monkeypatch.setattr(function, refuse)
    with pytest.raises(OSError, match=r"first\.tsv") as failed:
        write_with_manifest({first: b"3", second: b"4"})
    line = last_line(failed.value, capsys)
    assert line.startswith(f"steadfast: {first}: cannot be read or written ({os.strerror(number)})")
    assert advice in line
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_that_may_not_grow_is_one_line(tmp_path):
    job = f"""
import resource
from pathlib import Path
from types import SimpleNamespace
from steadfast.core import cli
from steadfast.core.environment import require_room
from steadfast.core.files import write_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
cli.run(lambda: write_atomically(Path({str(tmp_path)!r}, "big.npz"), bytes(5000)))
"""
    done = python(job)
    assert done.returncode == 1
    assert done.stderr.startswith(f"steadfast: {tmp_path}/big.npz: cannot be read or written (")
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_a_file_and_a_name_that_is_too_long_are_named(tmp_path, capsys):
    (tmp_path / "results").write_text("a file")
    for path in (tmp_path / "results" / "a" / "b.tsv", tmp_path / ("x" * 300)):
        with pytest.raises(OSError, match=path.name[:200]) as failed:
            write_atomically(path, b"1")
        assert str(path) in last_line(failed.value, capsys)


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(tmp_path, capsys):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError) as failed:
        write_atomically(tmp_path / "a.tsv", b"1")
    assert f"{tmp_path}/a.tsv" in last_line(failed.value, capsys)


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_log_that_cannot_be_written_does_not_hide_the_reason():
    wrong = "from steadfast.core import cli, errors\n"
    wrong += "def main(): raise errors.UserError('a.csv: no rows')\ncli.run(main)"
    told = "import sys\nfrom steadfast.core import cli\n"
    told += "cli.run(lambda: print('b01: 0.1 s', file=sys.stderr, flush=True))"
    with FULL.open("w") as full:
        done = python(wrong, stderr=full)
        assert (done.returncode, done.stdout) == (1, "steadfast: a.csv: no rows\n")
        done = python(told, stderr=full)
        assert done.returncode == 1
        assert "the log perhaps, cannot be read or written (No space left" in done.stdout
        done = python("from steadfast.core import cli\ncli.run(lambda: print('x'))", stdout=full)
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert "No space left" in done.stderr


# Memory, packages, a user who stops it


def test_out_of_memory_says_how_much_was_asked_for(capsys):
    with pytest.raises(MemoryError) as failed:
        np.empty((10**9, 10**6))
    line = last_line(failed.value, capsys)
    assert "out of memory (Unable to allocate 7.11 PiB" in line
    assert "--cores 1" in line
    assert "out of memory; run fewer" in last_line(MemoryError(), capsys)


def test_an_interrupted_job_leaves_no_trace():
    job = "import os, signal\nfrom steadfast.core import cli\n"
    job += "cli.run(lambda: os.kill(os.getpid(), signal.SIGINT))"
    done = python(job)
    assert done.returncode == cli.INTERRUPTED
    assert done.stderr.startswith("steadfast: stopped. What was computed stays")
    assert len(done.stderr.splitlines()) == 1


def test_a_package_that_a_job_lacks_is_named_even_while_it_imports():
    script = ROOT / "scripts" / "discretise.py"
    done = python(
        f"import runpy, sys; sys.modules['numpy'] = None; sys.argv = [{str(script)!r}]\n"
        f"runpy.run_path({str(script)!r}, run_name='__main__')"
    )
    assert done.returncode == 1
    assert done.stderr.startswith("steadfast: numpy: is not installed; install all that this needs")
    assert len(done.stderr.splitlines()) == 1


def test_a_mistake_of_the_programs_keeps_its_trace():
    for error in (ValueError("a bug"), KeyError("x"), ImportError("no x", name="steadfast.core")):
        assert line_of(error) is None
    done = python("from steadfast.core import cli\ncli.run(lambda: 1 / 0)")
    assert "Traceback" in done.stderr
    assert done.returncode == 1


def test_a_program_that_imports_the_library_keeps_its_own_hook():
    done = python("import sys, steadfast.core.cli; print(sys.excepthook is sys.__excepthook__)")
    assert done.stdout == "True\n"


def test_a_line_is_one_line_whatever_a_name_holds():
    line = line_of(UserError("a\nb\x1b[2Jc\u2028d " + "x" * 10_000_000))
    assert line.startswith("a b [2Jc d xxx")
    assert len(line) < 2000
    assert plain("two  spaces") == "two  spaces"


# The last line of a run

KILLED = """CalledProcessError in file "select.smk", line 45:
Command 'set -euo pipefail;  python x.py' {how}.
Error in rule select:
    message: None
    log: results/logs/mine/select/wine/mid_batch0.log (check log file(s) for error details)
"""


@pytest.mark.parametrize(
    "how", ["returned non-zero exit status 137", "died with <Signals.SIGKILL: 9>"]
)
def test_a_job_that_was_killed_is_named(how):
    line = ending(KILLED.format(how=how).splitlines(keepends=True))
    assert (
        "a job of the rule select (results/logs/mine/select/wine/mid_batch0.log) was killed" in line
    )
    assert "memory ran out" in line


def test_the_last_line_repeats_what_the_job_said():
    said = ["Error in rule page:\n", "steadfast: results/a.tsv: is damaged\n", "Shutting down\n"]
    assert ending(said) == (
        "the run ended early: results/a.tsv: is damaged; what was computed stays"
    )
    assert ending(["something\n"]) == "the run ended early, see above; what was computed stays"


NO_ROOM = """Building DAG of jobs...
OSError: [Errno 28] No space left on device

During handling of the above exception, another exception occurred:

Traceback (most recent call last):

  File "snakemake/persistence/file.py", line 255, in _write_locks
    with open(lockfile, "w") as lock:

{last}
"""


@pytest.mark.parametrize("path", ["", "locks/0.lock"])
def test_a_full_disk_that_snakemake_met_is_one_line_without_its_trace(path):
    last = "OSError: [Errno 28] No space left on device" + (f": '{path}'" if path else "")
    said = NO_ROOM.format(last=last).splitlines(keepends=True)
    assert "".join(trouble(said)).strip() == ""
    assert "No space left on device); make room on that disk" in ending(said)


@pytest.mark.parametrize("where", ["compiling", "computing"])
def test_a_job_that_is_interrupted_ends_at_once_in_one_line(where):
    code = "import ctypes, os, signal\nfrom steadfast.core import cli\n"
    code += "def interrupt(): os.kill(os.getpid(), signal.SIGINT); len('x')\n"
    # An error inside of a call from outside of Python is printed and lost, as in LLVM's compiler.
    code += "inside = ctypes.CFUNCTYPE(None)(interrupt)\n"
    code += f"cli.run({'inside' if where == 'compiling' else 'interrupt'})\nprint('went on')"
    variables = os.environ | {"PYTHONPATH": str(ROOT / "scripts"), cli.TIMING_VARIABLE: "1"}
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (cli.INTERRUPTED, "")
    assert done.stderr.startswith("steadfast: stopped. What was computed stays")
    assert len(done.stderr.splitlines()) == 1


def test_a_run_does_not_begin_without_room(tmp_path, monkeypatch):
    require_room(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4096))
    with pytest.raises(UserError, match=r"4 kB are left on this disk .*make room, 2 MB at the"):
        require_room(tmp_path)

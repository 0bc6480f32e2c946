"""Runs as processes: started, watched, killed, and what they leave in print and logs."""

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from chaos.study import command

#: A run that takes longer than this hangs.
LONGEST = 300.0
TRACE = "Traceback (most recent call last)"


class Outcome(NamedTuple):
    """How a run ended: its exit code, what it printed, and logs of jobs that hold a trace."""

    form: str
    code: int
    printed: str
    traced: list[str]

    @property
    def lines(self) -> list[str]:
        """What the project itself says, without the rest of Snakemake's report."""
        own = ("steadfast: ", "results/", ".cache/")
        lines = [line.strip() for line in self.printed.splitlines()]
        return [line.removeprefix("steadfast: ") for line in lines if line.startswith(own)]


class Process:
    """A run at work, in a session of its own so that all of it can be killed."""

    def __init__(self, form: str, folder: Path, *, largest_file: int | None = None):
        self.form, self.folder, self.started = form, folder, time.time()
        self._output = folder.with_name(f"{folder.name}.{time.time_ns()}.txt")
        variables = {
            k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "ADVISE_WITHIN")
        }
        with self._output.open("wb") as file:
            self._popen = subprocess.Popen(
                command(form),
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_limit_files(largest_file) if largest_file else None,
            )

    def is_running(self) -> bool:
        return self._popen.poll() is None

    def wait_for(self, happened: Callable[[], bool], seconds: float) -> bool:
        """Whether something happened while the run went on, and before the time was over."""
        end = time.time() + seconds
        while self.is_running() and time.time() < end:
            if happened():
                return True
            time.sleep(0.01)
        return happened()

    def kill(self, whom: str, sign: signal.Signals) -> str:
        """Send a signal to `all` processes of the run, `snakemake`, or one `job`; what was done."""
        members = processes_of(self._popen.pid)
        chosen = [pid for pid, words in members.items() if is_one(whom, words)]
        if whom == "job":
            chosen = chosen[-1:]
        for pid in chosen:
            try:
                os.kill(pid, sign)
            except ProcessLookupError:
                continue
        seconds = time.time() - self.started
        return f"{sign.name} to {whom} ({len(chosen)}) of {self.form} after {seconds:.1f} s"

    def end(self, seconds: float = LONGEST) -> Outcome:
        """Wait for the end; what hangs is killed, and its code is that of a hang."""
        try:
            code = self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            code = 124
            self.kill("all", signal.SIGKILL)
            self._popen.wait()
        printed = self._output.read_text(errors="replace")
        self._output.unlink()
        return Outcome(self.form, code, printed, self._traced())

    def end_orphans(self) -> None:
        """Kill jobs that outlived their run."""
        self.kill("all", signal.SIGKILL)

    def _traced(self) -> list[str]:
        logs = [path for path in files(self.folder / "results") if path.suffix == ".log"]
        new = [path for path in logs if path.stat().st_mtime >= self.started]
        return [
            str(path.relative_to(self.folder))
            for path in sorted(new)
            if TRACE in path.read_text(errors="replace")
        ]


def run(form: str, folder: Path, **limits: int) -> Outcome:
    """A run from its start to its end."""
    return Process(form, folder, **limits).end()


def files(folder: Path) -> list[Path]:
    """All files below a folder, also while a run takes folders of it away."""
    return [Path(place, name) for place, _, names in os.walk(folder) for name in names]


def is_one(whom: str, words: list[str]) -> bool:
    """Is a process, by the words of its command, one of those that are meant?"""
    if whom == "all":
        return True
    if whom == "snakemake":
        return words[1:3] == ["-m", "snakemake"]
    # A job in a warm process has the words of the process that it was forked from.
    return len(words) > 1 and "python" in words[0] and words[1].endswith(".py")


def processes_of(session: int) -> dict[int, list[str]]:
    """The processes of a session, oldest first, with the words of their commands."""
    found = {}
    for folder in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if int(state[3]) == session and state[0] != "Z":
            found[int(folder.name)] = words
    return found


def _limit_files(largest: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

"""What every command of `scripts/` shares: one-line errors and an account of CPU time."""

import argparse
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TextIO

from steadfast.core.errors import line_of, plain
from steadfast.core.home import project_folder

#: Set by the workflow: commands then end with a line that says where their CPU time went.
TIMING_VARIABLE = "STEADFAST_TIMING"
TIMING_PREFIX = "cpu seconds:"
MEMORY_PREFIX = "peak memory:"

_late_imports = 0.0


@contextmanager
def count_start_up() -> Iterator[None]:
    """Count the CPU time of an import inside a function as start-up, not as computation."""
    global _late_imports
    before = time.process_time()
    try:
        yield
    finally:
        _late_imports += time.process_time() - before


def computation_seconds() -> float:
    """CPU time of this process so far, imports inside functions taken off."""
    return time.process_time() - _late_imports


def size(text: str) -> int:
    """A subset size on the command line: a whole number of at least 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def run(main: Callable[[], None]) -> None:
    """Run a command; what can be mended is one line on standard error and an exit code."""
    start_up = time.process_time()
    if os.environ.get(TIMING_VARIABLE):
        signal.signal(signal.SIGINT, _stop)
    with one_line():
        try:
            main()
            if sys.stdout is not None:  # it was closed by whoever started this
                sys.stdout.flush()
        except BrokenPipeError:  # the reader, `head` say, has seen enough
            _give_up(sys.stdout)
    if os.environ.get(TIMING_VARIABLE):
        start_up += _late_imports
        computing = time.process_time() - start_up
        _say(f"{TIMING_PREFIX} start-up {start_up:.3f} computation {computing:.3f}")
        _say(f"{MEMORY_PREFIX} {own_peak_mb()} MB")


#: Exit code of a command that was interrupted, as shells have it.
INTERRUPTED = 130


def _stop(*_: object) -> None:
    """End a job that is interrupted, at once: a compiler would make another error of it."""
    _say(f"steadfast: {line_of(KeyboardInterrupt())}")
    os._exit(INTERRUPTED)


class Ended(SystemExit):
    """The end of a process whose reason has been printed."""

    def __init__(self, line: str, code: int):
        super().__init__(line)
        self.code = code


@contextmanager
def one_line() -> Iterator[None]:
    """End the process in one line where a user can mend what happened; else the trace is shown."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        line = line_of(error)
        if line is None:
            raise
        _say(f"steadfast: {line}")
        code = INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
        raise Ended(f"steadfast: {line}", code) from None


def show(text: str = "") -> None:
    """Print a line that may hold names from a table: a terminal shows them, and obeys none."""
    print("\n".join(plain(line) for line in text.split("\n")), flush=True)


def _say(line: str) -> None:
    """Print on standard error; where that cannot be written, a log on a full disk, on output."""
    for stream in (sys.stderr, sys.stdout):
        try:
            print(line, file=stream, flush=True)
            return
        except OSError:
            _give_up(stream)


def _give_up(stream: TextIO) -> None:
    """Let Python, as it ends, not try again to write what could not be written."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _end_early(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """What ends a command before `run` is called, while it is still importing."""
    line = line_of(error)
    if line is None:
        sys.__excepthook__(kind, error, trace)
    else:
        _say(f"steadfast: {line}")


# Only a command of the project: whoever imports the library has a hook of their own.
if Path(sys.argv[0]).resolve().parent == project_folder() / "scripts":
    sys.excepthook = _end_early


def own_peak_mb() -> int:
    """The most memory that this process has held, in MB.

    As Linux says of the memory itself: what it counts for the process begins with the memory of
    the process that started it, Snakemake's say.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        kib = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        kib = peak // 1024 if sys.platform == "darwin" else peak
    return kib * 1024 // 1_000_000

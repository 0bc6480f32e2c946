"""Cases run in a process of their own, with a limit of time and memory for each."""

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

#: What a case may take before it counts as one without an end: seconds of processor time, memory.
SECONDS, MEGABYTES = 30, 2048

#: Seconds on the clock for each of them, where others are at work on the same machine.
PATIENCE = 10


class Ended(NamedTuple):
    """A case that gave no answer: it was killed, or its process died."""

    how: str


def watch(
    work: Callable[[Any], Any],
    cases: Iterable[Any],
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> Iterator[tuple[Any, Any]]:
    """Each case with what `work` gives for it, or `Ended`.

    All run one after another in one child, so that what is imported here is imported for all; a
    child that does not answer is killed, and the next case gets a new one.
    """
    child = None
    for case in cases:
        child = child or _Child(work, seconds, megabytes)
        answer = child.ask(case)
        if isinstance(answer, Exception):
            raise answer
        yield case, answer
        if isinstance(answer, Ended):
            child.end()
            child = None
    if child:
        child.end()


class _Child:
    def __init__(self, work: Callable[[Any], Any], seconds: float, megabytes: int):
        self.seconds = seconds
        forking = multiprocessing.get_context("fork")
        self.ours, theirs = forking.Pipe()
        self.process = forking.Process(
            target=_serve, args=(work, theirs, seconds, megabytes), daemon=True
        )
        self.process.start()
        theirs.close()

    def ask(self, case: Any) -> Any:
        self.ours.send(case)
        try:
            if not self.ours.poll(PATIENCE * self.seconds):
                return Ended(f"no end within {PATIENCE * self.seconds:g} seconds")
            return self.ours.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            if self.process.exitcode == -signal.SIGPROF:
                return Ended(f"no end within {self.seconds:g} seconds of processor time")
            return Ended(f"the process died (exit code {self.process.exitcode})")

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.ours.close()


def _serve(work: Callable[[Any], Any], theirs: Connection, seconds: float, megabytes: int) -> None:
    """Answer until there are no more cases; one that takes too long ends the process."""
    limit = _address_space() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    while True:
        try:
            case = theirs.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            theirs.send(work(case))
        except Exception as fault:  # of this machine itself: it must not count as a finding
            theirs.send(fault)


def _address_space() -> int:
    """What this process has reserved already; nothing where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0

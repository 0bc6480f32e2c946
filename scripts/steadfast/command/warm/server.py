"""A process that has packages loaded and forks a child for every job of a run.

It belongs to one run of Snakemake and ends with it: once its standard input is closed and the last
job has ended. A job is a child of its own, with the streams, the folder and the variables
of the client that asked for it; when a client is killed its job is, too, and when this process is
killed its jobs are: their clients then run them as if there were no warm processes.
"""

import atexit
import ctypes
import importlib
import os
import runpy
import selectors
import signal
import socket
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, NoReturn

from steadfast.command.warm.client import NUMBER, unpack

#: What takes long to import. Of these, a job tells which it had to import itself.
SLOW = (
    *("numpy", "steadfast.core.compiled", "scipy.special", "scipy.stats", "scipy.optimize"),
    *("scipy.linalg", "scipy.signal", "scipy.cluster.hierarchy", "pandas", "pyarrow.parquet"),
    *("sklearn.base", "sklearn.utils.validation", "sklearn.utils.multiclass", "sklearn.svm"),
    *("sklearn.ensemble", "sklearn.decomposition", "sklearn.feature_selection"),
    *("sklearn.covariance", "sklearn.cluster", "sklearn.neighbors", "yaml", "jsonschema"),
    *("matplotlib.figure", "matplotlib.backends.backend_svg", "matplotlib.backends.backend_agg"),
)

#: Jobs that have imported a package themselves before it is loaded for the next ones.
WORTH = 2

#: As shells have it; `core.cli` has the same, and must be imported by the script itself.
INTERRUPTED = 130

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Job(NamedTuple):
    """A child at work: the connection of its client, and where it tells what it imported."""

    link: socket.socket
    imported: int


class Server:
    """Forks a child for each command that clients send."""

    def __init__(self, address: str):
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(address)
        self._listener.listen(64)
        self._wishes: Counter[str] = Counter()
        self._jobs: dict[int, Job] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._selector.register(0, selectors.EVENT_READ, self._stop_listening)
        self._listening = True
        self._woken, self._wake = socket.socketpair()
        self._wake.setblocking(False)
        self._woken.setblocking(False)
        self._selector.register(self._woken, selectors.EVENT_READ, self._reap)

    def serve(self) -> None:
        """Work until the run has ended."""
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while self._listening or self._jobs:
            events = self._selector.select(None if not self._next_import() else 0)
            for key, _ in events:
                key.data(key.fileobj)
            if not events:
                self._import_next()

    def _accept(self, listener: socket.socket) -> None:
        if not self._listening:
            return
        try:
            link, _ = listener.accept()
        except OSError:  # the client has gone again
            return
        try:
            head, streams, _, _ = socket.recv_fds(link, NUMBER, 3)
            folder, words, variables = unpack(_receive(link, int.from_bytes(head, "big")))
        except (OSError, ValueError, EOFError):
            link.close()
            return
        told, tells = os.pipe()
        os.set_blocking(told, False)
        pid = os.fork()
        if pid == 0:
            try:
                self._become_job(link, told)
                _run(folder, words, variables, streams, tells)
            finally:
                os._exit(1)
        for descriptor in (*streams, tells):
            os.close(descriptor)
        self._jobs[pid] = Job(link, told)
        self._selector.register(link, selectors.EVENT_READ, lambda link: self._obey(pid, link))

    def _become_job(self, link: socket.socket, told: int) -> None:
        """Leave everything that is the server's."""
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        for sign in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(sign, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._selector.close()
        for job in self._jobs.values():
            job.link.close()
            os.close(job.imported)
        for mine in (link, self._listener, self._wake, self._woken):
            mine.close()
        os.close(told)

    def _obey(self, pid: int, link: socket.socket) -> None:
        """Pass a signal on; a client that has gone was killed, and so is its job."""
        if pid not in self._jobs:  # it has just ended
            return
        try:
            sent = link.recv(NUMBER)
        except OSError:
            sent = b""
        if not sent:
            self._selector.unregister(link)
        os.kill(pid, int.from_bytes(sent, "big") if sent else signal.SIGKILL)

    def _reap(self, woken: socket.socket) -> None:
        """Tell clients how their jobs ended."""
        with suppress(BlockingIOError):
            while woken.recv(4096):
                pass
        with suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    return
                self._tell(self._jobs.pop(pid), os.waitstatus_to_exitcode(status))

    def _tell(self, job: Job, code: int) -> None:
        with suppress(KeyError):
            self._selector.unregister(job.link)
        with suppress(OSError):
            job.link.send(code.to_bytes(NUMBER, "big", signed=True))
        job.link.close()
        with suppress(BlockingIOError):
            self._wishes.update(os.read(job.imported, 4096).decode().split())
        os.close(job.imported)

    def _next_import(self) -> str | None:
        wanted = (name for name in SLOW if self._wishes[name] >= WORTH)
        return next((name for name in wanted if name not in sys.modules), None)

    def _import_next(self) -> None:
        """Load what jobs import again and again, while no job waits to begin."""
        name = self._next_import()
        if name:
            del self._wishes[name]
            with suppress(Exception):
                importlib.import_module(name)

    def _stop_listening(self, _: int) -> None:
        self._selector.unregister(0)
        self._selector.unregister(self._listener)
        self._listener.close()
        self._listening = False


def _receive(link: socket.socket, size: int) -> bytes:
    parts = []
    while size:
        part = link.recv(size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _run(
    folder: str, words: list[str], variables: dict[str, str], streams: list[int], tells: int
) -> NoReturn:
    """Run a script as Python does, tell what it imported, and end."""
    before = set(sys.modules)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    code = _execute(words)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    imported = [name for name in SLOW if name in sys.modules and name not in before]
    os.write(tells, " ".join(imported).encode())
    os._exit(code)


def _execute(words: list[str]) -> int:
    """The exit code of a script, with everything printed that Python would print."""
    try:
        sys.argv, sys.path[0] = words, str(Path(words[0]).resolve().parent)
        runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        return _code(end.code)
    except KeyboardInterrupt:  # before the script was ready for it
        print("steadfast: stopped", file=sys.stderr)
        return INTERRUPTED
    except BaseException as error:
        trace = _inside(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1
    finally:
        atexit._run_exitfuncs()
    return 0


def _inside(trace: TracebackType | None) -> TracebackType | None:
    """A trace from the first line of the script on."""
    while trace and trace.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
        trace = trace.tb_next
    return trace


def _code(given: object) -> int:
    if given is None or isinstance(given, int):
        return (given or 0) & 0xFF
    print(given, file=sys.stderr)
    return 1

"""Which runs of the workflow are at work in a folder, and the locks of runs that were killed.

Snakemake's own lock does not say whose it is, and stays where a run was killed. So every run leaves
a note beside it, and holds a lock on the note that the system takes back once the run, and every
job that it started, has ended, however it ended. A note that nobody holds is that of a killed run.
"""

import atexit
import fcntl
import json
import os
import platform
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

#: Of Snakemake, in the working folder; notes stand beside what else the workflow keeps there.
LOCKS = Path(".snakemake", "locks")
NOTES = Path(".snakemake", "steadfast", "runs")

#: How a line begins that says that an earlier run was killed and this one goes on.
KILLED = "steadfast: an earlier run here was killed"

#: How a line begins that says who may be at work here.
HELD = "steadfast: at work here"

#: Seconds.
_TO_END = 0.5

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Note:
    """A run: its process, its machine, when it began, where its results go, where its jobs run."""

    pid: int
    host: str
    boot: str
    begun: str
    results: str
    on_cluster: bool = False

    @property
    def is_near(self) -> bool:
        """Whether it ran on this machine alone: only then it can be told whether it is alive."""
        return not self.on_cluster and (self.host == platform.node() or self.boot == _boot())

    def shares(self, results: str) -> bool:
        """Whether one of the two folders of results lies in the other."""
        own, other = Path(self.results), Path(results)
        return own.is_relative_to(other) or other.is_relative_to(own)


class Presence:
    """The note of this run, held until the process ends."""

    def __init__(self, results: str):
        self.note = Note(
            os.getpid(),
            platform.node(),
            _boot(),
            time.strftime("%Y-%m-%d %H:%M"),
            results,
        )
        # Of two containers, two processes may have one number: a name by chance.
        self.path = (NOTES / f"{os.urandom(8).hex()}.json").absolute()
        self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)
        fcntl.flock(self.descriptor, fcntl.LOCK_EX)
        self._write(self.note)
        atexit.register(self.path.unlink, missing_ok=True)

    def tell_cluster(self) -> None:
        """Jobs of this run are on other machines, where they may outlive it."""
        self._write(Note(**{**asdict(self.note), "on_cluster": True}))

    def _write(self, note: Note) -> None:
        os.pwrite(self.descriptor, json.dumps(asdict(note)).encode().ljust(2000), 0)


def enter(results: str) -> tuple[Presence | None, str]:
    """Note that a run begins, after locks of killed ones were removed; a line to print, or none.

    One run at a time does this. Whoever comes next finds the note of the one before it, held, and
    removes nothing: a lock of Snakemake's is only ever written by a run whose note is held. Where
    notes cannot be written or locked nothing is noted and nothing removed.
    """
    try:
        NOTES.mkdir(parents=True, exist_ok=True)
        with open(NOTES / "one_at_a_time", "w") as mutex:
            fcntl.flock(mutex, fcntl.LOCK_EX)
            line = _settle(results)
            return Presence(results), line
    except OSError:
        return None, ""


def _settle(results: str) -> str:
    """Remove what killed runs left; what there is to say of it, or of who is at work."""
    notes = _notes_on(results)
    near = {path: note for path, note in notes.items() if note.is_near}
    held = {path: note for path, note in near.items() if _is_held(path, note.pid)}
    far = [note for note in notes.values() if not note.is_near]
    dead = [note for path, note in near.items() if path not in held]
    locks = _locks_on(results)
    if locks and held:
        return _who(*next(iter(held.items())))
    if locks and far:
        return _far_away(far[0])
    left = [path for path in notes if path not in held]
    line = ""
    if locks and dead:
        left += [*locks, *Path(results).rglob(".*.tmp")]
        run = max(dead, key=lambda note: note.begun)
        line = f"{KILLED} ({_when(run)}); its lock is removed, and what it finished stays"
    for path in left:
        path.unlink(missing_ok=True)
    return line


def _notes_on(results: str) -> dict[Path, Note]:
    """Notes of other processes that may write there; one that was never written has gone."""
    found = {}
    for path in sorted(NOTES.glob("*.json")):
        note = _read(path)
        if note is None:
            path.unlink(missing_ok=True)
        elif note.shares(results) and (note.pid, note.boot) != (os.getpid(), _boot()):
            found[path] = note
    return found


def _locks_on(results: str) -> list[Path]:
    """Locks of Snakemake's that name a file of results."""
    start = f"{results}/"
    return [
        path
        for path in sorted(LOCKS.glob("*.lock"))
        if any(line.startswith(start) for line in path.read_text(errors="replace").splitlines())
    ]


def _is_held(path: Path, pid: int) -> bool:
    """Whether a note is held; jobs that were killed with their run are given time to end."""
    deadline = time.monotonic() + _TO_END
    while not _is_free(path):
        if _is_alive(pid) or time.monotonic() > deadline:
            return True
        time.sleep(0.02)
    return False


def _is_free(path: Path) -> bool:
    with open(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _who(path: Path, note: Note) -> str:
    """The line about a run that is alive, or whose jobs are."""
    holders = _holders(path) or [note.pid]
    if note.pid in holders:
        return f"{HELD}: another run ({_when(note)}); wait until it has ended"
    jobs = " ".join(map(str, holders))
    return (
        f"{HELD}: jobs of an earlier run that was killed ({_when(note)}); wait until they have "
        f"ended, or end them: kill {jobs}"
    )


def _far_away(note: Note) -> str:
    where = "with jobs on a cluster" if note.on_cluster else f"on {note.host}"
    return (
        f"{HELD}, or killed: a run {where} ({_when(note)}); if nothing of it is alive: "
        f"{unlock_command(['snakemake', *sys.argv[1:]])}"
    )


def unlock_command(call: Sequence[str]) -> str:
    """What to type to remove Snakemake's lock by hand."""
    return shlex.join([*call, *([] if "--unlock" in call else ["--unlock"])])


def _when(note: Note) -> str:
    return f"pid {note.pid}, begun {note.begun}"


def _holders(path: Path) -> list[int]:
    """Processes that have a file open; none where the system does not tell."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.readlink(entry) == str(path.absolute()):
                found.append(int(entry.parts[2]))
        except OSError:
            continue
    return sorted(set(found) - {os.getpid()})


def _read(path: Path) -> Note | None:
    try:
        return Note(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def _boot() -> str:
    """What tells one start of a machine from another; containers of one machine share it."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return platform.node()

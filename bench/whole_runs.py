"""Whole runs by the real command, in a folder of their own: advice on tables, a small study.

Each is measured from outside: seconds, CPU seconds of all its processes, the share of these that
jobs computed, and the memory of the largest job. The first run compiles kernels and does not count.
"""

import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from resource import struct_rusage
from typing import NamedTuple

import environment
import inputs
from releases import CPU, MEMORY, SECONDS, SHARE, Figure

CORES = "2"

#: Seconds that a run may take.
LONGEST = 900

#: The small study: that of the quick look, which has every stage.
SMALL = environment.ROOT / ".test" / "config"

NOTHING = "Nothing to be done"


class Table(NamedTuple):
    """A table to advise on: its shape, what writes it, and options of the command."""

    rows: int
    features: int
    write: Callable[[Path], None]
    options: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """What the benchmark calls it."""
        return " ".join((f"advise, {_shown(self.rows)} × {_shown(self.features)}", *self.options))


def _shown(size: int) -> str:
    return f"{size:,}" if size >= 10_000 else str(size)


def _write_wdbc(path: Path) -> None:
    from sklearn.datasets import load_breast_cancer

    frame = load_breast_cancer(as_frame=True).frame
    frame.rename(columns={"target": "class"}).to_csv(path, index=False)


def _write_made_up(rows: int, columns: int, told: int, path: Path) -> None:
    """Normal numbers, some columns with classes a standard deviation apart."""
    data = inputs.wide_table(rows, columns, False, told)
    names = [f"x{number}" for number in range(1, columns + 1)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "class"])
        writer.writerows([*row, label] for row, label in zip(data["X"].round(4), data["y"]))


TABLES = (
    Table(569, 30, _write_wdbc),
    Table(200, 5000, partial(_write_made_up, 200, 5000, 20)),
    Table(20_000, 20, partial(_write_made_up, 20_000, 20, 5), ("--budget", "2")),
)


class Taken(NamedTuple):
    """What a command took."""

    seconds: float
    cpu: float
    began: float


def tasks() -> list[str]:
    """Everything that is measured here."""
    small = "a small study"
    again = [f"{small}, with nothing to do", "the default studies, with nothing to do"]
    return [*(table.task for table in TABLES), small, *again]


def measure(of: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[list[Figure], str]]:
    """Figures of each task that is wanted of a checkout, and what kept one from being measured."""
    with tempfile.TemporaryDirectory(prefix="steadfast-bench-") as scratch:
        folder = Path(scratch)
        if any(wanted(table.task) for table in TABLES):
            yield from _advise(of, folder, wanted)
        *_, small, again, every = tasks()
        if wanted(small) or wanted(again):
            yield from _study(of, folder, small, again)
    if wanted(every):
        yield _nothing_to_do(of, every)


def _advise(
    of: Path, folder: Path, wanted: Callable[[str], bool]
) -> Iterator[tuple[list[Figure], str]]:
    with suppress(RuntimeError):  # the same again says why
        _advise_on(of, folder, TABLES[0])
    for table in TABLES:
        if wanted(table.task):
            yield _guarded(table.task, lambda table=table: _advise_on(of, folder, table), folder)


def _advise_on(of: Path, folder: Path, table: Table) -> Taken:
    path = folder / f"{table.rows}x{table.features}.csv"
    if not path.exists():
        table.write(path)
    shutil.rmtree(folder / "results", ignore_errors=True)
    return take(of, ["advise", path.name, "--target", "class", *table.options], folder)


def _study(of: Path, folder: Path, small: str, again: str) -> Iterator[tuple[list[Figure], str]]:
    """A small study, and the same once more."""
    own = folder / "study"
    shutil.copytree(SMALL, own / "config")
    words = ["reproduce", "--config", "config/config.yaml"]
    with suppress(RuntimeError):
        take(of, words, own)
    shutil.rmtree(own / "results", ignore_errors=True)
    yield _guarded(small, lambda: take(of, words, own), own)
    found, note = _guarded(again, lambda: take(of, words, own), own)
    yield found[:2], note


def _nothing_to_do(of: Path, task: str) -> tuple[list[Figure], str]:
    """The run of `make results` where it has been made; a dry one says whether it has."""
    if not (of / "results" / "index.html").exists():
        return times(task, None), "results/ is not there: make results"
    dry = [sys.executable, "-m", "snakemake", "--dry-run", "--cores", CORES]
    said = subprocess.run(dry, cwd=of, env=variables(of), capture_output=True, text=True)
    if NOTHING not in said.stdout + said.stderr:
        return times(task, None), "results/ is not complete: make results"
    found, note = _guarded(task, lambda: take(of, ["reproduce"], of), of)
    return found[:2], note


def _guarded(task: str, run: Callable[[], Taken], folder: Path) -> tuple[list[Figure], str]:
    """Figures of a run, or why there are none."""
    try:
        return figures(task, run(), folder / "results"), ""
    except RuntimeError as error:
        return times(task, None), str(error)


def variables(of: Path) -> dict[str, str]:
    """What a command finds in its environment: the package of this checkout, and no settings."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("ADVISE_")}
    own.pop("PYTHONDONTWRITEBYTECODE", None)
    return own | {"PYTHONPATH": str(of / "scripts")}


def take(of: Path, words: Sequence[str], folder: Path) -> Taken:
    """Run `steadfast` of a checkout in a folder, and say what it took."""
    print(f"bench: steadfast {' '.join(words)}", file=sys.stderr, flush=True)
    call = [sys.executable, str(of / "scripts"), *words, "--cores", CORES, "--quiet"]
    began, start = time.time(), time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        streams = {"stdout": said, "stderr": said, "start_new_session": True}
        process = subprocess.Popen(call, cwd=folder, env=variables(of), **streams)
        status, usage = _wait(process.pid)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if seconds > LONGEST:
            raise RuntimeError(f"more than {LONGEST} s")
        if process.returncode:
            said.seek(0)
            last = said.read().strip().splitlines()[-1:]
            raise RuntimeError(" ".join((f"ended with code {process.returncode}:", *last)))
    return Taken(seconds, usage.ru_utime + usage.ru_stime, began)


def _wait(leader: int) -> tuple[int, struct_rusage]:
    """The end of a process and what it and its children took; its group is killed in the end.

    The group has its own session, so that an interrupt of the benchmark does not reach it.
    """
    alarm = threading.Timer(LONGEST, os.killpg, (leader, signal.SIGKILL))
    alarm.start()
    try:
        _, status, usage = os.wait4(leader, 0)
        return status, usage
    finally:
        alarm.cancel()
        with suppress(ProcessLookupError):  # nobody is left
            os.killpg(leader, signal.SIGKILL)


def times(task: str, taken: Taken | None) -> list[Figure]:
    """Seconds and CPU seconds of a task."""
    seconds, cpu = (taken.seconds, taken.cpu) if taken else (None, None)
    return [Figure(task, SECONDS, seconds), Figure(task, CPU, cpu)]


def figures(task: str, taken: Taken, results: Path) -> list[Figure]:
    """All figures of a run that had something to do, by its logs."""
    from steadfast.core.environment import job_seconds, peak_memory

    # Files have times of a coarser clock.
    since = taken.began - 1
    computing = sum(seconds for _, seconds in job_seconds(results, since))
    peak = peak_memory(results, since)
    most = peak[0] if peak else largest_rss(results)
    share = computing / taken.cpu if computing else None
    return [*times(task, taken), Figure(task, SHARE, share), Figure(task, MEMORY, most)]


def largest_rss(folder: Path) -> float | None:
    """MB, from the MiB that Snakemake sampled up to version 1.0.0, whose logs do not say it."""
    found = []
    for path in folder.rglob("*.tsv"):
        with path.open(encoding="utf-8") as file:
            found += [row.get("max_rss") for row in csv.DictReader(file, delimiter="\t")]
    known = [float(value) for value in found if value not in (None, "", "-", "NA")]
    return max(known) * 2**20 / 1e6 if known else None

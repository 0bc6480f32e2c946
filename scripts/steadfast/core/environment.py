"""What the workflow sets up for its jobs, and the account of where their CPU time went."""

import os
import re
import resource
import shutil
import sys
from collections.abc import Iterable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

from steadfast.core.cli import MEMORY_PREFIX, TIMING_PREFIX, TIMING_VARIABLE
from steadfast.core.errors import UserError

#: Where Linux says what a container, or a job of a cluster, may take.
CONTROL_GROUPS = Path("/sys/fs/cgroup")

_MB = 1_000_000

#: No run needs less, in bytes: its locks and records alone take that.
LEAST_ROOM = 2_000_000

#: What Snakemake takes beside its jobs, in MB: twice, with `steadfast` or in a job of a cluster.
SNAKEMAKE_MB = 600


def prepare(variables: MutableMapping[str, str], cache: Path) -> None:
    """Set the variables of the process that starts the jobs.

    One thread per job: parallelism comes from jobs. Compiled bytecode and kernels are kept, because
    a job without them starts several times slower.
    """
    variables["PATH"] = f"{Path(sys.executable).parent}:{variables.get('PATH', '')}"
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        variables[name] = "1"
    variables.setdefault("NUMBA_CACHE_DIR", str(cache / "numba"))
    variables.setdefault("MPLCONFIGDIR", str(cache / "matplotlib"))
    variables[TIMING_VARIABLE] = "1"


def require_room(folder: Path) -> None:
    """End a run before it begins where not even Snakemake's records could be written."""
    left = shutil.disk_usage(folder).free
    if left < LEAST_ROOM:
        raise UserError(
            f"{folder}: {left // 1000} kB are left on this disk (No space left on device); make "
            f"room, {LEAST_ROOM // _MB} MB at the very least, and run the same command again"
        )


def memory_mb() -> int:
    """Memory that this process may take, in MB: the machine's, or a smaller limit set for it."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    own = resource.getrlimit(resource.RLIMIT_AS)[0]
    limits = [] if own == resource.RLIM_INFINITY else [own]
    return min(machine, *limits, *group_limits(CONTROL_GROUPS, _text("/proc/self/cgroup"))) // _MB


def memory_for_jobs() -> int:
    """Memory, in MB, that jobs may take together: what is free, less what Snakemake takes itself.

    At least one: Snakemake runs a job that states more than there is, alone.
    """
    available = re.search(r"MemAvailable:\s+(\d+) kB", _text("/proc/meminfo"))
    free = int(available[1]) * 1024 // _MB if available else memory_mb()
    return max(1, min(memory_mb(), free) - SNAKEMAKE_MB)


def group_limits(folder: Path, memberships: str) -> list[int]:
    """Limits of memory, in bytes, of the control groups of a process and of those around them.

    Parameters
    ----------
    folder
        Where the groups are.
    memberships
        A line per hierarchy: `4:memory:/jobs/7`, or, of the second version, `0::/jobs/7`.
    """
    found = []
    for line in memberships.splitlines():
        _, controllers, group = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        file = "memory.limit_in_bytes" if controllers else "memory.max"
        own = Path(group.strip("/"))
        texts = [_text(folder / controllers / path / file) for path in (own, *own.parents)]
        found += [int(text) for text in texts if text.strip().isdigit()]
    return found


def _text(path: Path | str) -> str:
    """What a file of the system says; nothing where there is none."""
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def stop_idle_scheduling(workflow: Any) -> None:
    """Take the job rate limiter out of a local run.

    With it, Snakemake 9 looks through all ready jobs once per second for every job that has ended:
    after a hundred jobs that costs more CPU time than most of the jobs. On a cluster, where the
    limit is of use, it stays.
    """
    if workflow.local_exec and getattr(workflow, "scheduler", None) is not None:
        workflow.scheduler.job_rate_limiter = None


def one_of(names: Iterable[str]) -> str:
    """A regular expression that matches exactly these names."""
    return "|".join(sorted(map(re.escape, set(names)), key=len, reverse=True)) or "(?!)"


def job_seconds(logs: Path, since: float = 0.0) -> list[tuple[float, float]]:
    """CPU seconds of start-up and of computation, of each job whose log is not older."""
    pattern = re.compile(rf"^{TIMING_PREFIX} start-up ([\d.]+) computation ([\d.]+)$", re.MULTILINE)
    return [
        (float(start_up), float(computation))
        for _, text in _logs(logs, since)
        for start_up, computation in pattern.findall(text)
    ]


def peak_memory(logs: Path, since: float = 0.0) -> tuple[int, str] | None:
    """Memory, in MB, of the job that took most of those that ended since, and the job.

    It is named as its log is, `advice/select/wine/mid_batch0`; None where no job ended.
    """
    pattern = re.compile(rf"^{MEMORY_PREFIX} (\d+) MB$", re.MULTILINE)
    peaks = [
        (int(megabytes), path.relative_to(logs).with_suffix("").as_posix())
        for path, text in _logs(logs, since)
        for megabytes in pattern.findall(text)
    ]
    return max(peaks, default=None)


def _logs(folder: Path, since: float) -> Iterator[tuple[Path, str]]:
    """Logs of jobs that are not older, and what they say."""
    for path in sorted(folder.rglob("*.log")):
        if path.stat().st_mtime >= since:
            yield path, path.read_text(errors="replace")


def cpu_share(logs: Path, started: float) -> str:
    """One line: how much of this run's CPU time went into computation; empty if no job ran.

    The total is what the operating system counted for this process and all it started; computation
    is what the commands report of themselves after their imports.
    """
    times = job_seconds(logs, started)
    if not times:
        return ""
    jobs, computing = len(times), sum(computation for _, computation in times)
    total = sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    return (
        f"CPU time: {total:.0f} s in {jobs} jobs, {computing / total:.0%} of it computation "
        f"({computing:.0f} s), the rest start-up of processes and Snakemake itself."
    )

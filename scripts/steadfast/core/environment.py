"""What the workflow sets up for its jobs, and the account of where their CPU time went."""

import re
import resource
import sys
from collections.abc import Iterable, MutableMapping
from pathlib import Path
from typing import Any

from steadfast.core.cli import TIMING_PREFIX, TIMING_VARIABLE


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
    pattern = rf"^{TIMING_PREFIX} start-up ([\d.]+) computation ([\d.]+)$"
    return [
        (float(start_up), float(computation))
        for path in sorted(logs.rglob("*.log"))
        if path.stat().st_mtime >= since
        for start_up, computation in re.findall(
            pattern, path.read_text(errors="replace"), re.MULTILINE
        )
    ]


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

"""How long selections took, from the logs of the jobs that made them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.outputs.tables.base import Result, dataset_title

_SECONDS = re.compile(r"^\S+: ([\d.]+) s$", re.MULTILINE)


def read_seconds(logs: Path, dataset: str, selector: str, n_batches: int) -> np.ndarray:
    """Processor seconds of each selection that the logs tell of."""
    found: list[float] = []
    for number in range(n_batches):
        path = logs / "select" / dataset / f"{selector}_batch{number}.log"
        if path.is_file():
            found += map(float, _SECONDS.findall(path.read_text(errors="replace")))
    return np.array(found)


def times_table(context: Mapping[str, Any], logs: Path, data: Path) -> Result:
    """Time a run and of all runs, and where a paper printed its own, as many runs beside it."""
    header = ["dataset", "selector", "runs", "seconds_per_run", "seconds"]
    printed = ["Dataset", "Selector", "Runs", "Time a run", "Time"]
    beside = any(cell["published"] for cell in context["cells"])
    if beside:
        header += ["published_runs", "published_seconds", "seconds_for_published_runs"]
        printed += ["Published runs", "Published time", "As many runs here", "Times faster"]
        header.append("times_faster")
    result = Result(header, [], printed)
    for cell in context["cells"]:
        seconds = read_seconds(logs, cell["dataset"], cell["selector"], cell["batches"])
        # Of a job that was resumed, the log has the times of its second part only.
        mean = float(seconds.mean()) if seconds.size else float("nan")
        numbers = [mean, mean * cell["runs"]]
        cells = [f"{mean:.3f} s" if seconds.size else "–", clock(numbers[1])]
        if beside:
            theirs = [cell[key] or float("nan") for key in ("published_runs", "published")]
            as_many = mean * theirs[0]
            faster = theirs[1] / as_many if as_many else float("nan")
            numbers += [*theirs, as_many, faster]
            cells += [f"{theirs[0]:g}", clock(theirs[1]), clock(as_many), f"{faster:.0f}"]
        result.rows.append([cell["dataset"], cell["selector"], cell["runs"], *numbers])
        title = dataset_title(data, cell["dataset"])
        result.printed.append([title, cell["label"], str(cell["runs"]), *cells])
    result.notes.append(
        "Processor time of the selections alone on one core, without the start of processes. These "
        "numbers differ from run to run and from machine to machine, so they are no table of the "
        "study."
    )
    return result


def clock(seconds: float) -> str:
    """hours:minutes:seconds, as papers print it."""
    if np.isnan(seconds):
        return "–"
    whole = round(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"

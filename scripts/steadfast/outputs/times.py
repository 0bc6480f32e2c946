"""How long selections took, from the logs of the jobs that made them."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.core.files import read_verified
from steadfast.core.paths import RECOVERY_LOG, SELECT_LOG, Paths
from steadfast.outputs.result import Result

_NAN = float("nan")

#: What a log says of one selection.
_SECONDS = re.compile(r"^\S+: ([\d.]+) s$", re.MULTILINE)


#: Columns that every table of times has.
TIMES = ("dataset", "selector", "runs", "seconds_per_run", "seconds")

_NOTE = (
    "Processor time of the selections alone on one core, without the start of processes. These "
    "numbers differ from run to run and from machine to machine, so they are no table of the study."
)


def read_seconds(paths: Paths, dataset: str, selector: str, n_batches: int) -> np.ndarray:
    """Processor seconds of each selection, as far as there are logs; `paths` are of one study."""
    names = {"dataset": dataset, "selector": selector}
    seconds: list[float] = []
    for number in range(n_batches):
        seconds += _logged(paths.log(*SELECT_LOG, **names, batch=number))
    return np.array(seconds)


def times_table(runs: Sequence[Mapping[str, Any]], paths: Paths) -> Result:
    """Time per run and of all runs, and where a paper printed its own, as many runs beside it.

    Parameters
    ----------
    runs
        Of each selector on a data set: `dataset`, `selector`, `label`, how many `runs` in how many
        `batches`, and the paper's seconds (`published`) for its number of runs (`published_runs`).
    paths
        Those of the study.
    """
    header = list(TIMES)
    printed = ["Dataset", "Selector", "Runs", "Time a run", "Time"]
    beside = any(entry["published"] for entry in runs)
    if beside:
        header += ["published_runs", "published_seconds", "seconds_for_published_runs"]
        header.append("times_faster")
        printed += ["Published runs", "Published time", "As many runs here", "Times faster"]
    result = Result(header, [], printed)
    for entry in runs:
        seconds = read_seconds(paths, entry["dataset"], entry["selector"], entry["batches"])
        # Of a job that was resumed, the log has the times of its second part only.
        mean = float(seconds.mean()) if seconds.size else _NAN
        numbers = [mean, mean * entry["runs"]]
        cells = [f"{mean:.3f} s" if seconds.size else "–", clock(numbers[1])]
        if beside:
            theirs = [entry[key] or _NAN for key in ("published_runs", "published")]
            as_many = mean * theirs[0]
            faster = theirs[1] / as_many if as_many else _NAN
            numbers += [*theirs, as_many, faster]
            cells += [f"{theirs[0]:g}", clock(theirs[1]), clock(as_many), f"{faster:.0f}"]
        result.rows.append([entry["dataset"], entry["selector"], entry["runs"], *numbers])
        key = [_title(paths, entry["dataset"]), entry["label"], str(entry["runs"])]
        result.printed.append([*key, *cells])
    result.notes.append(_NOTE)
    return result


def _logged(log: str) -> list[float]:
    """What a log says of the selections of its job; nothing where there is none."""
    path = Path(log)
    if not path.is_file():
        return []
    return [float(found) for found in _SECONDS.findall(path.read_text(errors="replace"))]


def recovery_times(runs: Sequence[Mapping[str, Any]], paths: Paths) -> Result:
    """Processor seconds that each selector took for one data set of each scenario."""
    columns = list(dict.fromkeys(entry["labels"][1] for entry in runs))
    result = Result(list(TIMES), [], ["Seconds a data set", *columns])
    cells: dict[str, dict[str, str]] = {}
    for entry in runs:
        names = {key: entry[key] for key in ("scenario", "selector")}
        seconds = _logged(paths.log(*RECOVERY_LOG, **names))
        mean = float(np.mean(seconds)) if seconds else _NAN
        result.rows.append([*names.values(), entry["sets"], mean, mean * entry["sets"]])
        row, column = entry["labels"]
        cells.setdefault(row, {})[column] = f"{mean:.2f}" if seconds else "–"
    result.printed = [[row, *map(own.get, columns)] for row, own in cells.items()]
    result.notes.append(_NOTE)
    return result


def all_times(context: Mapping[str, Any], paths: Paths) -> tuple[bytes, bytes]:
    """The times of selections on folds and on scenarios, as CSV and as Markdown."""
    makers = {"runs": times_table, "recovery": recovery_times}
    tables = [make(context[key], paths) for key, make in makers.items() if context[key]]
    first = tables[0]
    page = b"\n".join(table.to_markdown(context["title"]) for table in tables)
    for other in tables[1:]:
        padding = [""] * (len(first.header) - len(TIMES))
        first.rows += [[*row, *padding] for row in other.rows]
    return first.to_csv(), page


def _title(paths: Paths, dataset: str) -> str:
    about = json.loads(read_verified(Path(paths("data", "json", dataset=dataset))))
    return about.get("title") or dataset


def clock(seconds: float) -> str:
    """hours:minutes:seconds, as papers print it."""
    if np.isnan(seconds):
        return "–"
    whole = round(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"

"""How long selections took, from the logs of the jobs that made them."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.core.files import read_verified
from steadfast.core.paths import RECOVERY_LOG, SELECT_LOG, Paths
from steadfast.outputs.table import Table, frame_of

#: What a log says of one selection.
_SECONDS = re.compile(r"^\S+: ([\d.]+) s$", re.MULTILINE)

_OF_FOLDS = {
    "Dataset": "{dataset}",
    "Selector": "{selector}",
    "Runs": "{runs}",
    "Time a run": "{seconds_per_run:.3f} s",
    "Time": "{_seconds}",
}
_PUBLISHED = {
    "Published runs": "{published_runs:g}",
    "Published time": "{_published_seconds}",
    "As many runs here": "{_seconds_for_published_runs}",
    "Times faster": "{times_faster:.0f}",
}
_NOTE = (
    "Processor time of the selections alone on one core, without the start of processes. These "
    "numbers differ from run to run and from machine to machine, so they are no table of the study."
)


def all_times(context: Mapping[str, Any], paths: Paths) -> tuple[bytes, bytes]:
    """The times of selections on folds and on scenarios, as CSV and as Markdown.

    Parameters
    ----------
    context
        `runs`: of each selector on a data set `dataset`, `selector`, `label`, how many `runs` in
        how many `batches`, and the paper's seconds (`published`) for its number of runs
        (`published_runs`). `recovery`: of each selector on a scenario `scenario`, `selector`,
        `labels` of both, and how many data `sets`.
    paths
        Those of the study.
    """
    runs, pages = context["runs"], []
    published = any(run["published"] for run in runs)
    folds = [_of_folds(run, paths, published) for run in runs]
    sets = [_of_sets(run, paths) for run in context["recovery"]]
    if folds:
        labels = {"selector": {run["selector"]: run["label"] for run in runs}}
        labels["dataset"] = {name: _title(paths, name) for name in {run["dataset"] for run in runs}}
        table = Table(frame_of(folds), _OF_FOLDS | (_PUBLISHED if published else {}))
        pages.append((table, labels))
    if sets:
        cells, wide = {"Seconds a data set": "{_scenario}"}, ("_selector", "{seconds_per_run:.2f}")
        pages.append((Table(frame_of(sets), cells, wide=wide), {}))
    for table, _ in pages:
        table.notes = [_NOTE]
    printed = [table.to_markdown(context["title"], labels) for table, labels in pages]
    return Table(frame_of([*folds, *sets]), {}).to_csv(), b"\n".join(printed)


def _of_folds(run: Mapping[str, Any], paths: Paths, published: bool) -> dict[str, Any]:
    """A row about the folds of a data set, with the time of as many runs as the paper's."""
    names = {"dataset": run["dataset"], "selector": run["selector"]}
    logs = [paths.log(*SELECT_LOG, **names, batch=number) for number in range(run["batches"])]
    row = _row(names, run["runs"], logs)
    if published:
        theirs = (run[key] or float("nan") for key in ("published_runs", "published"))
        row["published_runs"], row["published_seconds"] = theirs
        as_many = row["seconds_per_run"] * row["published_runs"]
        row["seconds_for_published_runs"] = as_many
        row["times_faster"] = row["published_seconds"] / as_many if as_many else float("nan")
    return row | {f"_{name}": clock(row[name]) for name in row if "seconds" in name}


def _of_sets(run: Mapping[str, Any], paths: Paths) -> dict[str, Any]:
    """A row about the data sets of a scenario."""
    log = paths.log(*RECOVERY_LOG, scenario=run["scenario"], selector=run["selector"])
    names = {"dataset": run["scenario"], "selector": run["selector"]}
    labels = dict(zip(("_scenario", "_selector"), run["labels"], strict=True))
    return _row(names, run["sets"], [log]) | labels


def _row(names: Mapping[str, str], runs: int, logs: Iterable[str]) -> dict[str, Any]:
    """Seconds of a run and of all; of a job that was resumed, a log has its second part only."""
    files = [Path(log) for log in logs if Path(log).is_file()]
    texts = (file.read_text(errors="replace") for file in files)
    seconds = [float(found) for text in texts for found in _SECONDS.findall(text)]
    mean = float(np.mean(seconds)) if seconds else float("nan")
    return {**names, "runs": runs, "seconds_per_run": mean, "seconds": mean * runs}


def _title(paths: Paths, dataset: str) -> str:
    about = json.loads(read_verified(Path(paths("data", "json", dataset=dataset))))
    return about.get("title") or dataset


def clock(seconds: float) -> str:
    """hours:minutes:seconds, as papers print it."""
    if np.isnan(seconds):
        return "–"
    whole = round(seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"

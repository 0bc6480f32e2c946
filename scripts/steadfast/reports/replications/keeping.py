"""Keeping a run: what of it is small enough to be committed, and how it was made."""

import gzip
import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from steadfast.core.environment import job_seconds, peak_memory
from steadfast.core.errors import UserError
from steadfast.core.files import read_verified, write_atomically
from steadfast.core.paths import Paths
from steadfast.outputs.claim import read_claims
from steadfast.reports.replications.kept import MANIFEST, RUN, count_runs, data_facts
from steadfast.reports.replications.methods import describe_study
from steadfast.reports.replications.prose import Prose
from steadfast.study.declaration import Study
from steadfast.study.run import Run

#: Packages whose versions may change a number or a figure.
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "matplotlib", "snakemake")

#: Of larger files only the name and the size are kept.
LARGEST_TABLE, LARGEST_FIGURE = 100_000, 200_000


class Origin(NamedTuple):
    """Where a run comes from, for `run.json`."""

    commit: str
    date: str
    config: str
    versions: Mapping[str, str]


def keep_paper(paper: str, prose: Prose, run: Run, origin: Origin, into: Path) -> int:
    """Copy a paper's studies out of a results folder; how many bytes they take.

    Parameters
    ----------
    prose
        Of the paper: names studies and figures.
    run
        The configuration of the results, which lie where it says.
    into
        The folder of all kept runs; what it holds of the paper is replaced.
    """
    paths = Paths(run.config["results"].rstrip("/"))
    contents: dict[str, bytes] = {}
    studies: dict[str, Any] = {}
    for name in prose.studies:
        study = run.studies[name]
        files, left_out = _study_files(
            study, prose, paths.within(study=name), name in run.published
        )
        _require_runs(study, paths.within(study=name))
        contents |= {f"{name}/{file}": content for file, content in files.items()}
        studies[name] = {
            **describe_study(study, run.catalogue),
            **_cost(paths, name),
            "overrides": run.config["overrides"].get(name, {}),
            "left_out_files": left_out,
        }
    used = dict.fromkeys(dataset for study in studies.values() for dataset in study["datasets"])
    about = {
        "paper": paper,
        **origin._asdict(),
        "seed": run.config["seed"],
        "datasets": {dataset: data_facts(paths, dataset) for dataset in used},
        "studies": studies,
    }
    contents[RUN] = (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()
    _replace(into / paper, contents)
    return sum(map(len, contents.values()))


def _require_runs(study: Study, paths: Paths) -> None:
    """A smaller run must not be kept under the name of a larger one."""
    for dataset in study.datasets:
        found = count_runs(paths.within(dataset=dataset))
        for selector in study.selectors:
            wanted = len(study.folds(dataset, selector))
            if found.get(selector, 0) < wanted:
                raise UserError(
                    f"{paths.root}: {study.name}: {found.get(selector, 0)} runs of {selector} on "
                    f"{dataset}, and {wanted} in the configuration; name that of the run "
                    "(--configfile), or run it (make paper)"
                )


def _study_files(
    study: Study, prose: Prose, paths: Paths, published: bool
) -> tuple[dict[str, bytes], dict[str, int]]:
    """What is kept of a study, by its place below it, and what is too large, with its size."""
    summary = Path(paths("summary"))
    if not Path(paths("claims")).is_file() or not summary.is_file():
        raise UserError(
            f"{summary.parent}: is not a finished run of {study.name}; run the study at full size "
            "first (make paper)"
        )
    found = {
        "claims.json": read_claims(Path(paths("claims"))),
        "summary.md": read_verified(summary),
    }
    if published:
        found["published.csv"] = read_verified(Path(paths("published")))
    for table in study.tables:
        for ending in ("csv", "md"):
            found[f"tables/{table}.{ending}"] = read_verified(
                Path(paths("table", ending, table=table))
            )
    limits = {name: LARGEST_TABLE for name in found if name.startswith("tables/")}
    for name in (figure for owner, figure in prose.figures if owner == study.name):
        if name not in study.figures:
            raise UserError(
                f"{prose.source}: figures: {study.name}/figures/{name}: is no figure of this run; "
                "take it out, or name one of the study's"
            )
        place, content = _smaller_figure(paths, name)
        found[place], limits[place] = content, LARGEST_FIGURE
    large = {name: len(found[name]) for name, most in limits.items() if len(found[name]) > most}
    return {name: one for name, one in found.items() if name not in large}, large


def _smaller_figure(paths: Paths, figure: str) -> tuple[str, bytes]:
    """A figure as lines, packed, or as points: whichever takes less."""
    lines, points = (
        read_verified(Path(paths("figure", ending, figure=figure))) for ending in ("svg", "png")
    )
    forms = {
        f"figures/{figure}.svg.gz": gzip.compress(lines, mtime=0),
        f"figures/{figure}.png": points,
    }
    return min(forms.items(), key=lambda form: len(form[1]))


def _cost(paths: Paths, study: str) -> dict[str, float]:
    """CPU seconds of all jobs of a study, and the memory of the largest one."""
    logs = Path(paths.root, "logs", study)
    seconds, peak = job_seconds(logs), peak_memory(logs)
    return {
        "jobs": len(seconds),
        "cpu_seconds": round(sum(map(sum, seconds))),
        "largest_job_mb": peak[0] if peak else 0,
    }


def _replace(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write a kept run; what an earlier one left is deleted."""
    if folder.exists():
        if not (folder / RUN).is_file() and any(folder.iterdir()):
            raise UserError(f"{folder}: holds no kept run, and is not empty; name another folder")
        shutil.rmtree(folder)
    lines = []
    for name, content in sorted(contents.items()):
        write_atomically(folder / name, content)
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {name}\n")
    write_atomically(folder / MANIFEST, "".join(lines).encode())

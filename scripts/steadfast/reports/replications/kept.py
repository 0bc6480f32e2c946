"""Kept runs at full size, read again, and runs that are compared with them.

`PAPER/run.json` says how the run was made, `PAPER/run.sha256` vouches for every file beside it.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from steadfast.core.errors import UserError
from steadfast.core.files import read_verified
from steadfast.core.paths import Paths
from steadfast.outputs.claim import read_claims

RUN, MANIFEST = "run.json", "run.sha256"

#: At the end of the commit of a run whose files were not those of the commit.
CHANGED = "+changes"

#: Endings of kept figures, and what they are.
PICTURES = {"svg.gz": "image/svg+xml", "png": "image/png"}

#: What is kept of the description of a data set, beside the number of its classes.
_DATA_FACTS = ("title", "origin", "rows", "features", "missing", "sha256", "licence", "citation")


class Picture(NamedTuple):
    """A figure: its media type and its bytes."""

    kind: str
    content: bytes


class StudyFiles(NamedTuple):
    """What two runs of a study are compared by.

    Attributes
    ----------
    claims
        As `claims.json` has them.
    tables
        The content of each `.csv`, by its place without the ending: `tables/table3`, `published`.
    runs
        How many folds each selector was run on, by data set.
    checksums
        Of the data sets.
    not_kept
        Tables that were too large to keep.
    """

    claims: Mapping[str, Any]
    tables: Mapping[str, bytes]
    runs: Mapping[str, Mapping[str, int]]
    checksums: Mapping[str, str]
    not_kept: Sequence[str] = ()


def data_facts(paths: Paths, dataset: str) -> dict[str, Any]:
    """What is known of a data set of a results folder, without the names of its classes."""
    about = json.loads(read_verified(Path(paths("data", "json", dataset=dataset))))
    facts = {key: about[key] for key in _DATA_FACTS if about.get(key) is not None}
    return {**facts, "classes": len(about["classes"])}


@dataclass(frozen=True)
class KeptRun:
    """A kept run, read back; files that were edited since are named."""

    folder: Path

    @cached_property
    def digests(self) -> dict[str, str]:
        """The checksum of each kept file, by its place."""
        path = self.folder / MANIFEST
        try:
            lines = path.read_text().splitlines()
        except OSError:
            raise UserError(
                f"{path}: is not there, so there is no kept run of {self.folder.name}; run "
                "config/paper.yaml and keep it (make paper, make keep)"
            ) from None
        return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}

    @cached_property
    def about(self) -> dict[str, Any]:
        """What `run.json` says."""
        return json.loads(self.read(RUN))

    def read(self, name: str) -> bytes:
        """A kept file, by its place below the paper's folder."""
        path = self.folder / name
        content = path.read_bytes() if path.is_file() else b""
        if hashlib.sha256(content).hexdigest() != self.digests.get(name):
            raise UserError(
                f"{path}: is not as it was kept ({MANIFEST} beside {RUN}); get it back from git, "
                "or keep the run again (make keep)"
            )
        return content

    def claims(self, study: str) -> dict[str, Any]:
        """The claims of a study, with their verdicts."""
        return json.loads(self.read(f"{study}/claims.json"))

    def figure(self, study: str, name: str) -> Picture | None:
        """A kept figure, in the form in which it was kept."""
        for ending, kind in PICTURES.items():
            place = f"{study}/figures/{name}.{ending}"
            if place in self.digests:
                content = self.read(place)
                return Picture(kind, gzip.decompress(content) if ending.endswith("gz") else content)
        return None

    def study(self, study: str) -> StudyFiles:
        """What a study is compared by."""
        about = self.about["studies"][study]
        tables = {
            _without_ending(place.removeprefix(f"{study}/")): self.read(place)
            for place in self.digests
            if place.startswith(f"{study}/") and place.endswith(".csv")
        }
        runs = {dataset: _Runs(own) for dataset, own in about["runs"].items()}
        checksums = {name: self.about["datasets"][name]["sha256"] for name in about["datasets"]}
        not_kept = [_without_ending(place) for place in about["left_out_files"]]
        return StudyFiles(self.claims(study), tables, runs, checksums, not_kept)


class _Runs(dict):
    """Runs by selector, as `methods.declared_runs` has them."""

    def __init__(self, declared: Mapping[str, Any]):
        super().__init__(declared["fewer"])
        self._most = declared["most"]

    def __missing__(self, selector: str) -> int:
        return self._most


def read_study(paths: Paths, study: str) -> StudyFiles:
    """What a study in a results folder is compared by, from its files alone."""
    own = paths.within(study=study)
    claims = read_claims(Path(own("claims")))
    tables = {
        f"tables/{path.stem}": read_verified(path) for path in _files(own("table", table="*"))
    }
    published = Path(own("published"))
    if published.is_file():
        tables["published"] = read_verified(published)
    datasets = [path.stem for path in _files(own("folds", "sha256", dataset="*"))]
    runs = {dataset: count_runs(own.within(dataset=dataset)) for dataset in datasets}
    checksums = {dataset: data_facts(paths, dataset)["sha256"] for dataset in datasets}
    return StudyFiles(json.loads(claims), tables, runs, checksums)


def count_runs(paths: Paths) -> dict[str, int]:
    """How many folds each selector was run on: those that the checksums of its batches list."""
    folds: dict[str, set[str]] = {}
    for path in _files(paths("batch", selector="*", batch="*")):
        names = (line.partition("  ")[2] for line in path.read_text().splitlines())
        folds.setdefault(path.parent.name, set()).update(names)
    return {selector: len(names) for selector, names in folds.items()}


def _files(pattern: str) -> list[Path]:
    """The files of a place, by a pattern for its names."""
    root = Path(pattern.partition("*")[0]).parent
    return sorted(root.glob(str(Path(pattern).relative_to(root))))


def _without_ending(place: str) -> str:
    return place.rpartition(".")[0]


def kept_runs(folder: Path) -> list[KeptRun]:
    """The kept runs of all papers."""
    return [KeptRun(path.parent) for path in sorted(folder.glob(f"*/{RUN}"))]


def ended_studies(results: Path) -> list[str]:
    """The studies of a results folder that have come to their claims."""
    return sorted(path.parent.name for path in _files(Paths(str(results))("claims", study="*")))

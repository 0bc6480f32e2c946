"""Files that were lost: of which jobs a file is gone, so that they must run again."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from steadfast.core.files import manifest_size
from steadfast.core.paths import with_manifest
from steadfast.study.declaration import Study
from steadfast.study.plan.index import IndexPlan

#: What a job writes beside the file of a place, but for its manifest.
BESIDE = {
    "data": ["json"],
    "bins": ["json"],
    "transformed": ["json"],
    "folds": ["tsv"],
    "stability": ["units.tsv", "units.npz"],
    "alpha": ["units.tsv", "choices.tsv", "facts.tsv", "variance.tsv"],
    "table": ["md"],
    "figure": ["png"],
    "times": ["md"],
}

#: Places with one job per data set, and per data set and selector.
_OF_DATASET = ("data", "bins", "folds", "chance", "trust", "evidence", "alpha")
_OF_SELECTOR = ("stability", "accuracy", "probes", "surface", "variation")


class Made(NamedTuple):
    """What a job makes: its manifest, and the names of the files beside it."""

    manifest: str
    names: list[str]


class LostPlan(IndexPlan):
    """Snakemake runs a job again for a file that it misses only where a later job must run.

    So the plan looks for itself. It looks for the files of all jobs that there may be: those of
    which nothing that is asked for has need do not run.
    """

    def lost_files(self) -> list[str]:
        """Manifests of jobs of which a file is gone, or whose manifest was cut.

        Of a storage Snakemake knows, and nobody else.
        """
        if self.stored:
            return []
        folders: dict[str, dict[str, os.DirEntry]] = {}
        lost = []
        for manifest, names in self.made():
            folder, _, own = manifest.rpartition("/")
            if folder not in folders:
                folders[folder] = _entries(folder)
            there = folders[folder]
            whole = own in there and there.keys() >= set(names)
            if not whole or there[own].stat().st_size != manifest_size(names):
                lost.append(manifest)
        return lost

    def made(self) -> Iterator[Made]:
        """What each job makes, of all jobs that there may be; folds as text and rankings apart."""
        for study in self.studies.values():
            yield from self._made_of_datasets(study)
            yield from self._made_of_study(study)
        for paper in self.reported_papers():
            yield self._made("replication", paper=paper)
        yield self._made("index")

    def _made(self, place: str, **names: str) -> Made:
        first, manifest = with_manifest(self.paths(place, **names))
        name = first.rpartition("/")[2]
        stem = name.rpartition(".")[0]
        return Made(manifest, [name, *(f"{stem}.{ending}" for ending in BESIDE.get(place, []))])

    def _made_of_datasets(self, study: Study) -> Iterator[Made]:
        selectors = dict.fromkeys([*study.members, *study.selectors])
        for dataset in study.datasets:
            names = {"study": study.name, "dataset": dataset}
            for place in _OF_DATASET:
                yield self._made(place, **names)
            for transform in study.transforms:
                yield self._made("transformed", transform=transform, **names)
            for selector in selectors:
                for place in _OF_SELECTOR:
                    yield self._made(place, selector=selector, **names)
            for selector in study.selectors:
                manifests = self.batch_files(study.name, dataset, selector)
                batches = self.batches(study.name, dataset, selector)
                for manifest, folds in zip(manifests, batches, strict=True):
                    yield Made(manifest, [f"{fold}.tsv" for fold in folds])

    def _made_of_study(self, study: Study) -> Iterator[Made]:
        names = {"study": study.name}
        for table in study.tables:
            yield self._made("table", table=table, **names)
        for figure in study.figures:
            yield self._made("figure", figure=figure, **names)
        for number in (study.precision or {}).get("features", []):
            yield self._made("precision", number=number, **names)
        for run in self.recovery_runs(study.name):
            yield self._made("recovery", **run, **names)
        for place in ("times", "page", "published", "alpha_rules"):
            yield self._made(place, **names)
        for place, beside in (("summary", "claims"), ("curves", "units")):
            made = self._made(place, **names)
            name = self.paths(beside, **names).rpartition("/")[2]
            yield Made(made.manifest, [*made.names, name])


def _entries(folder: str) -> dict[str, os.DirEntry]:
    """The files of a folder by name; none where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name: entry for entry in entries}
    except (FileNotFoundError, NotADirectoryError):
        return {}

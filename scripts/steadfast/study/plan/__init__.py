"""The plan of a run: which files it makes, and what the jobs that make them read.

Rules hold commands; what depends on the studies stands here, by the names of a rule's wildcards.
"""

from collections.abc import Mapping
from typing import Any

from steadfast.study.declaration import Study
from steadfast.study.load import kind_of
from steadfast.study.plan.base import lost_beside, with_lost
from steadfast.study.plan.data import DataPlan
from steadfast.study.plan.index import IndexPlan


class Plan(DataPlan, IndexPlan):
    """What Snakemake's rules ask of a run, stage by stage."""

    def targets(self) -> list[str]:
        """Every output of the studies, the page of all, reports, and files that were lost."""
        files: list[str] = []
        for study in self.studies.values():
            files += self._intermediate_files(study)
            files += self._printed_files(study)
        for paper in self.reported_papers():
            files += with_lost(self.paths("replication", paper=paper))
        return [*files, *with_lost(self.paths("index"))]

    def _intermediate_files(self, study: Study) -> list[str]:
        paths = self.paths.within(study=study.name)
        files: list[str] = []
        for dataset in study.datasets:
            files += lost_beside(paths("data", dataset=dataset), "json")
            files += lost_beside(paths("bins", dataset=dataset), "json")
            files += lost_beside(paths("folds", dataset=dataset), "tsv")
            files += lost_beside(paths("chance", dataset=dataset))
            for name, transform in study.transforms.items():
                if transform.before_folds:
                    path = paths("transformed", dataset=dataset, transform=name)
                    files += lost_beside(path, "json")
            for selector, members in study.members.items():
                if not study.is_run(dataset, members[0]):
                    continue
                names = {"dataset": dataset, "selector": selector}
                files += with_lost(paths("stability", **names), "units.tsv", "units.npz")
                # Accuracy on rows that a selector has seen is wanted where an output asks for it.
                if study.classifiers and not study.selectors[members[0]].sees_all_rows:
                    files += with_lost(paths("accuracy", **names))
        return files

    def _printed_files(self, study: Study) -> list[str]:
        paths = self.paths.within(study=study.name)
        files: list[str] = []
        for table in study.tables:
            files += with_lost(paths("table", table=table), "md")
        for figure, entry in study.figures.items():
            files += with_lost(paths("figure", figure=figure), "png")
            files += self._lost_experiments(study, entry)
        for number in (study.precision or {}).get("features", []):
            files += with_lost(paths("precision", number=number))
        for run in self.recovery_runs(study.name):
            files += with_lost(paths("recovery", **run))
        if self.has_times(study.name):
            files += with_lost(paths("times"), "md")
        files += [*with_lost(paths("summary")), paths("claims")]
        files += with_lost(paths("page")) if study.datasets else []
        if study.name in self.run.published:
            files += with_lost(paths("published"))
        return files

    def _lost_experiments(self, study: Study, entry: Mapping[str, Any]) -> list[str]:
        """Checksums of experiments behind a figure that were deleted."""
        kind = kind_of("figure", entry)
        return [
            file
            for place in kind.reads_of(entry).places
            for dataset in kind.datasets(study, entry)
            for selector in kind.selectors(study, entry)
            for file in lost_beside(
                self.paths(place, study=study.name, dataset=dataset, selector=selector)
            )
        ]

    def pages(self) -> list[str]:
        """The page of every study that has data sets."""
        return [
            self.paths("page", study=name) for name, one in self.studies.items() if one.datasets
        ]

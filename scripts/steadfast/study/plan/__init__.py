"""The plan of a run: which files it makes, and what the jobs that make them read.

Rules hold commands; what depends on the studies stands here, by the names of a rule's wildcards.
"""

from steadfast.study.declaration import Study
from steadfast.study.plan.lost import LostPlan
from steadfast.study.plan.memory import MemoryPlan


class Plan(MemoryPlan, LostPlan):
    """What Snakemake's rules ask of a run, stage by stage."""

    def targets(self) -> list[str]:
        """Every output of the studies, the page of all, and reports."""
        files: list[str] = []
        for study in self.studies.values():
            files += self._measured_files(study)
            files += self._printed_files(study)
        files += [self.paths("replication", paper=paper) for paper in self.reported_papers()]
        return [*files, self.paths("index")]

    def _measured_files(self, study: Study) -> list[str]:
        files: list[str] = []
        for dataset in study.datasets:
            for selector, members in study.members.items():
                if not study.is_run(dataset, members[0]):
                    continue
                names = {"study": study.name, "dataset": dataset, "selector": selector}
                files.append(self.paths("stability", **names))
                # Accuracy on rows that a selector has seen is wanted where an output asks for it.
                if study.classifiers and not study.selectors[members[0]].sees_all_rows:
                    files.append(self.paths("accuracy", **names))
        return files

    def _printed_files(self, study: Study) -> list[str]:
        paths = self.paths.within(study=study.name)
        files = [paths("table", table=table) for table in study.tables]
        files += [paths("figure", figure=figure) for figure in study.figures]
        numbers = (study.precision or {}).get("features", [])
        files += [paths("precision", number=number) for number in numbers]
        files += [paths("recovery", **run) for run in self.recovery_runs(study.name)]
        files += [*self.alpha_files(study.name), paths("alpha_rules")] if study.alpha else []
        files += [paths("times")] if self.has_times(study.name) else []
        files += [paths("summary"), paths("claims")]
        files += [paths("page")] if study.datasets else []
        files += [paths("published")] if study.name in self.run.published else []
        return files

    def pages(self) -> list[str]:
        """The page of every study that has data sets."""
        return [
            self.paths("page", study=name) for name, one in self.studies.items() if one.datasets
        ]

"""The plan of a run: which files it makes, and what the jobs that make them read.

Rules hold commands; what depends on the studies stands here, by the names of a rule's wildcards.
"""

from steadfast.study.declaration import Study
from steadfast.study.plan.base import as_ordered_json, with_manifests
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
        return [
            self.paths(of, study=study.name, dataset=dataset, selector=selector)
            for of, pairs in self._measured(study).items()
            for dataset, selector in pairs
        ]

    def _measured(self, study: Study) -> dict[str, list[tuple[str, str]]]:
        """Data sets and selectors, whatever the transform, by what is measured of them.

        Accuracy on rows that a selector has seen is computed only if an output reads it.
        """
        pairs = [
            (dataset, selector)
            for dataset in study.datasets
            for selector, members in study.members.items()
            if study.is_run(dataset, members[0])
        ]
        seen = {one.family for one in study.selectors.values() if one.sees_all_rows}
        read = self._read_by_outputs(study) if seen else set()
        paths = self.paths.within(study=study.name)
        scored = [
            (dataset, selector)
            for dataset, selector in pairs
            if selector not in seen or paths("accuracy", dataset=dataset, selector=selector) in read
        ]
        return {"stability": pairs, "accuracy": scored if study.classifiers else []}

    def _read_by_outputs(self, study: Study) -> set[str]:
        """All files that tables, figures and claims of a study read."""
        files = set(self.summary_files(study.name))
        for sort in ("table", "figure"):
            for name in getattr(study, f"{sort}s"):
                files.update(self.output_files(sort, study.name, name))
        return files

    def curve_inputs(self, study: str) -> list[str]:
        """All curves of a study, chance on its data sets, and the folds that are tested on."""
        one, paths = self.studies[study], self.paths.within(study=study)
        files = [
            file
            for of, pairs in self._measured(one).items()
            for dataset, selector in pairs
            for file in self.curve_files(of, study, dataset, one.members[selector][:1])
        ]
        places = ["chance", *(["folds"] if one.classifiers else [])]
        return files + with_manifests(paths(p, dataset=d) for p in places for d in one.datasets)

    def curve_context(self, study: str) -> str:
        """What is measured in a study, in the order in which it is declared."""
        one = self.studies[study]
        names = {"selectors": list(one.members), "transforms": list(one.transforms)}
        about = {"study": study, "datasets": one.datasets, **names}
        return as_ordered_json({**about, **self._measured(one)})

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
        files += [paths(place) for place in ("curves", "units", "page") if study.datasets]
        files += [paths("published")] if study.name in self.run.published else []
        return files

    def pages(self) -> list[str]:
        """The page of every study that has data sets."""
        return [
            self.paths("page", study=name) for name, one in self.studies.items() if one.datasets
        ]

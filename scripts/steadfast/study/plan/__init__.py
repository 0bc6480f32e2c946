"""The plan of a run: which files it makes, and what the jobs that make them read.

Rules hold commands; what depends on the studies stands here, by the names of a rule's wildcards.
"""

from steadfast.core.keys import named_values
from steadfast.study.declaration import Study
from steadfast.study.load import entries
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
        unread = seen - self._scored_by_outputs(study) if seen else set()
        scored = [pair for pair in pairs if pair[1] not in unread]
        return {"stability": pairs, "accuracy": scored if study.classifiers else []}

    def _scored_by_outputs(self, study: Study) -> set[str]:
        """Selectors, whatever the transform, of all entries about a classifier.

        An entry that compares classifiers, leaves out its `selectors`, or names none, is about all.
        """
        read: set[str] = set()
        for where, kind, entry in entries(study):
            parts = [entry, *entry.get("panels", [])]
            compares = "classifiers" in kind.keys
            if not (compares or any("classifier" in part for part in parts)):
                continue
            places = [*named_values(entry, kind.keys, where), *kind.names(entry, where)]
            names = {name for _, of, name in places if of == "selector"}
            left_out = "selectors" in kind.keys and "selectors" not in entry
            if not names or left_out or compares:
                return set(study.members)
            read |= {study.family(name) for name in names}
        return read

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

"""The page of the whole run: what it knows of the studies, and every file that it links to."""

from steadfast.study.context import index_context
from steadfast.study.declaration import Study
from steadfast.study.plan.base import as_ordered_json, with_manifests
from steadfast.study.plan.replication import ReplicationPlan
from steadfast.study.run import changed_settings


class IndexPlan(ReplicationPlan):
    """What is read is verified; of what is only linked to, the checksums say that it is there."""

    def index_context(self) -> str:
        """The studies in the order of the run, and what was changed in them and beside them."""
        changes = self.config["overrides"]
        studies = [
            index_context(
                study,
                has_published=study.name in self.run.published,
                has_times=self.has_times(study.name),
            )
            for study in self.studies.values()
        ]
        return as_ordered_json(
            {
                "seed": self.seed,
                "studies": studies,
                "changes": {name: list(changes[name]) for name in self.studies if name in changes},
                "settings": changed_settings(self.config, self.run.root),
                "replications": self.reported_papers(),
            }
        )

    def index_files(self) -> list[str]:
        """Verdicts, published numbers, descriptions of data sets; checksums of all else."""
        used = {dataset: None for one in self.studies.values() for dataset in one.datasets}
        files = self.data_files(used, "json")
        for study in self.studies.values():
            paths = self.paths.within(study=study.name)
            files += [paths("claims"), paths("summary", "sha256")]
            if study.name in self.run.published:
                files += with_manifests([paths("published")])
            files += self._linked(study)
        for paper in self.reported_papers():
            files.append(self.paths("replication", "sha256", paper=paper))
        return files

    def _linked(self, study: Study) -> list[str]:
        paths = self.paths.within(study=study.name)
        files = [paths("table", "sha256", table=name) for name in study.tables]
        files += [paths("figure", "sha256", figure=name) for name in study.figures]
        if study.datasets:
            files.append(paths("page", "sha256"))
        if self.has_times(study.name):
            files.append(paths("times", "sha256"))
        return files

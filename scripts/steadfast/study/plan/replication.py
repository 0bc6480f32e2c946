"""Replication reports: of which papers there is one, and what it is made of."""

import os
from pathlib import Path

from steadfast.core.paths import paper_of
from steadfast.study.plan.outputs import OutputPlan


class ReplicationPlan(OutputPlan):
    """One report per paper of the run, from its kept run at full size."""

    def reported_papers(self) -> list[str]:
        """Papers with a study in this run, of which a run was kept and a person wrote."""
        return [
            paper
            for paper in dict.fromkeys(map(paper_of, self.studies))
            if Path(self.kept_run(paper), "run.json").is_file()
            and Path(self.replication_prose(paper)).is_file()
        ]

    def kept_run(self, paper: str) -> str:
        """The folder of the kept run of a paper."""
        return self._project_path("docs", "replications", paper)

    def kept_files(self, paper: str) -> list[str]:
        """All that was kept of a paper."""
        folder = Path(self.kept_run(paper))
        return sorted(str(path) for path in folder.rglob("*") if path.is_file())

    def replication_prose(self, paper: str) -> str:
        """What a person wrote about the replication."""
        return self._project_path("config", "replications", f"{paper}.md")

    def paper_document(self, paper: str) -> str:
        """The document that says what was settled where the paper is silent."""
        return self._project_path("docs", "reproduce", f"{paper}.md")

    def _project_path(self, *parts: str) -> str:
        return os.path.relpath(self.run.root.joinpath(*parts))

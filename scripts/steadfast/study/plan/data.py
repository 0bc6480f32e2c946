"""Data sets: where they come from, and what is done to all of their rows."""

import os
from typing import Any

from steadfast.data.feature_groups import group_file
from steadfast.data.loader import code_files, other_dataset, source_of
from steadfast.study.declaration import transform_files
from steadfast.study.plan.base import PlanBase, as_json, option


class DataPlan(PlanBase):
    """Loading, bins, and transforms that are run before the folds."""

    def entry(self, dataset: str) -> dict[str, Any]:
        """The entry of the catalogue; empty for a file that it does not know."""
        return self.run.catalogue.get(dataset, {})

    def source_files(self, dataset: str) -> list[str]:
        """The files that a data set comes from, if it does; a change of them reruns."""
        local, entry = self.run.local_files.get(dataset), self.entry(dataset)
        groups = group_file(entry, self.run.root)
        beside = [] if groups is None else [os.path.relpath(groups)]
        if local is not None:
            return [str(local), *beside]
        files = [os.path.relpath(f) for f in source_of(dataset, entry).files(entry, self.run.root)]
        files += beside
        other = other_dataset(entry)
        return files + (self.source_files(other) if other else [])

    def load_modules(self, dataset: str) -> list[str]:
        """The file of the source, and of that of another data set that it needs."""
        return code_files(dataset, self.run.catalogue)

    def catalogue_entry(self, dataset: str) -> str:
        """The entry, and the one that it refers to."""
        entry = self.entry(dataset)
        return as_json([entry, self.run.catalogue.get(other_dataset(entry))])

    def load_options(self, dataset: str) -> str:
        """The user's own file, and the entry of a table that the catalogue's file does not have."""
        own = as_json(self.entry(dataset)) if self.config["data"] else None
        local = self.run.local_files[dataset]
        return " ".join(filter(None, [option("local-file", local), option("entry", own)]))

    def bin_settings(self, study: str) -> str:
        bins = self.studies[study].bins
        return as_json({"method": bins.method, "bins": bins.bins})

    def transform_settings(self, study: str, transform: str) -> str:
        return as_json(self.studies[study].transforms[transform].settings)

    def transform_learns(self, study: str, transform: str) -> str:
        """Which rows a transform learns from that is run before the folds."""
        return self.studies[study].transforms[transform].learn

    def transform_modules(self, study: str, transform: str) -> list[str]:
        return transform_files(self.studies[study].transforms[transform])

    def resample_settings(self, study: str) -> str:
        return as_json(self.studies[study].resample)

    def resample_modules(self, study: str) -> list[str]:
        return [self.studies[study].scheme_file]

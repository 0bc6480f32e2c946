"""Selections: which folds one job selects for, and on what."""

from collections.abc import Callable

from steadfast.core.environment import one_of
from steadfast.core.errors import UserError
from steadfast.core.paths import split_name
from steadfast.study.declaration import Selector
from steadfast.study.plan.base import PlanBase, as_json, option
from steadfast.study.selectors import without_rule


class SelectionPlan(PlanBase):
    """Batches of folds, and rankings of rules in any language."""

    def selector(self, study: str, selector: str) -> Selector:
        return self.studies[study].selectors[selector]

    def batches(self, study: str, dataset: str, selector: str) -> list[list[str]]:
        """Names of the folds that each job selects for."""
        return self.studies[study].batches(dataset, selector, self.folds_per_job)

    def batch_folds(self, study: str, dataset: str, selector: str, batch: str) -> list[str]:
        """Names of the folds of one job."""
        return self.batches(study, dataset, selector)[int(batch)]

    def batch_files(self, study: str, dataset: str, *selectors: str) -> list[str]:
        """The checksums of all batches, which stand for the files of all folds.

        Fifty files per job as inputs would cost Snakemake more time than many of the jobs take.
        Through a storage the folds of each batch come in a pack.
        """
        return [
            self.paths("batch", ending, study=study, dataset=dataset, selector=selector, batch=n)
            for selector in selectors
            for n in range(len(self.batches(study, dataset, selector)))
            for ending in (("sha256", "zip") if self.stored else ("sha256",))
        ]

    # What a job runs

    def selector_settings(self, study: str, selector: str) -> str:
        return as_json(self.selector(study, selector).settings)

    def selector_modules(self, study: str, selector: str) -> list[str]:
        """The files of selector and transform that are the project's own."""
        return self.selector(study, selector).files

    def selection_table(self, study: str, dataset: str, selector: str) -> str:
        """The file of numbers, bins or transformed rows that features are selected on."""
        one, bins = self.selector(study, selector), self.studies[study].bins
        names = {"study": study, "dataset": dataset}
        if one.after_transformed:
            return self.paths("transformed", transform=one.transform.name, **names)
        discrete = one.discrete and not bins.inside_folds
        return self.paths("bins" if discrete else "data", **names)

    def selection_voucher(self, study: str, dataset: str, selector: str) -> list[str]:
        return self.vouchers([self.selection_table(study, dataset, selector)])

    def selection_options(self, study: str, selector: str) -> str:
        """What is done inside the fold first: the transform, unless a rule has run it, and bins."""
        one, bins = self.selector(study, selector), self.studies[study].bins
        options = ["--chain"] if one.carries else []
        if one.sees_all_rows:
            options.append("--all-rows")
        if one.transform:
            options.append(option("note", one.transform.note))
            if not one.after_transformed:
                options.append(option("transform", as_json(one.transform.settings)))
        if one.discrete and bins.inside_folds:
            options.append(option("discretise", as_json(bins.settings)))
        return " ".join(options)

    # Selectors that are a rule

    def rankings(self, study: str, dataset: str, selector: str, batch: str) -> list[str]:
        """What a rule of the user's ranks, fold by fold."""
        return [
            self.paths("ranking", study=study, dataset=dataset, selector=selector, fold=fold)
            for fold in self.batch_folds(study, dataset, selector, batch)
        ]

    def studies_by_rule(self, is_rule: bool) -> str:
        """A pattern of studies before selectors that are a rule, or that are none.

        Two rules make selections, and the name of a selector may mean a rule in one study only. So
        the pattern of the study looks ahead to the selector.
        """
        patterns = []
        for name, study in self.studies.items():
            own = [key for key, one in study.selectors.items() if one.is_rule == is_rule]
            patterns.append(f"{one_of([name])}(?=/selections/[^/]+/(?:{one_of(own)})/)")
        return "|".join(patterns)

    def require_ranking_rules(self, has_producer: Callable[[str], bool]) -> None:
        """Refuse a run in which nothing makes the rankings that a study asks for.

        `has_producer` says whether some rule has an output for a path.
        """
        for name, study in self.studies.items():
            for selector in study.rule_selectors:
                for dataset in study.datasets:
                    path = self.rankings(name, dataset, selector, "0")[0]
                    if not has_producer(path):
                        files = self.config["rules"]
                        raise UserError(without_rule(f"study {name}", selector, path, files))

    def members(self, study: str, selector: str) -> list[str]:
        """A selector after each of its transforms; itself where the study has none."""
        return self.studies[study].members[split_name(selector)[0]]

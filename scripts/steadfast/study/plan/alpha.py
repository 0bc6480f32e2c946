"""Every α of mRMR on every fold: what its jobs read, and which selectors choose."""

from steadfast.accuracy import classifiers
from steadfast.core.errors import UserError
from steadfast.core.paths import with_manifest
from steadfast.measures import declarations as measures
from steadfast.selectors.running.auto import GRIDS
from steadfast.study.plan.base import as_json
from steadfast.study.plan.measures import MeasurePlan


class AlphaPlan(MeasurePlan):
    """What a study of α asks of its data sets."""

    def alpha_settings(self, study: str) -> str:
        """What is tried on a data set, and which selectors chose."""
        one = self.studies[study]
        if not one.alpha:
            raise UserError(f"study {study}: has no `alpha`, so that there is no file of every α")
        by_question = one.alpha["selectors"]
        alpha, size = (one.selectors[by_question[q]["auto"]].parameters for q in ("alpha", "size"))
        own = {key: one.alpha[key] for key in ("selectors", "bootstraps")}
        settings = {
            "alphas": (alpha["over"] or GRIDS[alpha["base"]])["alpha"],
            "samples": size["n_samples"],
            "discretise": one.bins.settings,
            "classifier": classifiers.without_labels(one.classifiers)[one.alpha["classifier"]],
            "largest": max(one.sizes),
        }
        return as_json({**own, **settings})

    def alpha_modules(self, study: str) -> list[str]:
        """What is loaded by name: measures and the classifier."""
        used = {measures()[name].file for name in ("nogueira", "su_matching")}
        return sorted({*used, *self.classifier_modules(study)})

    def alpha_batches(self, study: str, dataset: str) -> list[str]:
        """The folds of the selectors that choose."""
        by_question = (self.studies[study].alpha or {"selectors": {}})["selectors"].values()
        names = [name for by_rule in by_question for name in by_rule.values()]
        return self.batch_files(study, dataset, *names)

    def alpha_files(self, study: str) -> list[str]:
        """What is known of every α, data set by data set."""
        one = self.studies[study]
        datasets = one.datasets if one.alpha else []
        return [self.paths("alpha", study=study, dataset=dataset) for dataset in datasets]

    def alpha_manifests(self, study: str) -> list[str]:
        return [with_manifest(path)[1] for path in self.alpha_files(study)]

    def alpha_kin(self, study: str) -> str:
        """Data sets of the run that belong together."""
        one = self.studies[study]
        groups = one.alpha["kin"] if one.alpha else []
        kin = [[name for name in group if name in one.datasets] for group in groups]
        return as_json([group for group in kin if len(group) > 1])

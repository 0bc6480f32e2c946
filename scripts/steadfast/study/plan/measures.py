"""Stability and accuracy: what is measured, by what, and which files hold the code."""

from steadfast.accuracy import classifiers
from steadfast.measures import declarations as measures
from steadfast.study.declaration import Study
from steadfast.study.plan.base import as_json, option, with_manifests
from steadfast.study.plan.selections import SelectionPlan


class MeasurePlan(SelectionPlan):
    """One job per data set and selector, after all of its transforms."""

    def family_batches(self, study: str, dataset: str, selector: str) -> list[str]:
        """The checksums of the folds of a selector, after all of its transforms."""
        return self.batch_files(study, dataset, *self.members(study, selector))

    def measure_settings(self, study: str) -> str:
        return as_json(self.studies[study].measures)

    def measure_modules(self, study: str) -> list[str]:
        used = self.studies[study].measures
        return sorted({measures()[given["measure"]].file for given in used})

    def measure_bins(self, study: str, dataset: str) -> list[str]:
        """The bins of a data set, if a measure of the study reads them."""
        used = self.studies[study].measures
        if all(measures()[given["measure"]].similarity != "su" for given in used):
            return []
        return with_manifests([self.paths("bins", study=study, dataset=dataset)])

    def measure_options(self, study: str, dataset: str) -> str:
        """Sizes, bins and ties of a study."""
        one, bins = self.studies[study], self.measure_bins(study, dataset)
        options = [_sizes(one), _ties(one), option("bins", self.on_disk(bins[0]) if bins else None)]
        return " ".join(filter(None, options))

    def chance_options(self, study: str, dataset: str) -> str:
        """Sizes, bins and number of runs."""
        one, bins = self.studies[study], self.measure_bins(study, dataset)
        options = [_sizes(one), option("bins", self.on_disk(bins[0]) if bins else None)]
        return " ".join(filter(None, [*options, option("runs", one.scheme.runs())]))

    def runs_option(self, study: str, dataset: str, selector: str) -> str:
        """Only where a selector takes fewer runs than the study."""
        one = self.studies[study]
        own = len(one.folds(dataset, self.members(study, selector)[0]))
        return "" if own == len(one.scheme.names()) else f"--runs {own}"

    # Accuracy

    def classifier_settings(self, study: str) -> str:
        """Classifiers without their names in print: those may change without a rerun."""
        return as_json(classifiers.without_labels(self.studies[study].classifiers))

    def classifier_modules(self, study: str) -> list[str]:
        entries = self.studies[study].classifiers.values()
        files = {classifiers.file_of(entry["use"]) for entry in entries}
        return sorted(file for file in files if file)

    def accuracy_table(self, study: str, dataset: str) -> list[str]:
        """The numbers or bins that classifiers see."""
        place = "bins" if self.studies[study].accuracy_features == "bins" else "data"
        return with_manifests([self.paths(place, study=study, dataset=dataset)])

    def accuracy_options(self, study: str) -> str:
        """Sizes, scores, ties; the seed only where it is needed: nothing else depends on it."""
        one = self.studies[study]
        draws = any(classifiers.needs_seed(entry) for entry in one.classifiers.values())
        seed = option("seed", self.seed if draws or _ties(one) else None)
        scoring = "" if one.scored_usually else f"--scoring {' '.join(one.scoring)}"
        return " ".join(filter(None, [_sizes(one), scoring, _ties(one), seed]))


def _sizes(study: Study) -> str:
    return "" if study.sizes == "all" else "--sizes " + " ".join(map(str, study.sizes))


def _ties(study: Study) -> str:
    return "--ties random" if study.ties == "random" else ""

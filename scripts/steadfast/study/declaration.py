"""A study as the rest of the project sees it, once `steadfast.study.load` has read it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any

from steadfast.accuracy.scores import USUAL
from steadfast.core import registry
from steadfast.measures import declarations as measures
from steadfast.resampling import schemes
from steadfast.resampling.scheme import Scheme
from steadfast.selectors.running.auto import GRIDS
from steadfast.transforms.running import (
    ALL,
    AS_THEY_ARE,
    BARRED,
    TRAINING,
    describe_transform,
    transform_parameters,
)

#: What a selector uses whose rankings a Snakemake rule of the user's writes.
RULE = "rule"

#: What a selection for many α costs, in selections for one, as measured (docs/speed.md).
SHARED = 4

#: The transform that leaves rows and classes as they are.
NONE = "none"

Entry = dict[str, Any]


@dataclass(frozen=True)
class Transform:
    """What is done to the rows before features are selected."""

    name: str
    use: str
    label: str
    params: Mapping[str, Any]
    learn: str = TRAINING

    @property
    def as_published(self) -> bool:
        """Whether it learns from all rows of the folds, test rows included."""
        return self.learn == ALL

    @property
    def before_folds(self) -> bool:
        """Whether it is run once for a data set, and not in each fold."""
        return self.learn != TRAINING

    @property
    def is_none(self) -> bool:
        return self.use == NONE

    @property
    def settings(self) -> dict[str, Any]:
        """What a job needs to run it."""
        return {"use": self.use, "params": dict(self.params)}

    @property
    def note(self) -> str:
        """What it does and what it learns from, in print."""
        return describe_transform({**self.settings, "learn": self.learn})

    @property
    def matrix_rank(self) -> int | None:
        """The matrix rank that it keeps, if it lowers it."""
        return transform_parameters(self.settings).get("rank")


@dataclass(frozen=True)
class Selector:
    """A selector of a study, after one transform if the study has any."""

    name: str
    use: str
    label: str
    params: Mapping[str, Any]
    discrete: bool = False
    time_limit: float | None = None
    family: str = ""
    transform: Transform | None = None
    transforms: tuple[str, ...] | None = None
    rows: str = "training"
    on_page: bool = True

    @property
    def declared(self) -> registry.Declaration | None:
        """What its class declares; None for a class of another package, and for a rule."""
        return registry.declared("selector").get(self.use)

    @property
    def is_rule(self) -> bool:
        return self.use == RULE

    @property
    def at_random(self) -> bool:
        return bool(self.declared and self.declared.at_random)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters, defaults included where it is the project's own."""
        return registry.parameters(self.settings, registry.declared("selector"))

    @property
    def settings(self) -> dict[str, Any]:
        """What a job needs to run it."""
        limit = {} if self.time_limit is None else {"time_limit": self.time_limit}
        return {"use": self.use, "params": dict(self.params), **limit}

    @property
    def base(self) -> registry.Declaration | None:
        """The selector that it runs, where that is one of the project's own."""
        if not (self.declared and self.declared.runs):
            return None
        base = self.parameters.get(self.declared.runs)
        return registry.declared("selector").get(base) if isinstance(base, str) else None

    @property
    def after_transformed(self) -> bool:
        """Whether it is run on rows that were transformed before they were split."""
        return bool(self.transform and self.transform.before_folds)

    @property
    def barred(self) -> str:
        """Why a page never recommends it: its transform saw rows that it must not see."""
        return BARRED.get(self.transform.learn, "") if self.transform else ""

    @property
    def carries(self) -> bool:
        """Whether each run goes on from the run before, so that one job runs all folds."""
        parameter = self.declared.carries if self.declared else ""
        return bool(parameter) and self.parameters[parameter] != self.declared.parameters[parameter]

    @property
    def sees_all_rows(self) -> bool:
        return self.rows == "all"

    @property
    def is_judged(self) -> bool:
        """Whether a page may judge it: no mere reading of a paper, and its runs are independent."""
        return self.on_page and self.runs_are_independent

    @property
    def runs_are_independent(self) -> bool:
        """Whether a run sees its own training rows alone: else its stability is no evidence."""
        return not (self.carries or self.sees_all_rows)

    @property
    def passes(self) -> dict[str, float]:
        """How many rankings a selection computes, unless its files say, and on what share of rows.

        Samples of the rows are bootstraps, as large as the whole, where they have no share. Values
        that are tried are rankings of their own; mRMR counts for all of them at once.
        """
        about, named = self.declared, self.parameters
        rankings = named[about.samples] if about and about.samples else 1
        if about and about.grid:
            over = named[about.grid]
            over = GRIDS.get(named[about.runs], {}) if over is None else over
            tried = prod(len(values) for values in over.values())
            rankings *= min(tried, SHARED) if self.base and self.base.balances else tried
        share = named.get(about.share) if about and about.share else None
        return {"rankings": rankings, "share": share or 1.0}

    @property
    def files(self) -> list[str]:
        """The files of selector, base and transform that a job runs and that are the project's."""
        found = [about.file for about in (self.declared, self.base) if about]
        if self.transform and not self.after_transformed:
            found += transform_files(self.transform)
        return found


def transform_files(transform: Transform) -> list[str]:
    """The file of a transform, unless it is a class of another package."""
    declared = registry.declared("transform").get(transform.use)
    return [declared.file] if declared else []


@dataclass(frozen=True)
class Bins:
    """How numbers become bins."""

    method: str
    bins: int
    fit_on: str

    @property
    def inside_folds(self) -> bool:
        return self.fit_on == "train"

    @property
    def settings(self) -> dict[str, Any]:
        return {"method": self.method, "bins": self.bins, "fit_on": self.fit_on}


@dataclass
class Study:
    """A study. Tables, figures and claims are entries that their kinds have completed."""

    name: str
    source: str
    title: str
    asks: str
    paper: str
    datasets: list[str]
    published: str
    stand_ins: dict[str, str]
    readings: dict[str, list[str]]
    published_means: dict[str, list[str]]
    bins: Bins
    resample: dict[str, Any]
    selectors: dict[str, Selector]
    transforms: dict[str, Transform]
    families: dict[str, str]
    probes: bool
    trust: bool
    advice: bool
    margin: float
    budget: float | None
    precision: dict[str, Any] | None
    recovery: dict[str, Any] | None
    alpha: dict[str, Any] | None
    runs: list[dict[str, Any]]
    sizes: str | list[int]
    ties: str
    measures: list[dict[str, str]]
    accuracy_features: str
    scoring: tuple[str, ...]
    classifiers: dict[str, Entry]
    tables: dict[str, Entry]
    figures: dict[str, Entry]
    claims: list[Entry]
    left_out: list[str] = field(default_factory=list)
    untested: list[Entry] = field(default_factory=list)

    @cached_property
    def scheme(self) -> Scheme:
        return schemes.create(self.resample)

    @property
    def scheme_file(self) -> str:
        return schemes.file_of(self.resample["scheme"])

    @property
    def ratios(self) -> list[float]:
        return self.scheme.ratios()

    @property
    def scenarios(self) -> dict[str, Entry]:
        """Scenarios of known truth, by name."""
        return (self.recovery or {}).get("scenarios", {})

    # Selectors

    @property
    def random_selector(self) -> str | None:
        """The first that selects at random, the baseline of accuracies."""
        return next((name for name, one in self.selectors.items() if one.at_random), None)

    def judged_selectors(self, dataset: str = "") -> dict[str, Selector]:
        """Those that a page may judge by their stability, if they are run on the data set."""
        return {
            name: one
            for name, one in self.selectors.items()
            if one.is_judged and (not dataset or self.is_run(dataset, name))
        }

    @property
    def rule_selectors(self) -> list[str]:
        """Selectors whose rankings a rule of the user's writes."""
        return [name for name, one in self.selectors.items() if one.is_rule]

    @property
    def members(self) -> dict[str, list[str]]:
        """Selectors that are one selector after different transforms, by its name."""
        found: dict[str, list[str]] = {}
        for name, one in self.selectors.items():
            found.setdefault(one.family, []).append(name)
        return found

    def family(self, selector: str) -> str:
        """The selector's name without its transform: the name of its files of curves."""
        return self.selectors[selector].family

    # Runs

    def _runs(self, dataset: str, selector: str) -> Mapping[str, Any]:
        """The first entry of `runs` that fits."""
        for entry in self.runs:
            fits = selector in entry.get("selectors", [selector])
            if fits and dataset in entry.get("datasets", [dataset]):
                return entry
        return {}

    def folds(self, dataset: str, selector: str) -> list[str]:
        """Names of the folds that a selector is run on."""
        return self.scheme.names()[: self._runs(dataset, selector).get("runs")]

    def is_run(self, dataset: str, selector: str) -> bool:
        """Whether a selector is run on a data set at all."""
        return self._runs(dataset, selector).get("runs") != 0

    def not_run(self, datasets: Sequence[str]) -> dict[str, list[str]]:
        """Selectors that are not run on a data set, by data set; those with none are left out."""
        found = {
            dataset: [name for name in self.selectors if not self.is_run(dataset, name)]
            for dataset in datasets
        }
        return {dataset: names for dataset, names in found.items() if names}

    def batches(self, dataset: str, selector: str, folds_per_job: int) -> list[list[str]]:
        """Names of the folds, in the portions that one job selects for."""
        names = self.folds(dataset, selector)
        if self.selectors[selector].carries:
            return [names]
        size = self._runs(dataset, selector).get("per_job", folds_per_job)
        return [names[at : at + size] for at in range(0, len(names), size)]

    # What is measured

    @property
    def measured_sizes(self) -> str | int | list[int]:
        """Subset sizes: `all`, the largest of all up to it, or a list."""
        sizes = self.sizes
        return len(sizes) if sizes == list(range(1, len(sizes) + 1)) else sizes

    @property
    def scored_usually(self) -> bool:
        """Whether classifiers are scored by their accuracy, and by nothing else."""
        return self.scoring == USUAL

    @property
    def classifier_labels(self) -> dict[str, str]:
        """Classifiers to their names in print."""
        return {name: entry.get("label", name) for name, entry in self.classifiers.items()}

    def measure_infos(self, wanted: Sequence[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
        """Measures with their names in print and what is better; all, or those wanted."""
        return [
            {
                **given,
                "label": measures()[given["measure"]].label,
                "distance": measures()[given["measure"]].distance,
            }
            for given in self.measures
            if wanted is None or any(given.items() <= part.items() for part in wanted)
        ]

    @property
    def transform_infos(self) -> dict[str, dict[str, Any]]:
        """Transforms with their names in print, what they learn from, and their matrix rank."""
        return {
            name: {
                "label": one.label,
                "learn": one.learn,
                "matrix_rank": one.matrix_rank,
                "note": AS_THEY_ARE if one.is_none else one.note,
            }
            for name, one in self.transforms.items()
        }

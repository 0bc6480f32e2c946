"""The results of a study, as kinds of tables, figures and claims read them."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from steadfast.accuracy import scores
from steadfast.accuracy.scores import SCORES
from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_verified
from steadfast.core.keys import Keys
from steadfast.core.paths import Paths
from steadfast.measuring.overlaps import size_of

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Entry = Mapping[str, Any]

#: How selections are compared, in print.
COMPARED = {"reference": "with reference", "all_pairs": "all pairs", "chosen": "chosen subsets"}


class Measure(NamedTuple):
    """A stability measure and how it compares selections.

    Attributes
    ----------
    measure, compare
        As a study names them.
    label
        The name of the measure in print.
    distance
        Whether small values are stable.
    """

    measure: str
    compare: str
    label: str
    distance: bool

    of = noun = "stability"

    @property
    def direction(self) -> int:
        """1 where large values are better, else −1."""
        return -1 if self.distance else 1

    @property
    def name(self) -> str:
        """The measure and how it compares selections, in print."""
        return f"{self.label}, {COMPARED[self.compare]}"

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Quantity, measure, classifier and comparison of its rows."""
        return "stability", self.measure, "", self.compare


class Score(NamedTuple):
    """A classifier, and the score of the study that its accuracy is measured by.

    Attributes
    ----------
    classifier
        As a study names it.
    label
        Its name in print.
    score
        The first score of the study.
    """

    classifier: str
    label: str
    score: scores.Score

    of = "accuracy"

    @property
    def noun(self) -> str:
        """What is measured, in the middle of a sentence."""
        return self.score.noun

    @property
    def direction(self) -> int:
        """1 where large values are better, else −1."""
        return self.score.direction

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Quantity, measure, classifier and comparison of its rows."""
        return self.score.name, "", self.classifier, ""


class Results:
    """What every kind knows of its study.

    Attributes
    ----------
    entry
        The entry of the study, completed.
    heading
        Its title, after the paper's number of it where there is one.
    datasets, ratios
        All of the study.
    selectors, classifiers, families, scenarios
        All of the study, with their names in print; families are selectors before transforms.
    transforms
        All of the study, each with `label`, `learn`, `matrix_rank` and `note`.
    measures
        All of the study.
    score
        What accuracy is measured by: the first score of the study.
    seed, ties
        The run's seed, and how stability orders features of equal weight.
    pairs
        For claims: published numbers beside those of the run, by table.
    shown
        What is done to names that are printed; figures keep a `$` from beginning a formula.
    """

    #: Which files of results it reads; `study.plan.outputs` knows them.
    reads: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, context: Mapping[str, Any], results: str, shown: Callable[[Any], Any] = lambda x: x
    ):
        self.context = context
        self.shown = shown
        self.paths = Paths(results).within(study=context["study"])
        self.entry: dict[str, Any] = context.get("entry", {})
        self.heading: str = shown(self.entry.get("title", ""))
        self.datasets: list[str] = context["datasets"]
        self.ratios: list[float] = context["ratios"]
        self.selectors: dict[str, str] = {
            name: shown(about["label"]) for name, about in context["selectors"].items()
        }
        self.classifiers: dict[str, str] = shown(context["classifiers"])
        self.families: dict[str, str] = shown(context["families"])
        self.scenarios: dict[str, str] = shown(context["scenarios"])
        self.transforms: dict[str, dict[str, Any]] = shown(context["transforms"])
        self.measures = [Measure(**info) for info in context["measures"]]
        self.score = SCORES[context["scoring"]]
        self.seed: int = context["seed"]
        self.ties: str = context["ties"]
        self.pairs: Mapping[str, Sequence[Any]] = {}

    @classmethod
    def complete(cls, study: "Study", entry: dict[str, Any], keys: Keys) -> None:
        """Fill in what an entry leaves to the study; `keys` are those of its kind."""

    @classmethod
    def check(cls, study: "Study", entry: Entry, where: str) -> None:
        """Refuse an entry that is about what the study does not have."""

    @classmethod
    def context_of(cls, study: "Study", entry: Entry) -> dict[str, Any]:
        """What it needs to know of the study besides what all do."""
        return {}

    # Names in print

    def title(self, dataset: str) -> str:
        """The name of a data set in print."""
        return self.shown(self.about(dataset).get("title") or dataset)

    def labels_of(self, selectors: Sequence[str]) -> dict[str, str]:
        """Some selectors with their names in print."""
        return {name: self.selectors[name] for name in selectors}

    @cached_property
    def labels(self) -> dict[str, dict[str, str]]:
        """What tables print for names, by the column in which they stand."""
        return {
            "dataset": {name: self.title(name) for name in self.datasets},
            "selector": {**self.families, **self.selectors},
            "transform": {name: about["label"] for name, about in self.transforms.items()},
            "scenario": self.scenarios,
            "measure": {one.measure: one.label for one in self.measures},
        }

    # What a study is about

    def about(self, dataset: str) -> dict[str, Any]:
        """The description of a data set: `rows`, `features`, `classes`, `origin`, …"""
        return _about(self.paths("data", "json", dataset=dataset))

    def is_run(self, dataset: str, selector: str) -> bool:
        """Whether a selector is run on a data set."""
        return selector not in self.context["not_run"].get(dataset, [])

    @property
    def random(self) -> str | None:
        """The first selector that selects at random."""
        return next(filter(self.at_random, self.selectors), None)

    def at_random(self, selector: str) -> bool:
        """Whether a selector selects at random."""
        return self.context["selectors"][selector]["random"]

    def measure(self, query: Entry) -> Measure:
        """The measure that an entry, or a panel of it, asks for."""
        wanted = query["measure"], query["compare"]
        return next(one for one in self.measures if (one.measure, one.compare) == wanted)

    def scored(self, classifier: str) -> Score:
        """A classifier with the score of the study."""
        return Score(classifier, self.classifiers[classifier], self.score)

    def quantity(self, query: Entry) -> Measure | Score:
        """The measure or classifier that an entry, or a panel of it, asks for."""
        if query.get("of") == "stability":
            return self.measure(query)
        return self.scored(query["classifier"])

    def size(self, dataset: str, wanted: float | str, smallest: int = 1) -> int:
        """The number of features that a size is on a data set; it must have been measured."""
        sizes, n_features = self.context["sizes"], self.about(dataset)["features"]
        k = max(size_of(wanted, n_features), min(smallest, n_features))
        measured = sizes == "all" or (k <= sizes if isinstance(sizes, int) else k in sizes)
        if not measured:
            raise UserError(
                f"{self.entry.get('title', self.entry['kind'])}: size: {wanted} of the features of "
                f"{dataset} are {k}, a size that is not measured; add it to the study's sizes"
            )
        return k

    # Other files of the study

    def columns(self, place: str, **names: Any) -> dict[str, np.ndarray]:
        """The columns of a file of the study: of numbers where all are, else of text."""
        return read_columns(self.paths(place, **names))


@cache
def _about(path: str) -> dict[str, Any]:
    return json.loads(read_verified(Path(path)))


@cache
def read_columns(path: str, manifest: str = "") -> dict[str, np.ndarray]:
    """The columns of a tab-separated file: of numbers where all are, else of text."""
    content = read_verified(Path(path), Path(manifest) if manifest else None)
    return {name: _numbers(column) for name, column in parse_table(content).items()}


def _numbers(column: Sequence[str]) -> np.ndarray:
    try:
        return np.array(column, dtype=float)
    except ValueError:
        return np.array(column, dtype=object)

"""What a table, figure or claim may read: curves, labels, sizes, selections of one study."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.accuracy.scores import SCORES, USUAL
from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_verified
from steadfast.core.paths import Paths
from steadfast.data.table import Table, read_table
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.curve_files import CurveFiles, Query
from steadfast.outputs.differences import Interval, mean_interval, resampled_interval
from steadfast.resampling.folds import Fold, read_plan, test_share
from steadfast.selectors.running.fold_file import ZERO_WEIGHTS, Selection, read_folds
from steadfast.statistics.curve import common_sizes
from steadfast.statistics.knots import Knot, find_knot
from steadfast.statistics.p_values import mcnemar

_NAN = float("nan")


class View:
    """What one entry of a study reads.

    Attributes
    ----------
    context
        All that the entry needs to know of its study (`steadfast.study.context`); what is not in
        there can change without a rerun.
    entry
        The entry itself, completed.
    datasets, selectors, classifiers
        Those that it is about; selectors and classifiers with their names in print.
    ratios
        All ratios of the study.
    score
        What accuracy is measured by: the first score of the study.
    curves
        Curves of stability, accuracy and chance.
    """

    def __init__(self, context: Mapping[str, Any], results: str):
        self.context = context
        self.paths = Paths(results).within(study=context["study"])
        self.entry: dict[str, Any] = context.get("entry", {})
        self.datasets: list[str] = context["datasets"]
        self.selectors: dict[str, str] = context["selectors"]
        self.classifiers: dict[str, str] = context.get("classifiers", {})
        self.ratios: list[float] = context["ratios"]
        self.score = SCORES[context.get("scoring", USUAL[0])]
        self.curves = CurveFiles(self.paths, self.score.name)

    def of_entry(self, entry: Mapping[str, Any]) -> "View":
        """What another entry reads of the study, a claim of a summary say."""
        return View({**self.context, "entry": entry}, self.paths.root)

    def is_run(self, dataset: str, selector: str) -> bool:
        """Whether a selector is run on a data set."""
        return selector not in self.context.get("not_run", {}).get(dataset, [])

    # Data sets

    def about(self, dataset: str) -> dict[str, Any]:
        """What the file beside a data set says of it."""
        return json.loads(_read(self.paths("data", "json", dataset=dataset)))

    def title(self, dataset: str) -> str:
        """The name that a data set has in print."""
        return self.about(dataset).get("title") or dataset

    def table(self, dataset: str) -> Table:
        return _table(self.paths("data", dataset=dataset))

    def features(self, dataset: str) -> Sequence[str]:
        return self.table(dataset).features

    def folds(self, dataset: str) -> list[Fold]:
        """Which rows each fold trains and tests on."""
        return read_plan(Path(self.paths("folds", dataset=dataset)))

    def compared_folds(self, dataset: str) -> list[Fold]:
        """Those of the entry's ratio that are compared with each other."""
        ratio = self.entry["ratio"]
        return [fold for fold in self.folds(dataset) if fold.comparison and fold.ratio == ratio]

    def size(self, dataset: str, smallest: int = 1) -> int:
        """The subset size that the entry asks for on a data set; it must have been measured."""
        wanted, sizes = self.entry["size"], self.context["sizes"]
        n_features = self.about(dataset)["features"]
        k = max(size_of(wanted, n_features), min(smallest, n_features))
        measured = sizes == "all" or (k <= sizes if isinstance(sizes, int) else k in sizes)
        if not measured:
            raise UserError(
                f"{self.entry.get('title', self.entry['kind'])}: size: {wanted} of the features of "
                f"{dataset} are {k}, a size that is not measured; add it to the study's sizes"
            )
        return k

    def project_file(self, file: str) -> Path:
        """A file that the entry's kind declares to read of the project's own (`project_files`)."""
        return Path(self.context["project"]) / file

    # Measures

    def measure(self, query: Query | None = None) -> Mapping[str, Any]:
        """Label and direction of the measure that the entry, a panel or a claim asks for."""
        query = self.entry if query is None else query
        return next(
            info
            for info in self.context["measures"]
            if all(info[key] == query[key] for key in ("measure", "compare"))
        )

    def direction(self, query: Query) -> int:
        """1 where large values are better; −1 for a stability measure or score that is not so."""
        if query["of"] == "accuracy":
            return self.score.direction
        return -1 if self.measure(query)["distance"] else 1

    def quantity(self, of: str) -> str:
        """Stability, or what accuracy is measured by, in the middle of a sentence."""
        return self.score.noun if of == "accuracy" else of

    # Stability beside what it is compared with

    def stability_at(self, query: Query, selector: str, k: int | None) -> tuple[float, float]:
        """Stability at a size, or of the whole ranking (None), and half of its 95% interval.

        NaN where it is undefined.
        """
        value, low, high = self.interval_at(query, selector, k)
        return value, (high - low) / 2

    def interval_at(self, query: Query, selector: str, k: int | None) -> Interval:
        """Stability at a size, or of the whole ranking (None), and the ends of its 95% interval."""
        curve = self.curves.find({**query, "of": "stability"}, selector)
        at = None
        if curve is not None and curve.sizes.size:
            at = len(curve.sizes) - 1 if k is None else curve.place(k)
        if at is None:
            return Interval(_NAN, _NAN, _NAN)
        return Interval(*(float(ends[at]) for ends in (curve.values, curve.low, curve.high)))

    def difference(self, query: Query, first: str, second: str) -> Interval:
        """Mean over sizes of the stability of `first` minus that of `second`, with its interval.

        Units are paired: both selectors saw the same folds.
        """
        units = (self.curves.units(query, selector) for selector in (first, second))
        return mean_interval(np.subtract(*units))

    def accuracy_difference(self, query: Query, first: str, second: str) -> Interval:
        """Mean over sizes of the accuracy of `first` minus that of `second`, with its interval."""
        query = {**query, "of": "accuracy"}
        pair = common_sizes([self.curves.read(query, name) for name in (first, second)])
        units = np.subtract(*(curve.units.mean(axis=1) for curve in pair))
        return resampled_interval(units, self.test_share(query["dataset"], query["ratio"]))

    def test_share(self, dataset: str, ratio: float) -> float:
        """Test over training rows of the folds that classifiers are tested on."""
        folds = self.folds(dataset)
        return test_share([fold for fold in folds if fold.scored and fold.ratio == ratio])

    def chance_at(self, query: Query, k: int) -> float:
        """The expected stability of random selection at a size; NaN where it is undefined."""
        return self.curves.chance(query).at(k)

    def knot(self, query: Query, selector: str, smallest: int) -> Knot | None:
        """The end of the plateau of stability beyond chance; see `statistics.knots.find_knot`."""
        curve = self.curves.find({**query, "of": "stability"}, selector)
        if curve is None:
            return None
        chance = self.curves.chance(query)
        shared = np.intersect1d(curve.sizes, chance.sizes)
        shared = shared[shared >= smallest]
        value = curve.values[np.isin(curve.sizes, shared)]
        return find_knot(shared, value, chance.values[np.isin(chance.sizes, shared)])

    def zero_weights(self, dataset: str, ratio: float, selector: str) -> float:
        """Mean share of the features that have no weight; NaN for a selector that states ranks."""
        query = {"measure": ZERO_WEIGHTS, "compare": "", "ratio": ratio, "dataset": dataset}
        return mean_interval(self.curves.units(query, selector)).mean

    def errors(
        self, query: Query, selectors: Sequence[str], k: int, level: float = 0.05
    ) -> tuple[dict[str, float], set[str]]:
        """Error of each selector at a size, and those that do not differ from the lowest one."""
        outcomes = {name: self.curves.outcomes(query, name, k) for name in selectors}
        found = {name: len(wrong) / tested for name, (wrong, tested) in outcomes.items() if tested}
        if not found:
            return {}, set()
        best = min(found, key=found.get)
        wrong = {name: outcomes[name][0] for name in found}
        same = {
            name
            for name in found
            if mcnemar(len(wrong[name] - wrong[best]), len(wrong[best] - wrong[name])) >= level
        }
        return found, same

    # Selections

    def selections(
        self, dataset: str, selector: str, *, shuffle_ties: bool = False
    ) -> dict[str, Selection]:
        """What a selector selected on every fold.

        With `shuffle_ties`, features of equal weight are in the order in which the study's
        stability counts them, which may be a random one.
        """
        ties = {}
        if shuffle_ties:
            ties = {"ties": self.context["ties"], "seed": self.context["seed"]}
        batches = range(self.context["batches"][dataset][selector])
        manifests = [
            Path(self.paths("batch", dataset=dataset, selector=selector, batch=number))
            for number in batches
        ]
        return read_folds(manifests, self.features(dataset), **ties)

    # Experiments

    def columns(self, place: str, **names: Any) -> dict[str, list[str]]:
        """The columns of another file of the study, as text."""
        return parse_table(_read(self.paths(place, **names)))

    def numbers(self, place: str, **names: Any) -> dict[str, np.ndarray]:
        """The columns of another file of the study that are numbers."""
        found = {}
        for name, column in self.columns(place, **names).items():
            try:
                found[name] = np.array(column, dtype=float)
            except ValueError:
                continue
        return found


@cache
def _read(path: str) -> bytes:
    return read_verified(Path(path))


@cache
def _table(path: str) -> Table:
    return read_table(Path(path))

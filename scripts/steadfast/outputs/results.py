"""The results of a study, as kinds of tables, figures and claims read them."""

import io
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from steadfast.accuracy import scores
from steadfast.accuracy.scores import SCORES
from steadfast.core.errors import UserError
from steadfast.core.files import manifest_of, parse_table, read_verified
from steadfast.core.keys import Keys
from steadfast.core.paths import Paths, name_after, split_name
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.intervals import (
    UNDEFINED,
    Interval,
    mean_interval,
    resampled_interval,
    single_value,
)
from steadfast.resampling.folds import Fold, read_plan, test_share
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.intervals import resampled_half_width
from steadfast.statistics.knots import Knot, find_knot

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

    def of_entry(self, entry: Entry) -> "Results":
        """The same of another entry of the study."""
        return type(self)({**self.context, "entry": entry}, self.paths.root, self.shown)

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
        return json.loads(_read(self.paths("data", "json", dataset=dataset)))

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
        if query["of"] == "stability":
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
def _read(path: str) -> bytes:
    return read_verified(Path(path))


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


# Curves

#: What a curve is told apart by, in the order by which the frames are sorted.
_CURVE = ["dataset", "selector", "transform", "quantity", "measure", "classifier", "comparison"]

#: What a measured curve has besides its values.
_ENDS = ("sd", "low", "high")

#: Quantities of the frames that are neither stability nor a score.
CHANCE, ZERO_WEIGHTS = "chance", "zero weights"


class Frame:
    """A tidy frame, with the rows of each of its curves together.

    Attributes
    ----------
    data
        The frame as users read it, see docs/tidy-files.md.
    """

    def __init__(self, path: Path, manifest: Path):
        import pyarrow.parquet

        content = io.BytesIO(read_verified(path, manifest))
        self.data: pd.DataFrame = pyarrow.parquet.read_table(content).to_pandas()
        codes = [self.data[name].cat.codes.to_numpy() for name in _CURVE]
        ratios = self.data["ratio"].to_numpy()
        keys = np.array([*codes, np.unique(ratios, return_inverse=True)[1]])
        first = np.ones(len(ratios), dtype=bool)
        first[1:] = (np.diff(keys, axis=1) != 0).any(axis=0)
        starts = np.flatnonzero(first)
        names = [list(self.data[name].cat.categories) for name in _CURVE]
        at = [[own[code] for code in part[starts]] for own, part in zip(names, codes)]
        ends = [*starts[1:], len(ratios)]
        self._places = {
            key: slice(*ends_)
            for *key_, ends_ in zip(*at, ratios[starts], zip(starts, ends))
            if (key := tuple(None if one != one else one for one in key_))
        }
        self._columns: dict[str, np.ndarray] = {}

    def place(self, *key: Any) -> slice | None:
        """Where the rows of a curve are; None if it was not measured."""
        return self._places.get(key)

    def column(self, name: str) -> np.ndarray:
        """A column as an array, whatever its type in the frame."""
        if name not in self._columns:
            column = self.data[name]
            numbers = column.dtype.kind in "fi" or str(column.dtype) == "Int32"
            self._columns[name] = column.to_numpy(dtype=float if numbers else object)
        return self._columns[name]


@cache
def read_frame(path: str, manifest: str) -> Frame:
    """A tidy frame of a study, read once per process."""
    return Frame(Path(path), Path(manifest))


class Curves(Results):
    """Stability, accuracy and chance by subset size, and the part of each fold in them.

    Methods take a `Measure` or a `Score` first: `curves.find(measure, dataset, ratio, selector)`.
    """

    reads = ("curves",)

    @property
    def curves(self) -> Frame:
        """All curves."""
        return self._frame("curves")

    @property
    def units(self) -> Frame:
        """The part of each fold in them."""
        return self._frame("units")

    def _frame(self, place: str) -> Frame:
        return read_frame(self.paths(place), str(manifest_of(Path(self.paths("curves")))))

    def stability(self, measure: Measure, ratio: float | None = None) -> pd.DataFrame:
        """All curves of stability by a measure (at a ratio) as one frame.

        Columns: dataset, selector (with its transform), ratio, size, value, low, high, sd, runs.
        """
        return self._rows(measure, ratio)

    def accuracy(self, score: Score, ratio: float | None = None) -> pd.DataFrame:
        """All curves of a classifier's accuracy (at a ratio) as one frame."""
        return self._rows(score, ratio)

    def _rows(self, what: Measure | Score, ratio: float | None) -> pd.DataFrame:
        data = self.curves.data
        quantity, measure, classifier, comparison = what.key
        kept = (data["quantity"] == quantity) & (data["measure"] == measure)
        kept &= (data["classifier"] == classifier) & (data["comparison"] == comparison)
        if ratio is not None:
            kept &= data["ratio"] == ratio
        names = ["dataset", "selector", "transform", "ratio", "size"]
        rows = data.loc[kept, [*names, "value", "low", "high", "sd", "runs"]]
        names = [
            name_after(*pair) if pair[1] else pair[0]
            for pair in zip(rows["selector"], rows["transform"], strict=True)
        ]
        sizes = rows["size"].astype("Int64")
        rows = rows.assign(dataset=rows["dataset"].astype(str), selector=names, size=sizes)
        return rows.drop(columns="transform").reset_index(drop=True)

    def find(
        self, what: Measure | Score, dataset: str, ratio: float, selector: str
    ) -> Curve | None:
        """A curve, or None where nothing was measured (a data set with too few features)."""
        key = dataset, *split_name(selector), *what.key, ratio
        if what.of == "stability":
            return _measured_curve(self.curves, key)
        if self.units.place(*key) is None:
            return None
        share = self.test_share(dataset, ratio)
        return _scored_curve(self.units, key, share, what.score.largest)

    def read(self, what: Measure | Score, dataset: str, ratio: float, selector: str) -> Curve:
        """A curve that must have been measured."""
        curve = self.find(what, dataset, ratio, selector)
        if curve is None:
            raise UserError(
                f"{self.paths('curves')}: has no {what.noun} of {selector} on {dataset} by "
                f"{what[0]} at ratio {ratio:g}"
            )
        return curve

    def value(
        self, what: Measure | Score, dataset: str, ratio: float, selector: str, k: int
    ) -> float:
        """The value of a curve at a size; NaN where it is undefined."""
        return self.interval(what, dataset, ratio, selector, k).mean

    def interval(
        self, what: Measure | Score, dataset: str, ratio: float, selector: str, k: int | None
    ) -> Interval:
        """Value at a size, or of the whole ranking (None), and the ends of its interval.

        NaN where stability is undefined; accuracy must be scored at the size.
        """
        curve, at = self.find(what, dataset, ratio, selector), None
        if curve is not None and curve.sizes.size:
            at = len(curve.sizes) - 1 if k is None else curve.place(k)
        if at is None and what.of == "accuracy":
            raise UserError(
                f"{self.paths('curves')}: {what[0]} is not scored at size {k} on {dataset} for "
                f"{selector}; add it to the sizes of the classifier"
            )
        if at is None:
            return UNDEFINED
        return Interval(*(float(ends[at]) for ends in (curve.values, curve.low, curve.high)))

    def parts(self, measure: Measure, dataset: str, ratio: float, selector: str) -> np.ndarray:
        """Each fold's part in the mean stability over all sizes.

        Two selectors of one study have the same folds in the same order.
        """
        place = self.units.place(dataset, *split_name(selector), *measure.key, ratio)
        return self.units.column("value")[place or slice(0)]

    def mean(self, measure: Measure, dataset: str, ratio: float, selector: str) -> Interval:
        """Mean stability over all sizes, with its interval over the folds."""
        return mean_interval(self.parts(measure, dataset, ratio, selector))

    def difference(
        self, what: Measure | Score, dataset: str, ratio: float, first: str, second: str
    ) -> Interval:
        """Mean over sizes of the value of `first` minus that of `second`, with its interval.

        Folds are paired: both selectors saw the same.
        """
        if what.of == "stability":
            parts = (self.parts(what, dataset, ratio, name) for name in (first, second))
            return mean_interval(np.subtract(*parts))
        pair = common_sizes([self.read(what, dataset, ratio, name) for name in (first, second)])
        units = np.subtract(*(curve.units.mean(axis=1) for curve in pair))
        return resampled_interval(units, self.test_share(dataset, ratio))

    # Several curves as one frame, a row each

    def at_size(
        self,
        what: Sequence[Measure | Score],
        datasets: Sequence[str],
        ratio: float,
        selectors: Sequence[str],
        size: float | str,
    ) -> pd.DataFrame:
        """Values at a size: dataset, measure (or classifier), size, selector, value, low, high.

        Values of accuracy have no interval here. `half` is half of the interval.
        """
        sizes = {dataset: self.size(dataset, size) for dataset in datasets}
        rows = []
        for dataset, k in sizes.items():
            for one in what:
                for selector in selectors:
                    if one.of == "stability":
                        found = self.interval(one, dataset, ratio, selector, k)
                    else:
                        found = single_value(self.value(one, dataset, ratio, selector, k))
                    rows.append((dataset, one[0], k, selector, *found, found.half))
        names = ["dataset", "measure", "size", "selector", "value", "low", "high", "half"]
        return pd.DataFrame(rows, columns=names)

    def over_sizes(
        self,
        measures: Sequence[Measure],
        datasets: Sequence[str],
        ratio: float,
        selectors: Sequence[str],
    ) -> pd.DataFrame:
        """Mean stability over all sizes: dataset, measure, compare, selector, mean, low, high, half."""
        rows = []
        for dataset in datasets:
            for measure in measures:
                for selector in selectors:
                    found = self.mean(measure, dataset, ratio, selector)
                    key = dataset, measure.measure, measure.compare, selector
                    rows.append((*key, *found, found.half))
        names = ["dataset", "measure", "compare", "selector", "mean", "low", "high", "half"]
        return pd.DataFrame(rows, columns=names)

    def chance(self, measure: Measure, dataset: str) -> Curve:
        """The expected stability of random selection, by size."""
        key = (dataset, "", "", CHANCE, *measure.key[1:], None)
        curve = _measured_curve(self.curves, key)
        return Curve(np.array([], int), np.array([])) if curve is None else curve

    def knot(
        self, measure: Measure, dataset: str, ratio: float, selector: str, smallest: int
    ) -> Knot | None:
        """The end of the plateau of stability beyond chance; see `statistics.knots.find_knot`."""
        curve = self.find(measure, dataset, ratio, selector)
        if curve is None:
            return None
        chance = self.chance(measure, dataset)
        shared = np.intersect1d(curve.sizes, chance.sizes)
        shared = shared[shared >= smallest]
        value = curve.values[np.isin(curve.sizes, shared)]
        return find_knot(shared, value, chance.values[np.isin(chance.sizes, shared)])

    def zero_weights(self, dataset: str, ratio: float, selector: str) -> float:
        """Mean share of the features that have no weight; NaN for a selector that states ranks."""
        place = self.units.place(dataset, *split_name(selector), ZERO_WEIGHTS, "", "", "", ratio)
        return mean_interval(self.units.column("value")[place or slice(0)]).mean

    def outcomes(
        self, score: Score, dataset: str, ratio: float, selector: str, k: int
    ) -> tuple[set[str], int]:
        """Test rows that a classifier was wrong on, by fold and number, and how many it saw."""
        units = self.units
        place = units.place(dataset, *split_name(selector), *score.key, ratio)
        if place is None:
            return set(), 0
        at = np.flatnonzero(units.column("size")[place] == k) + place.start
        rows = zip(units.column("fold")[at], units.column("wrong_rows")[at], strict=True)
        wrong = {f"{fold} {number}" for fold, numbers in rows for number in (numbers or "").split()}
        return wrong, int(units.column("tested")[at].sum())

    # Folds

    def folds(self, dataset: str) -> list[Fold]:
        """Which rows each fold trains and tests on."""
        return _folds(self.paths("folds", dataset=dataset))

    def compared_folds(self, dataset: str, ratio: float) -> list[Fold]:
        """The folds of a ratio that are compared with each other."""
        return [one for one in self.folds(dataset) if one.comparison and one.ratio == ratio]

    def test_share(self, dataset: str, ratio: float) -> float:
        """Test over training rows of the folds that classifiers are tested on."""
        return _test_share(self.paths("folds", dataset=dataset), ratio)


@cache
def _folds(path: str) -> list[Fold]:
    return read_plan(Path(path))


@cache
def _test_share(path: str, ratio: float) -> float:
    return test_share([fold for fold in _folds(path) if fold.scored and fold.ratio == ratio])


@cache
def _measured_curve(frame: Frame, key: tuple[Any, ...]) -> Curve | None:
    """A curve of stability or chance.

    Where a measure is undefined (Kuncheva's index at every feature) there is no curve.
    """
    place = frame.place(*key)
    if place is None:
        return None
    values = frame.column("value")[place]
    known = ~np.isnan(values)
    if not known.any():
        return None
    sizes = frame.column("size")[place][known].astype(int)
    ends = (frame.column(name)[place][known] for name in _ENDS)
    return Curve(sizes, values[known], *([] if key[3] == CHANCE else ends))


@cache
def _scored_curve(frame: Frame, key: tuple[Any, ...], share: float, largest: float) -> Curve:
    """Mean with its interval, spread and values of the folds, at sizes that every fold reached.

    Folds in which a score is undefined, AUC where one class is tested, are left out. The interval
    is that of folds that share rows, and ends at the largest value that the score can have.
    """
    place = frame.place(*key)
    sizes, values = frame.column("size")[place].astype(int), frame.column("value")[place]
    distinct, counts = np.unique(sizes, return_counts=True)
    distinct = distinct[counts == counts.max()]
    matrix = np.array([values[sizes == k] for k in distinct])
    undefined = np.isnan(matrix).all(axis=0)
    if undefined.any() and not undefined.all():
        matrix = matrix[:, ~undefined]
    several = matrix.shape[1] > 1
    spread = matrix.std(axis=1, ddof=1) if several else np.full(len(distinct), np.nan)
    mean, half = matrix.mean(axis=1), resampled_half_width(matrix.T, share)
    high = np.minimum(mean + half, largest)
    return Curve(distinct, mean, spread, mean - half, high, units=matrix.T)


class Selections(Curves):
    """What was selected on every fold, the data sets, and all curves."""

    reads = ("curves", "selections")

    def table(self, dataset: str) -> Any:
        """Rows and classes of a data set."""
        return _table(self.paths("data", dataset=dataset))

    def features(self, dataset: str) -> Sequence[str]:
        """Names of the features of a data set."""
        return self.table(dataset).features

    def selections(
        self, dataset: str, selector: str, *, ties: str = "column"
    ) -> dict[str, Any]:
        """What a selector selected on every fold, by its name.

        `ties` is the order of features of equal weight: of their columns, or `random`. Stability
        counts them as the study's own `self.ties` says.
        """
        from steadfast.selectors.running.fold_file import read_folds

        order = {} if ties == "column" else {"ties": ties, "seed": self.seed}
        batches = range(self.context["batches"][dataset][selector])
        names = {"dataset": dataset, "selector": selector}
        manifests = [Path(self.paths("batch", **names, batch=number)) for number in batches]
        return read_folds(manifests, self.features(dataset), **order)


@cache
def _table(path: str) -> Any:
    from steadfast.data.table import read_table

    return read_table(Path(path))

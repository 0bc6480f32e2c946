"""The curves of a study and what was selected, as kinds of outputs read them."""

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.files import manifest_of, read_verified
from steadfast.core.paths import name_after, split_name
from steadfast.outputs.intervals import (
    UNDEFINED,
    Interval,
    mean_interval,
    resampled_interval,
    single_value,
)
from steadfast.outputs.results import Measure, Results, Score
from steadfast.resampling.folds import Fold, read_plan, test_share
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.intervals import resampled_half_width
from steadfast.statistics.knots import Knot, find_knot

#: What a curve is told apart by, in the order by which the frames are sorted.
_CURVE = ["dataset", "selector", "transform", "quantity", "measure", "classifier", "comparison"]

#: What a measured curve has besides its values.
_ENDS = ("sd", "low", "high")

#: Stands for the ratio that chance does not have.
NO_RATIO = -1.0

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
        curves = self.data.assign(ratio=self.data["ratio"].fillna(NO_RATIO))
        self._rows = curves.groupby([*_CURVE, "ratio"], observed=True, sort=False).indices
        self._columns: dict[str, np.ndarray] = {}

    def rows(self, *key: Any) -> np.ndarray:
        """The numbers of a curve's rows; none if it was not measured."""
        return self._rows.get(key, np.array([], dtype=int))

    def values(self, name: str, rows: np.ndarray) -> np.ndarray:
        """A column of some rows: numbers as floats, text as objects."""
        if name not in self._columns:
            column = self.data[name]
            kind = float if pd.api.types.is_numeric_dtype(column) else object
            self._columns[name] = column.to_numpy(dtype=kind)
        return self._columns[name][rows]


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
        if not self.units.rows(*key).size:
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
        rows = self.units.rows(dataset, *split_name(selector), *measure.key, ratio)
        return self.units.values("value", rows)

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
        """Mean stability over all sizes, with the ends and half of its interval."""
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
        key = (dataset, "", "", CHANCE, *measure.key[1:], NO_RATIO)
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
        rows = self.units.rows(dataset, *split_name(selector), ZERO_WEIGHTS, "", "", "", ratio)
        return mean_interval(self.units.values("value", rows)).mean

    def outcomes(
        self, score: Score, dataset: str, ratio: float, selector: str, k: int
    ) -> tuple[set[str], int]:
        """Test rows that a classifier was wrong on, by fold and number, and how many it saw."""
        units, key = self.units, (dataset, *split_name(selector), *score.key, ratio)
        rows = units.rows(*key)
        rows = rows[units.values("size", rows) == k]
        wrong_rows = zip(units.values("fold", rows), units.values("wrong_rows", rows), strict=True)
        wrong = {f"{fold} {row}" for fold, numbers in wrong_rows for row in numbers.split()}
        return wrong, int(units.values("tested", rows).sum())

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
    rows = frame.rows(*key)
    rows = rows[~np.isnan(frame.values("value", rows))]
    if not rows.size:
        return None
    sizes, values = frame.values("size", rows).astype(int), frame.values("value", rows)
    ends = [] if key[3] == CHANCE else [frame.values(name, rows) for name in _ENDS]
    return Curve(sizes, values, *ends)


@cache
def _scored_curve(frame: Frame, key: tuple[Any, ...], share: float, largest: float) -> Curve:
    """Mean with its interval, spread and values of the folds, at sizes that every fold reached.

    Folds in which a score is undefined, AUC where one class is tested, are left out. The interval
    is that of folds that share rows, and ends at the largest value that the score can have.
    """
    rows = frame.rows(*key)
    sizes, values = frame.values("size", rows).astype(int), frame.values("value", rows)
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

    def selections(self, dataset: str, selector: str, *, ties: str = "column") -> dict[str, Any]:
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

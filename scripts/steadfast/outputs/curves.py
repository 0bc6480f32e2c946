"""The curves of a study and what was selected, as kinds of outputs read them."""

import io
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.files import read_verified
from steadfast.core.paths import name_after, split_name
from steadfast.data.table import Table, read_table
from steadfast.outputs.intervals import UNDEFINED, Interval, mean_interval, resampled_interval
from steadfast.outputs.results import Measure, Results, Score
from steadfast.resampling.folds import Fold, read_plan, test_share
from steadfast.selectors.running.fold_file import read_folds
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.knots import Knot, find_knot

#: What a curve is told apart by, in the order by which the frames are sorted.
_WHAT = ["quantity", "measure", "classifier", "comparison"]
_CURVE = ["dataset", "selector", "transform", *_WHAT]

#: Stands for the ratio that chance does not have.
NO_RATIO = -1.0

#: Quantities of the frames that are neither stability nor a score.
CHANCE, ZERO_WEIGHTS = "chance", ("zero weights", "", "", "")


class Frame:
    """A tidy frame, with the rows of each of its curves together.

    Attributes
    ----------
    data
        The frame as users read it, see docs/tidy-files.md.
    """

    def __init__(self, path: str, manifest: str):
        import pyarrow.parquet

        content = io.BytesIO(read_verified(Path(path), Path(manifest)))
        self.data: pd.DataFrame = pyarrow.parquet.read_table(content).to_pandas()
        curves = self.data.assign(ratio=self.data["ratio"].fillna(NO_RATIO))
        self._rows = curves.groupby([*_CURVE, "ratio"], observed=True, sort=False).indices

    def rows(self, what: Sequence[str], dataset: str, ratio: float, selector: str) -> pd.DataFrame:
        """The rows of a curve; none if it was not measured."""
        return self.data.iloc[self._rows.get((dataset, *split_name(selector), *what, ratio), [])]


#: Files are read once per process.
_read_frame, _read_plan, _read_table = cache(Frame), cache(read_plan), cache(read_table)


class Curves(Results):
    """Stability, accuracy and chance by subset size, and the part of each fold in them.

    Methods take a `Measure` or a `Score` first: `curves.find(measure, dataset, ratio, selector)`.
    """

    reads = ("curves",)

    @property
    def curves(self) -> Frame:
        """All curves."""
        return _read_frame(self.paths("curves"), self.paths("curves", "sha256"))

    @property
    def units(self) -> Frame:
        """The part of each fold in them."""
        return _read_frame(self.paths("units"), self.paths("curves", "sha256"))

    def frame(self, what: Measure | Score, ratio: float | None = None) -> pd.DataFrame:
        """All curves of a measure or of a classifier (at a ratio) as one frame.

        Columns: dataset, selector (with its transform), ratio, size, value, low, high, sd, runs.
        """
        rows = self.curves.data
        for name, wanted in zip([*_WHAT, "ratio"], [*what.key, ratio], strict=True):
            rows = rows if wanted is None else rows[rows[name] == wanted]
        selectors = [
            name_after(selector, transform) if transform else selector
            for selector, transform in zip(rows["selector"], rows["transform"], strict=True)
        ]
        rows = rows.assign(selector=selectors).astype({"dataset": str, "size": "Int64"})
        names = ["dataset", "selector", "ratio", "size", "value", "low", "high", "sd", "runs"]
        return rows[names].reset_index(drop=True)

    def find(
        self, what: Measure | Score, dataset: str, ratio: float, selector: str
    ) -> Curve | None:
        """A curve, or None where nothing was measured (a data set with too few features)."""
        place = what.key, dataset, ratio, selector
        if what.of == "stability":
            return _measured_curve(self.curves, *place)
        return _scored_curve(self.curves, self.units, *place, what.score.largest)

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

    def parts(
        self, what: Measure | Sequence[str], dataset: str, ratio: float, selector: str
    ) -> np.ndarray:
        """Each fold's part in the mean stability over all sizes.

        Two selectors of one study have the same folds in the same order.
        """
        key = what.key if isinstance(what, Measure) else what
        return self.units.rows(key, dataset, ratio, selector)["value"].to_numpy()

    def mean(self, measure: Measure, dataset: str, ratio: float, selector: str) -> Interval:
        """Mean stability over all sizes, with its interval over the folds."""
        return mean_interval(self.parts(measure, dataset, ratio, selector))

    def zero_weights(self, dataset: str, ratio: float, selector: str) -> float:
        """Mean share of the features that have no weight; NaN for a selector that states ranks."""
        return mean_interval(self.parts(ZERO_WEIGHTS, dataset, ratio, selector)).mean

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
        measures: Sequence[Measure],
        datasets: Sequence[str],
        ratio: float,
        selectors: Sequence[str],
        size: float | str,
    ) -> pd.DataFrame:
        """Stability at a size: dataset, measure, size, chance, selector, value, low, high, half.

        `half` is half of the interval.
        """
        rows = []
        for dataset, measure in product(datasets, measures):
            k = self.size(dataset, size)
            chance = self.chance(measure, dataset).at(k)
            for selector in selectors:
                found = self.interval(measure, dataset, ratio, selector, k)
                key = dataset, measure.measure, k, chance, selector
                rows.append((*key, *found, found.half))
        names = ["dataset", "measure", "size", "chance", "selector", "value", "low", "high", "half"]
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
        for dataset, measure, selector in product(datasets, measures, selectors):
            found = self.mean(measure, dataset, ratio, selector)
            key = dataset, measure.measure, measure.compare, selector
            rows.append((*key, *found, found.half))
        names = ["dataset", "measure", "compare", "selector", "mean", "low", "high", "half"]
        return pd.DataFrame(rows, columns=names)

    def chance(self, measure: Measure, dataset: str) -> Curve:
        """The expected stability of random selection, by size."""
        curve = _measured_curve(self.curves, (CHANCE, *measure.key[1:]), dataset, NO_RATIO, "")
        return curve or Curve(np.array([], int), np.array([]))

    def knot(
        self, measure: Measure, dataset: str, ratio: float, selector: str, smallest: int
    ) -> Knot | None:
        """The end of the plateau of stability beyond chance; see `statistics.knots.find_knot`."""
        curve = self.find(measure, dataset, ratio, selector)
        if curve is None:
            return None
        curve, chance = common_sizes([curve, self.chance(measure, dataset)])
        kept = curve.sizes >= smallest
        return find_knot(curve.sizes[kept], curve.values[kept], chance.values[kept])

    def outcomes(
        self, score: Score, dataset: str, ratio: float, selector: str, k: int
    ) -> tuple[set[str], int]:
        """Test rows that a classifier was wrong on, by fold and number, and how many it saw."""
        folds = self.units.rows(score.key, dataset, ratio, selector)
        folds = folds[folds["size"] == k]
        rows = zip(folds["fold"], folds["wrong_rows"], strict=True)
        wrong = {f"{fold} {row}" for fold, numbers in rows for row in numbers.split()}
        return wrong, int(folds["tested"].sum())

    # Folds

    def folds(self, dataset: str) -> list[Fold]:
        """Which rows each fold trains and tests on."""
        return _read_plan(Path(self.paths("folds", dataset=dataset)))

    def compared_folds(self, dataset: str, ratio: float) -> list[Fold]:
        """The folds of a ratio that are compared with each other."""
        return [one for one in self.folds(dataset) if one.comparison and one.ratio == ratio]

    def test_share(self, dataset: str, ratio: float) -> float:
        """Test over training rows of the folds that classifiers are tested on."""
        folds = self.folds(dataset)
        return test_share([fold for fold in folds if fold.scored and fold.ratio == ratio])


@cache
def _measured_curve(curves: Frame, what: tuple[str, ...], *place: Any) -> Curve | None:
    """A curve where it has a value: Kuncheva's index, say, is undefined at every feature."""
    rows = curves.rows(what, *place)
    rows = rows[rows["value"].notna()]
    names = ["value"] if what[0] == CHANCE else ["value", "sd", "low", "high"]
    columns = (rows[name].to_numpy() for name in names)
    return Curve(rows["size"].to_numpy(int), *columns) if len(rows) else None


@cache
def _scored_curve(curves: Frame, units: Frame, *place: Any) -> Curve | None:
    """Mean with its interval, spread and values of the folds, at sizes that every fold reached.

    Folds in which a score is undefined, AUC where one class is tested, are left out. The interval
    ends at the largest value that the score can have.
    """
    *place, largest = place
    curve, folds = _measured_curve(curves, *place), units.rows(*place)
    if curve is None:
        return None
    reached = folds.groupby("size")["value"].transform("size")
    folds = folds[(reached == reached.max()) & folds["size"].isin(curve.sizes)]
    curve = curve.take(np.isin(curve.sizes, folds["size"]))
    units = folds["value"].to_numpy().reshape(curve.sizes.size, -1).T
    units = units[~np.isnan(units).all(axis=1)]
    return replace(curve, high=np.minimum(curve.high, largest), units=units)


class Selections(Curves):
    """What was selected on every fold, the data sets, and all curves."""

    reads = ("curves", "selections")

    def table(self, dataset: str) -> Table:
        """Rows and classes of a data set."""
        return _read_table(Path(self.paths("data", dataset=dataset)))

    def features(self, dataset: str) -> Sequence[str]:
        """Names of the features of a data set."""
        return self.table(dataset).features

    def selections(self, dataset: str, selector: str, *, ties: str = "column") -> dict[str, Any]:
        """What a selector selected on every fold, by its name.

        `ties` is the order of features of equal weight: of their columns, or `random`. Stability
        counts them as the study's own `self.ties` says.
        """
        order = {} if ties == "column" else {"ties": ties, "seed": self.seed}
        batches = range(self.context["batches"][dataset][selector])
        names = {"dataset": dataset, "selector": selector}
        manifests = [Path(self.paths("batch", **names, batch=number)) for number in batches]
        return read_folds(manifests, self.features(dataset), **order)

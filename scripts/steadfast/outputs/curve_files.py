"""The files of stability, accuracy and chance, read as curves."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.accuracy.rows import SCORING
from steadfast.accuracy.scores import USUAL
from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_verified
from steadfast.core.paths import Paths, split_name
from steadfast.statistics.curve import Curve

#: What is measured to the columns that say by which measure or classifier.
BY = {"stability": ("measure", "compare"), "accuracy": ("classifier",)}

Query = Mapping[str, Any]


class CurveFiles:
    """The curves of one study.

    A query has `of` (stability or accuracy), `dataset`, `ratio`, and `measure` and `compare`, or
    `classifier`; more keys, as an entry of a study has, do no harm. What is said of accuracy is
    under one score, the first of the study.
    """

    def __init__(self, paths: Paths, scoring: str = USUAL[0]):
        self.paths, self.scoring = paths, scoring

    def path(self, of: str, dataset: str, selector: str, ending: str = "") -> str:
        """The file of a selector, after whatever transform."""
        family, _ = split_name(selector)
        return self.paths(of, ending, dataset=dataset, selector=family)

    def find(self, query: Query, selector: str) -> Curve | None:
        """A curve, or None where nothing was measured (a data set with too few features)."""
        of = query["of"]
        key = (tuple(query[name] for name in BY[of]), float(query["ratio"]))
        transform = split_name(selector)[1]
        path = self.path(of, query["dataset"], selector)
        return _read_curves(path, of, transform, self.scoring).get(key)

    def read(self, query: Query, selector: str) -> Curve:
        """A curve that must be there."""
        curve = self.find(query, selector)
        if curve is None:
            of = query["of"]
            raise UserError(
                f"{self.path(of, query['dataset'], selector)}: holds nothing for "
                f"{query[BY[of][0]]} at ratio {query['ratio']}"
            )
        return curve

    def value(self, query: Query, selector: str, k: int) -> float:
        """The value of a curve at a size; NaN where it is undefined."""
        curve = self.find(query, selector)
        missing = curve is None or curve.place(k) is None
        if missing and query["of"] == "accuracy":
            raise UserError(
                f"{self.path('accuracy', query['dataset'], selector)}: {query['classifier']} is "
                f"not scored at size {k}; add it to the sizes of the classifier"
            )
        return float("nan") if missing else curve.at(k)

    def units(self, query: Query, selector: str) -> np.ndarray:
        """Contributions of the folds to the mean over all sizes; their spread gives its error.

        Two selectors of one study have the same folds in the same order.
        """
        path = self.path("stability", query["dataset"], selector, "units.tsv")
        manifest = self.path("stability", query["dataset"], selector, "sha256")
        table = _columns(path, manifest)
        wanted = (query["measure"], query["compare"], float(query["ratio"]))
        keys = zip(table["measure"], table["compare"], map(float, table["ratio"]), strict=True)
        own = own_rows(table, split_name(selector)[1])
        rows = [row for row, key in enumerate(keys) if key == wanted and own[row]]
        return np.array([float(table["value"][row]) for row in rows])

    def outcomes(self, query: Query, selector: str, k: int) -> tuple[set[str], int]:
        """Test rows that a classifier was wrong on, by fold and number, and how many it saw."""
        table = _columns(self.path("accuracy", query["dataset"], selector))
        own = own_rows(table, split_name(selector)[1], self.scoring)
        wanted = (query["classifier"], query["ratio"], k)
        keys = zip(table["classifier"], table["ratio"], table["k"], strict=True)
        wrong: set[str] = set()
        tested = 0
        for row, (classifier, ratio, size) in enumerate(keys):
            if own[row] and (classifier, float(ratio), int(size)) == wanted:
                tested += int(table["tested"][row])
                fold = table["fold"][row]
                wrong.update(f"{fold} {number}" for number in table["wrong"][row].split())
        return wrong, tested

    def chance(self, query: Query) -> Curve:
        """The expected stability of random selection, by size."""
        table = _columns(self.paths("chance", dataset=query["dataset"]))
        keys = zip(table["measure"], table["compare"], strict=True)
        wanted = (query["measure"], query["compare"])
        values = np.array(table["value"], dtype=float)
        rows = [row for row, key in enumerate(keys) if key == wanted and not np.isnan(values[row])]
        return Curve(np.array(table["k"], dtype=int)[rows], values[rows])


def own_rows(table: Mapping[str, Sequence[str]], transform: str, scoring: str = "") -> list[bool]:
    """Which rows are those after a transform, and of a score; all in a file without any."""
    own = np.ones(len(next(iter(table.values()))), dtype=bool)
    for column, wanted in (("transform", transform), (SCORING, scoring)):
        if column in table:
            own &= np.array(table[column], dtype=object) == wanted
    return own.tolist()


@cache
def _columns(path: str, manifest: str = "") -> dict[str, list[str]]:
    """The columns of a file, read once, however many curves it has."""
    return parse_table(read_verified(Path(path), Path(manifest) if manifest else None))


@cache
def _read_curves(
    path: str, of: str, transform: str, scoring: str
) -> dict[tuple[tuple[str, ...], float], Curve]:
    table = _columns(path)
    own = own_rows(table, transform, scoring)
    sizes, values = np.array(table["k"], dtype=int), np.array(table["value"], dtype=float)
    more = [np.array(table[end], dtype=float) for end in ("sd", "low", "high") if end in table]
    rows_of: dict[tuple[str, ...], list[int]] = {}
    keys = zip(*(table[key] for key in (*BY[of], "ratio")), strict=True)
    for row, key in enumerate(keys):
        # Where a measure is undefined (Kuncheva's index at every feature) there is no curve.
        if own[row] and (of == "accuracy" or not np.isnan(values[row])):
            rows_of.setdefault(key, []).append(row)
    curves = {}
    for (*by, ratio), rows in rows_of.items():
        if more:
            curve = Curve(sizes[rows], values[rows], *(column[rows] for column in more))
        else:
            curve = _average_folds(sizes[rows], values[rows])
        curves[tuple(by), float(ratio)] = curve
    return curves


def _average_folds(sizes: np.ndarray, values: np.ndarray) -> Curve:
    """Mean, standard deviation and values of the folds, at sizes that every fold reached.

    Folds in which a score is undefined, AUC where one class is tested, are left out.
    """
    distinct, counts = np.unique(sizes, return_counts=True)
    distinct = distinct[counts == counts.max()]
    matrix = np.array([values[sizes == k] for k in distinct])
    undefined = np.isnan(matrix).all(axis=0)
    if undefined.any() and not undefined.all():
        matrix = matrix[:, ~undefined]
    several = matrix.shape[1] > 1
    spread = matrix.std(axis=1, ddof=1) if several else np.full(len(distinct), np.nan)
    return Curve(distinct, matrix.mean(axis=1), spread, units=matrix.T)

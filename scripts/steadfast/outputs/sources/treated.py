"""Selectors after transforms, singular values of rows, and precision on made data."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, list_of, text
from steadfast.core.paths import name_after, with_manifest
from steadfast.data.encoding import complete_numbers
from steadfast.measuring.overlaps import size_of
from steadfast.outputs.arguments import Argument, Entry
from steadfast.outputs.curves import Curves, Selections
from steadfast.outputs.results import Measure, Results, Score

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: The selector and the data set of means over all selectors and data sets.
MEAN = "mean"

#: What singular values are of: rows as they are, and their differences to the class's mean.
ROWS, CENTRED = "rows", "centred"


def transforms_of(entry: Entry) -> list[str]:
    """All transforms that an entry names, its baseline first."""
    named = [
        *entry.get("transforms", []),
        *(name for part in entry.get("gains", []) for name in part),
    ]
    return list(dict.fromkeys([entry["baseline"], *named]))


def _run_after_all(selectors: Collection[str], families: Iterable[str], entry: Entry) -> list[str]:
    """Selectors, whatever their transform, that are run after all transforms of an entry."""
    names = transforms_of(entry)
    return [one for one in families if all(name_after(one, name) in selectors for name in names)]


class TreatedSelectors(Argument):
    """Selectors, of those named or of all, that are run after all transforms of the entry."""

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        if not _run_after_all(study.selectors, entry.get(name, study.families), entry):
            names = ", ".join(transforms_of(entry))
            raise UserError(f"{where}: no selector is run after all of {names}; see its transforms")

    def value(self, results: Results, entry: Entry, name: str) -> list[str]:
        return _run_after_all(results.selectors, entry.get(name, results.families), entry)


_UNIQUE = {"uniqueItems": True}
_FAMILIES = list_of(
    "Selectors, whatever the transform; all if left out.", {"type": "string"}, names="family"
)
_TRANSFORMS = list_of("Transforms.", {"type": "string"}, names="transform", required=True)
_BASELINE = text("Transform that the others are compared with.", names="transform", required=True)
_SIZES = list_of("Subset sizes.", {"type": "integer", "minimum": 1}, default=[10, 30, 50, 100])

Families = Annotated[list[str], TreatedSelectors(_FAMILIES.but(schema=_UNIQUE))]
Transforms = Annotated[list[str], Argument(_TRANSFORMS.but(schema=_UNIQUE))]
Baseline = Annotated[str, Argument(_BASELINE)]
Sizes = Annotated[list[int], Argument(_SIZES)]


def values_at(
    curves: Curves,
    what: Measure | Score,
    ratio: float,
    families: Sequence[str],
    datasets: Sequence[str],
    size: float | str,
) -> pd.DataFrame:
    """Values at a size, by selector and data set, in a column for each transform of the entry."""
    rows = {}
    for family, dataset in product(families, datasets):
        k = curves.size(dataset, size)
        rows[family, dataset] = {
            name: curves.value(what, dataset, ratio, name_after(family, name), k)
            for name in transforms_of(curves.entry)
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def gains_by_size(
    curves: Curves,
    quantities: Sequence[Measure | Score],
    ratio: float,
    families: Sequence[str],
    datasets: Sequence[str],
    sizes: Sequence[int],
) -> pd.DataFrame:
    """What transforms gain over the baseline: selector, dataset, transform, size, and numbers.

    The numbers of stability are `stability`, its value after the transform, and `stability_gain`;
    NaN where a size is not measured. The last selector, and the last data set of each, is `mean`.
    """
    baseline, *transforms = transforms_of(curves.entry)
    columns = {}
    for what in quantities:
        found = [
            curves.find(what, dataset, ratio, name_after(family, name))
            for family, name, dataset in product(families, [baseline, *transforms], datasets)
        ]
        numbers = [[curve.at(k) if curve else np.nan for k in sizes] for curve in found]
        values = np.array(numbers).reshape(len(families), -1, len(datasets), len(sizes))
        gains = what.direction * (values - values[:, :1])
        for name, part in ((what.key[0], values), (f"{what.key[0]}_gain", gains)):
            part = part[:, 1:]
            for axis in (0, 2):
                part = np.append(part, part.mean(axis=axis, keepdims=True), axis=axis)
            columns[name] = part.ravel()
    keys = [*families, MEAN], transforms, [*datasets, MEAN], sizes
    names = ["selector", "transform", "dataset", "size"]
    frame = pd.DataFrame(columns, pd.MultiIndex.from_product(keys, names=names)).reset_index()
    return frame[["selector", "dataset", "transform", "size", *columns]]


# Singular values


class DataSets(Results):
    """The data sets of a study, row by row."""

    reads = ("rows",)
    table = Selections.table


def singular_values(results: DataSets, datasets: Sequence[str], largest: int) -> pd.DataFrame:
    """σ₁ ≥ σ₂ ≥ … of the rows of each class, and of their differences to its mean row.

    Columns: dataset, class, rows (`rows` or `centred`), number, value, relative (to σ₁), share (of
    σᵢ² in Σσ²). Of rows away from 0 the first value is that of the mean row: without it, what is
    left is how the rows of a class differ.
    """
    parts = []
    for dataset in datasets:
        table = results.table(dataset)
        X = complete_numbers(table, "singular values")
        for code, name in enumerate(table.classes):
            own = X[table.y == code]
            for form, rows in ((ROWS, own), (CENTRED, own - own.mean(axis=0))):
                value = np.linalg.svd(rows, compute_uv=False)
                part = {"dataset": dataset, "class": name, "rows": form}
                part |= {"number": np.arange(value.size) + 1, "value": value}
                part |= {"relative": value / value[0], "share": value**2 / (value**2).sum()}
                parts.append(pd.DataFrame(part)[:largest])
    return pd.concat(parts, ignore_index=True)


# Precision on made data


def _list(description: str, item: str, names: str = "") -> Key:
    description += "; those of the study's `precision` if left out."
    return list_of(description, {"type": item}, names=names).but(schema={"uniqueItems": True})


_KEYS = {
    "families": _list("Selectors, whatever the transform", "string", "family"),
    "transforms": _list("Transforms", "string", "transform"),
    "features": _list("Numbers of features", "integer"),
    "noise": _list("Noise of the values", "number"),
    "label_noise": _list("Shares of the rows with a wrong class", "number"),
}
_COMPARED = _KEYS["transforms"].but(
    description="A transform, and the one it is compared with; chance if there is only one.",
    schema={"maxItems": 2},
    required=True,
)

#: Columns whose values have a key of another name, in an entry and in a study's `precision`.
_COLUMNS = {"families": "selector", "transforms": "transform"}
_PARTS = {"families": "selectors"}


class PrecisionArgument(Argument):
    """Rows of the study's `precision`, all or those of an entry's keys, and in the order of these.

    Columns: features, set, noise, label_noise, selector, transform, precision, chance.
    """

    def with_default(self, default: Any, description: str) -> Argument:
        return self

    def keys(self, name: str) -> Keys:
        return {**_KEYS, "transforms": self.key}

    def complete(self, study: "Study", entry: dict[str, Any], name: str) -> None:
        for key in _KEYS if study.precision else ():
            entry.setdefault(key, study.precision[_PARTS.get(key, key)])

    def check(self, study: "Study", entry: Entry, name: str, where: str) -> None:
        if not study.precision:
            raise UserError(f"{where}: the study has no `precision`")
        for key in _KEYS:
            part = _PARTS.get(key, key)
            for value in entry[key]:
                if value not in study.precision[part]:
                    raise UserError(
                        f"{where}: {value} is not among the {part} of the study's precision"
                    )

    def context(self, study: "Study", entry: Entry, name: str) -> dict[str, Any]:
        return {"relevant": study.precision["relevant"]}

    def files(self, entry: Entry, name: str, place: Callable[..., str]) -> list[str]:
        files = [place("precision", number=number) for number in entry["features"]]
        return [path for file in files for path in with_manifest(file)]

    def value(self, results: Results, entry: Entry, name: str) -> pd.DataFrame:
        files = [results.columns("precision", number=number) for number in entry["features"]]
        rows = pd.concat(map(pd.DataFrame, files)).astype({"features": int})
        rows["chance"] = [size_of(results.context["relevant"], m) / m for m in rows["features"]]
        for key in _KEYS:
            column = _COLUMNS.get(key, key)
            order = pd.Index(entry[key], dtype=rows[column].dtype)
            rows = rows[rows[column].isin(order)]
            rows = rows.assign(**{column: pd.Categorical(rows[column], order)})
        return rows


Precision = Annotated[pd.DataFrame, PrecisionArgument(_KEYS["transforms"])]
Compared = Annotated[pd.DataFrame, PrecisionArgument(_COMPARED)]


def by_data_set(rows: pd.DataFrame, column: str = "precision") -> np.ndarray:
    """Means of a column over the rows of each data set, in the order of data sets."""
    groups = rows.groupby(["features", "set"]).ngroup()
    return np.bincount(groups, rows[column]) / np.bincount(groups)

"""The two tidy frames of a study: its curves, and the part of each fold in them.

`docs/tidy-files.md` explains the columns to users.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from steadfast.accuracy.rows import SCORING
from steadfast.accuracy.scores import USUAL
from steadfast.core.files import parse_table, read_verified
from steadfast.core.paths import Paths
from steadfast.resampling.folds import read_plan, test_share
from steadfast.selectors.running.fold_file import ZERO_WEIGHTS
from steadfast.statistics.intervals import resampled_half_width

STABILITY, CHANCE, NO_WEIGHT, ACCURACY = "stability", "chance", "zero weights", USUAL[0]

_TEXT = pa.dictionary(pa.int32(), pa.string())
_KEYS = {
    **dict.fromkeys(("dataset", "selector", "transform", "quantity"), _TEXT),
    **dict.fromkeys(("measure", "classifier", "comparison"), _TEXT),
    "ratio": pa.float64(),
    "size": pa.int32(),
}

#: Columns of the curves, with their types.
CURVES = pa.schema(
    {
        **_KEYS,
        **dict.fromkeys(("value", "low", "high", "sd"), pa.float64()),
        **dict.fromkeys(("pairs", "runs"), pa.int32()),
        "note": _TEXT,
    }
)

#: Columns of the folds' parts, with their types.
UNITS = pa.schema(
    {
        **_KEYS,
        "fold": _TEXT,
        "value": pa.float64(),
        **dict.fromkeys(("tested", "wrong"), pa.int32()),
        "wrong_rows": _TEXT,
    }
)

#: Columns of text files to those of the frames, and those of numbers with their types.
_NAMES = {"compare": "comparison", "k": "size", "unit": "fold", SCORING: "quantity"}
_TYPES = {
    **dict.fromkeys(("ratio", "value", "low", "high", "sd"), float),
    **dict.fromkeys(("size", "pairs", "tested"), int),
}

#: What a curve is told apart by.
_STABILITY_CURVE = [
    "dataset",
    "selector",
    "transform",
    "quantity",
    "measure",
    "comparison",
    "ratio",
]
_ACCURACY_CURVE = ["dataset", "selector", "transform", "quantity", "classifier", "ratio"]


def study_frames(paths: Paths, context: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Curves and units of a study, in the order in which it declares data sets and the rest.

    Parameters
    ----------
    paths
        Of the study's results.
    context
        `datasets`, `selectors` and `transforms` in their order; `stability` and `accuracy`, the
        pairs of data set and selector of which each is measured.
    """
    curves, units = [], []
    for dataset, selector in context["stability"]:
        names = {"dataset": dataset, "selector": selector}
        units.append(stability_units(paths, names))
        curves += [stability_curves(paths, names, units[-1]), zero_weight_means(units[-1])]
    curves += [chance_curves(paths, dataset) for dataset in context["datasets"]]
    scored = dict.fromkeys(dataset for dataset, _ in context["accuracy"])
    shares = {dataset: test_shares(paths, dataset) for dataset in scored}
    for dataset, selector in context["accuracy"]:
        units.append(accuracy_units(paths, {"dataset": dataset, "selector": selector}))
        curves += accuracy_curves(units[-1], shares[dataset])
    orders = {
        "dataset": context["datasets"],
        "selector": [*context["selectors"], ""],
        "transform": [*context["transforms"], ""],
    }
    return in_order(curves, CURVES, orders), in_order(units, UNITS, orders)


# The files of one data set and selector


def _read(path: str, manifest: str = "", **about: str) -> pd.DataFrame:
    """The columns of a text file, by their names in the frames; `about` are columns to add."""
    content = read_verified(Path(path), Path(manifest) if manifest else None)
    columns = {_NAMES.get(name, name): column for name, column in parse_table(content).items()}
    frame = pd.DataFrame({"transform": "", **about, **columns})
    return frame.astype({name: kind for name, kind in _TYPES.items() if name in frame})


def stability_units(paths: Paths, names: Mapping[str, str]) -> pd.DataFrame:
    """The part of each fold in the mean over all sizes, and its share of zero weights."""
    path, manifest = (paths("stability", ending, **names) for ending in ("units.tsv", "sha256"))
    frame = _read(path, manifest, quantity=STABILITY, **names)
    frame.loc[frame["measure"] == ZERO_WEIGHTS, ["quantity", "measure"]] = NO_WEIGHT, ""
    return frame


def stability_curves(paths: Paths, names: Mapping[str, str], units: pd.DataFrame) -> pd.DataFrame:
    """Stability by size, with the number of folds that have a part in it.

    The number is missing where no fold has one: two runs have a stability but no parts.
    """
    frame = _read(paths("stability", **names), quantity=STABILITY, **names)
    runs = units.groupby(_STABILITY_CURVE)["value"].count().replace(0, np.nan).rename("runs")
    frame = frame.join(runs, on=_STABILITY_CURVE)
    return frame.assign(runs=frame["runs"].where(frame["value"].notna(), 0))


def zero_weight_means(units: pd.DataFrame) -> pd.DataFrame:
    """Mean share of the features without a weight, over the folds."""
    shares = units[units["quantity"] == NO_WEIGHT].groupby(_STABILITY_CURVE)["value"]
    return shares.agg(value="mean", sd="std", runs="count").reset_index()


def chance_curves(paths: Paths, dataset: str) -> pd.DataFrame:
    """The expected stability of random selection, by size; the note has how it was computed."""
    frame = _read(paths("chance", dataset=dataset), dataset=dataset, quantity=CHANCE)
    return frame.rename(columns={"found": "note"})


def accuracy_units(paths: Paths, names: Mapping[str, str]) -> pd.DataFrame:
    """The score of each fold at each size, and how many of the tested rows were wrong."""
    frame = _read(paths("accuracy", **names), quantity=ACCURACY, **names)
    wrong = (frame["tested"] * (1 - frame["value"])).round()
    wrong = wrong.where(frame["quantity"] == ACCURACY)
    return frame.assign(wrong=wrong, wrong_rows=frame["wrong"])


def test_shares(paths: Paths, dataset: str) -> dict[float, float]:
    """Test over training rows of the folds of each ratio that classifiers are tested on."""
    folds = [fold for fold in read_plan(Path(paths("folds", dataset=dataset))) if fold.scored]
    ratios = {fold.ratio for fold in folds}
    return {ratio: test_share([f for f in folds if f.ratio == ratio]) for ratio in ratios}


def accuracy_curves(units: pd.DataFrame, shares: Mapping[float, float]) -> list[pd.DataFrame]:
    """The mean over the folds at each size, with the interval for resamples of one data set."""
    return [
        mean_over_folds(rows, shares[key[-1]]).assign(
            **dict(zip(_ACCURACY_CURVE, key, strict=True))
        )
        for key, rows in units.groupby(_ACCURACY_CURVE, sort=False)
    ]


def mean_over_folds(rows: pd.DataFrame, share: float) -> pd.DataFrame:
    """Mean, interval and spread of a score at each size, over the folds that have a value.

    Parameters
    ----------
    rows
        One for each fold and size that the fold has enough features for.
    share
        Test over training rows.
    """
    at, sizes = pd.factorize(rows["size"], sort=True)
    of, folds = pd.factorize(rows["fold"])
    scores = np.full((len(sizes), len(folds)), np.nan)
    scores[at, of] = rows["value"]
    known = ~np.isnan(scores)
    columns = np.full((4, len(sizes)), np.nan)
    # Sizes that miss the same folds are computed together, for speed.
    for pattern in np.unique(known[known.any(axis=1)], axis=0):
        alike = (known == pattern).all(axis=1)
        columns[:, alike] = _mean_and_interval(scores[alike][:, pattern], share)
    frame = pd.DataFrame(dict(zip(("value", "low", "high", "sd"), columns, strict=True)))
    runs = known.sum(axis=1)
    notes = [f"{len(folds) - n} of {len(folds)} folds have no value" for n in runs]
    return frame.assign(size=sizes, runs=runs, note=np.where(runs < len(folds), notes, ""))


def _mean_and_interval(scores: np.ndarray, share: float) -> np.ndarray:
    """Mean, ends of the 95% interval and standard deviation of each row."""
    scores = np.ascontiguousarray(scores)
    mean, half = scores.mean(axis=1), resampled_half_width(scores.T, share)
    several = scores.shape[1] > 1
    sd = scores.std(axis=1, ddof=1) if several else np.full(len(scores), np.nan)
    return np.array([mean, mean - half, mean + half, sd])


# Whole frames


def in_order(
    parts: Iterable[pd.DataFrame], schema: pa.Schema, orders: Mapping[str, Sequence[str]]
) -> pd.DataFrame:
    """The rows of all parts with the columns of a schema, sorted.

    Text is sorted as `orders` has it, or else in the order of its first appearance; where it does
    not apply it is empty.
    """
    filled = [part for part in parts if len(part)] or [pd.DataFrame()]
    frame = pd.concat(filled, ignore_index=True).reindex(columns=schema.names)
    for name, column in frame.items():
        if schema.field(name).type == _TEXT:
            text = column.astype(object).where(column.notna(), "")
            present = list(text.unique())
            categories = [each for each in orders.get(name, present) if each in present]
            frame[name] = pd.Categorical(text, categories)
        elif schema.field(name).type == pa.int32():
            frame[name] = column.astype("Int32")
    return frame.sort_values([*_KEYS], ignore_index=True)


def to_parquet(frame: pd.DataFrame, schema: pa.Schema) -> bytes:
    """A frame as a Parquet file; the same frame and versions of packages give the same bytes."""
    table = pa.Table.from_pandas(frame, schema, preserve_index=False, nthreads=1)
    buffer = io.BytesIO()
    pa.parquet.write_table(table.replace_schema_metadata(None), buffer, compression="snappy")
    return buffer.getvalue()

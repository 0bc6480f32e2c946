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

#: Columns of text files to those of the frames.
_NAMES = {"compare": "comparison", "k": "size", "unit": "fold", SCORING: "quantity"}

#: What a curve is told apart by within the files of a data set and a selector.
_STABILITY_CURVE = ["transform", "quantity", "measure", "comparison", "ratio"]
_ACCURACY_CURVE = ["transform", "quantity", "classifier", "ratio"]


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
        parts = stability_units(paths, dataset, selector)
        units.append(parts)
        curves += [stability_curves(paths, dataset, selector, parts), zero_weight_means(parts)]
    curves += [chance_curves(paths, dataset) for dataset in context["datasets"]]
    scored = dict.fromkeys(dataset for dataset, _ in context["accuracy"])
    shares = {dataset: test_shares(paths, dataset) for dataset in scored}
    for dataset, selector in context["accuracy"]:
        parts = accuracy_units(paths, dataset, selector)
        units.append(parts)
        curves.append(accuracy_curves(parts, shares[dataset]))
    orders = {
        "dataset": context["datasets"],
        "selector": [*context["selectors"], ""],
        "transform": [*context["transforms"], ""],
    }
    return in_order(curves, CURVES, orders), in_order(units, UNITS, orders)


# The files of one data set and selector


def _read(path: Path, manifest: Path | None, **about: str) -> pd.DataFrame:
    """The columns of a text file, by their names in the frames; `about` are columns to add."""
    frame = pd.DataFrame(parse_table(read_verified(path, manifest))).rename(columns=_NAMES)
    numbers = frame.columns.intersection(["ratio", "value", "low", "high", "sd"])
    counts = frame.columns.intersection(["size", "pairs", "tested"])
    types = {**dict.fromkeys(numbers, float), **dict.fromkeys(counts, int)}
    missing = {"transform": "", **about}
    missing = {name: text for name, text in missing.items() if name not in frame}
    return frame.astype(types).assign(**missing)


def stability_units(paths: Paths, dataset: str, selector: str) -> pd.DataFrame:
    """The part of each fold in the mean over all sizes, and its share of zero weights."""
    names = {"dataset": dataset, "selector": selector}
    path, manifest = (Path(paths("stability", end, **names)) for end in ("units.tsv", "sha256"))
    frame = _read(path, manifest, **names, quantity=STABILITY)
    shares = frame["measure"] == ZERO_WEIGHTS
    frame.loc[shares, ["quantity", "measure"]] = NO_WEIGHT, ""
    return frame


def stability_curves(
    paths: Paths, dataset: str, selector: str, units: pd.DataFrame
) -> pd.DataFrame:
    """Stability by size, with the number of folds that have a part in it.

    The number is missing where no fold has one: two runs have a stability but no parts.
    """
    names = {"dataset": dataset, "selector": selector}
    frame = _read(Path(paths("stability", **names)), None, **names, quantity=STABILITY)
    runs = units.groupby(_STABILITY_CURVE)["value"].count().replace(0, np.nan).rename("runs")
    frame = frame.join(runs, on=_STABILITY_CURVE)
    return frame.assign(runs=frame["runs"].where(frame["value"].notna(), 0))


def zero_weight_means(units: pd.DataFrame) -> pd.DataFrame:
    """Mean share of the features without a weight, over the folds."""
    shares = units[units["quantity"] == NO_WEIGHT]
    by = shares.groupby(["dataset", "selector", *_STABILITY_CURVE])["value"]
    return by.agg(value="mean", sd="std", runs="count").reset_index()


def chance_curves(paths: Paths, dataset: str) -> pd.DataFrame:
    """The expected stability of random selection, by size; the note has how it was computed."""
    frame = _read(Path(paths("chance", dataset=dataset)), None, dataset=dataset, quantity=CHANCE)
    return frame.rename(columns={"found": "note"})


def accuracy_units(paths: Paths, dataset: str, selector: str) -> pd.DataFrame:
    """The score of each fold at each size, and how many of the tested rows were wrong."""
    names = {"dataset": dataset, "selector": selector}
    frame = _read(Path(paths("accuracy", **names)), None, **names, quantity=ACCURACY)
    wrong = (frame["tested"] * (1 - frame["value"])).round()
    numbers = {"wrong": wrong.where(frame["quantity"] == ACCURACY), "wrong_rows": frame["wrong"]}
    return frame.assign(**numbers)


def test_shares(paths: Paths, dataset: str) -> dict[float, float]:
    """Test over training rows of the folds of each ratio that classifiers are tested on."""
    folds = [fold for fold in read_plan(Path(paths("folds", dataset=dataset))) if fold.scored]
    ratios = {fold.ratio for fold in folds}
    return {ratio: test_share([f for f in folds if f.ratio == ratio]) for ratio in ratios}


def accuracy_curves(units: pd.DataFrame, shares: Mapping[float, float]) -> pd.DataFrame:
    """The mean over the folds at each size, with the interval for resamples of one data set."""
    curves = []
    for key, rows in units.groupby(_ACCURACY_CURVE, sort=False):
        about = dict(zip(_ACCURACY_CURVE, key, strict=True))
        about |= rows[["dataset", "selector"]].iloc[0].to_dict()
        curves.append(mean_over_folds(rows, shares[about["ratio"]]).assign(**about))
    return pd.concat(curves) if curves else units[:0]


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
    for name in (field.name for field in schema if field.type == _TEXT):
        text = frame[name].fillna("")
        present = list(text.unique())
        categories = [each for each in orders.get(name, present) if each in present]
        frame[name] = pd.Categorical(text, categories)
    for name in (field.name for field in schema if field.type == pa.int32()):
        frame[name] = frame[name].astype("Int32")
    return frame.sort_values([*_KEYS], ignore_index=True)


def to_parquet(frame: pd.DataFrame, schema: pa.Schema) -> bytes:
    """A frame as a Parquet file; the same frame and versions of packages give the same bytes."""
    table = pa.Table.from_pandas(frame, schema, preserve_index=False, nthreads=1)
    buffer = io.BytesIO()
    pa.parquet.write_table(table.replace_schema_metadata(None), buffer, compression="snappy")
    return buffer.getvalue()

"""Curves of stability and accuracy by subset size, read back from the files of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.errors import UserError
from steadfast.files import parse_table, read_verified

#: What is measured to the column that says by which measure or classifier.
KINDS = {"stability": "measure", "accuracy": "classifier"}


@dataclass(frozen=True)
class Curve:
    """Values by size; `sd` is the spread over the folds."""

    sizes: np.ndarray
    values: np.ndarray
    sd: np.ndarray


def read_curve(folder: Path, asked: Mapping[str, Any], selector: str) -> Curve:
    """The curve that a table, panel or claim asks for.

    Parameters
    ----------
    folder
        Results of the study.
    asked
        `of` (stability or accuracy), `dataset`, `ratio`, and `measure` or `classifier`.
    """
    curve = find_curve(folder, asked, selector)
    if curve is None:
        of, dataset = asked["of"], asked["dataset"]
        raise UserError(
            f"{folder / of / dataset / selector}.tsv: holds nothing for {asked[KINDS[of]]} at "
            f"ratio {asked['ratio']}"
        )
    return curve


def find_curve(folder: Path, asked: Mapping[str, Any], selector: str) -> Curve | None:
    """The same, or None where nothing was measured (a data set with too few features)."""
    of = asked["of"]
    path = folder / of / asked["dataset"] / f"{selector}.tsv"
    return _read(path, of).get((asked[KINDS[of]], float(asked["ratio"])))


@cache
def _read(path: Path, of: str) -> dict[tuple[str, float], Curve]:
    table = parse_table(read_verified(path))
    sizes, values = np.array(table["k"], dtype=int), np.array(table["value"], dtype=float)
    spread = np.array(table["sd"], dtype=float) if "sd" in table else None
    keys = list(zip(table[KINDS[of]], table["ratio"], strict=True))
    rows_of: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(keys):
        rows_of.setdefault(key, []).append(row)
    curves = {}
    for (by, ratio), rows in rows_of.items():
        if spread is None:
            curves[by, float(ratio)] = _over_folds(sizes[rows], values[rows])
        else:
            curves[by, float(ratio)] = Curve(sizes[rows], values[rows], spread[rows])
    return curves


def _over_folds(sizes: np.ndarray, values: np.ndarray) -> Curve:
    """Mean and standard deviation over the folds, at sizes that every fold reached."""
    distinct, counts = np.unique(sizes, return_counts=True)
    distinct = distinct[counts == counts.max()]
    matrix = np.array([values[sizes == k] for k in distinct])
    spread = matrix.std(axis=1, ddof=1) if counts.max() > 1 else np.full(len(distinct), np.nan)
    return Curve(distinct, matrix.mean(axis=1), spread)


def common_sizes(curves: list[Curve]) -> list[Curve]:
    """The curves at the sizes that all of them have."""
    shared = curves[0].sizes
    for curve in curves[1:]:
        shared = np.intersect1d(shared, curve.sizes)
    kept = [np.isin(curve.sizes, shared) for curve in curves]
    return [
        Curve(curve.sizes[keep], curve.values[keep], curve.sd[keep])
        for curve, keep in zip(curves, kept, strict=True)
    ]

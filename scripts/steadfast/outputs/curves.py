"""Curves of stability and accuracy by subset size, read back from the files of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.files import parse_table, read_verified

#: What is measured to the columns that say by which measure or classifier.
KINDS = {"stability": ("measure", "compare"), "accuracy": ("classifier",)}


@dataclass(frozen=True)
class Curve:
    """Values by size; `sd` is the spread over the folds, `half` that of the 95% interval."""

    sizes: np.ndarray
    values: np.ndarray
    sd: np.ndarray
    half: np.ndarray | None = None

    def place(self, k: int) -> int | None:
        """Where the curve has a size; None where it has not."""
        found = np.flatnonzero(self.sizes == k)
        return int(found[0]) if found.size else None

    def at(self, k: int) -> float:
        """The value at a size; NaN where the curve has none."""
        place = self.place(k)
        return float("nan") if place is None else float(self.values[place])


def measure_info(context: Mapping[str, Any], asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a context says of the measure that a table, panel or claim asks for."""
    keys = ("measure", "compare")
    return next(
        info for info in context["measures"] if all(info[key] == asked[key] for key in keys)
    )


def direction(context: Mapping[str, Any], asked: Mapping[str, Any]) -> int:
    """1 where large values are better; −1 for a stability measure that is a distance."""
    return -1 if asked["of"] == "stability" and measure_info(context, asked)["distance"] else 1


def read_curve(folder: Path, asked: Mapping[str, Any], selector: str) -> Curve:
    """The curve that a table, panel or claim asks for.

    Parameters
    ----------
    folder
        Results of the study.
    asked
        `of` (stability or accuracy), `dataset`, `ratio`, and `measure` and `compare`, or
        `classifier`.
    """
    curve = find_curve(folder, asked, selector)
    if curve is None:
        of, dataset = asked["of"], asked["dataset"]
        raise UserError(
            f"{folder / of / dataset / selector}.tsv: holds nothing for {asked[KINDS[of][0]]} at "
            f"ratio {asked['ratio']}"
        )
    return curve


def value_of(folder: Path, asked: Mapping[str, Any], selector: str, k: int) -> float:
    """The value of a curve at a size; NaN where it is undefined."""
    curve = find_curve(folder, asked, selector)
    missing = curve is None or curve.place(k) is None
    if missing and asked["of"] == "accuracy":
        raise UserError(
            f"{folder / 'accuracy' / asked['dataset'] / selector}.tsv: {asked['classifier']} is "
            f"not scored at size {k}; add it to the sizes of the classifier"
        )
    return float("nan") if missing else curve.at(k)


def find_curve(folder: Path, asked: Mapping[str, Any], selector: str) -> Curve | None:
    """The same, or None where nothing was measured (a data set with too few features)."""
    of = asked["of"]
    path = folder / of / asked["dataset"] / f"{selector}.tsv"
    by = tuple(asked[key] for key in KINDS[of])
    return _read(path, of).get((by, float(asked["ratio"])))


@cache
def _columns(path: Path, manifest: Path | None = None) -> dict[str, list[str]]:
    """The columns of a file, read once however many curves are asked of it."""
    return parse_table(read_verified(path, manifest))


@cache
def _read(path: Path, of: str) -> dict[tuple[tuple[str, ...], float], Curve]:
    table = _columns(path)
    sizes, values = np.array(table["k"], dtype=int), np.array(table["value"], dtype=float)
    spread = np.array(table["sd"], dtype=float) if "sd" in table else None
    ends = [np.array(table[end], dtype=float) for end in ("low", "high") if end in table]
    half = (ends[1] - ends[0]) / 2 if ends else np.full(values.shape, np.nan)
    keys = list(zip(*(table[key] for key in (*KINDS[of], "ratio")), strict=True))
    rows_of: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(keys):
        # Where a measure is undefined (Kuncheva's index at every feature) there is no curve.
        if of == "accuracy" or not np.isnan(values[row]):
            rows_of.setdefault(key, []).append(row)
    curves = {}
    for (*by, ratio), rows in rows_of.items():
        if spread is None:
            curve = _over_folds(sizes[rows], values[rows])
        else:
            curve = Curve(sizes[rows], values[rows], spread[rows], half[rows])
        curves[tuple(by), float(ratio)] = curve
    return curves


def read_units(folder: Path, asked: Mapping[str, Any], selector: str) -> np.ndarray:
    """Contributions of the folds to the mean over all sizes; their spread gives its error.

    `asked` as for `read_curve`. Two selectors of one study have the same folds in the same order.
    """
    stem = folder / "stability" / asked["dataset"] / selector
    table = _columns(Path(f"{stem}.units.tsv"), Path(f"{stem}.sha256"))
    wanted = (asked["measure"], asked["compare"], float(asked["ratio"]))
    keys = zip(table["measure"], table["compare"], map(float, table["ratio"]), strict=True)
    rows = [row for row, key in enumerate(keys) if key == wanted]
    return np.array([float(table["value"][row]) for row in rows])


def read_outcomes(
    folder: Path, asked: Mapping[str, Any], selector: str, k: int
) -> tuple[set[str], int]:
    """Test rows that a classifier was wrong on, by fold and number, and how many were tested."""
    table = _columns(folder / "accuracy" / asked["dataset"] / f"{selector}.tsv")
    wrong: set[str] = set()
    tested = 0
    for row, key in enumerate(zip(table["classifier"], table["ratio"], table["k"], strict=True)):
        if (key[0], float(key[1]), int(key[2])) == (asked["classifier"], asked["ratio"], k):
            tested += int(table["tested"][row])
            fold = table["fold"][row]
            wrong.update(f"{fold} {number}" for number in table["wrong"][row].split())
    return wrong, tested


def read_chance(folder: Path, asked: Mapping[str, Any]) -> Curve:
    """The expected stability of random selection, by size."""
    table = _columns(folder / "chance" / f"{asked['dataset']}.tsv")
    keys = zip(table["measure"], table["compare"], strict=True)
    wanted = (asked["measure"], asked["compare"])
    values = np.array(table["value"], dtype=float)
    rows = [row for row, key in enumerate(keys) if key == wanted and not np.isnan(values[row])]
    sizes = np.array(table["k"], dtype=int)[rows]
    return Curve(sizes, values[rows], np.full(len(rows), np.nan))


def chance_at(folder: Path, asked: Mapping[str, Any], k: int) -> float:
    """The same at a size; NaN where it is undefined."""
    return read_chance(folder, asked).at(k)


def _over_folds(sizes: np.ndarray, values: np.ndarray) -> Curve:
    """Mean and standard deviation over the folds, at sizes that every fold reached."""
    distinct, counts = np.unique(sizes, return_counts=True)
    distinct = distinct[counts == counts.max()]
    matrix = np.array([values[sizes == k] for k in distinct])
    spread = matrix.std(axis=1, ddof=1) if counts.max() > 1 else np.full(len(distinct), np.nan)
    return Curve(distinct, matrix.mean(axis=1), spread)


def up_to(curve: Curve, largest: int | None) -> Curve:
    """The curve at sizes up to a largest one."""
    if largest is None:
        return curve
    kept = curve.sizes <= largest
    half = None if curve.half is None else curve.half[kept]
    return Curve(curve.sizes[kept], curve.values[kept], curve.sd[kept], half)


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

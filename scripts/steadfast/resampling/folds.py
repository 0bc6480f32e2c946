"""Which rows each fold trains and tests on.

A plan is made once for a study and a data set, from their names and the seed, so that all selectors
see the same folds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.files import arrays_to_bytes, read_arrays, table_to_bytes, write_with_manifest

#: From so many rows on, a plan holds steps between row numbers.
MANY_ROWS = 100_000


@dataclass(frozen=True)
class Fold:
    """One perturbed copy of a data set.

    Attributes
    ----------
    name
        Also the name of the fold's selection file.
    repeat
        Number of the draw it belongs to, from 1.
    ratio
        Share of the training rows that are left.
    train, test
        Row numbers; a bootstrap's training part holds copies.
    reference
        Name of the fold that its selection is compared with; empty where there is none.
    comparison
        Folds of one comparison and ratio are compared with each other; empty where with none.
    scored
        Whether classifiers are trained and tested on it.
    """

    name: str
    repeat: int
    ratio: float
    train: np.ndarray
    test: np.ndarray
    reference: str = ""
    comparison: str = ""
    scored: bool = True


def write_plan(folds: Sequence[Fold], y: np.ndarray, classes: Sequence[str], path: Path) -> None:
    """The plan as `.npz` for programs and `.tsv` (sizes and class counts) for people."""
    arrays = arrays_to_bytes(
        name=np.array([fold.name for fold in folds]),
        repeat=np.array([fold.repeat for fold in folds]),
        ratio=np.array([fold.ratio for fold in folds]),
        reference=np.array([fold.reference for fold in folds]),
        comparison=np.array([fold.comparison for fold in folds]),
        scored=np.array([fold.scored for fold in folds]),
        **_row_arrays("train", [fold.train for fold in folds], len(y)),
        **_row_arrays("test", [fold.test for fold in folds], len(y)),
    )
    header = ["fold", "repeat", "ratio", "reference", "comparison", "scored", "train_rows"]
    header += ["distinct_train_rows", "test_rows", *(f"train_{name}" for name in classes)]
    summary = table_to_bytes(
        header,
        (
            [
                *(fold.name, fold.repeat, fold.ratio, fold.reference, fold.comparison),
                *("yes" if fold.scored else "no", fold.train.size),
                *(_distinct(fold.train), fold.test.size),
                *np.bincount(y[fold.train], minlength=len(classes)),
            ]
            for fold in folds
        ),
    )
    write_with_manifest({path: arrays, path.with_suffix(".tsv"): summary})


def read_plan(path: Path) -> list[Fold]:
    """The folds of a plan that `write_plan` wrote."""
    arrays = read_arrays(path)
    train, test = _rows_of("train", arrays), _rows_of("test", arrays)
    before = (arrays[name].tolist() for name in ("name", "repeat", "ratio"))
    after = (arrays[name].tolist() for name in ("reference", "comparison", "scored"))
    return [Fold(*values) for values in zip(*before, train, test, *after, strict=True)]


def _row_arrays(part: str, rows: Sequence[np.ndarray], n_rows: int) -> dict[str, np.ndarray]:
    """The row numbers of all folds as arrays of a plan; of many rows, the steps between them.

    Steps are small numbers, of which an archive is made several times faster and smaller.
    """
    sizes = {f"{part}_sizes": np.array([one.size for one in rows])}
    if n_rows < MANY_ROWS:
        return {part: np.concatenate(rows), **sizes}
    steps = [np.diff(one, prepend=0).astype(np.int32) for one in rows]
    return {f"{part}_steps": np.concatenate(steps), **sizes}


def _rows_of(part: str, arrays: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The row numbers of each fold, as `_row_arrays` put them."""
    ends = np.cumsum(arrays[f"{part}_sizes"])[:-1]
    if part in arrays:
        return np.split(arrays[part], ends)
    return [one.cumsum(dtype=np.int32) for one in np.split(arrays[f"{part}_steps"], ends)]


def _distinct(rows: np.ndarray) -> int:
    return np.count_nonzero(np.bincount(rows))


def test_share(folds: Sequence[Fold]) -> float:
    """Mean of test rows over distinct training rows, which ties accuracies of folds together."""
    shares = [fold.test.size / max(1, _distinct(fold.train)) for fold in folds]
    return float(np.mean(shares))


def require_classes(y: np.ndarray, where: str) -> None:
    """Refuse training rows of one class, or none: they say nothing about any feature."""
    if np.unique(y).size < 2:
        what = "all training rows are of one class" if len(y) else "there are no training rows"
        raise UserError(f"{where}: {what}; draw more rows, or stratified ones")

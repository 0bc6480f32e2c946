"""Which rows each fold trains and tests on.

A plan is made once for a study and a data set, from their names and the seed, so that all selectors
see the same folds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from steadfast.errors import UserError
from steadfast.files import arrays_to_bytes, read_arrays, table_to_bytes, write_with_manifest
from steadfast.seeds import generator


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
    reference
        Name of the fold that its selection is compared with.
    train, test
        Row numbers; a bootstrap's training part holds copies.
    """

    name: str
    repeat: int
    ratio: float
    reference: str
    train: np.ndarray
    test: np.ndarray


def fold_name(repeat: int, ratio: float) -> str:
    return f"b{repeat:02d}_r{ratio:g}"


def all_ratios(ratios: Sequence[float]) -> list[float]:
    """The ratios in ascending order and the full training set (1), the others' reference."""
    return sorted({float(ratio) for ratio in ratios} | {1.0})


def fold_names(scheme: str, *, repeats: int, ratios: Sequence[float]) -> list[str]:
    """Names of a plan's folds; known before there are any data."""
    return [fold_name(i, r) for i in range(1, repeats + 1) for r in all_ratios(ratios)]


def shrinking_bootstrap(
    n: int, *, repeats: int, ratios: Sequence[float], seed: int, names: Sequence[str]
) -> Iterator[Fold]:
    """Bootstraps of all rows, and ever smaller draws from each of them.

    Each repeat draws n of n rows with replacement (training); rows never drawn are the test part.
    For each ratio r, r·n of the drawn rows are drawn again without replacement. Each draw has a
    generator of its own, so that another ratio or repeat leaves the rest as it is.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), section 5.2.
    """
    for repeat in range(1, repeats + 1):
        drawn = generator(seed, *names, "bootstrap", repeat).integers(n, size=n)
        test = np.setdiff1d(np.arange(n), drawn)
        for ratio in all_ratios(ratios):
            size = int(ratio * n + 0.5)
            if size < 2:
                raise UserError(
                    f"{'/'.join(names)}: resample.ratios: {ratio:g} of {n} rows leaves fewer than "
                    f"two rows; use at least {2 / n:.2g}"
                )
            order = generator(seed, *names, "reduce", repeat, f"{ratio:g}").permutation(n)
            train = drawn if ratio == 1 else drawn[order[:size]]
            yield Fold(
                fold_name(repeat, ratio), repeat, ratio, fold_name(repeat, 1), np.sort(train), test
            )


#: What a study may name under `resample: {scheme: …}`.
SCHEMES = {"shrinking_bootstrap": shrinking_bootstrap}


def write_plan(folds: Sequence[Fold], y: np.ndarray, classes: Sequence[str], path: Path) -> None:
    """The plan as `.npz` for programs and `.tsv` (sizes and class counts) for people."""
    arrays = arrays_to_bytes(
        name=np.array([fold.name for fold in folds]),
        repeat=np.array([fold.repeat for fold in folds]),
        ratio=np.array([fold.ratio for fold in folds]),
        reference=np.array([fold.reference for fold in folds]),
        train=np.concatenate([fold.train for fold in folds]),
        train_sizes=np.array([fold.train.size for fold in folds]),
        test=np.concatenate([fold.test for fold in folds]),
        test_sizes=np.array([fold.test.size for fold in folds]),
    )
    header = ["fold", "repeat", "ratio", "reference", "train_rows", "distinct_train_rows"]
    header += ["test_rows", *(f"train_{name}" for name in classes)]
    summary = table_to_bytes(
        header,
        (
            [
                *(fold.name, fold.repeat, fold.ratio, fold.reference, fold.train.size),
                *(np.unique(fold.train).size, fold.test.size),
                *np.bincount(y[fold.train], minlength=len(classes)),
            ]
            for fold in folds
        ),
    )
    write_with_manifest({path: arrays, path.with_suffix(".tsv"): summary})


def read_plan(path: Path) -> list[Fold]:
    """The folds of a plan that `write_plan` wrote."""
    arrays = read_arrays(path)
    train = np.split(arrays["train"], np.cumsum(arrays["train_sizes"])[:-1])
    test = np.split(arrays["test"], np.cumsum(arrays["test_sizes"])[:-1])
    columns = (arrays[name].tolist() for name in ("name", "repeat", "ratio", "reference"))
    return [Fold(*values) for values in zip(*columns, train, test, strict=True)]


def batches(names: Sequence[str], size: int) -> list[list[str]]:
    """The folds in groups that one job selects for."""
    return [list(names[i : i + size]) for i in range(0, len(names), size)]

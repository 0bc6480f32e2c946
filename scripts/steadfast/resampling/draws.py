"""Draws that several schemes, selectors and wrappers share."""

from collections.abc import Sequence

import numpy as np

from steadfast.core.errors import UserError

#: The only comparison of schemes whose folds are all compared with each other.
ALL = "all"

#: What is said of draws in which classes keep their shares.
EACH_CLASS = ", each class in its share"


def deal(
    y: np.ndarray,
    n_folds: int,
    draw: np.random.Generator,
    classes: Sequence[str],
    small_classes: str,
    names: Sequence[str],
) -> np.ndarray:
    """The fold of each row: rows in random order, class after class, dealt like cards.

    The folds' sizes differ by at most one, and so do the rows of a class in them. A class with
    fewer rows than folds is refused, or, with `spread`, missing in some folds.
    """
    if n_folds > len(y):
        raise UserError(
            f"{'/'.join(names)}: resample: {len(y)} rows cannot be dealt to {n_folds} folds"
        )
    counts = np.bincount(y, minlength=len(classes))
    small = np.flatnonzero((counts > 0) & (counts < n_folds))
    if small.size and small_classes == "refuse":
        raise UserError(
            f"{'/'.join(names)}: resample: class {classes[small[0]]!r} has {counts[small[0]]} "
            f"rows {'in the training part ' if len(names) > 2 else ''}to deal to {n_folds} folds; "
            "use fewer folds, or small_classes: spread"
        )
    order = np.concatenate(
        [draw.permutation(np.flatnonzero(y == label)) for label in np.flatnonzero(counts)]
    )
    folds = np.empty(len(y), dtype=np.int64)
    folds[order] = np.arange(len(y)) % n_folds
    return folds


def draw_pair(
    strata: np.ndarray, draw: np.random.Generator, names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Two disjoint random halves of ⌊n/2⌋ rows, in which rows of a stratum differ by one at most.

    Of an odd number of rows one is in neither, of a stratum that cannot be halved.
    """
    half = deal(strata, 2, draw, range(int(strata.max()) + 1), "spread", names)
    if len(strata) % 2:
        more = np.bincount(strata, weights=1 - 2 * half) > 0
        half[draw.choice(np.flatnonzero((half == 0) & more[strata]))] = -1
    return np.flatnonzero(half == 0), np.flatnonzero(half == 1)


def rows_beside(drawn: np.ndarray, n_rows: int) -> np.ndarray:
    """All of so many rows that are not among those drawn, in order."""
    beside = np.ones(n_rows, dtype=bool)
    beside[drawn] = False
    return np.flatnonzero(beside)


def share_of(count: int, share: float) -> int:
    """A share of so many rows, rounded half up, at least one."""
    return max(1, int(share * count + 0.5))


def draw_share(y: np.ndarray, share: float, draw: np.random.Generator) -> np.ndarray:
    """A share of the rows of every class, rounded half up, at least one of each."""
    labels, counts = np.unique(y, return_counts=True)
    wanted = np.repeat(labels, [share_of(count, share) for count in counts])
    return draw_of_classes(np.arange(len(y)), y, wanted, draw)


def draw_of_classes(
    rows: np.ndarray, y: np.ndarray, wanted: np.ndarray, draw: np.random.Generator
) -> np.ndarray:
    """As many of the rows of each class as `wanted` names it, or all of them if they are fewer."""
    chosen = [np.empty(0, dtype=np.int64)]
    for label, count in zip(*np.unique(wanted, return_counts=True), strict=True):
        chosen.append(draw.permutation(rows[y[rows] == label])[:count])
    return np.sort(np.concatenate(chosen))


def require_both_parts(train: np.ndarray, n_rows: int, share: float, names: Sequence[str]) -> None:
    """Refuse a share that leaves too few rows to train on, or none to test on."""
    if train.size < 2 or train.size == n_rows:
        raise UserError(
            f"{'/'.join(names)}: resample.share: {share:g} of {n_rows} rows leaves fewer than two "
            "rows to train on, or none to test on"
        )

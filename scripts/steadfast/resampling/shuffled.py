"""Values and classes in random order, as they are where nothing is related to anything."""

from collections.abc import Iterator

import numpy as np

#: Classes that are shuffled together: 32 MB of them.
_CELLS = 4_000_000


def shuffle_copies(
    X: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
) -> np.ndarray:
    """Each column in a random order of its own; with groups, each group as another one.

    Rows of one group resemble each other. Copies must do so too, or they would be easier to beat
    than noise: a group gets the values of another, in random order, again from the first where that
    one has fewer rows.
    """
    if groups is None:
        return draw.permuted(X, axis=0)
    codes = np.unique(groups, return_inverse=True)[1]
    sizes = np.bincount(codes)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    place = np.empty(len(X), dtype=np.int64)
    place[np.argsort(codes, kind="stable")] = np.arange(len(X)) - np.repeat(starts, sizes)
    copies = np.empty_like(X)
    for column in range(X.shape[1]):
        other = draw.permutation(sizes.size)[codes]
        ordered = np.lexsort((draw.random(len(X)), codes))
        copies[:, column] = X[ordered[starts[other] + place % sizes[other]], column]
    return copies


def shuffle_classes(
    y: np.ndarray, groups: np.ndarray | None, count: int, draw: np.random.Generator
) -> Iterator[np.ndarray]:
    """So many shuffles of the classes, a row for each, in portions; groups as `shuffle_copies`."""
    portion = max(1, _CELLS // len(y))
    for first in range(0, count, portion):
        number = min(portion, count - first)
        yield shuffle_copies(np.tile(y[:, None], number), groups, draw).T

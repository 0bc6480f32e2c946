"""Stability of one selector on one data set, for every subset size."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from steadfast.measures import load_measure
from steadfast.resample import Fold

HEADER = ("measure", "ratio", "k", "value", "sd", "pairs")


def stability_rows(
    measure: str,
    folds: Sequence[Fold],
    sequences: Mapping[str, np.ndarray],
    bins: np.ndarray,
    sizes: Sequence[int] | None = None,
) -> Iterator[tuple[str, float, int, float, float, int]]:
    """Mean similarity of each fold's sequence to its reference, by ratio and size.

    `sd` is the standard deviation over the pairs (divisor: pairs − 1; NaN for a single pair).
    """
    similarity = load_measure(measure)(bins)
    by_ratio: dict[float, list[np.ndarray]] = {}
    for fold in folds:
        curve = similarity.curve(sequences[fold.reference], sequences[fold.name])
        by_ratio.setdefault(fold.ratio, []).append(curve)
    for ratio, curves in sorted(by_ratio.items()):
        shortest = min(curve.size for curve in curves)
        values = np.array([curve[:shortest] for curve in curves])
        means = values.mean(axis=0)
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.full(shortest, np.nan)
        for k in sizes or range(1, shortest + 1):
            if k <= shortest:
                yield measure, ratio, k, means[k - 1], spread[k - 1], len(values)

"""Variation of the mRMR criterion over bootstraps, along a fixed sequence."""

from collections.abc import Iterator, Sequence

import numpy as np

from steadfast.core.seeds import generator
from steadfast.data.table import Table
from steadfast.selectors.mrmr import MRMR, criterion_along

TERMS = ("relevance", "redundancy", "score")
HEADER = ("step", "feature", *(f"{term}{suffix}" for term in TERMS for suffix in ("", "_sd")))


def criterion_rows(
    fitted: MRMR,
    bins: np.ndarray,
    table: Table,
    bootstraps: int,
    seed: int,
    names: Sequence[str],
) -> Iterator[list[object]]:
    """Mean and standard deviation over bootstraps of V, W and the score, step by step.

    The sequence is that of all rows; only the quantities behind it are computed again. A quotient
    with W = 0, as at the first step of MIQ, is infinite and has no standard deviation.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), section 4.2.
    """
    n = table.y.size
    samples = []
    for number in range(1, bootstraps + 1):
        rows = generator(seed, *names, "criterion", number).integers(n, size=n)
        terms = criterion_along(
            bins[:, rows], table.y[rows], fitted.sequence_, fitted.criterion, fitted.alpha
        )
        samples.append([terms[term] for term in TERMS])
    values = np.array(samples)
    with np.errstate(invalid="ignore"):
        means, spreads = values.mean(axis=0), values.std(axis=0, ddof=1)
    for step, column in enumerate(fitted.sequence_):
        pairs = zip(means[:, step], spreads[:, step], strict=True)
        yield [step + 1, table.features[column], *(value for pair in pairs for value in pair)]

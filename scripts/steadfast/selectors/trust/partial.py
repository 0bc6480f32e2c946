"""Whether a trusted feature tells something beyond the other trusted ones: own or borrowed."""

from collections.abc import Sequence

import numpy as np

from steadfast.selectors.trust import BORROWED, LEVEL, OPEN, OWN
from steadfast.selectors.trust.columns import Columns
from steadfast.selectors.trust.rule import shares_of_noise

#: A feature that the others explain up to less than this has hardly anything of its own to show.
TOLERANCE = 0.1

#: Standard errors by which a feature adds less than it would if nobody shared what it tells.
FALLS_SHORT = 2.5

#: Rows, or groups, for each column of the model.
ROWS_PER_COLUMN = 4


def own_or_borrowed(
    columns: Columns,
    y: np.ndarray,
    trusted: np.ndarray,
    alone: np.ndarray,
    groups: np.ndarray | None = None,
) -> list[str]:
    """For each trusted column `OWN`, `BORROWED` or `OPEN` (the data cannot tell).

    Classes are regressed on ranks and squared ranks (categories: on their bins) of all trusted
    columns. What column j adds to the others has Pillai's V = tr(H (H + E)⁻¹), H the squares that
    it explains beyond them, E those that all leave, and (n − p) V is about χ² where it adds
    nothing; a column with a q-value of at most 5% over the columns has something of its own.
    Borrowed is said of one that has not and falls short of what it would add if it told the same as
    by itself: √χ² by itself, on the share of it that the others do not explain, exceeds √χ² beyond
    the others by 2.5. A column that the others explain nearly whole, or that tells something in
    company alone, is left open, and so are all where rows are few. Of groups of rows, each counts
    as one row, its mean.
    """
    from scipy.special import chdtrc

    blocks, response = _model(columns, np.unique(y, return_inverse=True)[1], trusted, groups)
    sizes = [block.shape[1] for block in blocks]
    n, width = len(response), sum(sizes)
    if n < ROWS_PER_COLUMN * (width + 1):
        # Ranks alone, without squares; one bin would say little of a category, which stays open.
        blocks, alone = [block[:, :1] for block in blocks], alone & ~columns.categories[trusted]
        sizes, width = [1] * len(blocks), len(blocks)
    if n < ROWS_PER_COLUMN * (width + 1) or len(blocks) < 2:
        return [OPEN if len(blocks) > 1 or not alone[j] else OWN for j in range(len(blocks))]
    partial, tolerance = _partial_traces(blocks, response)
    freedom = np.array(sizes) * response.shape[1]
    beyond = (n - width - 1) * partial
    q = shares_of_noise(len(blocks) * chdtrc(freedom, beyond))
    single = n * np.array([_trace(block, response) for block in blocks])
    short = _root(single, freedom) * np.sqrt(tolerance) - _root(beyond, freedom) >= FALLS_SHORT
    borrowed = short & (tolerance >= TOLERANCE)
    return [_label(q[at] <= LEVEL, alone[at], borrowed[at]) for at in range(len(blocks))]


def _root(statistic: np.ndarray, freedom: np.ndarray) -> np.ndarray:
    """√ of what a χ² exceeds its mean under chance by, one degree of freedom kept."""
    return np.sqrt(np.maximum(statistic - freedom + 1, 0.0))


def _label(adds: bool, alone: bool, falls_short: bool) -> str:
    if adds and alone:
        return OWN
    return BORROWED if alone and falls_short else OPEN


def _model(
    columns: Columns, y: np.ndarray, trusted: np.ndarray, groups: np.ndarray | None
) -> tuple[list[np.ndarray], np.ndarray]:
    """The columns that stand for each trusted one, and those that stand for the classes."""
    classes = (y[:, None] == np.arange(1, int(y.max()) + 1)).astype(np.float64)
    blocks = []
    for column in trusted:
        if columns.categories[column]:
            bins = columns.bins[:, column]
            block = (bins[:, None] == np.arange(1, int(bins.max()) + 1)).astype(np.float64)
        else:
            place = 2 * columns.places[:, column] - 1
            block = np.column_stack([place, place**2])
        blocks.append(block)
    if groups is not None:
        codes = np.unique(groups, return_inverse=True)[1]
        counts = np.bincount(codes)[:, None]
        means = [_group_sums(part, codes) / counts for part in (*blocks, classes)]
        blocks, classes = means[:-1], means[-1]
    return [_around_zero(block) for block in blocks], classes - classes.mean(axis=0)


def _group_sums(values: np.ndarray, codes: np.ndarray) -> np.ndarray:
    sums = np.zeros((int(codes.max()) + 1, values.shape[1]))
    np.add.at(sums, codes, values)
    return sums


def _around_zero(block: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and length 1; the one that a constant leaves stays 0."""
    block = block - block.mean(axis=0)
    length = np.sqrt((block**2).sum(axis=0))
    return np.divide(block, length, out=np.zeros_like(block), where=length > 1e-12)


def _partial_traces(
    blocks: Sequence[np.ndarray], response: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pillai's V of each block given all others, and the share of it that they do not explain.

    With S = A'A + a little, B = S⁻¹A'Y and D the block of S⁻¹, a block adds H = B_j' D⁻¹ B_j.
    """
    design = np.hstack(blocks)
    squares = design.T @ design + 1e-8 * np.eye(design.shape[1])
    inverse = np.linalg.inv(squares)
    slopes = inverse @ (design.T @ response)
    left = response - design @ slopes
    error = left.T @ left
    ends = np.cumsum([block.shape[1] for block in blocks])
    traces, tolerance = [], []
    for block, end in zip(blocks, ends, strict=True):
        own = slice(end - block.shape[1], end)
        beyond = np.linalg.inv(inverse[own, own])
        added = slopes[own].T @ beyond @ slopes[own]
        traces.append(np.trace(np.linalg.pinv(added + error) @ added))
        tolerance.append(np.trace(beyond) / block.shape[1])
    return np.array(traces), np.array(tolerance)


def _trace(block: np.ndarray, response: np.ndarray) -> float:
    """Pillai's V of a block by itself."""
    slopes = np.linalg.pinv(block) @ response
    explained = block @ slopes
    total = response.T @ response
    return float(np.trace(np.linalg.pinv(total) @ (explained.T @ explained)))

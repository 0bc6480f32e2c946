"""Entropy, mutual information and symmetrical uncertainty from counts, in bits.

Data are bins: unsigned bytes, one row per feature, so that a feature's values lie side by side.
With t(c) = c·log2(c) taken from a table and n rows, every quantity is a sum over counts:

    n·H(x)   = t(n) − Σ t(c_x)
    n·I(x;y) = t(n) − Σ t(c_x) − Σ t(c_y) + Σ t(c_xy)
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba.core.codegen import ll as llvm

from steadfast.core.compiled import njit
from steadfast.statistics.bit_planes import Planes, bit_planes, joint_sums, lanes_for, no_planes

#: Information below this is rounding: the smallest that n rows can show is of the order 1/n².
ZERO = 1e-12

#: With at most so many rows, or so many cells, bit planes are the faster way to count. By what the
#: processor has: a population count of vectors, other instructions on long vectors, neither.
LIMITS = {"avx512vpopcntdq": (650, 500), "avx2": (200, 140), "": (90, 45)}

#: More planes of a feature would take more memory than its values as 32-bit numbers.
MOST_PLANES = 32


def count_table(n: int) -> np.ndarray:
    """t(c) = c·log2(c) for c = 0..n, with t(0) = 0."""
    counts = np.arange(n + 1, dtype=np.float64)
    counts[1:] *= np.log2(counts[1:])
    return counts


@njit()
def marginal_sums(bins: np.ndarray, n_bins: int, table: np.ndarray) -> np.ndarray:
    """Σ t(c_x) for each feature."""
    sums = np.zeros(bins.shape[0])
    counts = np.zeros(n_bins, np.int64)
    for feature in range(bins.shape[0]):
        counts[:] = 0
        for value in bins[feature]:
            counts[value] += 1
        for count in counts:
            sums[feature] += table[count]
    return sums


@njit()
def joint_sum(values, offsets, n_cells, counts, table):
    """Σ t(c_xy), where `offsets` holds y·n_bins and `counts` is room for 4·n_cells counts.

    Four interleaved tables: neighbouring rows often fall into one cell, and an addition to the cell
    that was just written would have to wait for it.
    """
    counts[: 4 * n_cells] = 0
    n = values.size
    whole = n - n % 4
    for i in range(0, whole, 4):
        counts[(np.uint64(offsets[i]) + values[i]) * 4] += 1
        counts[(np.uint64(offsets[i + 1]) + values[i + 1]) * 4 + 1] += 1
        counts[(np.uint64(offsets[i + 2]) + values[i + 2]) * 4 + 2] += 1
        counts[(np.uint64(offsets[i + 3]) + values[i + 3]) * 4 + 3] += 1
    for i in range(whole, n):
        counts[(np.uint64(offsets[i]) + values[i]) * 4] += 1
    total = 0.0
    for cell in range(n_cells):
        c = 4 * cell
        total += table[counts[c] + counts[c + 1] + counts[c + 2] + counts[c + 3]]
    return total


class Room(NamedTuple):
    """Where counts are made: cells of four pairs by planes; cells and offsets of one by rows."""

    planes: np.ndarray
    rows: np.ndarray
    offsets: np.ndarray


class Counted(NamedTuple):
    """Features made ready to be counted against each other, by `prepare`.

    Attributes
    ----------
    bins, n_bins
        One row per feature, and the number of bins of the feature that has most.
    sums
        Σ t(c_x) for each feature.
    table
        t, see `count_table`.
    planes
        Bit planes of the features; of none where rows are counted one by one.
    room
        For the counts.
    """

    bins: np.ndarray
    n_bins: int
    sums: np.ndarray
    table: np.ndarray
    planes: Planes
    room: Room


@cache
def _limits() -> tuple[int, int]:
    """Numbers of rows and cells for `planes_pay`, by what this processor has."""
    features = llvm.get_host_cpu_features()
    for name, limits in LIMITS.items():
        if features.get(name):
            return limits
    return LIMITS[""]


def planes_pay(n: int, n_bins: int, n_values: int) -> bool:
    """Whether bit planes are the faster way to count, as measured; see docs/speed.md.

    By planes a pair costs a pass over n / 64 words for every cell, by rows an addition for every
    row and, at the end, four for every cell.
    """
    rows, cells = _limits()
    few = n_bins * n_values * (n - rows) <= cells * n
    return few and max(n_bins, n_values) <= MOST_PLANES


def make_room(n: int, n_bins: int, n_values: int, by_planes: bool) -> Room:
    """Room for counts of features of n_bins bins against something of n_values values."""
    cells = lanes_for(n_bins) * lanes_for(n_values) if by_planes else 0
    counts, offsets = (0, 0) if by_planes else (4 * n_bins * n_values, n)
    return Room(
        np.zeros((4, cells), np.uint64), np.zeros(counts, np.uint32), np.zeros(offsets, np.uint32)
    )


def prepare(bins: np.ndarray) -> Counted:
    """Make features ready for `information_with` and `information_of`."""
    n, n_bins = bins.shape[1], int(bins.max()) + 1
    table = count_table(n)
    by_planes = planes_pay(n, n_bins, n_bins)
    planes = bit_planes(bins, n_bins) if by_planes else no_planes()
    sums = sums_of_counts(planes.counts, table) if by_planes else marginal_sums(bins, n_bins, table)
    return Counted(bins, n_bins, sums, table, planes, make_room(n, n_bins, n_bins, by_planes))


@njit()
def sums_of_counts(counts: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Σ t(c) for each row of counts."""
    sums = np.zeros(counts.shape[0])
    for row in range(counts.shape[0]):
        for count in counts[row]:
            sums[row] += table[count]
    return sums


@njit()
def joint_sums_by_rows(
    bins, firsts, n_bins, values, seconds, n_values, start, stop, table, room, out
):
    """As `bit_planes.joint_sums`, of bins and values, one row after the other."""
    for pair in range(start, stop):
        if pair == start or seconds[pair] != seconds[pair - 1]:
            other = values[seconds[pair]]
            for row in range(other.size):
                room.offsets[row] = np.uint32(other[row]) * np.uint32(n_bins)
        cells = n_bins * n_values
        out[pair] = joint_sum(bins[firsts[pair]], room.offsets, cells, room.rows, table)


@njit(inline="always")
def information_of(counted, firsts, seconds, start, stop, out):
    """I(f; s) in bits of f = firsts[i] and s = seconds[i] for start <= i < stop, into out[i]."""
    bins, n_bins, sums, table = counted.bins, counted.n_bins, counted.sums, counted.table
    planes, room = counted.planes, counted.room
    if planes.used.size:
        joint_sums(planes, firsts, planes, seconds, start, stop, table, room.planes, out)
    else:
        joint_sums_by_rows(
            bins, firsts, n_bins, bins, seconds, n_bins, start, stop, table, room, out
        )
    for pair in range(start, stop):
        own, other = sums[firsts[pair]], sums[seconds[pair]]
        out[pair] = information_from(own, other, out[pair], table)


@njit(inline="always")
def information_from(own, other, joint, table):
    """I in bits from the three sums; n is the last count of the table."""
    n = table.size - 1
    information = (table[n] - own - other + joint) / n
    return information if information > ZERO else 0.0


@njit(inline="always")
def information_with(counted, which, last, out):
    """I(f; last) in bits for the features f in `which`, into out[f]."""
    information = np.empty(which.size)
    start = np.int64(0)  # a plain 0 would be a type of its own, and compiled for
    information_of(counted, which, np.full(which.size, last), start, which.size, information)
    for pair in range(which.size):
        out[which[pair]] = information[pair]


def relevance(bins: np.ndarray, y: np.ndarray) -> np.ndarray:
    """I(feature; class) in bits for each row of `bins`."""
    return relevance_of(prepare(bins), y)


def relevance_of(counted: Counted, y: np.ndarray) -> np.ndarray:
    """I(feature; class) in bits for each feature."""
    n_bins, n_classes, table = counted.n_bins, int(y.max()) + 1, counted.table
    labels = y.astype(np.uint16)[None, :]
    label_sum = marginal_sums(labels, n_classes, table)[0]
    m, n = counted.bins.shape
    every, none, joint = np.arange(m), np.zeros(m, np.int64), np.empty(m)
    by_planes = counted.planes.used.size > 0 and planes_pay(n, n_bins, n_classes)
    room = make_room(n, n_bins, n_classes, by_planes)
    if by_planes:
        classes = bit_planes(labels.astype(np.uint8), n_classes)
        joint_sums(counted.planes, every, classes, none, 0, m, table, room.planes, joint)
    else:
        joint_sums_by_rows(
            counted.bins, every, n_bins, labels, none, n_classes, 0, m, table, room, joint
        )
    information = (table[-1] - counted.sums - label_sum + joint) / y.size
    return np.where(information > ZERO, information, 0.0)


@njit()
def _uncertainty(counted):
    m, n = counted.bins.shape
    sums, table = counted.sums, counted.table
    result = np.zeros((m, m))
    information = np.zeros(m)
    for i in range(m):
        information_with(counted, np.arange(i, m), i, information)
        for j in range(i, m):
            entropies = (2.0 * table[n] - sums[i] - sums[j]) / n
            if entropies > ZERO:
                result[i, j] = result[j, i] = min(1.0, 2.0 * information[j] / entropies)
    return result


def symmetrical_uncertainty(bins: np.ndarray) -> np.ndarray:
    """SU(i,j) = 2·I(i;j) / (H(i) + H(j)) for every pair of features (rows of `bins`).

    A constant feature has SU 0 with everything, itself included: it carries no information that
    two selections could share. Every other feature has SU 1 with itself.

    References
    ----------
    Press et al., Numerical Recipes (1988); as a feature similarity: Gulgezen, Cataltepe, Yu,
    Stable and Accurate Feature Selection (2009), equation (8).
    """
    result = _uncertainty(prepare(bins))
    diagonal = np.einsum("ii->i", result)
    diagonal[diagonal > 0] = 1.0
    return result

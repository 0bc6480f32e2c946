"""Entropy, mutual information and symmetrical uncertainty from counts, in bits.

Data are bins: unsigned bytes, one row per feature, so that a feature's values lie side by side.
With t(c) = c·log2(c) taken from a table and n rows, every quantity is a sum over counts:

    n·H(x)   = t(n) − Σ t(c_x)
    n·I(x;y) = t(n) − Σ t(c_x) − Σ t(c_y) + Σ t(c_xy)
"""

import numpy as np

from steadfast.core.compiled import njit

#: Information below this is rounding: the smallest that n rows can show is of the order 1/n².
ZERO = 1e-12


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


@njit()
def information_with(bins, which, values, n_bins, n_values, sums, value_sum, table, out):
    """I(feature; values) in bits for the features `which`, written into `out`."""
    n = values.size
    counts = np.zeros(4 * n_bins * n_values, np.uint32)
    offsets = values.astype(np.uint32) * np.uint32(n_bins)
    for feature in which:
        joint = joint_sum(bins[feature], offsets, n_bins * n_values, counts, table)
        information = (table[n] - sums[feature] - value_sum + joint) / n
        out[feature] = information if information > ZERO else 0.0


def relevance(bins: np.ndarray, y: np.ndarray) -> np.ndarray:
    """I(feature; class) in bits for each row of `bins`."""
    table = count_table(y.size)
    n_bins, n_classes = int(bins.max()) + 1, int(y.max()) + 1
    labels = y.astype(np.uint16)
    sums = marginal_sums(bins, n_bins, table)
    label_sum = marginal_sums(labels[None, :], n_classes, table)[0]
    out = np.empty(bins.shape[0])
    every = np.arange(bins.shape[0])
    information_with(bins, every, labels, n_bins, n_classes, sums, label_sum, table, out)
    return out


@njit()
def _uncertainty(bins, n_bins, sums, table):
    m, n = bins.shape
    result = np.zeros((m, m))
    information = np.zeros(m)
    for i in range(m):
        information_with(
            bins, np.arange(i, m), bins[i], n_bins, n_bins, sums, sums[i], table, information
        )
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
    table = count_table(bins.shape[1])
    n_bins = int(bins.max()) + 1
    result = _uncertainty(bins, n_bins, marginal_sums(bins, n_bins, table), table)
    diagonal = np.einsum("ii->i", result)
    diagonal[diagonal > 0] = 1.0
    return result

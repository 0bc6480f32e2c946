"""mRMR, mRSmR and symmetrical uncertainty as they were computed in version 1.0.0.

Every feature left is counted against the last selected one at every step, row by row. What is
computed now has to give the same bytes; `make bench` measures how much faster it is.
"""

import numba
import numpy as np

TOLERANCE, ZERO = 1e-10, 1e-12
CRITERIA = {"mid": 0, "miq": 1, "mid_alpha": 2}


def mrmr_sequence(bins, y, criterion, alpha, n_steps):
    """The sequence and its explanation; `bins` has one row per feature."""
    n_bins, table = int(bins.max()) + 1, count_table(y.size)
    sums, relevances = marginal_sums(bins, n_bins, table), relevance(bins, y)
    sequence, redundancies, scores = _forward(
        bins, n_bins, sums, table, relevances, CRITERIA[criterion], alpha, n_steps
    )
    steps = {"relevance": relevances[sequence], "redundancy": redundancies, "score": scores}
    return sequence, steps


def stable_sequence(bins, y, earlier, kappa, n_steps):
    """One iteration of mRSmR: the sequence and its terms."""
    n_bins, table = int(bins.max()) + 1, count_table(y.size)
    sums, relevances = marginal_sums(bins, n_bins, table), relevance(bins, y)
    sequence, redundancies, stabilities, scores = _stable_forward(
        bins, n_bins, sums, table, relevances, earlier, kappa, n_steps
    )
    steps = {"relevance": relevances[sequence], "redundancy": redundancies}
    return sequence, steps | {"stability": stabilities, "score": scores}


def symmetrical_uncertainty(bins):
    """SU of every pair of features."""
    n_bins, table = int(bins.max()) + 1, count_table(bins.shape[1])
    result = _uncertainty(bins, n_bins, marginal_sums(bins, n_bins, table), table)
    diagonal = np.einsum("ii->i", result)
    diagonal[diagonal > 0] = 1.0
    return result


def relevance(bins, y):
    """I(feature; class) in bits for each row of `bins`."""
    n_bins, n_classes, table = int(bins.max()) + 1, int(y.max()) + 1, count_table(y.size)
    labels = y.astype(np.uint16)
    sums = marginal_sums(bins, n_bins, table)
    label_sum = marginal_sums(labels[None, :], n_classes, table)[0]
    out, every = np.empty(len(bins)), np.arange(len(bins))
    information_with(bins, every, labels, n_bins, n_classes, sums, label_sum, table, out)
    return out


def count_table(n):
    """c·log2(c) for c = 0..n."""
    counts = np.arange(n + 1, dtype=np.float64)
    counts[1:] *= np.log2(counts[1:])
    return counts


@numba.njit
def marginal_sums(bins, n_bins, table):
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


@numba.njit
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


@numba.njit
def information_with(bins, which, values, n_bins, n_values, sums, value_sum, table, out):
    """I(feature; values) in bits for the features `which`, written into `out`."""
    n = values.size
    counts = np.zeros(4 * n_bins * n_values, np.uint32)
    offsets = values.astype(np.uint32) * np.uint32(n_bins)
    for feature in which:
        joint = joint_sum(bins[feature], offsets, n_bins * n_values, counts, table)
        information = (table[n] - sums[feature] - value_sum + joint) / n
        out[feature] = information if information > ZERO else 0.0


@numba.njit
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


@numba.njit
def _forward(bins, n_bins, sums, table, relevances, criterion, alpha, n_steps):
    m = bins.shape[0]
    left = np.arange(m)
    redundancy_sum = np.zeros(m)
    information = np.zeros(m)
    sequence = np.empty(n_steps, np.int64)
    redundancies, scores = np.zeros(n_steps), np.empty(n_steps)
    for step in range(n_steps):
        if step == 0:
            best = first_of_largest(left, relevances)
            scores[0] = combine(criterion, alpha, relevances[best], 0.0)
        else:
            last = sequence[step - 1]
            information_with(
                bins, left, bins[last], n_bins, n_bins, sums, sums[last], table, information
            )
            for feature in left:
                redundancy_sum[feature] += information[feature]
            best = _best(left, relevances, redundancy_sum / step, criterion, alpha)
            redundancies[step] = redundancy_sum[best] / step
            scores[step] = combine(criterion, alpha, relevances[best], redundancies[step])
        sequence[step] = best
        left = left[left != best]
    return sequence, redundancies, scores


@numba.njit
def combine(criterion, alpha, relevance, redundancy):
    """The criterion's value for one feature."""
    if criterion == 1:
        return relevance / redundancy if redundancy > ZERO else np.inf
    if criterion == 0:
        return relevance - redundancy
    return alpha * relevance - (1.0 - alpha) * redundancy


@numba.njit
def _best(left, relevances, redundancies, criterion, alpha):
    scores = np.empty(relevances.size)
    infinite = False
    for feature in left:
        scores[feature] = combine(criterion, alpha, relevances[feature], redundancies[feature])
        infinite |= scores[feature] == np.inf
    if infinite:
        return first_of_largest(left[scores[left] == np.inf], relevances)
    return first_of_largest(left, scores)


@numba.njit
def first_of_largest(candidates, scores):
    """The lowest of the columns whose score is within the tolerance of the best."""
    best = -np.inf
    for candidate in candidates:
        best = max(best, scores[candidate])
    limit = best - TOLERANCE * max(1.0, abs(best))
    for candidate in candidates:
        if scores[candidate] >= limit:
            return candidate
    return -1


@numba.njit
def _stable_forward(bins, n_bins, sums, table, relevances, earlier, kappa, n_steps):
    m = bins.shape[0]
    left = np.arange(m)
    redundancy_sum, information = np.zeros(m), np.zeros(m)
    sequence = np.empty(n_steps, np.int64)
    redundancies, stabilities, scores = np.zeros(n_steps), np.zeros(n_steps), np.empty(n_steps)
    chosen = np.zeros(m, np.bool_)
    listed = np.zeros((len(earlier), m), np.bool_)
    shared = np.zeros(len(earlier), np.int64)
    stability, value = np.zeros(m), np.empty(m)
    for step in range(n_steps):
        if step:
            last = sequence[step - 1]
            information_with(
                bins, left, bins[last], n_bins, n_bins, sums, sums[last], table, information
            )
            for feature in left:
                redundancy_sum[feature] += information[feature]
        _stability_with(earlier, step, chosen, listed, shared, stability)
        for feature in left:
            redundancy = redundancy_sum[feature] / step if step else 0.0
            value[feature] = relevances[feature] - redundancy + kappa * stability[feature]
        best = first_of_largest(left, value)
        redundancies[step] = redundancy_sum[best] / step if step else 0.0
        stabilities[step], scores[step] = stability[best], value[best]
        sequence[step] = best
        chosen[best] = True
        for run in range(len(earlier)):
            shared[run] += listed[run, best]
        left = left[left != best]
    return sequence, redundancies, stabilities, scores


@numba.njit
def _stability_with(earlier, step, chosen, listed, shared, stability):
    """S of every feature: mean Tanimoto coefficient of the selected ones and it with each prefix.

    A prefix grows by one feature; those in it differ from those outside by one amount per run,
    so that a step costs the length of the prefixes, not a comparison of sets for every feature.
    """
    stability[:] = 0.0
    n_runs, size = len(earlier), step + 1
    for run in range(n_runs):
        new = earlier[run, step]
        listed[run, new] = True
        shared[run] += chosen[new]
        outside = shared[run] / (2 * size - shared[run])
        inside = (shared[run] + 1) / (2 * size - shared[run] - 1)
        stability += outside / n_runs
        for feature in earlier[run, :size]:
            stability[feature] += (inside - outside) / n_runs

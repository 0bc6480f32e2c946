"""The dual of a support vector machine, solved step by step as libsvm does."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.core.compiled.vectors import LANES
from steadfast.wrappers.kernels.kernel_rows import kernel_row
from steadfast.wrappers.kernels.solver_passes import TAU, find_best_gain, move

#: libsvm's: the most steps.
_MOST_STEPS = 10_000_000


@njit()
def solve(kernel, rows, n_first, cost, tolerance, room):
    """Weights α_i·y_i of the rows and the offset of the decision function.

    Parameters
    ----------
    kernel
        Where kernel values come from: see `kernel_rows`.
    rows
        Row numbers, those of the first class before those of the second.
    n_first
        Rows of the first class, whose y is 1; it is −1 in the second.
    cost, tolerance
        C, and how far the optimality conditions may be violated.
    room
        At least as many rows, and places as `vectors.padded` says, for kernel values.
    """
    n = rows.size
    width = -(-n // LANES) * LANES
    side, alpha, known = np.ones(n), np.zeros(n), np.zeros(n, np.bool_)
    side[n_first:] = -1.0
    # −y·gradient; 0 where a row may move up or down, and what keeps it out where it may not.
    slope, up, down = np.zeros(width), np.full(width, -np.inf), np.full(width, np.inf)
    slope[:n] = side
    up[:n_first], down[n_first:n] = 0.0, 0.0
    nothing = np.zeros(width)
    highest, i, lowest = move(slope, up, down, nothing, nothing, 0.0, 0.0)
    for _ in range(_MOST_STEPS):
        if highest == -np.inf or highest - lowest < tolerance:
            break
        own = _known_row(kernel, rows, i, known, room, width)
        gain, j = find_best_gain(slope, down, own, highest)
        if gain < 0:
            break
        other = _known_row(kernel, rows, j, known, room, width)
        first, second = alpha[i], alpha[j]
        _step(alpha, side, slope, cost, i, j, own[j])
        for t in (i, j):
            above, below = alpha[t] > 0, alpha[t] < cost
            up[t] = 0.0 if (below if side[t] > 0 else above) else -np.inf
            down[t] = 0.0 if (above if side[t] > 0 else below) else np.inf
        first, second = (alpha[i] - first) * side[i], (alpha[j] - second) * side[j]
        highest, i, lowest = move(slope, up, down, own, other, first, second)
    return alpha * side, _offset(alpha, slope, side, cost)


@njit()
def _known_row(kernel, rows, i, known, room, width):
    """Kernel values of a row with all rows, computed when first needed."""
    own = room[i, :width]
    if not known[i]:
        kernel_row(kernel, rows[i], rows, own)
        own[rows.size :] = 0.0
        known[i] = True
    return own


@njit()
def _step(alpha, side, slope, cost, i, j, similarity):
    """The best move of two rows along their constraint, inside the box."""
    curvature = 2.0 - 2.0 * similarity
    if curvature <= 0:
        curvature = TAU
    if side[i] != side[j]:
        change = (side[i] * slope[i] + side[j] * slope[j]) / curvature
        difference = alpha[i] - alpha[j]
        alpha[i] += change
        alpha[j] += change
        if difference > 0 and alpha[j] < 0:
            alpha[i], alpha[j] = difference, 0.0
        elif difference <= 0 and alpha[i] < 0:
            alpha[i], alpha[j] = 0.0, -difference
        if difference > 0 and alpha[i] > cost:
            alpha[i], alpha[j] = cost, cost - difference
        elif difference <= 0 and alpha[j] > cost:
            alpha[i], alpha[j] = cost + difference, cost
    else:
        change = (side[j] * slope[j] - side[i] * slope[i]) / curvature
        total = alpha[i] + alpha[j]
        alpha[i] -= change
        alpha[j] += change
        if total > cost and alpha[i] > cost:
            alpha[i], alpha[j] = cost, total - cost
        elif total <= cost and alpha[j] < 0:
            alpha[i], alpha[j] = total, 0.0
        if total > cost and alpha[j] > cost:
            alpha[i], alpha[j] = total - cost, cost
        elif total <= cost and alpha[i] < 0:
            alpha[i], alpha[j] = 0.0, total


@njit()
def _offset(alpha, slope, side, cost):
    """The mean over free rows, or the middle of what bounded ones allow."""
    upper, lower, total, free = np.inf, -np.inf, 0.0, 0
    for t in range(alpha.size):
        own = -slope[t]
        if alpha[t] >= cost:
            if side[t] < 0:
                upper = min(upper, own)
            else:
                lower = max(lower, own)
        elif alpha[t] <= 0:
            if side[t] > 0:
                upper = min(upper, own)
            else:
                lower = max(lower, own)
        else:
            free += 1
            total += own
    return total / free if free else (upper + lower) / 2

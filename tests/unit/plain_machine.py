"""The solver of support vector machines as libsvm has it, row by row and without numba."""

import numpy as np

_TAU = 1e-12


def plain_solve(kernel, n_first, cost, tolerance):
    """Weights α_i·y_i and the offset, from a matrix of kernel values; as in version 1.0.0."""
    n = len(kernel)
    side = [1.0 if t < n_first else -1.0 for t in range(n)]
    alpha, gradient = [0.0] * n, [-1.0] * n
    while True:
        i, highest = _worst_row(alpha, gradient, side, cost)
        if i < 0:
            break
        j, lowest = _partner(alpha, gradient, side, cost, kernel[i], highest)
        if j < 0 or highest + lowest < tolerance:
            break
        before = alpha[i], alpha[j]
        _step(alpha, gradient, side, cost, i, j, kernel[i][j])
        first, second = (alpha[i] - before[0]) * side[i], (alpha[j] - before[1]) * side[j]
        for t in range(n):
            gradient[t] += side[t] * (kernel[i][t] * first + kernel[j][t] * second)
    return [a * s for a, s in zip(alpha, side)], _offset(alpha, gradient, side, cost)


def _worst_row(alpha, gradient, side, cost):
    chosen, highest = -1, -np.inf
    for t, a in enumerate(alpha):
        up = a < cost if side[t] > 0 else a > 0
        if up and -side[t] * gradient[t] >= highest:
            highest, chosen = -side[t] * gradient[t], t
    return chosen, highest


def _partner(alpha, gradient, side, cost, own, highest):
    chosen, lowest, least = -1, -np.inf, np.inf
    for t, a in enumerate(alpha):
        down = a > 0 if side[t] > 0 else a < cost
        if not down:
            continue
        slope = side[t] * gradient[t]
        lowest = max(lowest, slope)
        difference = highest + slope
        if difference > 0:
            curvature = 2.0 - 2.0 * own[t]
            gain = -difference * difference / (curvature if curvature > 0 else _TAU)
            if gain <= least:
                least, chosen = gain, t
    return chosen, lowest


def _step(alpha, gradient, side, cost, i, j, similarity):
    curvature = 2.0 - 2.0 * similarity
    if curvature <= 0:
        curvature = _TAU
    if side[i] != side[j]:
        change, difference = (-gradient[i] - gradient[j]) / curvature, alpha[i] - alpha[j]
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
        return
    change, total = (gradient[i] - gradient[j]) / curvature, alpha[i] + alpha[j]
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


def _offset(alpha, gradient, side, cost):
    upper, lower, free = np.inf, -np.inf, []
    for t, a in enumerate(alpha):
        slope = side[t] * gradient[t]
        if 0 < a < cost:
            free.append(slope)
        elif (a >= cost) == (side[t] < 0):
            upper = min(upper, slope)
        else:
            lower = max(lower, slope)
    return sum(free) / len(free) if free else (upper + lower) / 2

"""Maximum-weight matching of two feature sequences, for every prefix length at once."""

import numpy as np

from steadfast.core.compiled import njit


def prefix_matching(weights: np.ndarray) -> np.ndarray:
    """The weight of the best one-to-one matching of the first k rows and columns, for every k.

    Parameters
    ----------
    weights
        Square matrix: weights[i, j] is the similarity of the i-th feature of one sequence and the
        j-th of the other.

    Returns
    -------
    totals
        totals[k−1] is the weight of a maximum-weight perfect matching of weights[:k, :k].

    Notes
    -----
    The Hungarian method with dual prices, in the form of shortest augmenting paths (Jonker and
    Volgenant 1987). The k-th step keeps the solution and the prices of the step before, adds one
    row and one column at prices that keep every reduced cost non-negative, and repairs optimality
    by one augmenting path: O(k²) per step instead of O(k³).
    """
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
        raise ValueError(f"weights must be a square matrix, got shape {weights.shape}")
    return matching_totals(np.ascontiguousarray(weights, dtype=np.float64))


@njit()
def matching_totals(weights):
    """`prefix_matching` for kernels: a contiguous square matrix of doubles."""
    m = weights.shape[0]
    row_price, column_price = np.zeros(m), np.zeros(m)
    row_of, column_of = np.full(m, -1), np.full(m, -1)
    distance = np.empty(m)
    parent, order = np.empty(m, np.int64), np.empty(m, np.int64)
    totals = np.empty(m)
    for new in range(m):
        _add_prices(weights, row_price, column_price, new)
        n_waiting = _search(weights, row_price, column_price, row_of, distance, parent, order, new)
        reached = distance[new]
        row_price[new] += reached
        for at in range(n_waiting + 1, new + 1):
            column = order[at]
            gain = reached - distance[column]
            column_price[column] -= gain
            row_price[row_of[column]] += gain
        _augment(row_of, column_of, parent, new)
        total = 0.0
        for column in range(new + 1):
            total += weights[row_of[column], column]
        totals[new] = total
    return totals


@njit()
def _add_prices(weights, row_price, column_price, new):
    """Price the new column, then the new row, so that cost − row − column ≥ 0 everywhere."""
    lowest = 0.0 if new == 0 else np.inf
    for row in range(new):
        lowest = min(lowest, -weights[row, new] - row_price[row])
    column_price[new] = lowest
    lowest = np.inf
    for column in range(new + 1):
        lowest = min(lowest, -weights[new, column] - column_price[column])
    row_price[new] = lowest


@njit()
def _search(weights, row_price, column_price, row_of, distance, parent, order, new):
    """Dijkstra's search from the new row to the new column, the only one that is free.

    Afterwards `order` holds first the columns not reached, whose number is returned, then the new
    column, then those that the search went through.
    """
    n_waiting = new + 1
    for column in range(n_waiting):
        order[column] = column
        distance[column] = np.inf
    row, reached = new, 0.0
    while True:
        nearest, nearest_at = np.inf, -1
        base = reached - row_price[row]
        for at in range(n_waiting):
            column = order[at]
            through = base - weights[row, column] - column_price[column]
            if through < distance[column]:
                distance[column] = through
                parent[column] = row
            # A tie goes to the free column, because that ends the search.
            if distance[column] < nearest or (distance[column] == nearest and column == new):
                nearest, nearest_at = distance[column], at
        column = order[nearest_at]
        n_waiting -= 1
        order[nearest_at], order[n_waiting] = order[n_waiting], column
        if column == new:
            return n_waiting
        reached = nearest
        row = row_of[column]


@njit()
def _augment(row_of, column_of, parent, new):
    """Match along the path that the search found, from the new column back to the new row."""
    column = new
    while True:
        row = parent[column]
        row_of[column] = row
        column, column_of[row] = column_of[row], column
        if row == new:
            return

"""Cut points that pay for themselves: supervised discretisation by minimum description length.

A feature is cut where the entropy of the class falls most, and each part again, as long as the gain
exceeds what the cut costs to describe:

    N·gain > log2(N − 1) + log2(3^c − 2) − (c·H − c₁·H₁ − c₂·H₂),

with N rows, c classes and entropy H in the part, and c₁, H₁, c₂, H₂ in its two sides. Cuts lie half
way between neighbouring values; among equal gains the lowest wins. Where values are tied there are
fewer than N − 1 places for a cut; with `places="values"` these alone are counted, as Weka's
`InfoGainAttributeEval` does (its "better encoding").

References
----------
Fayyad, Irani, Multi-interval discretization of continuous-valued attributes for classification
learning (1993).
"""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.statistics.information import ZERO, count_table

#: Sums of c·log2(c) closer than this are equal.
_TIE = 1e-9


#: What a cut is one of, in its price: N − 1 gaps between rows, or those between different values.
PLACES = ("rows", "values")

#: Numbers that are sorted at a time: copies of a whole table would fill memory and miss the cache.
BLOCK = 1_000_000


def mdl_cuts(
    X: np.ndarray, y: np.ndarray, places: str = "rows"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cut points of every column and what the class gains from them.

    Parameters
    ----------
    X, y
        Numbers, rows by features, and classes coded 0, 1, …
    places
        Which places for a cut are counted in its price, one of `PLACES`.

    Returns
    -------
    cuts, counts, gains
        The cuts of all columns one after the other, ascending in each; how many each column has;
        and I(bin; class) in bits.
    """
    step = max(1, BLOCK // len(X))
    known = (y.astype(np.int64), int(y.max()) + 1, count_table(y.size), places == "values")
    found = [_cuts_of(X[:, start : start + step], *known) for start in range(0, X.shape[1], step)]
    cuts, counts, gains = (np.concatenate(parts) for parts in zip(*found))
    return cuts, counts, gains


def _cuts_of(
    X: np.ndarray, y: np.ndarray, n_classes: int, table: np.ndarray, by_value: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As `mdl_cuts`, of some columns."""
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    orders = np.argsort(columns, axis=1, kind="stable")
    return _all_cuts(columns, orders, y, n_classes, table, by_value)


@njit()
def _all_cuts(columns, orders, y, n_classes, table, by_value):
    m, n = columns.shape
    cuts, n_cuts = np.empty(4 * m + n), 0
    counts, gains = np.zeros(m, np.int64), np.zeros(m)
    values, labels = np.empty(n), np.empty(n, np.int64)
    left, right = np.empty(n_classes, np.int64), np.empty(n_classes, np.int64)
    stack = np.empty((n + 1, 2), np.int64)
    for feature in range(m):
        for at in range(n):
            row = orders[feature, at]
            values[at], labels[at] = columns[feature, row], y[row]
        if n_cuts + n > cuts.size:
            larger = np.empty(2 * cuts.size)
            larger[:n_cuts] = cuts[:n_cuts]
            cuts = larger
        found = cuts[n_cuts : n_cuts + n]
        counts[feature], gains[feature] = _cut(
            values, labels, left, right, stack, table, by_value, found
        )
        n_cuts += counts[feature]
    return cuts[:n_cuts], counts, gains


@njit()
def _cut(values, labels, left, right, stack, table, by_value, found):
    """Split parts, the leftmost first, until none pays; bits of the parts add up to the gain."""
    n = values.size
    stack[0, 0], stack[0, 1] = 0, n
    depth, n_cuts, inside = 1, 0, 0.0
    right[:] = 0
    for label in labels:
        right[label] += 1
    whole = _bits(right, n, table)
    while depth:
        depth -= 1
        first, last = stack[depth, 0], stack[depth, 1]
        at = _best_split(values, labels, first, last, left, right, table, by_value)
        if at < 0:
            right[:] = 0
            for row in range(first, last):
                right[labels[row]] += 1
            inside += _bits(right, last - first, table)
            if last < n:
                found[n_cuts] = values[last - 1] / 2 + values[last] / 2
                n_cuts += 1
        else:
            stack[depth, 0], stack[depth, 1] = at, last
            stack[depth + 1, 0], stack[depth + 1, 1] = first, at
            depth += 2
    gain = (whole - inside) / n
    return n_cuts, gain if gain > ZERO and n_cuts else 0.0


@njit()
def _bits(counts, n, table):
    """n·H of a part from the counts of its classes."""
    total = table[n]
    for count in counts:
        total -= table[count]
    return total


@njit()
def _count_present(counts):
    present = 0
    for count in counts:
        if count > 0:
            present += 1
    return present


@njit()
def _best_split(values, labels, first, last, left, right, table, by_value):
    """Where the part is best split, or −1 where no split pays for its description."""
    n = last - first
    if n < 2:
        return -1
    left[:] = 0
    right[:] = 0
    for row in range(first, last):
        right[labels[row]] += 1
    whole, classes = _bits(right, n, table), _count_present(right)
    if classes < 2:
        return -1
    best, best_at, n_places = whole, -1, 0
    # Σ t(counts) of both sides, kept as one row after the other changes sides.
    sum_left = sum_right = 0.0
    for count in right:
        sum_right += table[count]
    for row in range(first, last - 1):
        label = labels[row]
        sum_left += table[left[label] + 1] - table[left[label]]
        sum_right += table[right[label] - 1] - table[right[label]]
        left[label] += 1
        right[label] -= 1
        if values[row] < values[row + 1]:
            n_places += 1
            size = row + 1 - first
            rest = table[size] - sum_left + table[n - size] - sum_right
            if rest < best - _TIE:
                best, best_at = rest, row + 1
    if best_at < 0:
        return -1
    left[:] = 0
    right[:] = 0
    for row in range(first, last):
        if row < best_at:
            left[labels[row]] += 1
        else:
            right[labels[row]] += 1
    size = best_at - first
    inner = _count_present(left) * _bits(left, size, table) / size
    inner += _count_present(right) * _bits(right, n - size, table) / (n - size)
    cost = (
        np.log2(n_places if by_value else n - 1)
        + np.log2(3.0**classes - 2)
        - (classes * whole / n - inner)
    )
    return best_at if whole - best > cost else -1

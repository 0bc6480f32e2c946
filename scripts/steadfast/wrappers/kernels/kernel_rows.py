"""Values of a Gaussian kernel, from squared distances that change by one feature."""

from typing import NamedTuple

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.distances import squared_difference

#: exp(−x) is computed as the 256th power of exp(−x/256), and as that of 700 beyond.
_ROOT, _FARTHEST = 256.0, 700.0

# Coefficients of Taylor's polynomial: 1/k! up to the 6th, then relative to it.
_2, _3, _4, _5, _6 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720
_7, _8, _9, _10 = 1 / 7, 1 / 56, 1 / 504, 1 / 5040


class Kernel(NamedTuple):
    """Where kernel values come from.

    Attributes
    ----------
    distance
        Squared distances of all rows, in parts.
    column, sign, parts
        A feature that counts too (sign 1), or that no longer counts (−1), and the resolution.
    rate
        γ / parts.
    shared
        Whether values of all rows are kept, because several splits need them.
    kept, known
        Those values, and of which rows they are known.
    """

    distance: np.ndarray
    column: np.ndarray
    sign: float
    parts: float
    rate: float
    shared: bool
    kept: np.ndarray
    known: np.ndarray


@njit()
def kernel_row(kernel, row, others, values):
    """exp(−γ·(squared distance)) of a row with others, into `values`."""
    if not kernel.shared:
        _compute(kernel, row, others, values)
        return
    own = kernel.kept[row]
    if not kernel.known[row]:
        _compute_all(kernel, row, own)
        kernel.known[row] = True
    for t in range(others.size):
        values[t] = own[np.uint64(others[t])]


@njit()
def _compute(kernel, row, others, values):
    own, column, value = kernel.distance[row], kernel.column, kernel.column[row]
    for t in range(others.size):
        other = np.uint64(others[t])
        changed = own[other] + kernel.sign * squared_difference(column[other], value, kernel.parts)
        values[t] = -min(kernel.rate * changed, _FARTHEST) / _ROOT
    _power(values, others.size)


@njit()
def _compute_all(kernel, row, values):
    own, column, value = kernel.distance[row], kernel.column, kernel.column[row]
    for other in range(own.size):
        changed = own[other] + kernel.sign * squared_difference(column[other], value, kernel.parts)
        values[other] = -min(kernel.rate * changed, _FARTHEST) / _ROOT
    _power(values, own.size)


@njit()
def _power(values, n):
    """exp(256·r) in the place of each r, as (Taylor's polynomial at r)²⁵⁶.

    Within 1e-13 of it down to 256·r = −50, and no more than 1e-21 off below; unlike calls of exp,
    several are computed at once.
    """
    for t in range(n):
        r = values[t]
        p = 1 + r * (_7 + r * (_8 + r * (_9 + r * _10)))
        p = 1 + r * (1 + r * (_2 + r * (_3 + r * (_4 + r * (_5 + r * _6 * p)))))
        p *= p
        p *= p
        p *= p
        p *= p
        p *= p
        p *= p
        p *= p
        values[t] = p * p

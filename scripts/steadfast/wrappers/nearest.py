"""Nearest neighbours as kernels keep them: a short sorted list, and a vote."""

import numpy as np

from steadfast.core.compiled import njit
from steadfast.wrappers.distances import squared_difference

#: Rows that are passed over together where none of them can be a neighbour.
BLOCK = 16


@njit()
def insert(near_distance, near_row, distance, row):
    """Put a row into the sorted list in the place of its last; equal distances by row."""
    place = near_row.size - 1
    while place > 0 and (
        near_distance[place - 1] > distance
        or (near_distance[place - 1] == distance and near_row[place - 1] > row)
    ):
        near_distance[place] = near_distance[place - 1]
        near_row[place] = near_row[place - 1]
        place -= 1
    near_distance[place] = distance
    near_row[place] = row


@njit()
def vote(labels, near_row, votes):
    """The class of most of the rows, the lower on ties; `votes` is room for one count per class."""
    for label in range(votes.size):
        votes[label] = 0
    for row in near_row:
        votes[labels[row]] += 1
    best = 0
    for label in range(1, votes.size):
        if votes[label] > votes[best]:
            best = label
    return best


@njit()
def change_all(own, values, value, sign, parts, changed):
    """Squared distances of a row with a feature more (sign 1), or less."""
    for i in range(own.size):
        changed[i] = own[i] + sign * squared_difference(values[i], value, parts)


@njit()
def farthest(own, values, value, sign, parts, before):
    """How far the nearest rows are at most: as far as those before the change will be."""
    limit = 0.0
    for row in before:
        limit = max(limit, own[row] + sign * squared_difference(values[row], value, parts))
    return limit


@njit()
def nearest(distance, limit, near_distance, near_row):
    """The nearest rows of all, none of them beyond a limit."""
    near_distance[:] = np.inf
    near_row[:] = distance.size
    last = near_row.size - 1
    for start in range(0, distance.size, BLOCK):
        lowest = distance[start]
        for i in range(start + 1, start + BLOCK):
            lowest = min(lowest, distance[i])
        if lowest > limit or lowest >= near_distance[last]:
            continue
        for i in range(start, start + BLOCK):
            if distance[i] <= limit and distance[i] < near_distance[last]:
                insert(near_distance, near_row, distance[i], i)

"""Nearest neighbours as kernels keep them: a short sorted list, and a vote."""

from steadfast.core.compiled import njit


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

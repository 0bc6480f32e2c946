"""What features tell together with others: ReliefF, against shuffled copies."""

import numpy as np

from steadfast.resampling.fewer_rows import even_places
from steadfast.resampling.shuffled import shuffle_copies
from steadfast.selectors.relieff import all_distances, sums_of_all
from steadfast.selectors.trust.columns import Columns

#: Neighbours of each class, as `relieff` has them.
NEIGHBOURS = 10

#: Of more rows, so many are drawn: the distance of every two is needed.
ROWS = 1000

#: Draws of copies, so many that there are about so many copies, or so many of each feature: with
#: fewer, the weight of a pair among many features could not be told from that of a copy.
FEWEST, MOST, COPIES, OF_EACH = 40, 200, 4000, 8

#: Beside one copy of every third feature, distances are still about the features themselves.
SHARE, LEAST, LARGEST = 1 / 3, 10, 500

#: Beyond this share of the copies, the tail is taken to fall off exponentially.
TAIL = 0.01

#: Weights closer than this are equal: a mean over draws is rounded otherwise than one of them.
TIE = 1e-9

#: So many copies beyond a value are enough to count them; such a part of one is the least.
COUNTED, FLOOR = 10, 0.1


def together_p(
    columns: Columns, y: np.ndarray, groups: np.ndarray | None, draw: np.random.Generator
) -> np.ndarray:
    """For each column, how likely a shuffled copy is to reach its weight by ReliefF.

    ReliefF looks at near rows of all classes, near by all features together: so it sees features
    that tell something only in company. What noise gets beside features that tell something is not
    what it gets alone, so that shuffling the classes would not do: in each draw, some features get
    a shuffled copy (groups of rows stay together), and features and copies are weighed together.
    Numbers count by their ranks, so that all have one scale.
    """
    rows = _sample(y, draw)
    own_groups = None if groups is None else groups[rows]
    weights, copies = _weigh(columns, rows, y[rows], own_groups, draw)
    return tail_probability(weights, copies)


def _sample(y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """All rows, or as many as can be looked at, classes in their shares, in their order."""
    if len(y) <= ROWS:
        return np.arange(len(y))
    place = even_places(y, draw)
    return np.sort(np.argsort(place, kind="stable")[:ROWS])


def _weigh(
    columns: Columns,
    rows: np.ndarray,
    y: np.ndarray,
    groups: np.ndarray | None,
    draw: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """The weight of each column, a mean over the draws, and those of all copies."""
    order = np.argsort(y, kind="stable")
    starts = np.searchsorted(y[order], np.arange(int(y.max()) + 2))
    m, categories = columns.bins.shape[1], columns.categories
    X = np.where(categories, columns.bins[rows], columns.places[rows])
    rows_by_class = X[order]
    distances = all_distances(*_split(rows_by_class, categories))
    copied = min(m, int(np.clip(SHARE * m, LEAST, LARGEST)))
    draws = int(np.clip(max(COPIES, OF_EACH * m) // copied, FEWEST, MOST))
    total, copies = np.zeros(m), []
    for _ in range(draws):
        some = np.sort(draw.permutation(m)[:copied])
        shuffled = shuffle_copies(X[:, some], groups, draw)[order]
        nearness = distances + all_distances(*_split(shuffled, categories[some]))
        both = np.hstack([rows_by_class, shuffled])
        found = _weights(both, np.append(categories, categories[some]), nearness, starts)
        total += found[:m]
        copies.append(found[m:])
    return total / draws, np.concatenate(copies)


def _split(X: np.ndarray, categories: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns of numbers, and columns of categories."""
    return np.ascontiguousarray(X[:, ~categories]), np.ascontiguousarray(X[:, categories])


def _weights(
    X: np.ndarray, categories: np.ndarray, distances: np.ndarray, starts: np.ndarray
) -> np.ndarray:
    """ReliefF's weight of each column, every row a probe."""
    terms = np.empty((2, X.shape[1]))
    sums = sums_of_all(*_split(X, categories), starts, distances, NEIGHBOURS)
    terms[:, ~categories], terms[:, categories] = sums
    hit, miss = terms / len(X)
    return miss - hit


def tail_probability(values: np.ndarray, by_chance: np.ndarray) -> np.ndarray:
    """How likely chance is to reach each value, from a sample of what chance gives.

    (1 + #{chance ≥ value}) / (1 + all) where `COUNTED` or more are beyond the value; further out,
    what is beyond the largest hundredth (at u) is taken to fall off as exp(−(value − u) / σ), σ the
    mean of what exceeds u: slower than a normal tail, so that it errs on the side of caution. What
    is less likely than a tenth of one of the sample is not told apart.
    """
    ordered = np.sort(by_chance)
    beyond = ordered.size - np.searchsorted(ordered, values - TIE, side="left")
    counted = (1 + beyond) / (1 + ordered.size)
    largest = min(ordered.size, max(2 * COUNTED, int(TAIL * ordered.size)))
    start = ordered[-largest]
    scale = float(np.mean(ordered[-largest:] - start))
    if scale <= 0:
        return counted
    fitted = largest / ordered.size * np.exp(-np.maximum(values - start, 0.0) / scale)
    return np.where(beyond < COUNTED, np.maximum(fitted, FLOOR / ordered.size), counted)

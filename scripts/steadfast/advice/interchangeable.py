"""Interchangeable groups: features that can stand in for each other."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from steadfast.core.seeds import generator

#: Symmetrical uncertainty from which features are similar: about a correlation of 0.9.
SIMILAR = 0.4

#: Candidates beyond so many, the least frequent ones, are not looked at.
MOST = 200


class InterchangeableGroup(NamedTuple):
    """Columns that are similar in pairs, and in how many runs any and each of them is selected."""

    columns: list[int]
    similarity: float
    frequency: float
    each: list[float]


def count_group(
    columns: list[int], runs: Sequence[np.ndarray], similarity: float = float("nan")
) -> InterchangeableGroup:
    """A group with the share of the runs that select any of its columns, and each of them."""
    chosen = np.array([np.isin(columns, run) for run in runs])
    each = chosen.mean(axis=0).tolist()
    return InterchangeableGroup(columns, similarity, float(chosen.any(axis=1).mean()), each)


def interchangeable_groups(
    runs: Sequence[np.ndarray], bins: np.ndarray, trusted: Sequence[int] = ()
) -> list[InterchangeableGroup]:
    """Interchangeable groups: columns so similar that a matching takes one for another.

    Of the columns that some run selects, or that are trusted anyway, those whose symmetrical
    uncertainty is `SIMILAR` or more, and not by chance, in every pair of a group (complete
    linkage): the similarity by which Gulgezen, Cataltepe and Yu (2009) match the features of two
    selections.

    Parameters
    ----------
    runs : selected columns of each run
    bins : the data set in bins, one row per column
    trusted : more columns to look at
    """
    m = bins.shape[0]
    counts = np.bincount(np.concatenate(runs), minlength=m)
    weight = counts.astype(float)
    weight[list(trusted)] += len(runs)
    candidates = [int(column) for column in np.argsort(-weight, kind="stable")[:MOST]]
    candidates = sorted(column for column in candidates if weight[column])
    similarity = _beyond_chance(np.ascontiguousarray(bins[candidates]))
    groups = []
    for members in _clusters(similarity):
        if len(members) < 2:
            continue
        columns = [candidates[at] for at in members]
        pairs = [similarity[a, b] for a, b in combinations(members, 2)]
        groups.append(count_group(columns, runs, float(np.mean(pairs))))
    return sorted(groups, key=lambda group: (-group.frequency, group.columns))


def _beyond_chance(bins: np.ndarray) -> np.ndarray:
    """Symmetrical uncertainty of every pair; 0 where shuffled rows would have as much or nearly so.

    Of few rows, two columns of many categories have some whether they are related or not: E. Of
    what is beyond it, (SU − E) / (1 − E), half of `SIMILAR` must be left.
    """
    from steadfast.statistics.information import symmetrical_uncertainty

    n = len(bins)
    copies = generator(0, "shuffled bins").permuted(bins, axis=1)
    found = symmetrical_uncertainty(np.vstack([bins, copies]))
    similarity, chance = found[:n, :n], (found[:n, n:] + found[n:, :n]) / 2
    room = np.where(chance < 1, 1 - chance, 1.0)
    return np.where((similarity - chance) / room >= SIMILAR / 2, similarity, 0.0)


def _clusters(similarity: np.ndarray) -> list[list[int]]:
    """Complete linkage, cut where the least similar pair of a cluster falls below `SIMILAR`."""
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(similarity) < 2:
        return []
    distance = 1 - similarity[np.triu_indices(len(similarity), 1)]
    labels = fcluster(linkage(distance, "complete"), 1 - SIMILAR, "distance")
    found: dict[int, list[int]] = {}
    for at, label in enumerate(labels.tolist()):
        found.setdefault(label, []).append(at)
    return list(found.values())

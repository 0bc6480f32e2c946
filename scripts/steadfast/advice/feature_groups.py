"""Stability of groups of features that count as one: which groups do runs select?

A run selects a group if it selects any of its features. Features in no group are groups of their
own. No feature is in two.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from steadfast.advice.evidence import chosen_stability
from steadfast.advice.interchangeable import InterchangeableGroup, count_group
from steadfast.statistics.curve import Curve


def group_columns(
    feature_groups: Mapping[str, Sequence[str]], features: Sequence[str]
) -> dict[str, list[int]]:
    """The columns of each group, from the description of a data set."""
    column_of = {name: column for column, name in enumerate(features)}
    return {group: [column_of[name] for name in names] for group, names in feature_groups.items()}


def group_stability(
    runs: Sequence[np.ndarray], groups: Sequence[Sequence[int]], n_features: int
) -> Curve:
    """Nogueira's stability of the groups that runs select, with its interval.

    Parameters
    ----------
    runs : selected columns of each run
    groups : columns of each group
    n_features : how many columns there are

    Returns
    -------
    A curve of one size, `OWN_SIZE`; of none where the value is undefined, as where there is one
    group only.
    """
    group_of, n_groups = _number_groups(groups, n_features)
    return chosen_stability([np.unique(group_of[run]) for run in runs], n_groups)


def named_groups(
    groups: Mapping[str, Sequence[int]], runs: Sequence[np.ndarray], trusted: np.ndarray
) -> dict[str, InterchangeableGroup]:
    """Groups that the user named, of each the members that some run selects or that are trusted.

    A group without any is left out.
    """
    looked_at = trusted.copy()
    looked_at[np.concatenate(runs)] = True
    shown = {
        name: [column for column in columns if looked_at[column]]
        for name, columns in groups.items()
    }
    return {name: count_group(columns, runs) for name, columns in shown.items() if columns}


def _number_groups(groups: Sequence[Sequence[int]], n_features: int) -> tuple[np.ndarray, int]:
    """The group of each column, those in no group after all others, and how many there are."""
    group_of = np.full(n_features, -1)
    for number, columns in enumerate(groups):
        group_of[list(columns)] = number
    alone = group_of < 0
    group_of[alone] = len(groups) + np.arange(alone.sum())
    return group_of, len(groups) + int(alone.sum())

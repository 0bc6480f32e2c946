"""Features that rank ahead of shuffled copies of all features.

A shuffled copy has the values of its feature in random order, so that it tells nothing of the
class. Noise that all resamples share is selected steadily too; but it does not stay ahead of every
copy when the copies are drawn anew in each fold.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from steadfast.core.seeds import generator
from steadfast.data.encoding import Levels
from steadfast.data.table import Table
from steadfast.resampling.folds import Fold
from steadfast.resampling.shuffled import shuffle_copies
from steadfast.selectors.running.select import select

HEADER = ("fold", "rank", "feature")

#: A selector vouches for a feature that is ahead of all shuffled copies in this share of the runs.
AHEAD = 0.8

#: A feature that this share of the selectors vouch for, and so many at least, is trusted.
VOTES, FEWEST_VOTES = 0.5, 3


def ahead_of_copies(
    settings: Mapping[str, Any],
    X: np.ndarray,
    y: np.ndarray,
    *,
    seed: int,
    names: Sequence[str],
    groups: np.ndarray | None = None,
    discretise: Mapping[str, Any] | None = None,
    levels: Levels = (),
) -> np.ndarray:
    """Columns that a selector ranks before the first shuffled copy, best first.

    A column that ties with that copy is not ahead of it: copies have the lower numbers, to which
    ties go, also where a selector states an order without weights or ranks the first few only.
    Parameters as for `steadfast.selectors.running.select.select`; `groups` are those of the rows.

    References
    ----------
    Stoppiglia, Dreyfus, Dubois, Oussar, Ranking a random feature for variable and feature selection
    (2003). Kursa, Rudnicki, Feature selection with the Boruta package (2010).
    """
    m = X.shape[1]
    copies = shuffle_copies(X, groups, generator(seed, *names, "shuffled copies"))
    fitted = select(
        settings,
        np.hstack([copies, X]),
        y,
        seed=seed,
        names=names,
        discretise=discretise,
        levels=(*levels, *levels),
        groups=groups,
    )
    sequence = fitted.sequence_
    copies_at = np.flatnonzero(sequence < m)
    return sequence[: copies_at[0] if copies_at.size else sequence.size] - m


def ahead_in_fold(
    settings: Mapping[str, Any],
    table: Table,
    fold: Fold,
    *,
    seed: int,
    dataset: str,
    discretise: Mapping[str, Any] | None = None,
) -> np.ndarray:
    """`ahead_of_copies` on the training rows of a fold."""
    return ahead_of_copies(
        settings,
        table.X[fold.train],
        table.y[fold.train],
        seed=seed,
        names=(dataset, fold.name),
        groups=None if table.groups is None else table.groups[fold.train],
        discretise=discretise,
        levels=table.levels,
    )


def share_ahead(columns: Iterable[int], n_features: int, n_folds: int) -> np.ndarray:
    """Share of the folds in which each column is ahead; `columns` has one entry for each time."""
    return np.bincount(np.fromiter(columns, np.int64), minlength=n_features) / n_folds


def count_votes(shares: Sequence[np.ndarray]) -> np.ndarray:
    """How many selectors vouch for each column; `shares` has those of `share_ahead` for each."""
    return sum((share >= AHEAD - 1e-9).astype(int) for share in shares)


def votes_needed(voters: int) -> int:
    """How many selectors must vouch for a feature: half, and three where there are as many.

    A single one lets noise through in a fifth of tables of noise, two of four in a twentieth.
    """
    return max(min(FEWEST_VOTES, voters), int(np.ceil(VOTES * voters)))

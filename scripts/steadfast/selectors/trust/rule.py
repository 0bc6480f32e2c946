"""The rule by which features are trusted: for each a q-value, the share of noise up to it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steadfast.core.seeds import generator
from steadfast.data.encoding import Levels
from steadfast.selectors.trust import LEVEL
from steadfast.selectors.trust.columns import describe_columns
from steadfast.selectors.trust.marginal import marginal_p
from steadfast.selectors.trust.together import together_p

#: What the two ways to be noticed cost: most features that tell anything tell it by themselves.
#: 1/1.75 + 1/5 < 1, so that both together let less noise through than one test would.
BY_ITSELF, TOGETHER = 1.75, 5.0


class Trust(NamedTuple):
    """What is known about each column.

    Attributes
    ----------
    q : expected share of noise among the columns of at most this q-value
    noise : expected number of noise columns that reach what this column shows
    by_itself, together : the same by each of the two ways alone, their costs included
    alone : whether what the column tells by itself is enough to trust it at `LEVEL`
    """

    q: np.ndarray
    noise: np.ndarray
    by_itself: np.ndarray
    together: np.ndarray
    alone: np.ndarray


def trust(
    X: np.ndarray,
    y: np.ndarray,
    *,
    seed: int,
    names: Sequence[str] = (),
    levels: Levels = (),
    groups: np.ndarray | None = None,
) -> Trust:
    """A q-value for each column.

    λ_j is the expected number of m noise columns that reach what column j shows:

        λ_j = m · min(1.75 p_j, 5 r_j),    q_j = min over λ_i ≥ λ_j of λ_i / #{λ ≤ λ_i},

    p_j how likely noise is to tell as much by itself (`marginal_p`), r_j how likely a shuffled copy
    is to reach its weight by ReliefF (`together_p`). The costs 1.75 and 5 are a weighted Bonferroni
    correction: a column has two chances. All m columns count as noise, which errs on the side of
    caution. Rows, or groups of rows where they are named, must be exchangeable: drawn in the same
    way, and none because of another.

    Parameters
    ----------
    X, y : the rows, gaps as NaN, and their classes, coded 0, 1, …
    seed, names : what draws derive from
    levels : names of the categories of each column; see `steadfast.data.table.Table`
    groups : rows that belong together

    References
    ----------
    Benjamini, Hochberg, Controlling the false discovery rate (1995). Storey, A direct approach to
    false discovery rates (2002). Genovese, Roeder, Wasserman, False discovery control with p-value
    weighting (2006).
    """
    # By their values, so that draws do not depend on where a column stands.
    order = np.lexsort(X[::-1])
    columns = describe_columns(X[:, order], [levels[at] for at in order] if levels else ())
    place = (seed, *names, "trust")
    m = X.shape[1]
    by_itself, together = np.empty(m), np.empty(m)
    by_itself[order] = marginal_p(columns, y, groups, generator(*place, "classes"))
    together[order] = together_p(columns, y, groups, generator(*place, "copies"))
    by_itself, together = m * BY_ITSELF * by_itself, m * TOGETHER * together
    noise = np.minimum(by_itself, together)
    alone = shares_of_noise(by_itself) <= LEVEL
    return Trust(shares_of_noise(noise), noise, by_itself, together, alone)


def shares_of_noise(noise: np.ndarray) -> np.ndarray:
    """q-values by stepping up: q_j = min over λ_i ≥ λ_j of λ_i / #{λ ≤ λ_i}, at most 1."""
    order = np.argsort(noise, kind="stable")
    reached = np.searchsorted(noise[order], noise[order], side="right")
    shares = np.minimum.accumulate((noise[order] / reached)[::-1])[::-1]
    q = np.empty(noise.size)
    q[order] = np.minimum(shares, 1.0)
    return q

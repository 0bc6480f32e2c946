"""Boruta: features that a forest finds more important than the best of their shuffled copies."""

from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector, require_share, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator
from steadfast.resampling.shuffled import shuffle_copies

#: There are so many copies at least, as in the authors' program.
_FEWEST_COPIES = 5


@selector("boruta", reference="Kursa, Rudnicki (2010), Feature selection with the Boruta package")
class Boruta(Selector):
    """Features whose importance in a random forest is above that of every shuffled copy.

    In each run a forest is grown on the features that are left and a shuffled copy of each. A
    feature has a hit where its importance is above that of all copies. After t runs, a feature with
    h hits is confirmed where m · P(B ≥ h) < α, and rejected and left out from then on where
    m · P(B ≤ h) < α, B binomial with t runs of ½; m is the number of features. It ends when all are
    decided, or after the last run. Chosen are the confirmed ones.

    Importance is the mean decrease of impurity, as in the Python port of the program, and not the
    loss of accuracy by permutation, as in the R package.

    Parameters
    ----------
    n_runs
        Runs at most.
    n_trees
        Trees of a forest.
    depth
        Largest depth of a tree.
    level
        α.
    n_features_to_select
        How many to rank; all if None.
    random_state
        For copies and forests.

    Attributes
    ----------
    scores_ : ndarray
        Share of the runs with a hit, and 1 more for a confirmed feature.
    support_ : ndarray
        The confirmed features.
    steps_ : dict
        `decision`: confirmed, tentative or rejected.

    References
    ----------
    Kursa, Rudnicki, Feature selection with the Boruta package, Journal of Statistical Software 36
    (2010).
    """

    def __init__(
        self,
        n_runs: int = 50,
        n_trees: int = 100,
        depth: int = 5,
        level: float = 0.01,
        n_features_to_select: int | None = None,
        random_state: Any = None,
    ):
        self.n_runs = n_runs
        self.n_trees = n_trees
        self.depth = depth
        self.level = level
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        for name in ("n_runs", "n_trees", "depth"):
            require_whole(name, getattr(self, name), 1)
        require_share("level", self.level)
        m, draw = X.shape[1], random_generator(self.random_state)
        hits, decision = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64)
        for run in range(1, self.n_runs + 1):
            left = np.flatnonzero(decision >= 0)
            hits[left] += self._hits(X[:, left], y, draw)
            more, fewer = tails(hits, run)
            open_ = decision == 0
            decision[open_ & (m * more < self.level)] = 1
            decision[open_ & (m * fewer < self.level)] = -1
            if (decision != 0).all():
                break
        words = np.array(["tentative", "confirmed", "rejected"])[decision]
        self._set_weights(hits / run + (decision > 0), {"decision": words})
        self.support_ = decision > 0

    def _hits(self, X: np.ndarray, y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Whether each column is more important than all copies, in one forest."""
        with cli.count_start_up():
            from sklearn.ensemble import RandomForestClassifier

        k = X.shape[1]
        if not k:
            return np.zeros(0, dtype=bool)
        copied = np.resize(np.arange(k), max(k, _FEWEST_COPIES))
        copies = shuffle_copies(X[:, copied], None, draw)
        forest = RandomForestClassifier(
            self.n_trees, max_depth=self.depth, random_state=int(draw.integers(2**32))
        )
        importances = forest.fit(np.hstack([X, copies]), y).feature_importances_
        return importances[:k] > importances[k:].max()


def tails(hits: np.ndarray, runs: int) -> tuple[np.ndarray, np.ndarray]:
    """P(B ≥ hits) and P(B ≤ hits), B binomial with so many runs of ½."""
    from scipy.special import bdtr, bdtrc

    at_least = np.where(hits > 0, bdtrc(np.maximum(hits - 1, 0), runs, 0.5), 1.0)
    return at_least, bdtr(hits, runs, 0.5)

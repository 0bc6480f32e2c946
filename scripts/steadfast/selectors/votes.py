"""Votes of several selectors for features that stay ahead of shuffled copies."""

from typing import Any, Self

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector, require_share, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator
from steadfast.resampling.grouped import draw_share_of_groups
from steadfast.selectors.running.probes import (
    ahead_of_copies,
    count_votes,
    share_ahead,
    votes_needed,
)

#: Bins of voters that want them.
_BINS = {"method": "equal_width", "bins": 5}

#: A voter ranks so many at most.
_LARGEST = 100


def voters(n_trees: int = 100) -> dict[str, tuple[Any, bool]]:
    """The selectors of `config/advise.yaml`, by name, and whether each wants bins."""
    with cli.count_start_up():
        from sklearn.ensemble import RandomForestClassifier

        from steadfast.selectors.filters import FisherScore, InformationGain
        from steadfast.selectors.mrmr import MRMR
        from steadfast.selectors.relieff import ReliefF
        from steadfast.selectors.svm import SVMRFE

    first = {"n_features_to_select": _LARGEST}
    return {
        "mid": (MRMR(criterion="mid", **first), True),
        "info_gain": (InformationGain(**first), False),
        "fisher": (FisherScore(**first), False),
        "relieff": (ReliefF(**first), False),
        "svm_rfe": (SVMRFE(**first), False),
        "forest": (RandomForestClassifier(n_estimators=n_trees), False),
    }


@selector("votes", samples="n_samples", share="share", reference="Kursa, Rudnicki (2010), by votes")
class Votes(Selector):
    """Features that several selectors rank ahead of shuffled copies of all features.

    A selector votes for a feature that it ranks ahead of every shuffled copy in 80% of B samples of
    the rows, the copies drawn anew in each. Chosen are features with the votes of half of the six
    selectors: mRMR (MID), information gain, Fisher score, ReliefF, SVM-RFE and a random forest.
    Samples and copies keep the rows of a group together.

    Parameters
    ----------
    n_samples
        B.
    share
        Share of the rows of each class in a sample.
    n_trees
        Trees of the forest.
    n_features_to_select
        How many to rank; all if None.
    discrete
        Numbers of the columns that are categories, coded 0, 1, …; `False` if none is.
    random_state
        For samples, copies, and the forest.

    Attributes
    ----------
    scores_ : ndarray
        (votes + mean share of the samples in which it is ahead) / (selectors + 1).
    support_ : ndarray
        The chosen features.
    steps_ : dict
        `votes` and `ahead`, that mean share.

    References
    ----------
    Stoppiglia, Dreyfus, Dubois, Oussar, Ranking a random feature for variable and feature selection
    (2003). Kursa, Rudnicki, Feature selection with the Boruta package (2010).
    """

    calibrates_categories = True

    def __init__(
        self,
        n_samples: int = 30,
        share: float = 0.8,
        n_trees: int = 100,
        n_features_to_select: int | None = None,
        discrete: Any = False,
        random_state: Any = None,
    ):
        self.n_samples = n_samples
        self.share = share
        self.n_trees = n_trees
        self.n_features_to_select = n_features_to_select
        self.discrete = discrete
        self.random_state = random_state

    def fit(self, X: Any, y: Any, groups: np.ndarray | None = None) -> Self:
        """Rank the columns; `groups` are those of the rows, which samples do not tear apart."""
        self._groups = groups
        return super().fit(X, y)

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        for name in ("n_samples", "n_trees"):
            require_whole(name, getattr(self, name), 1)
        require_share("share", self.share)
        m, draw = X.shape[1], random_generator(self.random_state)
        seed = int(draw.integers(2**32))
        samples = [
            draw_share_of_groups(y, self._groups, self.share, draw) for _ in range(self.n_samples)
        ]
        shares = []
        for name, (voter, wants_bins) in voters(self.n_trees).items():
            found = [
                ahead_of_copies(
                    {"use": voter},
                    X[rows],
                    y[rows],
                    seed=seed,
                    names=(name, str(at)),
                    groups=None if self._groups is None else self._groups[rows],
                    discretise=_BINS if wants_bins else None,
                    levels=self._levels(X),
                )
                for at, rows in enumerate(samples)
            ]
            shares.append(share_ahead(np.concatenate(found), m, len(samples)))
        votes, ahead = count_votes(shares), np.mean(shares, axis=0)
        weights = (votes + ahead) / (len(shares) + 1)
        self._set_weights(weights, {"votes": votes, "ahead": ahead})
        self.support_ = votes >= votes_needed(len(shares))

    def _levels(self, X: np.ndarray) -> tuple[tuple[str, ...], ...]:
        """Names for the codes of categories; none where all columns are numbers."""
        if self.discrete is False:
            return ()
        counts = X.max(axis=0).astype(int) + 1
        return tuple(
            tuple(map(str, range(counts[column]))) if column in self.discrete else ()
            for column in range(X.shape[1])
        )

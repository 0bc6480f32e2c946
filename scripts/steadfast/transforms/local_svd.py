"""Clusters made smoother one by one, before features for clustering are selected."""

from typing import Any

import numpy as np

from steadfast.core.estimator import Estimator, require_whole
from steadfast.core.registry import transform
from steadfast.core.seeds import random_generator
from steadfast.transforms.kmeans import cluster, nearest_centre
from steadfast.transforms.low_rank import project, right_vectors, truncated_svd


@transform("local_svd", reference="Alelyani (2013), LSVD, figure 6.2")
class LocalSVD(Estimator):
    """k-means, truncated SVD of each cluster, and k-means again, whose clusters are the labels.

    Parameters
    ----------
    rank
        Matrix rank of each cluster; one that a cluster cannot exceed leaves it as it is.
    clusters
        Number of clusters.
    relabel
        Whether the approximated rows are clustered again; if not, the first clusters stay the
        labels (the first other way of section 6.6).
    rounds
        How often rows are approximated and clustered again; from the second time on, the rows as
        they are are approximated by the clusters found last (the second other way).
    random_state
        For the starts of k-means.

    Attributes
    ----------
    labels_ : ndarray
        The cluster of each approximated row.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), chapter 6.
    """

    def __init__(
        self,
        rank: int = 1,
        clusters: int = 2,
        relabel: bool = True,
        rounds: int = 1,
        random_state: Any = None,
    ):
        self.rank = rank
        self.clusters = clusters
        self.relabel = relabel
        self.rounds = rounds
        self.random_state = random_state

    def fit_transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The approximated rows; `y` is not looked at."""
        for name, least in (("rank", 1), ("clusters", 2), ("rounds", 1)):
            require_whole(name, getattr(self, name), least)
        X = np.asarray(X, dtype=np.float64)
        seed = int(random_generator(self.random_state).integers(2**31))
        found = cluster(X, self.clusters, seed)
        for _ in range(self.rounds):
            self.parts_ = found
            result = np.empty_like(X)
            for label in np.unique(found.labels):
                own = found.labels == label
                result[own] = truncated_svd(X[own], self.rank)
            if self.relabel:
                found = cluster(result, self.clusters, seed)
        self.found_, self.labels_ = found, found.labels
        return result

    def fit(self, X: np.ndarray, y: np.ndarray) -> "LocalSVD":
        """Centres of the clusters before and after approximation, and what spans each cluster."""
        self.fit_transform(X, y)
        parts = self.parts_.labels
        self.bases_ = {
            part: right_vectors(X[parts == part], self.rank) for part in np.unique(parts)
        }
        return self

    def transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Other rows: each goes to the nearest centre, and onto what spans its cluster."""
        parts = nearest_centre(X, self.parts_.centres)
        result = np.empty_like(X)
        for part in np.unique(parts):
            result[parts == part] = project(X[parts == part], self.bases_[part])
        self.labels_ = nearest_centre(result if self.relabel else X, self.found_.centres)
        return result

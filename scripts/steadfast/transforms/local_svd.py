"""Clusters made smoother one by one, before features for clustering are selected."""

from typing import Any

import numpy as np

from steadfast.core.estimator import Estimator, require_whole
from steadfast.core.registry import transform
from steadfast.core.seeds import random_generator
from steadfast.transforms.kmeans import cluster
from steadfast.transforms.low_rank import truncated_svd


@transform("local_svd", reference="Alelyani (2013), LSVD, figure 6.2")
class LocalSVD(Estimator):
    """k-means, truncated SVD of each cluster, and k-means again, whose clusters are the labels.

    Parameters
    ----------
    rank
        Matrix rank of each cluster; one that a cluster cannot exceed leaves it as it is.
    clusters
        Number of clusters.
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

    def __init__(self, rank: int = 1, clusters: int = 2, random_state: Any = None):
        self.rank = rank
        self.clusters = clusters
        self.random_state = random_state

    def fit_transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The approximated rows; `y` is not looked at."""
        require_whole("rank", self.rank, 1)
        require_whole("clusters", self.clusters, 2)
        X = np.asarray(X, dtype=np.float64)
        seed = int(random_generator(self.random_state).integers(2**31))
        first = cluster(X, self.clusters, seed).labels
        result = np.empty_like(X)
        for label in np.unique(first):
            result[first == label] = truncated_svd(X[first == label], self.rank)
        self.labels_ = cluster(result, self.clusters, seed).labels
        return result

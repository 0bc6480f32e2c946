"""Clusters in the place of classes: features for clustering are selected with these."""

from typing import Any

import numpy as np

from steadfast.core.estimator import Estimator, require_whole
from steadfast.core.registry import transform
from steadfast.core.seeds import random_generator
from steadfast.transforms.kmeans import cluster, nearest_centre


@transform("cluster_labels", reference="Alelyani (2013), figure 6.1, the baseline")
class ClusterLabels(Estimator):
    """The rows as they are; the selector gets their clusters (k-means) in the place of classes.

    Parameters
    ----------
    clusters
        Number of clusters.
    random_state
        For the starts of k-means; `local_svd` with the same one starts from the same clusters.

    Attributes
    ----------
    labels_ : ndarray
        The cluster of each row.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), figure 6.1.
    """

    def __init__(self, clusters: int = 2, random_state: Any = None):
        self.clusters = clusters
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "ClusterLabels":
        """The clusters; `y` is not looked at."""
        require_whole("clusters", self.clusters, 2)
        X = np.asarray(X, dtype=np.float64)
        seed = int(random_generator(self.random_state).integers(2**31))
        self.labels_, self.centres_ = cluster(X, self.clusters, seed)
        return self

    def fit_transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The rows as they are, with their clusters as labels."""
        self.fit(X, y)
        return np.asarray(X, dtype=np.float64)

    def transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Other rows as they are; each is of the cluster with the nearest centre."""
        self.labels_ = nearest_centre(X, self.centres_)
        return X

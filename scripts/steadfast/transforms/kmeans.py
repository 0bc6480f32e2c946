"""k-means, and how well clusters match classes."""

from typing import NamedTuple

import numpy as np

from steadfast.core import cli

#: Starts of k-means, of which the best counts, and the usual number of clusters.
STARTS, CLUSTERS = 10, 2


class Clusters(NamedTuple):
    """The cluster of each row, and the centre of each cluster."""

    labels: np.ndarray
    centres: np.ndarray


def cluster(X: np.ndarray, n_clusters: int, seed: int) -> Clusters:
    """scikit-learn's k-means, the best of ten starts; fewer clusters where rows are equal."""
    with cli.count_start_up():
        import warnings

        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning

    if n_clusters > len(X):
        raise ValueError(f"clusters: {n_clusters} are more than the {len(X)} rows")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_clusters, n_init=STARTS, random_state=seed).fit(X)
    return Clusters(found.labels_.astype(np.int64), found.cluster_centers_)


def best_matching(clusters: np.ndarray, classes: np.ndarray) -> dict[int, int]:
    """Cluster to class, each class at most once, so that most rows agree.

    The assignment that maximises Σ n(cluster, class); clusters that are left over have no class.
    """
    with cli.count_start_up():
        from scipy.optimize import linear_sum_assignment

    counts = np.zeros((int(clusters.max()) + 1, int(classes.max()) + 1), dtype=np.int64)
    np.add.at(counts, (clusters, classes), 1)
    return dict(zip(*(ends.tolist() for ends in linear_sum_assignment(-counts)), strict=True))


def nearest_centre(X: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The cluster of rows that k-means has not seen; the lower one of equals."""
    distances = [((X - centre) ** 2).sum(axis=1) for centre in centres]
    return np.argmin(distances, axis=0)

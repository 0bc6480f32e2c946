"""k-means as a judge of features."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import SCALE, scale_parts
from steadfast.accuracy.scores import PREDICTIONS
from steadfast.core.keys import Keys, one_of, whole
from steadfast.core.registry import classifier
from steadfast.core.seeds import derive_seed
from steadfast.transforms.kmeans import CLUSTERS, best_matching, cluster, nearest_centre


@classifier("kmeans")
class KMeans(Classifier):
    """k-means as a judge: the share of test rows that are in the cluster of their class.

    Clusters of the training rows (k-means) get the class that the best matching on these rows gives
    them; a test row belongs to the cluster of the nearest centre. With `truth: all_features`, the
    clusters of the training rows by all features stand for the classes; a row that does not train
    belongs to the cluster of the nearest centre.
    """

    keys: ClassVar[Keys] = {
        "clusters": whole("Number of clusters.", least=2, default=CLUSTERS),
        "scale": SCALE,
        "truth": one_of(
            'What clusters are matched with: the "classes", or the clusters of the training rows '
            'by "all_features".',
            *("classes", "all_features"),
            default="classes",
        ),
    }
    draws = True
    gives = frozenset({PREDICTIONS})

    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        if not len(y_test):
            return Scores([float("nan")] * len(sizes))
        X_train, X_test = scale_parts(X_train, X_test, self.settings.get("scale"))
        predictions = np.empty((len(sizes), y_test.size), dtype=np.int64)
        for at, k in enumerate(sizes):
            found = cluster(X_train[:, :k], self.settings["clusters"], self._seed())
            class_of = best_matching(found.labels, y_train)
            assigned = nearest_centre(X_test[:, :k], found.centres)
            predictions[at] = [class_of.get(int(one), -1) for one in assigned]
        return Scores([float(np.mean(row == y_test)) for row in predictions], predictions)

    def _seed(self) -> int:
        """Starts are the same for all subsets of a fold: these are all that differs."""
        return derive_seed(*self.place, "k-means") % 2**32

    @property
    def has_own_truth(self) -> bool:
        return self.settings["truth"] == "all_features"

    def truth(self, X_train: np.ndarray, X: np.ndarray) -> np.ndarray:
        X_train, X = scale_parts(X_train, X, self.settings.get("scale"))
        return nearest_centre(X, cluster(X_train, self.settings["clusters"], self._seed()).centres)

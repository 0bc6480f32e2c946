"""k-nearest neighbours."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.accuracy.classifier import Classifier, Scores
from steadfast.accuracy.scaling import SCALE, scale_parts
from steadfast.accuracy.scores import EVERYTHING
from steadfast.core import cli
from steadfast.core.keys import Keys, whole
from steadfast.core.registry import classifier
from steadfast.wrappers import DEFAULTS


@classifier("knn")
class NearestNeighbours(Classifier):
    """k-nearest neighbours, on features as they are or scaled.

    The probability of a class is its share of the neighbours.
    """

    keys: ClassVar[Keys] = {"k": whole("Neighbours.", default=3), "scale": SCALE}
    gives = EVERYTHING

    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        with cli.count_start_up():
            from steadfast.accuracy.prefix_knn import prefix_knn, prefix_votes

        X_train, X_test = scale_parts(X_train, X_test, self.settings.get("scale"))
        parts, k = (X_train, y_train, X_test, y_test), self.settings["k"]
        places = np.array(sizes, dtype=int) - 1
        if not self.wanted:
            return Scores(prefix_knn(*parts, n_neighbours=k)[places])
        curve, votes = prefix_votes(*parts, n_neighbours=k)
        votes = votes[places]
        shares = (own / min(k, len(y_train)) for own in votes)
        return Scores(curve[places], votes.argmax(axis=2), votes, shares)

    def is_inside(self, wrapper: Mapping[str, Any]) -> bool:
        if wrapper.get("classifier") != "knn" or self.settings.get("scale") != "unit":
            return False
        inside = {**DEFAULTS["knn"], **(wrapper.get("classifier_params") or {})}
        return self.settings["k"] == inside["n_neighbors"]

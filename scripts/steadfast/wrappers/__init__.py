"""Criteria of wrappers: how well a classifier does with a subset of the features.

One file per classifier with a fast path, and `ordinary` for any other.
"""

from typing import Any

#: Classifiers with a fast path, and their parameters.
DEFAULTS: dict[str, dict[str, Any]] = {
    "gaussian": {"ridge": 1e-6, "mean": "own"},
    "knn": {"n_neighbors": 3},
    "svm": {"C": 1.0, "gamma": "scale", "tol": 1e-3},
}

#: Parameters that are words, and what they may be.
WORDS: dict[str, tuple[str, ...]] = {"mean": ("own", "first_class")}

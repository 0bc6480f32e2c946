"""Builders of this project's calls; see `cases`."""

from collections.abc import Callable
from typing import Any


def ranking(criterion: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The first features by MID or MIQ."""
    from steadfast.selectors import MRMR

    selector = MRMR(criterion, n_features_to_select=first)
    return lambda: selector.fit(data["bins"], data["y"]).sequence_


def matching(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Weight of the best matching, for every prefix."""
    from steadfast.matching import prefix_matching

    return lambda: prefix_matching(data["weights"])


def neighbours(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Accuracy of 3 nearest neighbours, for every prefix."""
    from steadfast.classifiers import prefix_knn

    return lambda: prefix_knn(**data, n_neighbours=3)

"""Builders of this project's calls; see `cases`."""

from collections.abc import Callable
from typing import Any


def ranking(criterion: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The first features by MID or MIQ."""
    from steadfast.selectors import MRMR

    selector = MRMR(criterion, n_features_to_select=first)
    return lambda: selector.fit(data["bins"], data["y"]).sequence_


def choosing(alphas: list[float], data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The stability and accuracy of every α and size, by which `auto` chooses."""
    from steadfast.selectors.tuned import Tuned

    return chooser(Tuned, alphas, data, first)


def chooser(kind: type, alphas: list[float], data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The call of a class that chooses, on bins."""
    import numpy as np

    selector = kind(over={"alpha": alphas}, largest=first, random_state=0)
    selector.n_features_to_select = "auto"

    def call() -> Any:
        grid = selector.fit(data["bins"], data["y"]).grid_
        return np.nan_to_num([*grid["stability"], *grid["accuracy"]])

    return call


def uncertainty(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Symmetrical uncertainty of all pairs of the first features."""
    import numpy as np

    from steadfast.statistics.information import symmetrical_uncertainty

    bins = np.ascontiguousarray(data["bins"].T[:first])
    return lambda: symmetrical_uncertainty(bins).ravel()


def matching(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Weight of the best matching, for every prefix."""
    try:
        from steadfast.measures.kernels.matching import prefix_matching
    except ModuleNotFoundError:  # version 1.0.0
        from steadfast.measures.matching import prefix_matching

    return lambda: prefix_matching(data["weights"])


def neighbours(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Accuracy of 3 nearest neighbours, for every prefix."""
    from steadfast.accuracy.prefix_knn import prefix_knn

    return lambda: prefix_knn(**data, n_neighbours=3)


def measure_curves(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Three measures for every prefix, with intervals, one after the other."""
    import numpy as np

    from steadfast.measures.kinds import interval, load
    from steadfast.measures.runs import Runs

    measures = [load(name) for name in ("jaccard", "kuncheva", "nogueira")]

    def call() -> Any:
        runs = Runs(data["m"], data["sequences"])
        found = [measure.curves(runs, first) for measure in measures]
        for estimate in found:
            interval(estimate)
        return np.concatenate([estimate.values for estimate in found])

    return call


def subset_measure(name: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """One measure of a system of subsets, with what its interval needs."""
    from steadfast.measures.kinds import load
    from steadfast.measures.runs import Runs

    measure = load(name)
    return lambda: measure.subsets(Runs(data["m"], data["subsets"], ranked=False)).values


def weights(name: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Weights of all features by a selector of this project."""
    from steadfast.core import registry

    selector = registry.declared("selector")[name].create({})
    return lambda: selector.fit(data["X"], data["y"]).scores_


def order(name: str, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The first features by a selector of this project."""
    from steadfast.core import registry

    selector = registry.declared("selector")[name].create({})
    return lambda: selector.fit(data["X"], data["y"]).sequence_[:first]


def wrapper(classifier: str, floating: bool, data: dict[str, Any], first: int) -> Callable[[], Any]:
    """Criterion of the best subset of every size."""
    from steadfast.selectors.wrappers import make_criterion
    from steadfast.wrappers.search import sequential_search

    def call() -> Any:
        criterion = make_criterion(data["X"], data["y"], data["splits"], classifier)
        found = sequential_search(criterion, floating=floating)
        return [criterion.accuracy(found.scores[size]) for size in sorted(found.scores)]

    return call


def stable_ranking(data: dict[str, Any], first: int) -> Callable[[], Any]:
    """The first features by mRSmR, with so little weight on stability that it never settles."""
    from steadfast.selectors import MRSMR

    selector = MRSMR(
        kappa=0.01, epsilon=0.0, most_iterations=10, n_features_to_select=first, random_state=0
    )
    return lambda: selector.fit(data["bins"], data["y"]).sequence_

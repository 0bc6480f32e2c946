"""The value that random selection would have: exact where there is a closed form."""

from collections.abc import Sequence

import numpy as np

from steadfast.core.seeds import generator
from steadfast.measures.chance import expected_count_measure
from steadfast.measures.kinds import CountMeasure, Measure, OverlapMeasure, SystemMeasure
from steadfast.measures.runs import Runs, System

#: Pairs of random runs that a simulated value is the mean of: of curves, and of whole subsets.
CURVE_PAIRS, SUBSET_PAIRS = 100, 2000


def expected_curve(
    measure: Measure, m: int, depth: int, n_runs: int, *, seed: int, names: Sequence[str] = ()
) -> np.ndarray:
    """Mean value of random rankings of m features, cut at k = 1..depth.

    Parameters
    ----------
    n_runs
        Runs of a system; for measures that are means over pairs it makes no difference.
    seed, names
        Where the value is simulated, the draws derive from these.
    """
    sizes = np.arange(1, depth + 1)
    if measure.about.chance == "simulated":
        return _simulate(measure, m, [depth] * n_runs, depth, seed, names)
    if isinstance(measure, CountMeasure):
        pairs = [(int(k), int(k)) for k in sizes]
        return expected_count_measure(measure.function, m, pairs)
    if isinstance(measure, SystemMeasure):
        return _expected_system_value(measure, m, np.tile(sizes, (n_runs, 1)))
    if isinstance(measure, OverlapMeasure):
        return measure.function(sizes**2 / m)
    if measure.about.corrected:
        return np.zeros(depth)
    if measure.about.kind == "orders":
        return measure.function.expectation(m, depth)
    return np.array([measure.function.expected_value(int(k), int(k)) for k in sizes])


def expected_subsets(measure: Measure, runs: Runs, *, seed: int) -> float:
    """Mean value of random subsets of the sizes that these runs have."""
    m, sizes = runs.n_features, runs.sizes
    if measure.about.takes in ("rankings", "weights"):
        return float(expected_curve(measure, m, runs.depth, len(runs), seed=seed)[-1])
    if measure.about.chance == "simulated":
        return float(_simulate(measure, m, sizes.tolist(), 0, seed, ["subsets"])[0])
    if isinstance(measure, SystemMeasure):
        return float(_expected_system_value(measure, m, sizes[:, None])[0])
    if measure.about.corrected:
        return 0.0
    distinct, counts = np.unique(sizes, return_counts=True)
    # Ordered pairs of different runs by their sizes.
    weights = np.outer(counts, counts) - np.diag(counts)
    first, second = np.nonzero(weights)
    pairs = [(int(distinct[a]), int(distinct[b])) for a, b in zip(first, second, strict=True)]
    if isinstance(measure, CountMeasure):
        values = expected_count_measure(measure.function, m, pairs)
    else:
        values = np.array([measure.function.expected_value(a, b) for a, b in pairs])
    return float((weights[first, second] * values).sum() / weights.sum())


def _expected_system_value(measure: SystemMeasure, m: int, sizes: np.ndarray) -> np.ndarray:
    """The value for random runs (rows) of these sizes (columns); a measure may have its own way.

    Σ_f E(F_f²) = N + (N² − Σ k_i²)/m: the measures are linear in it, so this is exact.
    """
    if hasattr(measure.function, "expected_system"):
        return measure.function(measure.function.expected_system(sizes, m))
    total = sizes.sum(axis=0)
    squares = total + (total**2 - (sizes**2).sum(axis=0)) / m
    return measure.function(System(len(sizes), m, total, squares, np.full(total.shape, m)))


def _simulate(
    measure: Measure, m: int, sizes: Sequence[int], depth: int, seed: int, names: Sequence[str]
) -> np.ndarray:
    """Mean over random runs of these sizes: curves up to a depth, or whole subsets for depth 0."""
    draw = generator(seed, *names, "chance", measure.about.name)
    n_runs = len(sizes) if isinstance(measure, SystemMeasure) else 2
    pairs = CURVE_PAIRS if depth else SUBSET_PAIRS
    totals, n_draws = 0.0, max(2, pairs // max(1, n_runs - 1))
    for _ in range(n_draws):
        chosen = sizes if n_runs == len(sizes) else draw.choice(sizes, n_runs, replace=False)
        random_runs = Runs(m, [draw.choice(m, size, replace=False) for size in chosen])
        estimate = measure.curves(random_runs, depth) if depth else measure.subsets(random_runs)
        totals = totals + estimate.values
    return totals / n_draws

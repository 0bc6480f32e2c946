"""Stability of runs in a line: a value, a curve, a comparison."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steadfast.api.inputs import to_runs
from steadfast.api.results import Comparison, StabilityCurve, StabilityValue
from steadfast.core.errors import UserError
from steadfast.measures import find
from steadfast.measures.declare import PAGE_MEASURE, Declaration
from steadfast.measures.frequency import nogueira_test, why_untested
from steadfast.measures.kinds import interval, load
from steadfast.measures.policy import why_undefined
from steadfast.measures.runs import Runs
from steadfast.measures.similarity import Similarities
from steadfast.measuring.curves import OF_RUNS
from steadfast.measuring.data_similarity import similarities_of
from steadfast.measuring.expected import expected_curve
from steadfast.measuring.scoring import notes_on, score_one


def stability(
    runs: Any,
    n_features: int | None = None,
    *,
    measure: str = PAGE_MEASURE,
    k: int | None = None,
    X: Any = None,
    similarity: Any = None,
    features: Sequence[Any] | None = None,
    form: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> StabilityValue:
    """How far several runs of a selector agree on the features that they select.

    By default Nogueira's measure: the share of the variance of random selection that is not there,
    1 − (1/m) Σ_f s_f² / (k̄/m · (1 − k̄/m)). 1 for equal subsets, 0 on average for random ones.

    Parameters
    ----------
    runs
        Two or more, as any of

        - sets or lists of features, names or column numbers; lists are rankings, best first;
        - a matrix of 0 and 1, or of booleans, runs by features;
        - weights, runs by features, with ``form="weights"``;
        - fitted estimators, such as ``cross_validate(…, return_estimator=True)["estimator"]``; of a
          pipeline its last selector counts;
        - a data frame of 0 and 1 whose columns are the features, or one with the columns run,
          feature and, if known, rank and weight;
        - a mapping from names of runs to any of these.
    n_features
        How many features there are to select from; needed where the runs do not tell.
    measure
        Name of a measure; see `steadfast.list_measures`.
    k
        Cut rankings after their first k features.
    X
        The data, rows by features, for measures that look at similar features; names of its columns
        count as `features`.
    similarity
        In its place a symmetric matrix, features by features, from 0 to 1.
    features
        Names of all features; a run may then name no other.
    form
        ``"subsets"``, ``"rankings"``, ``"matrix"`` or ``"weights"``, where it cannot be told by
        looking: an array of 0 and 1 is a matrix, a list of lists is rankings.
    level
        Of the confidence interval over the runs.
    seed
        For ties broken at random and values by chance that are simulated.

    Returns
    -------
    StabilityValue
        Value, interval, value by chance. Where the measure is undefined, NaN and the reason.

    References
    ----------
    Nogueira, Sechidis, Brown, On the stability of feature selection algorithms, JMLR 18 (2018).

    Examples
    --------
    >>> import steadfast
    >>> runs = [{"age", "dose"}, {"age", "dose"}, {"age", "weight"}]
    >>> steadfast.stability(runs, n_features=1000)
    nogueira 0.666 (95% interval 0.488 to 0.844; 0.000 by chance), 3 runs of 1000 features
    >>> round(float(steadfast.stability(runs, n_features=1000, measure="jaccard")), 3)
    0.556

    The same runs as a matrix, which knows the number of features:

    >>> import numpy as np
    >>> matrix = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
    >>> round(steadfast.stability(matrix).value, 3)
    0.333

    Selectors from a cross-validation of scikit-learn:

    >>> from sklearn.datasets import load_wine
    >>> from sklearn.feature_selection import SelectKBest
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> wine = load_wine(return_X_y=True)
    >>> found = cross_validate(
    ...     make_pipeline(SelectKBest(k=5), GaussianNB()), *wine, return_estimator=True
    ... )
    >>> steadfast.stability(found["estimator"]).value > 0.5
    True
    """
    about = _known_measure(measure, level)
    found = _prepare(
        runs, n_features, about, X=X, similarity=similarity, features=features, form=form
    )
    return value_of(_cut(found[0], k), measure, found[1], level=level, seed=seed)


def value_of(
    runs: Runs,
    measure: str = PAGE_MEASURE,
    similarities: Similarities | None = None,
    *,
    level: float = 0.95,
    seed: int = 1,
) -> StabilityValue:
    """The stability of runs that are read already."""
    *numbers, note = score_one(measure, runs, similarities, seed=seed, level=level)
    return StabilityValue(*numbers, measure, len(runs), runs.n_features, note, level)


def stability_curve(
    rankings: Any,
    n_features: int | None = None,
    *,
    measure: str = PAGE_MEASURE,
    largest: int | None = None,
    X: Any = None,
    similarity: Any = None,
    features: Sequence[Any] | None = None,
    form: str | None = None,
    level: float = 0.95,
    seed: int = 1,
) -> StabilityCurve:
    """Stability of the first k features of rankings, for every k at once.

    Parameters
    ----------
    rankings
        Two or more rankings, best feature first, in any form of `steadfast.stability` that has an
        order: lists, weights (``form="weights"``), estimators with weights or ranks, data frames
        with ranks or weights.
    largest
        The largest k; by default the length of the shortest ranking.
    n_features, measure, X, similarity, features, form, level, seed
        As for `steadfast.stability`.

    Returns
    -------
    StabilityCurve
        Arrays by k. NaN at sizes for which the measure is undefined.

    Examples
    --------
    >>> import numpy as np
    >>> import steadfast
    >>> draw = np.random.default_rng(0)
    >>> worth = draw.normal(size=1000)
    >>> weights = worth + 0.3 * draw.normal(size=(20, 1000))
    >>> curve = steadfast.stability_curve(weights, form="weights", largest=100)
    >>> curve.at(10)
    nogueira 0.538 (95% interval 0.502 to 0.574; 0.000 by chance), 20 runs of 1000 features

    Rankings of names:

    >>> steadfast.stability_curve([["a", "b", "c"], ["b", "a", "c"]], n_features=8).value.round(2)
    array([-0.14,  1.  ,  1.  ])
    """
    about = _known_measure(measure, level)
    found = _prepare(
        rankings,
        n_features,
        about,
        X=X,
        similarity=similarity,
        features=features,
        form=form,
        rankings=True,
    )
    runs, similarities = found
    if not runs.ranked:
        raise UserError(
            "rankings: these runs are subsets without order; steadfast.stability takes them"
        )
    depth = _depth(runs, largest)
    reason = why_undefined([need for need in about.needs if need in OF_RUNS], runs)
    if reason:
        nothing = np.full(depth, np.nan)
        values, low, high, chance = nothing, nothing, nothing, nothing
    else:
        used = load(measure, similarities, seed)
        estimate = used.curves(runs, depth)
        values, (low, high) = estimate.values, interval(estimate, about.bounds, level)
        chance = expected_curve(used, runs.n_features, depth, len(runs), seed=seed)
    return StabilityCurve(
        np.arange(1, depth + 1),
        values,
        low,
        high,
        chance,
        *(measure, len(runs), runs.n_features, reason or notes_on(about), level),
    )


def compare(
    first: Any,
    second: Any,
    n_features: int | None = None,
    *,
    k: int | None = None,
    features: Sequence[Any] | None = None,
    form: str | None = None,
    level: float = 0.95,
) -> Comparison:
    """Is one selector more stable than another? A two-sample test of Nogueira's measure.

    T = (Φ₁ − Φ₂) / √(v₁ + v₂), standard normal where both are equally stable. The runs of each
    are a sample of their own; they need not be as many.

    Parameters
    ----------
    first, second
        Runs of each, in any form that `steadfast.stability` takes.
    n_features, k, features, form, level
        As there.

    References
    ----------
    Nogueira, Sechidis, Brown (2018), theorem 10.

    Examples
    --------
    >>> import steadfast
    >>> steady = [{0, 1, 2}, {0, 1, 2}, {0, 1, 3}, {0, 1, 2}]
    >>> restless = [{0, 1, 2}, {0, 4, 5}, {0, 6, 7}, {1, 2, 9}]
    >>> found = steadfast.compare(steady, restless, n_features=20)
    >>> print(f"{found.difference:.2f}, p = {found.p:.0e}")
    0.65, p = 5e-08
    """
    about = _known_measure(PAGE_MEASURE, level)
    both, values = [], []
    for what, runs in (("first", first), ("second", second)):
        given = _cut(to_runs(runs, n_features, features=features, form=form, what=what), k)
        reason = why_undefined(about.needs, given)
        if reason:
            raise UserError(f"{what}: stability is undefined: {reason}")
        both.append(given)
        values.append(value_of(given, level=level))
    statistic, p = nogueira_test(*both)
    note = "" if statistic == statistic else why_untested(*both)
    return Comparison(values[0].value - values[1].value, statistic, p, *values, note)


def _known_measure(measure: str, level: float) -> Declaration:
    if not isinstance(level, (int, float)) or not 0 < level < 1:
        raise UserError(f"level: must lie between 0 and 1, got {level!r}")
    return find(measure)


def _prepare(
    given: Any,
    n_features: int | None,
    about: Declaration,
    *,
    X: Any,
    similarity: Any,
    features: Sequence[Any] | None,
    form: str | None,
    rankings: bool = False,
) -> tuple[Runs, Similarities | None]:
    """The runs, and what is known of the similarity of features."""
    similarities, m = None, n_features
    if X is not None:
        data = _numbers(X)
        m = data.shape[1] if m is None else m
        if m != data.shape[1]:
            raise UserError(f"X: has {data.shape[1]} columns, but n_features says {m}")
        features = list(X.columns) if features is None and hasattr(X, "columns") else features
        similarities = similarities_of(data)
    asks = rankings or about.takes in ("rankings", "weights")
    what = "rankings" if rankings else "runs"
    runs = to_runs(given, m, features=features, form=form, rankings=asks, what=what)
    if similarity is not None:
        similarities = _GivenSimilarity(similarity, runs.n_features)
    if about.similarity and similarities is None:
        raise UserError(
            f"X: {about.name} looks at similar features; give the data, or `similarity`"
        )
    if about.takes == "rankings" and not runs.ranked:
        raise UserError(f"{what}: {about.name} compares rankings; these are subsets without order")
    if about.takes == "weights" and runs.weights is None:
        raise UserError(f"{what}: {about.name} compares weights, of which there are none here")
    return runs, similarities


def _numbers(X: Any) -> np.ndarray:
    try:
        data = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError("X: must hold numbers only") from None
    if data.ndim != 2 or np.isinf(data).any():
        raise UserError("X: must be finite numbers, rows by features")
    return data


class _GivenSimilarity(Similarities):
    """A matrix of similarities that the user brings."""

    def __init__(self, similarity: Any, n_features: int):
        super().__init__()
        given = np.asarray(similarity, dtype=np.float64)
        if given.shape != (n_features, n_features) or not np.allclose(given, given.T):
            raise UserError(f"similarity: must be a symmetric matrix, {n_features} by {n_features}")
        if not (given >= 0).all() or not (given <= 1).all():
            raise UserError("similarity: must lie from 0 to 1")
        self.given = given

    def matrix(self, name: str) -> np.ndarray:
        return self.given > 0 if name == "linked" else self.given


def _cut(runs: Runs, k: int | None) -> Runs:
    if k is None:
        return runs
    if not runs.ranked:
        raise UserError("k: the runs are subsets without order, which cannot be cut")
    return runs.top(_depth(runs, k, "k"))


def _depth(runs: Runs, largest: int | None, name: str = "largest") -> int:
    whole = isinstance(largest, (int, np.integer)) and not isinstance(largest, bool)
    if largest is not None and (not whole or not 1 <= largest <= runs.depth):
        raise UserError(
            f"{name}: must be a whole number from 1 to {runs.depth}, the length of the shortest "
            f"run, got {largest!r}"
        )
    if runs.depth < 1:
        raise UserError("rankings: some run ranks no feature")
    return runs.depth if largest is None else int(largest)

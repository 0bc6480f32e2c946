"""Parameters and subset size chosen by resampling the rows that a selector sees."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Self

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector, require_share, require_whole
from steadfast.core.registry import declared, selector
from steadfast.core.seeds import derive_seed, random_generator
from steadfast.data.discretise import EqualWidth
from steadfast.resampling.draws import rows_beside
from steadfast.resampling.grouped import draw_share_of_groups
from steadfast.selectors.running.auto import AUTO, GRIDS, SAME_AS, SIZE
from steadfast.selectors.running.grid import Grid, require_rule
from steadfast.selectors.running.select import create, ensure_sequence
from steadfast.statistics.corrected_stability import prefix_parts, prefix_stability

#: Bins that naive Bayes sees where the selector is given numbers.
_BINS = 10


@selector(
    "tuned",
    runs="base",
    samples="n_samples",
    share="share",
    grid="over",
    reference="Gulgezen, Cataltepe, Yu (2009), the question at their end",
)
class Tuned(Selector):
    """A selector whose parameters, and whose number of features, come from the data.

    The rows are resampled B times: a share of each class is selected on, the rest is classified.
    For every set of parameters and every size k this gives the stability of the B rankings, cut
    after k (Nogueira's, 0 by chance), and the mean accuracy of naive Bayes on bins (balanced: the
    mean over the classes). Chosen is the most stable of those whose accuracy is not significantly
    below the highest: the loss is within the one-sided 95% interval for resamples of one data set.
    With `weight` w it is the largest w · stability + (1 − w) · accuracy instead. Of equals, the
    smallest size, then the first parameters. Where the size is not asked for, both are means over
    the sizes.

    A choice that changes from one training set to the next makes the selection less stable. With
    `prefer`, the values that it names are kept unless others are significantly better: of those
    that are neither less accurate than the best nor less stable than the most stable of these, both
    at 5% divided by the number of comparisons, the one nearest to them is taken.

    The selector with what was chosen is then fitted on all rows. What it is worth must be measured
    on rows that it has not seen, as a study does: the choice is part of the selection.

    Where there is one set of parameters, and the size is not asked for, nothing is resampled, and
    the result is that of the selector itself.

    Parameters
    ----------
    base
        Name of a selector, or the path of a class or function of another package.
    base_params
        Its other parameters.
    over
        Parameters with the values to try; several give all combinations. None: the values that
        `auto` stands for, of α 0, 0.1, …, 1.
    by
        ``stability_and_accuracy``, ``stability`` or ``accuracy``: what is looked at.
    weight
        Weight of stability against accuracy, 0 to 1; None for the rule of significance.
    prefer
        Parameters with the value that is kept unless another is significantly better; empty, for
        the smallest size that is not significantly worse. None: the rule above.
    n_samples
        B.
    share
        Share of the rows of each class in a sample.
    largest
        The largest size that is looked at.
    n_features_to_select
        How many to rank; all if None. ``auto``: the data choose, and `support_` holds the choice.
    random_state
        For the samples, and for bases that draw.

    Attributes
    ----------
    params_ : dict
        The chosen parameters.
    size_ : int or None
        The chosen size, where that was asked for.
    grid_ : dict of str to list
        What was tried, row by row: parameters, `size`, `stability`, `accuracy` and its standard
        deviation over the samples, `choice` (chosen; as accurate as the best; as good as the best).
    selector_ : object
        The fitted selector.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009). Nogueira, Sechidis,
    Brown, On the stability of feature selection algorithms (2018). Nadeau, Bengio, Inference for
    the generalization error (2003).
    """

    def __init__(
        self,
        base: Any = "mid_alpha",
        base_params: dict[str, Any] | None = None,
        over: dict[str, Any] | None = None,
        by: str = "stability_and_accuracy",
        weight: float | None = None,
        prefer: dict[str, Any] | None = None,
        n_samples: int = 20,
        share: float = 0.5,
        largest: int = 100,
        n_features_to_select: Any = None,
        random_state: Any = None,
    ):
        self.base = base
        self.base_params = base_params
        self.over = over
        self.by = by
        self.weight = weight
        self.prefer = prefer
        self.n_samples = n_samples
        self.share = share
        self.largest = largest
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def fit(self, X: Any, y: Any, groups: np.ndarray | None = None) -> Self:
        """Choose, and rank the columns; samples keep the rows of a group together."""
        if groups is not None and len(groups) != len(y):
            raise ValueError(f"groups: must be one for each of {len(y)} rows, got {len(groups)}")
        self._groups = groups
        return super().fit(X, y)

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._check()
        points, sizes = self._points(), self.n_features_to_select == AUTO
        draw = random_generator(self.random_state)
        seed = int(draw.integers(2**32))
        self.params_, self.size_, self.grid_ = points[0], None, {}
        if sizes or len(points) > 1:
            grid = self._try(X, y, points, draw, seed)
            grid = grid if sizes else grid.over_sizes()
            chosen = grid.choice(self.by, self.weight, self.prefer)
            self.params_ = points[chosen[0]]
            self.size_ = chosen[1] + 1 if sizes else None
            settled = self.prefer is not None
            self.grid_ = grid.columns(chosen, self.weight, sizes=sizes, settled=settled)
        self._fit_chosen(X, y, seed)

    def _fit_chosen(self, X: np.ndarray, y: np.ndarray, seed: int) -> None:
        m = X.shape[1]
        made = create(self._settings(self.params_, self.n_ranked()), seed)
        self.selector_ = fitted = ensure_sequence(made.fit(X, y), m)
        self._set_sequence(fitted.sequence_[: self.n_ranked()], _cut(fitted, self.n_ranked()))
        self.scores_ = fitted.scores_
        self.iterations_ = getattr(fitted, "iterations_", {})
        self.support_ = getattr(fitted, "support_", None)
        if self.size_ is not None:
            self.support_ = np.zeros(m, dtype=bool)
            self.support_[self.sequence_[: self.size_]] = True

    def _try(
        self,
        X: np.ndarray,
        y: np.ndarray,
        points: list[dict[str, Any]],
        draw: np.random.Generator,
        seed: int,
    ) -> Grid:
        """Stability and accuracy of all points and sizes."""
        m = X.shape[1]
        wanted = min(self.largest, m, self.n_ranked())
        runs, accuracies, tested = [], [], 0
        for at in range(self.n_samples):
            rows = draw_share_of_groups(y, self._groups, self.share, draw)
            rest = rows_beside(rows, len(y))
            sequences = self._sequences(X[rows], y[rows], points, wanted, derive_seed(seed, at))
            bayes = _classifier(X, y, rows, rest)
            accuracies.append([bayes.accuracies(sequence) for sequence in sequences])
            runs.append(sequences)
            tested += rest.size
        depth = min(sequence.size for sequences in runs for sequence in sequences)
        by_point = [[sequences[p][:depth] for sequences in runs] for p in range(len(points))]
        stability = np.array([prefix_stability(own, m) for own in by_point])
        parts = None
        if self.prefer is not None:
            parts = np.array([prefix_parts(own, m) for own in by_point]).transpose(1, 0, 2)
        accuracy = np.array([[own[:depth] for own in each] for each in accuracies])
        total = self.n_samples * len(y)
        # Without rows to test on, all are equally accurate.
        accuracy = np.nan_to_num(accuracy)
        return Grid(points, stability, accuracy, tested / (total - tested), parts)

    def _sequences(
        self,
        X: np.ndarray,
        y: np.ndarray,
        points: list[dict[str, Any]],
        wanted: int,
        seed: int,
    ) -> list[np.ndarray]:
        """What each set of parameters ranks first; from shared counts where the selector can."""
        made = [create(self._settings(point, wanted), seed % 2**32) for point in points]
        together = getattr(made[0], "sequences_of", None)
        if together is not None:
            found = together(X, y, made, wanted)
        else:
            fitted = (ensure_sequence(one.fit(X, y), X.shape[1]) for one in made)
            found = [one.sequence_ for one in fitted]
        return [sequence[:wanted] for sequence in found]

    def _settings(self, point: Mapping[str, Any], wanted: int) -> dict[str, Any]:
        """The base with these parameters, and asked for so many features if it can be."""
        params = {**(self.base_params or {}), **point}
        use = self.base
        values, same = SAME_AS.get(use, ({}, "")) if isinstance(use, str) else ({}, "")
        if values and values.items() <= params.items():
            use, params = same, {k: v for k, v in params.items() if k not in values}
        about = declared("selector").get(use) if isinstance(use, str) else None
        if about is not None and "n_features_to_select" in about.parameters:
            params = {**params, "n_features_to_select": wanted}
        return {"use": use, "params": params}

    def n_ranked(self) -> int:
        """How many features are ranked; up to the largest size where the data choose it."""
        if self.n_features_to_select == AUTO:
            return min(self.largest, self.n_features_in_)
        return super().n_ranked()

    def _points(self) -> list[dict[str, Any]]:
        """All combinations of the values to try."""
        over = self._over()
        if not over and self.n_features_to_select != AUTO:
            raise ValueError(
                "over: names no parameter, so that there is nothing to choose; name one with its "
                "values, or set n_features_to_select: auto"
            )
        for place in (over, self.base_params or {}):
            if SIZE in place:
                raise ValueError(f"{SIZE}: is no parameter of the base; set it beside `base`")
        return [dict(zip(over, values, strict=True)) for values in product(*over.values())]

    def _over(self) -> Mapping[str, Any]:
        if self.over is None:
            return GRIDS.get(self.base, {}) if isinstance(self.base, str) else {}
        return self.over

    def _check(self) -> None:
        for name in ("over", "base_params"):
            given = getattr(self, name)
            if given is not None and not isinstance(given, Mapping):
                raise ValueError(f"{name}: must be parameters with values, got {given!r}")
        for name, values in self._over().items():
            if not isinstance(values, Sequence) or isinstance(values, str) or not len(values):
                raise ValueError(f"over: {name} must be a list of values, got {values!r}")
        require_rule(self.by, self.weight, self.prefer, self._over())
        # Two samples do not say how far stability is known.
        require_whole("n_samples", self.n_samples, 2 if self.prefer is None else 3)
        require_whole("largest", self.largest, 1)
        require_share("share", self.share)


def _cut(fitted: Any, wanted: int) -> dict[str, np.ndarray]:
    """What explains the steps, of the first features."""
    return {name: values[:wanted] for name, values in getattr(fitted, "steps_", {}).items()}


def _classifier(X: np.ndarray, y: np.ndarray, rows: np.ndarray, rest: np.ndarray) -> Any:
    """Naive Bayes trained on some rows and tested on the rest; numbers are put into bins first."""
    with cli.count_start_up():
        from steadfast.selectors.kernels.prefix_bayes import PrefixBayes

    train, test = X[rows], X[rest]
    if X.dtype != np.uint8:
        bins = EqualWidth(_BINS).fit(train)
        train, test = bins.transform(train), bins.transform(test)
    train, test = np.ascontiguousarray(train.T), np.ascontiguousarray(test.T)
    return PrefixBayes(train, y[rows], test, y[rest])

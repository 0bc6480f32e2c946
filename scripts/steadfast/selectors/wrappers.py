"""Wrappers: subsets by how well a classifier does with them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.estimator import Selector, require_share, require_whole
from steadfast.core.registry import load_class, selector
from steadfast.core.seeds import random_generator
from steadfast.data.discretise import unit_range
from steadfast.wrappers import DEFAULTS, WORDS
from steadfast.wrappers.base import Criterion, Split, dealt_splits, random_splits
from steadfast.wrappers.redrawn import Redraw, splits_of
from steadfast.wrappers.search import Search, sequential_search


@selector(
    "sfs",
    wraps="classifier",
    reference="Whitney (1971), as used by Somol, Novovicova (2008)",
    fixed={"floating": False},
)
@selector(
    "sffs",
    wraps="classifier",
    reference="Pudil, Novovicova, Kittler (1994), Floating search methods in feature selection",
    fixed={"floating": True},
)
class SequentialSearch(Selector):
    """The subset with which a classifier is most accurate, found by adding (and dropping) features.

    Starts with no feature and adds the one that gives the highest criterion, until all are in. The
    floating search (`sffs`) then drops, after each addition, the feature without which the subset
    is best, as long as the smaller subset beats the best of its size so far. The best subset of
    every size is kept; the most accurate of them is chosen, the smaller on ties. Equally good
    candidates: the lowest column.

    Criterion J(S) = (1/s) Σ accuracy on the test part of split s, trained on its training part with
    the features S: s random splits, drawn once and shared by all subsets or anew for every
    evaluation of J, or the folds of a cross-validation. Features are scaled to [0, 1] first.

    The classifiers `gaussian` (mean and covariance per class), `knn` and `svm` (Gaussian kernel)
    have fast paths, which follow the subset by the feature added or dropped and score all
    candidates of a step together; any other goes the ordinary way, fitted anew each time. A fast
    path finds what the ordinary way with scikit-learn's class finds, except that `knn` takes
    equally near rows in their order, which scikit-learn leaves open.

    Parameters
    ----------
    classifier
        `gaussian`, `knn`, `svm`, the path of a class (`sklearn.naive_bayes.GaussianNB`), or an
        estimator.
    classifier_params
        Its parameters: `ridge` (1e-6) and `mean` (`own`, or `first_class`: see `GaussianCriterion`)
        of `gaussian`, `n_neighbors` (3) of `knn`, `C` (1), `gamma` (`scale`, `auto` or a number, as
        in scikit-learn; `all`: 1 / number of all features) and `tol` (1e-3) of `svm`.
    n_splits
        Random splits.
    splits
        `run`: drawn once, and the same for all subsets; or `evaluation`: anew for every subset that
        is evaluated, so that the criterion has a noise of its own.
    sample_share
        Share of the rows that each split takes first, drawn anew; all of them if None.
    train_share
        Share of the rows of a split that train; 2/3 if None.
    stratified
        Whether random splits keep the shares of the classes; folds always do.
    n_folds
        Folds of a cross-validation instead of random splits; None for random splits.
    largest
        Size of subset at which to stop; None goes on to all features.
    stop_when_perfect
        Whether to stop at a subset without errors, as no larger one would be chosen.
    resume_best
        Whether a floating search, once it has dropped what it could, goes on from the best subset
        it knows of that size. If not, from the subset it has come to.
    fast
        Whether to use fast paths.
    floating
        Whether features are dropped again: settled by the name.
    random_state
        For the splits.

    Attributes
    ----------
    support_ : ndarray of bool
        The chosen subset.
    criterion_ : float
        Its criterion.
    sequence_ : ndarray
        The chosen features, then the others, each in the order in which they entered for good.
    subsets_ : dict of int to ndarray
        The best subset of every size.
    criteria_ : dict of int to float
        Their criteria.
    search_ : dict of str to list
        The search, step by step: see docs/read-a-fold.md.
    steps_ : dict
        `step` of the search at which the feature entered for good.

    References
    ----------
    Whitney, A direct method of nonparametric measurement selection (1971). Pudil, Novovicova,
    Kittler, Floating search methods in feature selection (1994). Somol, Novovicova, Evaluating the
    stability of feature selectors that optimize feature subset cardinality (2008), section 5.
    """

    def __init__(
        self,
        classifier: Any = "knn",
        classifier_params: dict[str, Any] | None = None,
        n_splits: int = 10,
        splits: str = "run",
        sample_share: float | None = None,
        train_share: float | None = None,
        stratified: bool = True,
        n_folds: int | None = None,
        largest: int | None = None,
        stop_when_perfect: bool = False,
        resume_best: bool = False,
        fast: bool = True,
        floating: bool = False,
        random_state: Any = None,
    ):
        self.classifier = classifier
        self.classifier_params = classifier_params
        self.n_splits = n_splits
        self.splits = splits
        self.sample_share = sample_share
        self.train_share = train_share
        self.stratified = stratified
        self.n_folds = n_folds
        self.largest = largest
        self.stop_when_perfect = stop_when_perfect
        self.resume_best = resume_best
        self.fast = fast
        self.floating = floating
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        if self.largest is not None:
            require_whole("largest", self.largest, 1)
        draw = random_generator(self.random_state)
        criterion = make_criterion(
            unit_range(X),
            y,
            self._splits(y, draw),
            self.classifier,
            self.classifier_params,
            fast=self.fast,
            seed=int(draw.integers(2**31)),
        )
        search = sequential_search(
            criterion,
            floating=self.floating,
            largest=self.largest,
            stop_when_perfect=self.stop_when_perfect,
            resume_best=self.floating and self.resume_best,
        )
        self._set_result(search, criterion)

    def _splits(self, y: np.ndarray, draw: np.random.Generator) -> list[Split] | Redraw:
        if self.splits not in ("run", "evaluation"):
            raise ValueError(f"splits must be run or evaluation, got {self.splits!r}")
        if self.n_folds is not None:
            return self._folds(y, draw)
        require_whole("n_splits", self.n_splits, 1)
        train_share = 2 / 3 if self.train_share is None else self.train_share
        if not isinstance(train_share, (int, float)) or not 0 < train_share < 1:
            raise ValueError(f"train_share must lie between 0 and 1, got {train_share!r}")
        if self.sample_share is not None:
            require_share("sample_share", self.sample_share)
        drawn = Redraw(
            y,
            self.n_splits,
            train_share,
            1.0 if self.sample_share is None else self.sample_share,
            draw,
            stratified=self.stratified,
        )
        if not drawn.n_test:
            raise ValueError(
                f"n_samples={len(y)}: with {train_share:.3g} of each class for training no row is "
                "left to test on; it needs more rows per class"
            )
        if self.splits == "evaluation":
            return drawn
        if self.sample_share is not None:
            return splits_of(drawn.roles(1)[0])
        return random_splits(y, self.n_splits, train_share, draw, stratified=self.stratified)

    def _folds(self, y: np.ndarray, draw: np.random.Generator) -> list[Split]:
        if self.splits == "evaluation" or self.sample_share is not None:
            raise ValueError(
                "n_folds: folds are dealt once, from all rows; leave splits and sample_share out"
            )
        require_whole("n_folds", self.n_folds, 2)
        if self.n_folds > len(y):
            raise ValueError(f"n_folds: {len(y)} rows cannot be dealt to {self.n_folds} folds")
        return dealt_splits(y, self.n_folds, draw)

    def _set_result(self, search: Search, criterion: Criterion) -> None:
        entered = {
            step.feature: at
            for at, step in enumerate(search.steps)
            if step.action in ("add", "return")
        }
        chosen = set(search.chosen)
        # What was in the subset at the end, or is chosen.
        ranked = sorted({*criterion.subset, *chosen}, key=lambda f: (f not in chosen, entered[f]))
        sequence = np.array(ranked, dtype=np.int64)
        self._set_sequence(sequence, {"step": np.array([entered[f] + 1 for f in ranked])})
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[search.chosen] = True
        self.subsets_ = {size: np.array(search.kept[size]) for size in sorted(search.kept)}
        self.criteria_ = {size: criterion.accuracy(search.scores[size]) for size in self.subsets_}
        self.criterion_ = self.criteria_[search.chosen_size]
        self.search_ = _search_columns(search, criterion, entered)


def _search_columns(
    search: Search, criterion: Criterion, entered: Mapping[int, int]
) -> dict[str, list[Any]]:
    """One value per step; `column` and `for_good` say to which feature's rank a step belongs."""
    kept = set(search.kept_at.values())
    steps = search.steps
    return {
        "column": [step.feature for step in steps],
        "for_good": [entered[step.feature] == at for at, step in enumerate(steps)],
        "step": list(range(1, len(steps) + 1)),
        "action": [step.action for step in steps],
        "size": [step.size for step in steps],
        "criterion": [criterion.accuracy(step.score) for step in steps],
        "best": [criterion.accuracy(step.best_score) for step in steps],
        "best_size": [step.best_size for step in steps],
        "kept": ["yes" if at in kept else "no" for at in range(len(steps))],
    }


def make_criterion(
    X: np.ndarray,
    y: np.ndarray,
    splits: list[Split] | Redraw,
    classifier: Any,
    params: Mapping[str, Any] | None = None,
    *,
    fast: bool = True,
    seed: int = 0,
) -> Criterion:
    """The criterion of a classifier: its fast path where it has one, else the ordinary one.

    `seed` is for classifiers that draw: all subsets are compared under the same one.
    """
    if params is not None and not isinstance(params, Mapping):
        raise ValueError(f"classifier_params must be names with values, got {params!r}")
    params = dict(params or {})
    if isinstance(classifier, str) and classifier in DEFAULTS:
        params = _complete(classifier, params)
        if fast:
            return _fast_criterion(classifier, X, y, splits, params)
        classifier, params = _sklearn_equivalent(classifier, params, X.shape[1])
    with cli.count_start_up():
        from steadfast.wrappers.ordinary import OrdinaryCriterion, RedrawnOrdinary

    made = RedrawnOrdinary if isinstance(splits, Redraw) else OrdinaryCriterion
    return made(X, y, splits, _seed_copy(_estimator(classifier, params), seed))


def _complete(classifier: str, params: dict[str, Any]) -> dict[str, Any]:
    """With defaults, and refused where compiled code would not notice."""
    defaults = DEFAULTS[classifier]
    for name, value in params.items():
        if name not in defaults:
            raise ValueError(
                f"classifier_params: {classifier} has no {name!r}; it has {', '.join(defaults)}"
            )
        if name == "n_neighbors":
            require_whole(f"classifier_params: {name}", value, 1)
        elif name in WORDS:
            if value not in WORDS[name]:
                wanted = " or ".join(WORDS[name])
                raise ValueError(f"classifier_params: {name} must be {wanted}, got {value!r}")
        elif name != "gamma" or value not in ("scale", "auto", "all"):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not 0 < value < (1 if name == "ridge" else np.inf):
                least = "between 0 and 1" if name == "ridge" else "a number above 0"
                raise ValueError(f"classifier_params: {name} must be {least}, got {value!r}")
    return defaults | params


def _estimator(classifier: Any, params: dict[str, Any]) -> Any:
    """A classifier by the path of its class, or an estimator, with these parameters."""
    if isinstance(classifier, str):
        if "." not in classifier:
            raise ValueError(
                f"classifier: {classifier!r} is none of gaussian, knn, svm, and no path of a class"
            )
        try:
            classifier = load_class(classifier)
        except UserError as error:
            raise ValueError(f"classifier: {str(error).removeprefix('use: ')}") from None
    try:
        made = classifier(**params) if isinstance(classifier, type) else classifier
    except TypeError as error:
        raise ValueError(f"classifier_params: {error}") from None
    from sklearn.base import clone, is_clusterer, is_regressor

    if not (hasattr(made, "fit") and hasattr(made, "predict")):
        raise ValueError(f"classifier: {classifier!r} has no fit and predict")
    if is_regressor(made) or is_clusterer(made):
        raise ValueError(f"classifier: {type(made).__name__} is no classifier")
    return clone(made).set_params(**params) if made is classifier and params else made


def _seed_copy(estimator: Any, seed: int) -> Any:
    """A copy whose draws, and those of the estimators inside it, come from a seed."""
    from sklearn.base import clone

    named = estimator.get_params() if hasattr(estimator, "get_params") else {}
    open_seeds = [
        name for name, value in named.items() if name.endswith("random_state") and value is None
    ]
    return clone(estimator).set_params(**dict.fromkeys(open_seeds, seed)) if named else estimator


def _fast_criterion(
    classifier: str,
    X: np.ndarray,
    y: np.ndarray,
    splits: list[Split] | Redraw,
    params: dict[str, Any],
) -> Criterion:
    with cli.count_start_up():
        made = _criterion_class(classifier, redrawn=isinstance(splits, Redraw))
    return made(X, y, splits, **params)


def _criterion_class(classifier: str, *, redrawn: bool) -> Callable[..., Criterion]:
    if classifier == "svm":
        from steadfast.wrappers.machines import MachineCriterion, RedrawnMachines

        return RedrawnMachines if redrawn else MachineCriterion
    if classifier == "gaussian" and redrawn:
        from steadfast.wrappers.redrawn_gaussian import RedrawnGaussian as made
    elif classifier == "gaussian":
        from steadfast.wrappers.gaussian import GaussianCriterion as made
    elif redrawn:
        from steadfast.wrappers.redrawn_neighbours import RedrawnNeighbours as made
    else:
        from steadfast.wrappers.neighbours import NeighbourCriterion as made
    return made


def _sklearn_equivalent(
    classifier: str, params: dict[str, Any], n_features: int
) -> tuple[str, dict[str, Any]]:
    """The class of scikit-learn that does the same, and its parameters."""
    if classifier == "gaussian" and params["mean"] != "own":
        raise ValueError(
            "classifier_params: mean: first_class has no class of scikit-learn; use fast"
        )
    if classifier == "gaussian":
        from sklearn import __version__

        if tuple(map(int, __version__.split(".")[:2])) < (1, 9):
            # Earlier ones divide a covariance by one row less: another classifier.
            raise UserError("classifier: gaussian needs fast, or scikit-learn 1.9 or newer")
        path = "sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis"
        return path, {"reg_param": params["ridge"], "tol": 0.0}
    if classifier == "knn":
        return "sklearn.neighbors.KNeighborsClassifier", params
    if params["gamma"] == "all":
        params = {**params, "gamma": 1 / n_features}
    return "sklearn.svm.SVC", params

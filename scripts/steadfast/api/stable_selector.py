"""A selector that keeps what another one selects again and again."""

import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import validate_data

from steadfast.api.fitted import support_of
from steadfast.api.scores import value_of
from steadfast.core import registry
from steadfast.core.errors import look_up
from steadfast.core.estimator import Selector, ranks_in, require_share, require_whole
from steadfast.core.seeds import derive_seed, random_generator
from steadfast.measures.runs import Runs
from steadfast.resampling.draws import draw_share
from steadfast.selectors.running.select import create, ensure_sequence

#: Frequencies are shares of whole numbers: less than this is rounding.
_ROUNDING = 1e-9


class StableSelector(SelectorMixin, BaseEstimator):
    """Stability selection: run a selector on subsamples, keep what it selects most often.

    The frequency of a feature is the share of the subsamples on which the selector selects it. Kept
    are the features whose frequency is `threshold` or more, or the `n_features_to_select` most
    frequent ones. Where none reaches the threshold the most frequent one is kept, with a warning.

    By default subsamples are halves, as in Meinshausen and Bühlmann: of m features, q of them
    selected in a run, at most q² / ((2 · threshold − 1) · m) of those kept are expected to be noise
    (if all noise is alike). They find that thresholds from 0.6 to 0.9 make little difference; 0.8
    is also the share of the runs from which steadfast's pages vouch for a feature.

    Parameters
    ----------
    selector
        An estimator that selects or ranks features, or the name of a selector of steadfast's
        (`steadfast.list_selectors`). What it selects is its `get_support()`; of one that ranks
        every feature, the first `n_features_to_select` of its ranking, or the first half.
    n_subsamples
        How many subsamples are drawn, without replacement; classes keep their shares.
    share
        Share of the rows in a subsample.
    threshold
        The least frequency of a feature that is kept.
    n_features_to_select
        How many features are kept instead, whatever their frequencies.
    random_state
        For the subsamples, and for selectors that draw.
    n_jobs
        Processes, as joblib counts them; results are the same.

    Attributes
    ----------
    frequencies_, scores_ : ndarray
        The frequency of each feature.
    stability_ : StabilityValue
        How far the runs agree, by Nogueira's measure.
    support_ : ndarray
        Mask of the features that are kept.
    sequence_ : ndarray
        Numbers of the features ever selected, most frequent first; of equally frequent ones, the
        one with the smaller mean rank.
    ranking_ : ndarray
        Rank of each feature in this order, 1 is best.
    n_features_in_, feature_names_in_
        What `fit` saw.

    References
    ----------
    Meinshausen, Bühlmann, Stability selection, Journal of the Royal Statistical Society B 72
    (2010).

    Examples
    --------
    >>> import steadfast
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.feature_selection import SelectKBest
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> stable = steadfast.StableSelector(SelectKBest(k=5), n_subsamples=20, random_state=0)
    >>> stable.fit(X, y).get_feature_names_out().tolist()
    ['alcohol', 'flavanoids', 'color_intensity', 'od280/od315_of_diluted_wines', 'proline']
    >>> stable.stability_.value > 0.8
    True

    In a pipeline, tuned by its own and the selector's parameters:

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.pipeline import make_pipeline
    >>> chain = make_pipeline(stable.set_output(transform="pandas"), GaussianNB())
    >>> grid = {"stableselector__selector__k": [3, 6]}
    >>> GridSearchCV(chain, grid, cv=3).fit(X, y).best_params_
    {'stableselector__selector__k': 6}
    """

    def __init__(
        self,
        selector: Any = "fisher",
        *,
        n_subsamples: int = 50,
        share: float = 0.5,
        threshold: float = 0.8,
        n_features_to_select: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ):
        self.selector = selector
        self.n_subsamples = n_subsamples
        self.share = share
        self.threshold = threshold
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Run the selector on the subsamples.

        Parameters
        ----------
        X
            Rows by features.
        y
            What the selector needs of each row; classes for those of steadfast's.

        Examples
        --------
        >>> import steadfast
        >>> from sklearn.datasets import load_iris
        >>> stable = steadfast.StableSelector(n_subsamples=10, random_state=0)
        >>> stable.fit(*load_iris(return_X_y=True)).get_support()
        array([False, False,  True,  True])
        """
        self._check_parameters()
        X, y = self._check_rows(X, y)
        draw = random_generator(self.random_state)
        seed = int(draw.integers(2**32))
        strata = self._strata(y, X.shape[0])
        samples = [draw_share(strata, self.share, draw) for _ in range(self.n_subsamples)]
        tasks = [
            (self.selector, X[rows], None if y is None else y[rows], derive_seed(seed, at) % 2**32)
            for at, rows in enumerate(samples)
        ]
        wanted = self.n_features_to_select
        self._conclude([_subset(found, X.shape[1], wanted) for found in self._run(tasks)])
        return self

    def _run(self, tasks: list[tuple]) -> list[Any]:
        if self.n_jobs in (None, 1):
            return [_fit(*task) for task in tasks]
        from joblib import Parallel, delayed

        return Parallel(n_jobs=self.n_jobs)(delayed(_fit)(*task) for task in tasks)

    def _conclude(self, subsets: list[np.ndarray]) -> None:
        """What follows from the columns, best first, that each run selects."""
        m = self.n_features_in_
        counts = np.bincount(np.concatenate(subsets), minlength=m)
        self.frequencies_ = self.scores_ = counts / len(subsets)
        mean_rank = np.mean([ranks_in(subset, m) for subset in subsets], axis=0)
        order = np.lexsort((np.arange(m), mean_rank, -counts))
        self.sequence_ = order[: max(1, np.count_nonzero(counts))]
        self.ranking_ = ranks_in(self.sequence_, m)
        self.support_ = np.zeros(m, dtype=bool)
        self.support_[order[: self._n_kept(m)]] = True
        self.stability_ = value_of(Runs(m, subsets, ranked=False))

    def _n_kept(self, m: int) -> int:
        if self.n_features_to_select is not None:
            return min(self.n_features_to_select, m)
        kept = np.count_nonzero(self.frequencies_ >= self.threshold - _ROUNDING)
        if not kept:
            warnings.warn(
                f"no feature is selected in {self.threshold:.0%} of the subsamples; the most "
                f"frequent one ({self.frequencies_.max():.0%}) is kept",
                UserWarning,
                stacklevel=4,
            )
        return max(1, int(kept))

    def _get_support_mask(self) -> np.ndarray:
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        return self.support_

    def _check_parameters(self) -> None:
        require_whole("n_subsamples", self.n_subsamples, 2)
        require_share("threshold", self.threshold)
        require_share("share", self.share)
        if self.n_features_to_select is not None:
            require_whole("n_features_to_select", self.n_features_to_select, 1)
        if isinstance(self.selector, str):
            look_up("selector", self.selector, registry.declared("selector"))

    def _check_rows(self, X: Any, y: Any) -> tuple[Any, Any]:
        tags = self.__sklearn_tags__()
        how = {
            "accept_sparse": "csr" if tags.input_tags.sparse else False,
            "ensure_all_finite": "allow-nan" if tags.input_tags.allow_nan else True,
            "ensure_min_samples": 2,
        }
        if y is None and not tags.target_tags.required:
            return validate_data(self, X, **how), None
        X, y = validate_data(self, X, y, **how)
        if isinstance(self.selector, str):
            check_classification_targets(y)
        return X, y

    def _strata(self, y: np.ndarray | None, n_rows: int) -> np.ndarray:
        """Classes, each of which is drawn in its share; one for all rows where there are none."""
        if y is None or type_of_target(y) not in ("binary", "multiclass"):
            return np.zeros(n_rows, dtype=np.int64)
        return np.unique(y, return_inverse=True)[1]

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may ask of it: what may be asked of the selector."""
        tags = super().__sklearn_tags__()
        inner = None if isinstance(self.selector, str) else get_tags(self.selector)
        tags.target_tags.required = inner is None or inner.target_tags.required
        if inner is not None:
            tags.input_tags.allow_nan = inner.input_tags.allow_nan
            tags.input_tags.sparse = inner.input_tags.sparse
        return tags


def _fit(selector: Any, X: Any, y: np.ndarray | None, random_state: int) -> Any:
    """A copy of the selector, fitted on one subsample."""
    made = create({"use": selector}, random_state)
    if isinstance(selector, str):
        if registry.declared("selector")[selector].discrete:
            from steadfast.api.defaults import BINS
            from steadfast.data.discretise import create as create_bins

            X = create_bins(BINS).fit(X, y).transform(X)
        y = np.unique(y, return_inverse=True)[1]
    return made.fit(X) if y is None else made.fit(X, y)


def _subset(fitted: Any, m: int, wanted: int | None) -> np.ndarray:
    """The columns that a fitted selector selects, best first."""
    sequence = np.asarray(ensure_sequence(fitted, m).sequence_, dtype=np.int64)
    if wanted is not None and sequence.size >= wanted:
        return sequence[:wanted]
    support = support_of(fitted)
    if support is None or (isinstance(fitted, Selector) and support.all()):  # it only ranks
        return sequence[: max(1, m // 2)]
    return sequence[support[sequence]]

"""scikit-learn's estimator protocol without importing scikit-learn.

A job that runs one of the project's own selectors starts in half a second; importing scikit-learn
would add two more. The classes here answer scikit-learn's calls (`clone`, `Pipeline`, `set_params`,
the tags) and import it only when scikit-learn itself asks.
"""

import inspect
from typing import Any, Self

import numpy as np


class Estimator:
    """Parameters are the arguments of `__init__`, stored under their own names."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name."""
        for name, value in params.items():
            if name not in self._parameter_names():
                raise ValueError(
                    f"Invalid parameter {name!r} for {type(self).__name__}: "
                    f"it has {', '.join(self._parameter_names())}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({shown})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")


class Selector(Estimator):
    """A feature selector that states a ranking.

    A subclass implements `_rank(X, y)`, which sets what it learns; `fit` checks the input, so that
    `_rank` sees finite numbers and classes coded 0, 1, …

    Attributes
    ----------
    sequence_ : ndarray
        Column numbers, best first; as many as were ranked.
    ranking_ : ndarray
        Rank of each column, 1 is best; columns that were not ranked share the rank after the last.
    scores_ : ndarray
        Weight of each column; higher is better, 0 for columns that were not ranked.
    steps_ : dict of str to ndarray
        What explains each step: one value for each entry of `sequence_`.
    classes_ : ndarray
        The classes seen, in the order of their codes.
    """

    n_features_to_select: int | None

    #: Whether the weight of a feature does not depend on which others there are.
    independent = False

    #: Whether missing values (NaN) are something that it looks at.
    takes_gaps = False

    #: Whether it gets codes of categories (`discrete` names the columns), and accounts itself for
    #: what many categories show by chance.
    calibrates_categories = False

    def fit(self, X: Any, y: Any) -> Self:
        """Rank the columns of `X` by what they tell about `y`."""
        X, y = _check_input(self, X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self._rank(X, codes)
        return self

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        raise TypeError(f"{type(self).__name__} does not say how it ranks: define _rank(X, y)")

    def _set_sequence(self, sequence: np.ndarray, steps: dict[str, np.ndarray]) -> None:
        """Store a ranking that has no weights of its own: 1 for the first, falling evenly."""
        m = self.n_features_in_
        self.sequence_, self.steps_ = sequence, steps
        self.ranking_ = ranks_in(sequence, m)
        self.scores_ = np.where(self.ranking_ <= sequence.size, (m + 1 - self.ranking_) / m, 0.0)

    def _set_weights(self, weights: np.ndarray, explained: dict[str, np.ndarray]) -> None:
        """Store weights, largest first, ties by column; `explained` has a value for each column."""
        sequence = np.argsort(-weights, kind="stable")[: self.n_ranked()]
        steps = {name: values[sequence] for name, values in explained.items()}
        self._set_sequence(sequence, steps)
        self.scores_ = weights

    def n_ranked(self) -> int:
        """How many features the parameters ask for, at most as many as there are."""
        wanted = self.n_features_to_select
        if wanted is None:
            return self.n_features_in_
        if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1:
            raise ValueError(
                f"n_features_to_select must be None or a whole number of at least 1, got {wanted!r}"
            )
        return min(int(wanted), self.n_features_in_)

    def get_support(self, indices: bool = False) -> np.ndarray:
        """Mask, or numbers, of the selected columns: the chosen subset, or all that are ranked."""
        self._require_fitted()
        mask = getattr(self, "support_", None)
        if mask is None:
            mask = np.zeros(self.n_features_in_, dtype=bool)
            mask[self.sequence_] = True
        return np.flatnonzero(mask) if indices else mask

    def transform(self, X: Any) -> Any:
        """The selected columns of `X`, in their original order."""
        self._require_fitted()
        from sklearn.utils.validation import validate_data

        rows = validate_data(self, X, reset=False, dtype=None, ensure_all_finite=_finite(self))
        selected = rows[:, self.get_support()]
        if getattr(self, "_output", "default") == "default":
            return selected
        import pandas

        names = self.get_feature_names_out()
        return pandas.DataFrame(selected, columns=names, index=getattr(X, "index", None))

    def set_output(self, *, transform: str | None = None) -> Self:
        """Whether `transform` gives arrays (`default`) or data frames (`pandas`)."""
        if transform not in (None, "default", "pandas"):
            raise ValueError(f"transform must be 'default' or 'pandas', got {transform!r}")
        self._output = transform or getattr(self, "_output", "default")
        return self

    def fit_transform(self, X: Any, y: Any) -> Any:
        """`fit`, then `transform`."""
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the selected columns."""
        self._require_fitted()
        from sklearn.utils.validation import _check_feature_names_in

        return _check_feature_names_in(self, input_features)[self.get_support()]

    def _require_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"This {type(self).__name__} is not fitted yet: call fit(X, y)")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type="transformer",
            target_tags=TargetTags(required=True),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(allow_nan=self.takes_gaps),
        )


def ranks_in(sequence: np.ndarray, m: int) -> np.ndarray:
    """Rank of each of m columns, 1 is best; those not in the sequence share the one after it."""
    ranks = np.full(m, sequence.size + 1)
    ranks[sequence] = np.arange(1, sequence.size + 1)
    return ranks


def require_whole(name: str, value: Any, least: int) -> None:
    """Refuse a parameter that is no whole number, or too small a one."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")


def require_share(name: str, value: Any) -> None:
    """Refuse a parameter that is no share above 0 and up to 1."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 < value <= 1:
        raise ValueError(f"{name} must lie above 0 and up to 1, got {value!r}")


def _check_input(estimator: Selector, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Plain arrays are checked here; anything else by scikit-learn, which knows data frames."""
    if _is_plain(X, y, estimator.takes_gaps):
        estimator.n_features_in_ = X.shape[1]
        vars(estimator).pop("feature_names_in_", None)
        return X, y
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import validate_data

    X, y = validate_data(estimator, X, y, ensure_all_finite=_finite(estimator))
    check_classification_targets(y)
    return X, y


def _finite(estimator: Selector) -> bool | str:
    """What scikit-learn asks of the values."""
    return "allow-nan" if estimator.takes_gaps else True


def _is_plain(X: Any, y: Any, gaps: bool) -> bool:
    """Whether these are a matrix of finite numbers, or gaps, and as many integer classes."""
    if not (isinstance(X, np.ndarray) and isinstance(y, np.ndarray)):
        return False
    if X.ndim != 2 or y.ndim != 1 or X.dtype.kind not in "uif" or y.dtype.kind not in "ui":
        return False
    finite = np.isfinite(X).all() or (gaps and not np.isinf(X).any())
    return len(X) == len(y) and min(X.shape) > 0 and bool(finite)

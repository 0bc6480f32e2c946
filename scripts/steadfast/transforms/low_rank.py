"""Noise reduction: rows replaced by a matrix of low rank, class by class or all at once."""

from typing import TYPE_CHECKING, Any

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Estimator, require_whole
from steadfast.core.registry import transform
from steadfast.core.seeds import random_generator

if TYPE_CHECKING:
    from sklearn.decomposition import NMF

#: What the rows are parted by, and how a part is approximated.
_BY, _METHODS = ("class", "none", "random"), ("svd", "nmf")


def truncated_svd(X: np.ndarray, rank: int) -> np.ndarray:
    """U_r Σ_r V_rᵀ, the closest matrix of that rank; a rank that `X` cannot exceed leaves it."""
    if rank >= min(X.shape):
        return X.copy()
    left, values, right = np.linalg.svd(X, full_matrices=False)
    return (left[:, :rank] * values[:rank]) @ right[:rank]


def right_vectors(X: np.ndarray, rank: int) -> np.ndarray:
    """V_rᵀ, what the closest matrix of that rank is spanned by; fewer where `X` has fewer rows."""
    return np.linalg.svd(X, full_matrices=False)[2][:rank]


def project(X: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """X V Vᵀ: each row's nearest point in the span of the rows of an orthonormal basis."""
    return (X @ basis.T) @ basis


@transform("low_rank", reference="Alelyani (2013), SLRMA, algorithm 1")
class LowRank(Estimator):
    """Each part of the rows replaced by its approximation of rank r, in the place of the rows.

    X̂_c = U_r Σ_r V_rᵀ (`svd`), or W H with W, H ≥ 0 (`nmf`), which minimises ‖X_c − X̂_c‖_F. With
    `by="class"`, the supervised low-rank matrix approximation (SLRMA), the approximated rows know
    their class: it must not see rows that a classifier is tested on.

    Parameters
    ----------
    rank
        Matrix rank of a part; one that a part cannot exceed gives it back as it is (`svd`).
    by
        `class`: one part per class; `none`: all rows are one part; `random`: parts of the classes'
        sizes, drawn at random.
    method
        `svd`: truncated singular value decomposition; `nmf`: scikit-learn's non-negative matrix
        factorisation of the rows minus their smallest value, if that is negative, which is added
        again afterwards.
    random_state
        For random parts and the start of `nmf`; in a study it derives from the seed and the names
        of data set and fold.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), chapter 5.
    """

    def __init__(
        self, rank: int = 1, by: str = "class", method: str = "svd", random_state: Any = None
    ):
        self.rank = rank
        self.by = by
        self.method = method
        self.random_state = random_state

    def fit_transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The approximated rows; `y` is looked at unless `by` is `none`."""
        draw = random_generator(self.random_state)
        parts = self._parts(y, draw)
        X = np.asarray(X, dtype=np.float64)
        lowest = min(X.min(), 0.0)
        result = np.empty_like(X)
        for part in np.unique(parts):
            rows = X[parts == part]
            if self.method == "svd":
                result[parts == part] = truncated_svd(rows, self.rank)
            else:
                seed = int(draw.integers(2**31))
                model, weights = factorise(rows - lowest, self.rank, seed)
                result[parts == part] = weights @ model.components_ + lowest
        return result

    def fit(self, X: np.ndarray, y: np.ndarray) -> "LowRank":
        """What spans each part of these rows, for other rows to be projected on."""
        draw = random_generator(self.random_state)
        parts = self._parts(y, draw)
        X = np.asarray(X, dtype=np.float64)
        self.lowest_ = min(X.min(), 0.0)
        self.bases_ = {}
        for part in np.unique(parts):
            rows = X[parts == part]
            if self.method == "svd":
                self.bases_[part] = right_vectors(rows, self.rank)
            else:
                seed = int(draw.integers(2**31))
                self.bases_[part] = factorise(rows - self.lowest_, self.rank, seed)[0]
        return self

    def transform(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Other rows, part by part projected on what spans the same part of the learnt ones."""
        parts = self._parts(y, random_generator(self.random_state))
        result = np.empty_like(X)
        for part in np.unique(parts):
            if part not in self.bases_:
                raise ValueError(f"no row of class {part} was there to learn from")
            own, basis = parts == part, self.bases_[part]
            if self.method == "svd":
                result[own] = project(X[own], basis)
            else:
                weights = basis.transform(np.maximum(X[own] - self.lowest_, 0.0))
                result[own] = weights @ basis.components_ + self.lowest_
        return result

    def _parts(self, y: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """The part of each row."""
        require_whole("rank", self.rank, 1)
        for name, known in (("by", _BY), ("method", _METHODS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {known}, got {getattr(self, name)!r}")
        parts = np.zeros(len(y), dtype=np.int64) if self.by == "none" else np.asarray(y)
        return draw.permutation(parts) if self.by == "random" else parts


def factorise(X: np.ndarray, rank: int, seed: int) -> tuple["NMF", np.ndarray]:
    """scikit-learn's non-negative matrix factorisation, started by SVD, and the weights W."""
    with cli.count_start_up():
        import warnings

        from sklearn.decomposition import NMF
        from sklearn.exceptions import ConvergenceWarning

    model = NMF(min(rank, *X.shape), init="nndsvda", random_state=seed, max_iter=400)
    with warnings.catch_warnings():
        # Rank 1 starts at its optimum, so that the error cannot fall by the share it waits for.
        warnings.simplefilter("ignore" if rank == 1 else "default", ConvergenceWarning)
        return model, model.fit_transform(X)

"""Knockoffs: features that beat copies which know nothing of the classes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector, require_whole
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator
from steadfast.resampling.draws import deal
from steadfast.statistics.logistic_lasso import lasso_by_validation

#: More features than this take too long, and too many rows for a covariance worth the name.
MOST_FEATURES = 2000

#: Folds of the cross-validation that chooses the penalty, at most.
_FOLDS = 5


@selector(
    "knockoffs", splits_rows=True, reference="Candès, Fan, Janson, Lv (2018); Ren, Barber (2024)"
)
class Knockoffs(Selector):
    """Features chosen so that at most a share of them is false on average, by Gaussian knockoffs.

    Knockoffs X̃ are drawn for the rows without looking at the classes, so that X and X̃ have one
    covariance Σ, and so has each feature with all others and their knockoffs:
    Cov(X_j, X̃_k) = Σ_jk − s_j·1{j = k}. A lasso on both gives W_j = |β_j| − |β̃_j|; of more than two
    classes, each against the rest, summed. A false feature is as likely to have W_j < 0 as W_j > 0.
    With m features and the smallest T at which (1 + #{W ≤ −T}) / #{W ≥ T} ≤ `draw_fdr`, a draw
    gives the e-values

        e_j = m · 1{W_j ≥ T} / (1 + #{W ≤ −T}).

    Their mean over the draws goes through e-BH: chosen are the k features of largest e, with the
    largest k such that all of them have e ≥ m / (`fdr` · k). From best to worst by e, then by the
    mean of W, then by column.

    The expected share of false features is at most `fdr` if the rows are independent draws of a
    normal distribution with the covariance that is used: here that of the rows, shrunken after
    Ledoit and Wolf, so that it holds by approximation. Binary columns and heavy tails strain it
    more. False is a feature that says nothing of the class once all others are known: of two
    copies of a true feature neither is needed, and neither is found. A draw chooses no fewer than
    1/`draw_fdr` features, 20 by default: where fewer tell something, none is chosen.

    Parameters
    ----------
    fdr
        The expected share of false features among those chosen.
    n_draws
        How many times knockoffs are drawn.
    draw_fdr
        The share at which a draw stops; half of `fdr` if None, as Ren and Barber advise. One draw
        with `draw_fdr` equal to `fdr` is the knockoff filter of Candès et al.
    method
        How s is chosen: `mvr`, the least mean variance of a feature given all others and the
        knockoffs, minimises tr((2Σ − diag s)⁻¹) + Σ 1/s_j; `equi`, all s_j equal and as large as
        can be, is weak where features are correlated.
    random_state
        For the knockoffs, and for the folds that choose the penalty.

    Attributes
    ----------
    support_ : ndarray of bool
        The chosen features; there may be none.
    scores_ : ndarray
        (m + 1 − rank) / m; features of equal e and W share the best rank of them.
    steps_ : dict
        `e_value` and `w`, means over the draws.

    References
    ----------
    Candès, Fan, Janson, Lv, Panning for gold: model-X knockoffs for high dimensional controlled
    variable selection (2018). Spector, Janson, Powerful knockoffs via minimizing reconstructability
    (2022). Ren, Barber, Derandomised knockoffs: leveraging e-values for false discovery rate
    control (2024).
    """

    def __init__(
        self,
        fdr: float = 0.1,
        n_draws: int = 10,
        draw_fdr: float | None = None,
        method: str = "mvr",
        random_state: Any = None,
    ):
        self.fdr = fdr
        self.n_draws = n_draws
        self.draw_fdr = draw_fdr
        self.method = method
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        self._check(X, y)
        m, draw = X.shape[1], random_generator(self.random_state)
        varies = np.ptp(X, axis=0) > 0
        w = np.zeros((self.n_draws, m))
        if varies.any():
            Z = _standardise(X[:, varies])
            draw_copies = knockoff_sampler(_shrunken_covariance(Z), self.method)
            for at in range(self.n_draws):
                w[at, varies] = differences(Z, draw_copies(Z, draw), y, draw)
        level = self.fdr / 2 if self.draw_fdr is None else self.draw_fdr
        e_value = np.mean([e_values(one, level) for one in w], axis=0)
        self.support_ = e_bh(e_value, self.fdr)
        self._set_order(e_value, w.mean(axis=0))

    def _set_order(self, e_value: np.ndarray, w: np.ndarray) -> None:
        sequence = np.lexsort((-w, -e_value))
        self._set_sequence(sequence, {"e_value": e_value[sequence], "w": w[sequence]})
        own = np.column_stack([e_value, w])[sequence]
        level = np.cumsum([0, *(own[1:] != own[:-1]).any(axis=1)])
        self.scores_[sequence] = self.scores_[sequence][np.searchsorted(level, level)]

    def _check(self, X: np.ndarray, y: np.ndarray) -> None:
        require_whole("n_draws", self.n_draws, 1)
        for name in ("fdr", "draw_fdr"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, (int, float)) or not 0 < value < 1):
                raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")
        if self.method not in _GAPS:
            raise ValueError(f"method must be one of {', '.join(_GAPS)}, got {self.method!r}")
        if X.shape[1] > MOST_FEATURES:
            raise ValueError(
                f"knockoffs need a covariance of all features, and there are {X.shape[1]:,}, more "
                f"than {MOST_FEATURES:,}; drop some without looking at the classes, or use "
                "complementary_pairs"
            )
        if y.max() == 0:
            raise ValueError("knockoffs need rows of at least two classes; these have one class")


def _standardise(X: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and variance 1; divided first, because squares of huge values overflow."""
    X = X / np.abs(X).max(axis=0)
    centred = X - X.mean(axis=0)
    spread = centred.std(axis=0)
    return centred / np.where(spread == 0, 1.0, spread)


def _shrunken_covariance(Z: np.ndarray) -> np.ndarray:
    """Ledoit and Wolf's, with a variance of 1; never quite singular."""
    with cli.count_start_up():
        from sklearn.covariance import ledoit_wolf

    covariance = ledoit_wolf(Z, assume_centered=True)[0]
    least = 1e-4  # two rows have no shrinkage to tell
    covariance = (1 - least) * covariance + least * np.diag(covariance.diagonal())
    scale = np.sqrt(covariance.diagonal())
    return covariance / np.outer(scale, scale)


def knockoff_sampler(
    covariance: np.ndarray, method: str = "mvr"
) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """A function that draws knockoffs for rows of mean 0 and this covariance Σ.

    Given a row x they are normal with mean x − x Σ⁻¹ diag(s) and covariance
    2 diag(s) − diag(s) Σ⁻¹ diag(s).
    """
    s = _GAPS[method](covariance)
    pull = np.linalg.solve(covariance, np.diag(s))
    spread = np.diag(2 * s) - s[:, None] * pull
    root = np.linalg.cholesky((spread + spread.T) / 2 + 1e-10 * np.eye(len(s)))

    def sample(Z: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        return Z - Z @ pull + draw.standard_normal(Z.shape) @ root.T

    return sample


def equal_gaps(covariance: np.ndarray) -> np.ndarray:
    """s_j = min(1, 2 λ), just below, with the smallest eigenvalue λ of a correlation matrix."""
    least = float(np.linalg.eigvalsh(covariance)[0])
    return np.full(len(covariance), min(1.0, 2 * least) * (1 - 1e-6))


def mvr_gaps(covariance: np.ndarray, most_steps: int = 50) -> np.ndarray:
    """The s that minimises tr((2Σ − diag s)⁻¹) + Σ 1/s_j, by Newton's steps, halved where too long.

    The objective is convex, and infinite at the border of what is allowed.
    """
    s = equal_gaps(covariance) / 2
    loss, inverse = _reconstruction(covariance, s)
    for _ in range(most_steps):
        squared = inverse @ inverse
        gradient = squared.diagonal() - 1 / s**2
        step = -np.linalg.solve(2 * inverse * squared + np.diag(2 / s**3), gradient)
        decrease, share = float(gradient @ step), 1.0
        while True:
            new_loss, new_inverse = _reconstruction(covariance, s + share * step)
            if new_loss <= loss + 0.1 * share * decrease or share < 1e-8:
                break
            share /= 2
        if not new_loss < loss:
            break
        gain, s = loss - new_loss, s + share * step
        loss, inverse = new_loss, new_inverse
        if gain < 1e-8 * loss:
            break
    return s


def _reconstruction(covariance: np.ndarray, s: np.ndarray) -> tuple[float, np.ndarray]:
    """tr(D⁻¹) + Σ 1/s_j with D = 2Σ − diag s, and D⁻¹; infinite where s is not allowed."""
    from scipy.linalg import lapack

    root, failed = lapack.dpotrf(2 * covariance - np.diag(s), lower=1)
    if failed or (s <= 0).any():
        return np.inf, covariance
    lower = np.tril(lapack.dpotri(root, lower=1)[0])
    inverse = lower + np.tril(lower, -1).T
    return float(inverse.trace() + (1 / s).sum()), inverse


_GAPS = {"mvr": mvr_gaps, "equi": equal_gaps}


def differences(
    Z: np.ndarray, copies: np.ndarray, y: np.ndarray, draw: np.random.Generator
) -> np.ndarray:
    """W: a feature's coefficients less its knockoff's, absolute, summed over the classes.

    A coin says which of the two stands in front: a solver may favour one side of what is equal. A
    class against the rest needs two rows on either side.
    """
    swapped = draw.random(Z.shape[1]) < 0.5
    both = np.hstack([np.where(swapped, copies, Z), np.where(swapped, Z, copies)])
    both = _standardise(both)
    w = np.zeros(Z.shape[1])
    n_classes = int(y.max()) + 1
    for label in range(1, n_classes) if n_classes == 2 else range(n_classes):
        own = (y == label).astype(np.int64)
        n_folds = min(_FOLDS, own.sum(), len(own) - own.sum())
        if n_folds < 2:
            continue
        folds = deal(own, n_folds, draw, ("rest", "class"), "spread", ["rows"])
        front, behind = np.abs(lasso_by_validation(both, own, folds)).reshape(2, -1)
        w += front - behind
    return np.where(swapped, -w, w)


def e_values(w: np.ndarray, level: float) -> np.ndarray:
    """m · 1{W ≥ T} / (1 + #{W ≤ −T}), T the smallest with (1 + #{W ≤ −T}) / #{W ≥ T} ≤ level."""
    for threshold in np.unique(np.abs(w[w != 0])):
        above, below = w >= threshold, np.count_nonzero(w <= -threshold)
        if 1 + below <= level * np.count_nonzero(above):
            return w.size * above / (1 + below)
    return np.zeros(w.size)


def e_bh(e_value: np.ndarray, level: float) -> np.ndarray:
    """Mask of the k largest e-values, k the largest number with all of them ≥ m / (level · k)."""
    falling = np.sort(e_value)[::-1]
    # A product of e-values that are ratios of whole numbers may miss its limit by rounding.
    enough = falling * level * np.arange(1, e_value.size + 1) >= e_value.size * (1 - 1e-12)
    if not enough.any():
        return np.zeros(e_value.size, dtype=bool)
    return e_value >= falling[np.flatnonzero(enough)[-1]]

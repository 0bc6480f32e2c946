"""Filters that look at one feature at a time (information gain, chi-square, Fisher), or at none."""

from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.estimator import Selector
from steadfast.core.registry import selector
from steadfast.core.seeds import random_generator

#: Bins that are counted together: 80 MB of places.
_CELLS = 10_000_000

#: Which gain comes first.
_ORDERS = ("descending", "ascending")


class _Filter(Selector):
    independent = True

    def __init__(self, n_features_to_select: int | None = None):
        self.n_features_to_select = n_features_to_select


@selector("info_gain", reference="Fayyad, Irani (1993); Kalousis, Prados, Hilario (2005)")
class InformationGain(_Filter):
    """I(bin of f; class) in bits, on bins cut by minimum description length in these rows.

    A feature that is cut nowhere has one bin and gain 0. A category is a bin as it is.

    Parameters
    ----------
    places
        Which places for a cut are counted in its price: `rows`, all N − 1 gaps between rows, as
        Fayyad and Irani have it; `values`, those between different values alone, as Weka's
        `InfoGainAttributeEval` has it. The same where no two rows share a value.
    order
        `descending`: the largest gain first; `ascending`: the smallest first, a reading of what
        Kalousis et al. print, and no way to select.
    n_features_to_select
        How many to rank; all if None.
    discrete
        Numbers of the columns that are categories, coded 0, 1, … 255; `False` if none is.

    Attributes
    ----------
    scores_ : ndarray
        The gain; minus the gain in ascending order.
    steps_ : dict
        `cuts`: the cut points of the feature.

    References
    ----------
    Fayyad, Irani, Multi-interval discretization of continuous-valued attributes for classification
    learning (1993). Kalousis, Prados, Hilario, Stability of feature selection algorithms (2005).
    """

    def __init__(
        self,
        places: str = "rows",
        order: str = "descending",
        n_features_to_select: int | None = None,
        discrete: Any = False,
    ):
        super().__init__(n_features_to_select)
        self.places = places
        self.order = order
        self.discrete = discrete

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        with cli.count_start_up():
            from steadfast.data.mdl import PLACES, mdl_cuts

        for name, known in (("places", PLACES), ("order", _ORDERS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {known}, got {getattr(self, name)!r}")
        cuts, counts, gains = mdl_cuts(X, y, self.places)
        parts = np.split(cuts, np.cumsum(counts)[:-1])
        shown = [" ".join(f"{cut:.6g}" for cut in part) or "none" for part in parts]
        if self.discrete:
            from steadfast.statistics.information import relevance

            codes = np.ascontiguousarray(X[:, self.discrete].T, dtype=np.uint8)
            gains[self.discrete] = relevance(codes, y)
            for column in self.discrete:
                shown[column] = "categories"
        weights = gains if self.order == "descending" else 0.0 - gains
        self._set_weights(weights, {"cuts": np.array(shown)})


@selector("chi2", discrete=True, reference="Liu, Setiono (1995), Chi2")
class ChiSquare(_Filter):
    """χ² of the table of bins and classes: Σ (observed − expected)² / expected.

    (scikit-learn's `chi2` takes values as counts, and not a table of bins.)

    Parameters
    ----------
    n_features_to_select
        How many to rank; all if None.

    References
    ----------
    Liu, Setiono, Chi2: feature selection and discretization of numeric attributes (1995).
    """

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        from steadfast.data.discretise import to_bins

        bins = to_bins(X)
        step = max(1, _CELLS // len(y))
        blocks = [bins[:, start : start + step] for start in range(0, bins.shape[1], step)]
        self._set_weights(np.concatenate([chi_square(block, y) for block in blocks]), {})


def chi_square(bins: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The statistic of every column."""
    m, n_levels = bins.shape[1], int(bins.max()) + 1
    places = bins + np.arange(m) * n_levels
    observed = np.array(
        [
            np.bincount(places[y == label].ravel(), minlength=m * n_levels)
            for label in range(int(y.max()) + 1)
        ]
    )
    in_level = observed.sum(axis=0)
    filled = in_level > 0
    expected = np.outer(np.bincount(y) / len(y), in_level[filled])
    cells = np.zeros(m * n_levels)
    cells[filled] = ((observed[:, filled] - expected) ** 2 / expected).sum(axis=0)
    weights = cells.reshape(m, n_levels).sum(axis=1)
    # Below this, it is the rounding of a feature that tells nothing.
    weights[weights < 1e-20 * len(y)] = 0.0
    return weights


@selector("fisher", reference="Duda, Hart, Stork (2001), Pattern classification")
class FisherScore(_Filter):
    """Σ_c n_c (μ_c − μ)² / Σ_c n_c σ_c²: spread between the classes over that within them.

    0 for a constant feature; infinite where each class has a value of its own.

    Parameters
    ----------
    n_features_to_select
        How many to rank; all if None.

    Attributes
    ----------
    steps_ : dict
        `between` and `within`: the two sums, over the number of rows.

    References
    ----------
    Duda, Hart, Stork, Pattern classification (2001).
    """

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        n, centre = len(y), X.mean(axis=0, dtype=np.float64)
        between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for label in range(int(y.max()) + 1):
            rows = X[y == label].astype(np.float64)
            mean = rows.mean(axis=0)
            between += len(rows) / n * (mean - centre) ** 2
            within += len(rows) / n * ((rows - mean) ** 2).mean(axis=0)
        # Below this, a spread is the rounding of a value that does not vary.
        rounding = 1e-28 * np.maximum(centre**2, np.abs(X).max(axis=0) ** 2)
        between[between <= rounding] = 0.0
        within[within <= rounding] = 0.0
        weights = np.divide(between, within, out=np.zeros_like(between), where=within > 0)
        weights[(within == 0) & (between > 0)] = np.inf
        self._set_weights(weights, {"between": between, "within": within})


@selector(
    "random", at_random=True, reference="Kalousis, Prados, Hilario (2005), the baseline of Figure 2"
)
class Random(Selector):
    """Rank the columns at random, whatever the data say.

    Its stability is what a measure gives for chance, its accuracy what features chosen blindly are
    worth.

    Parameters
    ----------
    n_features_to_select
        How many to rank; all if None.
    random_state
        Seed, generator or None; in a study it derives from the seed and the names of data set and
        fold.

    References
    ----------
    Kalousis, Prados, Hilario, Stability of feature selection algorithms (2005), Figure 2.
    """

    def __init__(self, n_features_to_select: int | None = None, random_state: Any = None):
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _rank(self, X: np.ndarray, y: np.ndarray) -> None:
        draw = random_generator(self.random_state)
        self._set_sequence(draw.permutation(self.n_features_in_)[: self.n_ranked()], {})

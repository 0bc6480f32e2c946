"""How similar the features of a data set are, for the measures that ask."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import numpy as np

from steadfast.core.errors import UserError

#: Two features are similar from here on, as in R's stabm.
THRESHOLD = 0.9

#: Level of the test for linked features, corrected for all pairs.
LEVEL = 0.05


class Similarities:
    """Matrices about the features of one data set, each made when first needed.

    Parameters
    ----------
    bins, numbers
        Functions that give the data set in bins and as numbers, one row per feature; None where
        it is not at hand.
    """

    def __init__(
        self,
        bins: Callable[[], np.ndarray] | None = None,
        numbers: Callable[[], np.ndarray] | None = None,
    ):
        self._bins, self._numbers = bins, numbers

    def matrix(self, name: str) -> np.ndarray:
        """The matrix that a measure declares as its `similarity`."""
        if (self._bins if name == "su" else self._numbers) is None:
            raise UserError("a measure that is aware of similar features needs the data set itself")
        return getattr(self, name)

    @cached_property
    def numbers(self) -> np.ndarray:
        """The data set as numbers, one row per feature."""
        return np.asarray(self._numbers(), dtype=np.float64)

    @cached_property
    def su(self) -> np.ndarray:
        """Symmetrical uncertainty of the bins."""
        from steadfast.statistics.information import symmetrical_uncertainty

        return symmetrical_uncertainty(self._bins())

    @cached_property
    def signed_correlation(self) -> np.ndarray:
        """Pearson's correlation; 0 of a constant feature with everything, itself included."""
        centred = self.numbers - self.numbers.mean(axis=1, keepdims=True)
        norms = np.sqrt((centred**2).sum(axis=1))
        scale = np.sqrt((self.numbers**2).sum(axis=1))
        constant = norms <= 1e-12 * scale
        centred[constant] = 0
        unit = centred / np.where(constant, 1, norms)[:, None]
        result = np.clip(unit @ unit.T, -1, 1)
        np.fill_diagonal(result, np.where(constant, 0.0, 1.0))
        return (result + result.T) / 2

    @cached_property
    def correlation(self) -> np.ndarray:
        """Absolute correlation."""
        return np.abs(self.signed_correlation)

    @cached_property
    def linked(self) -> np.ndarray:
        """Pairs that correlate positively and significantly, after Benjamini and Hochberg (1995).

        The p-values of r = 0 (two-sided, t with n − 2 degrees of freedom) are ordered; those up to
        the largest i with p_(i) ≤ i/M · level are significant, M being the number of pairs.
        """
        from scipy.special import stdtr

        m, n = self.numbers.shape
        above = np.triu_indices(m, 1)
        linked = np.zeros((m, m), dtype=bool)
        if n < 3 or m < 2:
            return linked
        r = self.signed_correlation[above]
        t = np.abs(r) * np.sqrt((n - 2) / np.maximum(1 - r**2, 1e-300))
        p = 2 * stdtr(n - 2, -t)
        allowed = LEVEL * np.arange(1, p.size + 1) / p.size
        ordered = np.sort(p)
        passed = np.flatnonzero(ordered <= allowed)
        if passed.size:
            linked[above] = (p <= ordered[passed[-1]]) & (r > 0)
        return linked | linked.T


def read_similarities(bins: Path | None, table: Path) -> Similarities:
    """Similarities from the files of a data set, each read when it is needed."""
    from steadfast.data.encoding import complete_numbers
    from steadfast.data.table import read_table

    return Similarities(
        None if bins is None else lambda: np.ascontiguousarray(read_table(bins).X.T),
        lambda: complete_numbers(read_table(table), "correlation of features").T,
    )

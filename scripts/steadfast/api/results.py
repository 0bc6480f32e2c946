"""What the one-line functions give back: numbers with their intervals, readable when printed."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steadfast.api.extras import need
from steadfast.core.errors import UserError


@dataclass(frozen=True, repr=False)
class StabilityValue:
    """The stability of runs under one measure; `float()` gives the value alone.

    Attributes
    ----------
    value : the stability; NaN where it is undefined, `note` then says why
    low, high : ends of the confidence interval of this `level`; NaN where there is none
    chance : what random subsets of the same sizes have, on average
    measure : name of the measure
    runs, n_features : how many runs there are, and features to select from
    note : what to know of the value

    Examples
    --------
    >>> import steadfast
    >>> found = steadfast.stability([{"a", "b"}, {"a", "b"}, {"a", "c"}], n_features=10)
    >>> found
    nogueira 0.583 (95% interval 0.361 to 0.806; 0.000 by chance), 3 runs of 10 features
    >>> round(float(found), 3), found.runs
    (0.583, 3)
    """

    value: float
    low: float
    high: float
    chance: float
    measure: str
    runs: int
    n_features: int
    note: str = ""
    level: float = 0.95

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        told = f"{self.measure} {self.value:.3f}"
        if not np.isnan(self.value):
            ends = f"{self.level * 100:g}% interval {self.low:.3f} to {self.high:.3f}"
            ends = "no interval" if np.isnan(self.low) else ends
            told += f" ({ends}; {self.chance + 0:.3f} by chance)"
        told += f", {self.runs} runs of {self.n_features} features"
        return f"{told}; {self.note}" if self.note else told


@dataclass(frozen=True, repr=False, eq=False)
class StabilityCurve:
    """Stability of the first k features of rankings, for every k.

    Attributes
    ----------
    k : the sizes 1, 2, …
    value, low, high, chance : arrays with an entry for each size, as in `StabilityValue`
    measure, runs, n_features, note, level : as there

    Examples
    --------
    >>> import steadfast
    >>> curve = steadfast.stability_curve([[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 2, 4]], n_features=6)
    >>> curve
    nogueira for k = 1 to 4: 0.200 to 1.000, 3 runs of 6 features
    >>> len(curve), curve.value.round(2).tolist()
    (4, [0.2, 0.5, 1.0, 0.5])
    """

    k: np.ndarray
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    chance: np.ndarray
    measure: str
    runs: int
    n_features: int
    note: str = ""
    level: float = 0.95

    def __len__(self) -> int:
        return int(self.k.size)

    def __repr__(self) -> str:
        defined = self.value[~np.isnan(self.value)]
        ends = f"{defined.min():.3f} to {defined.max():.3f}" if defined.size else "undefined"
        told = f"{self.measure} for k = 1 to {len(self)}: {ends}, "
        told += f"{self.runs} runs of {self.n_features} features"
        return f"{told}; {self.note}" if self.note else told

    def at(self, k: int) -> StabilityValue:
        """The stability of the first k features.

        Examples
        --------
        >>> import steadfast
        >>> curve = steadfast.stability_curve([[0, 1, 2], [0, 2, 1]], n_features=6)
        >>> round(curve.at(3).value, 3)
        1.0
        """
        places = np.flatnonzero(self.k == k)
        if not places.size:
            raise UserError(f"k: must be a whole number from 1 to {len(self)}, got {k!r}")
        place = places[0]
        numbers = (float(of[place]) for of in (self.value, self.low, self.high, self.chance))
        return StabilityValue(
            *numbers, self.measure, self.runs, self.n_features, self.note, self.level
        )

    def to_frame(self) -> Any:
        """A pandas data frame, one row per size.

        Examples
        --------
        >>> import steadfast
        >>> curve = steadfast.stability_curve([[0, 1, 2], [0, 2, 1]], n_features=6)
        >>> list(curve.to_frame().columns)
        ['k', 'value', 'low', 'high', 'chance']
        """
        names = ("k", "value", "low", "high", "chance")
        pandas = need("pandas", "to_frame()")
        return pandas.DataFrame({name: getattr(self, name) for name in names})


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two sets of runs: is one more stable than the other?

    Attributes
    ----------
    difference : stability of the first minus that of the second
    statistic, p : of the two-sample test, and its two-sided p-value; NaN where there is no test
    first, second : the stability of each
    note : why there is no test

    Examples
    --------
    >>> import steadfast
    >>> steady = [{0, 1, 2}, {0, 1, 2}, {0, 1, 3}, {0, 1, 2}]
    >>> restless = [{0, 1, 2}, {3, 4, 5}, {0, 6, 7}, {2, 8, 9}]
    >>> found = steadfast.compare(steady, restless, n_features=20)
    >>> found.difference > 0, found.p < 0.05
    (True, True)
    """

    difference: float
    statistic: float
    p: float
    first: StabilityValue
    second: StabilityValue
    note: str = ""

    def __repr__(self) -> str:
        test = self.note or f"T = {self.statistic:.3f}, two-sided p = {self.p:.3g}"
        return (
            f"difference {self.difference:.3f} ({test})\n  first: {self.first}\n"
            f"  second: {self.second}"
        )

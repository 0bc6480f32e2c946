"""What a resampling scheme is: which folds there are, and how each is drawn."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.resampling.folds import Fold


class Scheme(ABC):
    """A way to perturb a data set.

    A scheme knows the names of its folds before there are any data. Each draw has a generator of
    its own, named after what is drawn, so that another repeat or fold leaves the rest as it is.

    Attributes
    ----------
    keys
        What a study may set, beside `scheme`.
    settings
        The value of every key that was given or has a default.
    has_reference
        Whether folds have a reference that their selections can be compared with.
    independent_draws
        Whether the last draws may be left out without any loss to the others.
    one_sample
        Whether all folds that are compared belong to one comparison; if not, there are several.
    """

    keys: ClassVar[Keys] = {}
    has_reference: ClassVar[bool] = False
    independent_draws: ClassVar[bool] = False
    one_sample: ClassVar[bool] = True

    def __init__(self, settings: Mapping[str, Any]):
        self.settings = dict(settings)

    @abstractmethod
    def names(self) -> list[str]:
        """Names of the folds, in their order."""

    @abstractmethod
    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        """The folds for rows of classes `y`; every draw derives from the seed and these names."""

    @abstractmethod
    def runs(self) -> int:
        """How many folds are compared with each other."""

    def ratios(self) -> list[float]:
        """The ratios that the folds have."""
        return [1.0]

    @property
    def mixed(self) -> bool:
        """Whether the folds are of several kinds, which no number should mix."""
        return len(self.ratios()) > 1

    @property
    def halves(self) -> str:
        """Halves that the folds train on: `random`, two by two complementary (`pairs`), or none."""
        return ""

    def page_ratio(self) -> float:
        """The ratio of the folds that the page of a study is about."""
        return max(self.ratios())

    def describe(self, ratio: float) -> str:
        """How the folds of a ratio were drawn, in print: "10 folds of a cross-validation", say."""
        return f"{self.runs()} draws of the rows"

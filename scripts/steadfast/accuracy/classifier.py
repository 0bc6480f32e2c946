"""What a classifier is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steadfast.accuracy.scores import Outcome
from steadfast.core.keys import Key, Keys, list_of, text
from steadfast.selectors.running.fold_file import CHOSEN

#: Keys that the entry of every classifier may have.
COMMON: Keys = {
    "use": text("Name of the classifier, or package.module.Class; the id if left out."),
    "label": text("Name in tables and figures; the id if left out."),
    "sizes": Key(
        'Sizes at which it is scored, the study\'s if left out, or "chosen": the subset that the '
        "selector chose.",
        {
            "oneOf": [
                {"const": CHOSEN},
                {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 1}},
            ]
        },
    ),
    "ratios": list_of(
        "Ratios at which it is scored; all if left out.",
        {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        names="ratio",
    ),
}


class Scores(NamedTuple):
    """Accuracy at each size and, from classifiers that keep them, what other scores need.

    Attributes
    ----------
    values : accuracy at each size
    predictions : the class of each test row, one array per size
    decisions, probabilities : the same by test row and class; see `accuracy.scores.Outcome`
    """

    values: Sequence[float]
    predictions: np.ndarray | None = None
    decisions: Iterable[np.ndarray] | None = None
    probabilities: Iterable[np.ndarray] | None = None

    def outcomes(self) -> Iterator[Outcome]:
        """What is known at each size."""
        known = (repeat(None) if part is None else part for part in self[1:])
        return (Outcome(*parts) for _, *parts in zip(self.values, *known, strict=False))


class Classifier(ABC):
    """A classifier, trained and tested along a sequence of features.

    Attributes
    ----------
    keys
        What a study may set, beside the keys that all classifiers have.
    draws
        Whether it draws, so that its results depend on the seed.
    gives
        What it can give beside accuracies (`accuracy.scores`: `PREDICTIONS`, …).
    wanted
        What of this it is asked for; the rest it may leave out.
    settings
        The value of every key that was given or has a default.
    place
        The seed and the names (data set, fold) that draws derive from; the same for all selectors.
    """

    keys: ClassVar[Keys] = {}
    draws: ClassVar[bool] = False
    gives: ClassVar[frozenset[str]] = frozenset()
    wanted: frozenset[str] = frozenset()

    def __init__(self, settings: Mapping[str, Any], place: Sequence[Any] = (0,)):
        self.settings, self.place = dict(settings), tuple(place)

    @abstractmethod
    def score(
        self,
        X_train: np.ndarray,
        y_train: np.ndarray,
        X_test: np.ndarray,
        y_test: np.ndarray,
        sizes: Sequence[int],
    ) -> Scores:
        """Share of test rows classified correctly with the first k columns, for each k of `sizes`.

        NaN where there is no test row.
        """

    def can_give(self, need: str) -> bool:
        """Whether it gives what a score needs, as far as one can tell before it is fitted."""
        return need in self.gives

    @property
    def splits_rows(self) -> bool:
        """Whether it splits the training rows itself, which would tear groups apart."""
        return False

    @property
    def has_own_truth(self) -> bool:
        """Whether predictions are compared with something else than the classes; see `truth`."""
        return False

    def truth(self, X_train: np.ndarray, X: np.ndarray) -> np.ndarray | None:
        """What stands for the class of each of the rows `X`, all features known; None: nothing."""
        return None

    def is_inside(self, wrapper: Mapping[str, Any]) -> bool:
        """Whether it is the classifier inside a wrapper of these parameters, scale and all."""
        return False

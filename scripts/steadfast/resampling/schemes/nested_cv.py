"""Cross-validation inside cross-validation."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import scheme
from steadfast.core.seeds import generator
from steadfast.resampling.draws import EACH_CLASS, deal
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme
from steadfast.resampling.schemes.cross_validation import FOLDS, SMALL_CLASSES


@scheme("nested_cv")
class NestedCrossValidation(Scheme):
    """Cross-validation inside the training part of each fold of a cross-validation.

    The outer folds `o01`, … are for classifiers; the inner ones `o01_i01`, … of one outer fold are
    compared with each other.

    References
    ----------
    Kalousis, Prados, Hilario, Stability of feature selection algorithms (2005), section 2.
    """

    keys: ClassVar[Keys] = {
        "folds": FOLDS.but(description="Outer folds."),
        "inner": whole("Inner folds.", least=2, default=10),
        "small_classes": SMALL_CLASSES,
    }
    one_sample = False
    mixed = True

    def names(self) -> list[str]:
        outer = [f"o{fold:02d}" for fold in range(1, self.settings["folds"] + 1)]
        inner = range(1, self.settings["inner"] + 1)
        return [
            name
            for fold in outer
            for name in (fold, *(f"{fold}_i{number:02d}" for number in inner))
        ]

    def runs(self) -> int:
        return self.settings["inner"]

    def describe(self, ratio: float) -> str:
        folds = self.settings["folds"]
        return f"the {folds} outer folds of a nested cross-validation{EACH_CLASS}"

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = np.arange(len(y))
        n_outer, n_inner = self.settings["folds"], self.settings["inner"]
        small_classes = self.settings["small_classes"]
        draw = generator(seed, *names, "outer")
        dealt = deal(y, n_outer, draw, classes, small_classes, names)
        for fold in range(1, n_outer + 1):
            name = f"o{fold:02d}"
            train, test = every[dealt != fold - 1], every[dealt == fold - 1]
            yield Fold(name, fold, 1.0, train, test)
            draw = generator(seed, *names, "inner", fold)
            own = deal(y[train], n_inner, draw, classes, small_classes, (*names, name))
            for inner in range(1, n_inner + 1):
                kept = own != inner - 1
                own_name = f"{name}_i{inner:02d}"
                yield Fold(own_name, fold, 1.0, train[kept], train[~kept], "", name, False)

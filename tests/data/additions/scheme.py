"""A scheme of the tests' own: one row of every class left out in turn."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys, whole
from steadfast.core.registry import scheme
from steadfast.resampling.draws import ALL
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


@scheme("blocks")
class Blocks(Scheme):
    """Every so-many-th row is left out, from a first row on that moves."""

    keys: ClassVar[Keys] = {"step": whole("Every how-many-th row is left out.", 2, default=5)}

    def names(self) -> list[str]:
        return [f"k{start}" for start in range(self.settings["step"])]

    def runs(self) -> int:
        return self.settings["step"]

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = np.arange(len(y))
        for start, name in enumerate(self.names()):
            out = every % self.settings["step"] == start
            yield Fold(name, start + 1, 1.0, every[~out], every[out], "", ALL)

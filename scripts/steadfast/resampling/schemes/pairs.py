"""Complementary halves of the rows."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, flag, whole
from steadfast.core.registry import scheme
from steadfast.core.seeds import generator
from steadfast.resampling.draws import ALL, EACH_CLASS, draw_pair, rows_beside
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


@scheme("pairs")
class Pairs(Scheme):
    """Complementary halves: the rows are halved at random; each half trains, the other tests.

    Of an odd number of rows one trains in neither fold of the pair and tests in both. The error
    bounds of stability selection are tightest for these folds
    (`steadfast.statistics.stability_selection`).
    """

    keys: ClassVar[Keys] = {
        "repeats": whole("Number of pairs.", default=50),
        "stratified": flag("Whether classes keep their shares.", default=True),
    }
    halves = "pairs"

    def names(self) -> list[str]:
        return [
            f"p{at:02d}{half}" for at in range(1, self.settings["repeats"] + 1) for half in "ab"
        ]

    def runs(self) -> int:
        return 2 * self.settings["repeats"]

    def describe(self, ratio: float) -> str:
        own = EACH_CLASS if self.settings["stratified"] else ""
        return f"{self.settings['repeats']} pairs of complementary halves of the rows{own}"

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        if len(y) < 4:
            raise UserError(f"{'/'.join(names)}: resample: {len(y)} rows cannot be halved")
        strata = y if self.settings["stratified"] else np.zeros_like(y)
        for repeat in range(1, self.settings["repeats"] + 1):
            halves = draw_pair(strata, generator(seed, *names, "pairs", repeat), names)
            for half, train in zip("ab", halves, strict=True):
                test = rows_beside(train, len(y))
                yield Fold(f"p{repeat:02d}{half}", repeat, 1.0, train, test, "", ALL)

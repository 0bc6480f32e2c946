"""Random shares of the rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Key, Keys, flag, whole
from steadfast.core.registry import scheme
from steadfast.core.seeds import generator
from steadfast.resampling.draws import ALL, EACH_CLASS, draw_share, require_both_parts, rows_beside
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


@scheme("subsample")
class Subsample(Scheme):
    """A share of the rows, drawn without replacement, trains; the rest tests."""

    keys: ClassVar[Keys] = {
        "repeats": whole("Number of draws.", default=10),
        "share": Key(
            "Share of the rows that train.",
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            default=0.8,
        ),
        "stratified": flag("Whether classes keep their shares.", default=True),
    }
    independent_draws = True

    @property
    def halves(self) -> str:
        return "random" if self.settings["share"] == 0.5 else ""

    def names(self) -> list[str]:
        return [f"s{repeat:03d}" for repeat in range(1, self.settings["repeats"] + 1)]

    def runs(self) -> int:
        return self.settings["repeats"]

    def describe(self, ratio: float) -> str:
        repeats, share = self.settings["repeats"], self.settings["share"]
        return f"{repeats} subsamples of {share:.0%} of the rows{self._shares()}"

    def _shares(self) -> str:
        return EACH_CLASS if self.settings["stratified"] else ""

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        share = self.settings["share"]
        strata = y if self.settings["stratified"] else np.zeros_like(y)
        for repeat, name in enumerate(self.names(), start=1):
            train = draw_share(strata, share, generator(seed, *names, "subsample", repeat))
            require_both_parts(train, len(y), share, names)
            yield Fold(name, repeat, 1.0, train, rows_beside(train, len(y)), "", ALL)


@scheme("halves", fixed={"share": 0.5})
class Halves(Subsample):
    """Random halves: one trains, the other tests."""

    def names(self) -> list[str]:
        return [f"h{repeat:02d}" for repeat in range(1, self.settings["repeats"] + 1)]

    def describe(self, ratio: float) -> str:
        return f"{self.settings['repeats']} random halves of the rows{self._shares()}"


@scheme("repeated_halves")
class RepeatedHalves(Scheme):
    """Several experiments, each with random halves of its own: one trains, the other tests.

    The halves of one experiment are compared with each other, and stability is the mean over the
    experiments, so that its interval holds for selectors whose runs within one experiment depend on
    each other, too. Classifiers are tested in the first experiment.
    """

    keys: ClassVar[Keys] = {
        "experiments": whole("Number of experiments.", least=2, default=5),
        "repeats": whole("Number of halves of each.", least=2, default=10),
        "stratified": flag("Whether classes keep their shares.", default=True),
    }
    one_sample = False
    mixed = True
    halves = "random"

    def names(self) -> list[str]:
        halves = range(1, self.settings["repeats"] + 1)
        return [f"{name}_h{half:02d}" for name in self._experiments() for half in halves]

    def runs(self) -> int:
        return self.settings["repeats"]

    def describe(self, ratio: float) -> str:
        own = EACH_CLASS if self.settings["stratified"] else ""
        return f"{self.settings['repeats']} random halves of the rows{own}"

    def _experiments(self) -> list[str]:
        return [f"e{number:02d}" for number in range(1, self.settings["experiments"] + 1)]

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        halves = Halves({**self.settings, "share": 0.5})
        for number, experiment in enumerate(self._experiments()):
            for fold in halves.folds(y, classes, seed, [*names, experiment]):
                name = f"{experiment}_{fold.name}"
                yield replace(fold, name=name, comparison=experiment, scored=number == 0)

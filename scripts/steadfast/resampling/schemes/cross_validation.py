"""Cross-validation, once or repeated, and samples of which one has no row in common with others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, one_of, whole
from steadfast.core.registry import scheme
from steadfast.core.seeds import generator
from steadfast.resampling.draws import EACH_CLASS, deal, draw_of_classes, draw_share, rows_beside
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme

#: Samples of which the last has no row in common with the others.
DISJOINT = [f"d{number:02d}" for number in range(1, 12)]

FOLDS = whole("Folds of a cross-validation.", least=2, default=10)

SMALL_CLASSES = one_of(
    'A class with fewer rows than folds: "refuse" ends the run with one line, "spread" lets it be '
    "missing in some folds.",
    *("refuse", "spread"),
    default="refuse",
)


@scheme("cv")
class CrossValidation(Scheme):
    """Rows dealt to folds, classes in equal shares; each fold tests, the others train.

    With `disjoint`, a share of the rows, come eleven samples of that share more, `d01` to `d11`, of
    which the last has no row in common with the others: for figures that want them. With
    `set_aside`, a share of the rows of each class is in no fold: transforms can learn from these
    (`learn: frozen`), which no perturbation touches.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 4.5 (the samples).
    """

    keys: ClassVar[Keys] = {
        "folds": FOLDS,
        "small_classes": SMALL_CLASSES,
        "disjoint": Key(
            "Share of the rows in each of eleven more samples, of which the last has no row in "
            "common with the others; none if left out.",
            {"type": "number", "exclusiveMinimum": 0, "maximum": 0.5},
        ),
        "set_aside": Key(
            "Share of the rows of each class that are in no fold, for transforms that learn from "
            "them; none if left out.",
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        ),
    }

    def __init__(self, settings: Mapping[str, Any]):
        super().__init__(settings)
        if self.settings.get("disjoint") and self.settings.get("set_aside"):
            raise UserError(
                "resample.set_aside: the samples of disjoint are of all rows; take one of them out"
            )

    def names(self) -> list[str]:
        folds = range(1, self.settings["folds"] + 1)
        own = [self._name(repeat, fold) for repeat in self._repeats() for fold in folds]
        return own + (DISJOINT if self.settings.get("disjoint") else [])

    def runs(self) -> int:
        return self.settings["folds"]

    def describe(self, ratio: float) -> str:
        share = self.settings.get("set_aside")
        of = f" of {1 - share:.0%} of the rows" if share else ""
        return f"{self.settings['folds']} folds of a cross-validation{of}{EACH_CLASS}"

    def _repeats(self) -> range:
        return range(1, self.settings.get("repeats", 1) + 1)

    def _name(self, repeat: int, fold: int) -> str:
        return f"f{fold:02d}" if len(self._repeats()) == 1 else f"r{repeat:02d}_f{fold:02d}"

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        every = self._dealt_rows(y, seed, names)
        n_folds, small_classes = self.settings["folds"], self.settings["small_classes"]
        for repeat in self._repeats():
            draw = generator(seed, *names, "cv", repeat)
            dealt = deal(y[every], n_folds, draw, classes, small_classes, names)
            for fold in range(1, n_folds + 1):
                test = dealt == fold - 1
                name, comparison = self._name(repeat, fold), f"r{repeat:02d}"
                yield Fold(name, repeat, 1.0, every[~test], every[test], "", comparison)
        if self.settings.get("disjoint"):
            yield from _disjoint_samples(y, self.settings["disjoint"], seed, names)

    def _dealt_rows(self, y: np.ndarray, seed: int, names: Sequence[str]) -> np.ndarray:
        """All rows but those that are set aside."""
        share = self.settings.get("set_aside")
        if not share:
            return np.arange(len(y))
        aside = draw_share(y, share, generator(seed, *names, "set aside"))
        return rows_beside(aside, len(y))


@scheme("repeated_cv")
class RepeatedCrossValidation(CrossValidation):
    """Cross-validation with rows dealt anew each time; folds of one time are compared."""

    keys: ClassVar[Keys] = {
        "folds": FOLDS,
        "repeats": whole("Number of cross-validations.", default=10),
        "small_classes": SMALL_CLASSES,
    }
    one_sample = False

    def describe(self, ratio: float) -> str:
        folds, repeats = self.settings["folds"], self.settings["repeats"]
        return f"{folds} folds of each of {repeats} cross-validations{EACH_CLASS}"


def _disjoint_samples(
    y: np.ndarray, share: float, seed: int, names: Sequence[str]
) -> Iterator[Fold]:
    last = draw_share(y, share, generator(seed, *names, "disjoint", DISJOINT[-1]))
    rest = rows_beside(last, len(y))
    if share > 0.5 or min(last.size, rest.size) < 2:
        raise UserError(
            f"{'/'.join(names)}: resample.disjoint: {share:g} of {len(y)} rows must be at least "
            "two rows, and at most half of all"
        )
    for number, name in enumerate(DISJOINT, start=1):
        draw = generator(seed, *names, "disjoint", name)
        train = last if name == DISJOINT[-1] else draw_of_classes(rest, y, y[last], draw)
        yield Fold(name, number, 1.0, train, rows_beside(train, len(y)), "", "", False)

"""Samples that differ in a controlled share of their rows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, list_of, whole
from steadfast.core.registry import scheme
from steadfast.core.seeds import generator
from steadfast.resampling.draws import (
    ALL,
    EACH_CLASS,
    draw_of_classes,
    draw_share,
    require_both_parts,
    rows_beside,
)
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


@scheme("perturbed")
class Perturbed(Scheme):
    """Samples that differ in a controlled share of their rows.

    The first sample is a share of the rows of every class; each of the others keeps all but a share
    α of these, and draws as many anew from the rows that it did not keep. So at least 1 − α of each
    sample are rows of the first: with α = 0 all samples are the same, with α = 1 independent draws.
    A fold's `ratio` is its α; rows that a sample leaves out test.

    References
    ----------
    Alelyani, On feature selection stability: a data perspective (2013), section 3.3.
    """

    keys: ClassVar[Keys] = {
        "repeats": whole("Number of samples for each share of perturbation.", default=10),
        "share": Key(
            "Share of the rows in a sample.",
            {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            default=0.25,
        ),
        "perturbations": list_of(
            "Shares of its rows in which a sample differs from the first.",
            {"type": "number", "minimum": 0, "maximum": 1},
            default=[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        ).but(schema={"uniqueItems": True}),
    }

    def __init__(self, settings: Mapping[str, Any]):
        super().__init__(settings)
        names = [f"{alpha:g}" for alpha in self.ratios()]
        if len(set(names)) < len(names):
            raise UserError("resample.perturbations: two of them are equal to six digits")

    def ratios(self) -> list[float]:
        return sorted({float(alpha) for alpha in self.settings["perturbations"]})

    def names(self) -> list[str]:
        samples = range(1, self.settings["repeats"] + 1)
        return [_name(alpha, sample) for alpha in self.ratios() for sample in samples]

    def runs(self) -> int:
        return self.settings["repeats"]

    def describe(self, ratio: float) -> str:
        repeats, share = self.settings["repeats"], self.settings["share"]
        samples = f"{repeats} samples of {share:.0%} of the rows{EACH_CLASS}"
        return f"{samples}, {ratio:.0%} of each drawn anew"

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        share = self.settings["share"]
        first = draw_share(y, share, generator(seed, *names, "perturbed"))
        require_both_parts(first, len(y), share, names)
        for alpha in self.ratios():
            for sample in range(1, self.settings["repeats"] + 1):
                draw = generator(seed, *names, "perturbed", f"{alpha:g}", sample)
                train = first if sample == 1 else _redraw(first, y, alpha, draw)
                test = rows_beside(train, len(y))
                yield Fold(_name(alpha, sample), sample, alpha, train, test, "", ALL)


def _name(alpha: float, sample: int) -> str:
    return f"a{alpha:g}_s{sample:02d}"


def _redraw(
    first: np.ndarray, y: np.ndarray, alpha: float, draw: np.random.Generator
) -> np.ndarray:
    """The sample with a share of its rows, rounded half up, drawn anew in their classes."""
    order = draw.permutation(first)
    gone = int(alpha * first.size + 0.5)
    removed, kept = order[:gone], order[gone:]
    free = rows_beside(kept, len(y))
    return np.sort(np.concatenate([kept, draw_of_classes(free, y, y[removed], draw)]))

"""Bootstraps, and ever smaller draws from each."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, list_of, whole
from steadfast.core.registry import scheme
from steadfast.core.seeds import generator
from steadfast.resampling.draws import ALL, rows_beside
from steadfast.resampling.folds import Fold
from steadfast.resampling.scheme import Scheme


@scheme("shrinking_bootstrap")
class ShrinkingBootstrap(Scheme):
    """Bootstraps of all rows, and ever smaller draws from each of them.

    Each repeat draws n of n rows with replacement (training); rows never drawn are the test part.
    For each ratio r, r·n of the drawn rows are drawn again without replacement; the full bootstrap
    (ratio 1) is always there, as the reference of the others.

    References
    ----------
    Gulgezen, Cataltepe, Yu, Stable and accurate feature selection (2009), section 5.2.
    """

    keys: ClassVar[Keys] = {
        "repeats": whole("Number of bootstraps.", default=10),
        "ratios": list_of(
            "Shares of a bootstrap's rows that its smaller draws keep.",
            {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
            default=[0.1, 0.25, 0.5, 0.75, 1.0],
        ).but(schema={"uniqueItems": True}),
    }
    has_reference = True

    def ratios(self) -> list[float]:
        return sorted({float(ratio) for ratio in self.settings["ratios"]} | {1.0})

    def names(self) -> list[str]:
        repeats = range(1, self.settings["repeats"] + 1)
        return [_name(repeat, ratio) for repeat in repeats for ratio in self.ratios()]

    def runs(self) -> int:
        return self.settings["repeats"]

    def page_ratio(self) -> float:
        """The largest ratio below 1: at 1 each fold is its own reference."""
        return max([ratio for ratio in self.ratios() if ratio < 1], default=1.0)

    def describe(self, ratio: float) -> str:
        share = f", {ratio:.0%} of each" if ratio < 1 else ""
        return f"{self.settings['repeats']} bootstraps of the rows{share}"

    def folds(
        self, y: np.ndarray, classes: Sequence[str], seed: int, names: Sequence[str]
    ) -> Iterator[Fold]:
        n = len(y)
        for repeat in range(1, self.settings["repeats"] + 1):
            drawn = generator(seed, *names, "bootstrap", repeat).integers(n, size=n)
            test = rows_beside(drawn, n)
            for ratio in self.ratios():
                size = int(ratio * n + 0.5)
                if size < 2:
                    raise UserError(
                        f"{'/'.join(names)}: resample.ratios: {ratio:g} of {n} rows leaves fewer "
                        f"than two rows; use at least {2 / n:.2g}"
                    )
                order = generator(seed, *names, "reduce", repeat, f"{ratio:g}").permutation(n)
                train = np.sort(drawn if ratio == 1 else drawn[order[:size]])
                reference = _name(repeat, 1)
                yield Fold(_name(repeat, ratio), repeat, ratio, train, test, reference, ALL)


def _name(repeat: int, ratio: float) -> str:
    return f"b{repeat:02d}_r{ratio:g}"

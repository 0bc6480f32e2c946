"""Mean ranks of selectors over the subset sizes, and how they are printed."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

NOTE = (
    "Rank 1 is best, ties share the smaller rank. Mean ∓ standard deviation over all subset sizes; "
    "at each size {of} is the mean over the resamples."
)


class MeanRank(NamedTuple):
    """A selector's mean rank over the sizes, and its standard deviation over them."""

    mean: float
    sd: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} ∓ {self.sd:.1f}"


def mean_ranks(view: View, query: Mapping[str, object]) -> tuple[int, list[MeanRank]]:
    """Number of sizes, and the rank of each of the view's selectors."""
    curves = [view.curves.read(query, selector) for selector in view.selectors]
    return rank_curves(curves, view.direction(query))


def rank_curves(curves: list[Curve], direction: int = 1) -> tuple[int, list[MeanRank]]:
    """Number of sizes that all curves have, and their ranks; `direction` is −1 for distances."""
    values = np.array([curve.values for curve in common_sizes(curves)])
    means, spreads = mean_and_sd(competition_ranks(values * direction))
    return values.shape[1], [MeanRank(*rank) for rank in zip(means, spreads, strict=True)]


def published_ranks(
    printed: Mapping[str, float], selectors: Iterable[str]
) -> list[MeanRank | None]:
    """The paper's row; None where it has no number."""
    return [
        MeanRank(printed[name], printed[f"{name} sd"]) if name in printed else None
        for name in selectors
    ]


def ranks_text(ranks: Iterable[MeanRank | None]) -> list[str]:
    """Ranks in print; – where there is none."""
    return ["–" if rank is None else str(rank) for rank in ranks]

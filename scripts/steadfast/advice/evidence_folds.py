"""The folds that a page of advice is about."""

from collections.abc import Sequence

from steadfast.resampling.folds import Fold


def page_folds(folds: Sequence[Fold], ratio: float) -> list[Fold]:
    """The folds that a page is about: those of one ratio on which classifiers are tested."""
    return [fold for fold in folds if fold.scored and fold.ratio == ratio]

"""The score by which size, selector and verdict are decided on a data set."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steadfast.accuracy.scores import SCORES, USUAL, Score
from steadfast.accuracy.unequal import are_unequal
from steadfast.resampling.folds import Fold

#: What decides in the place of accuracy, if a study has it. AUC comes first: a machine that always
#: names the large class has a balanced accuracy of a half, though it may rank the rows well.
FOR_UNEQUAL = ("auc", "balanced_accuracy")


class Deciding(NamedTuple):
    """A score, and in a sentence why it is not the first of the study; None where it is."""

    score: Score
    why: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"id": self.score.name, "label": self.score.label, "why": self.why}


def deciding_score(scoring: Sequence[str], y: np.ndarray, folds: Sequence[Fold]) -> Deciding:
    """The first score of a study, unless that is accuracy, classes are unequal, and it has another.

    Where fewer than half of the folds test two classes, AUC is undefined in most, and is not taken.
    """
    first, other = (
        SCORES[scoring[0]],
        next((name for name in FOR_UNEQUAL if name in scoring), None),
    )
    if first.name not in USUAL or other is None or not are_unequal(y):
        return Deciding(first)
    score = SCORES[other]
    so_large = f"The largest class has {np.bincount(y).max() / y.size:.0%} of the rows"
    known = np.count_nonzero(~np.isnan(baseline_units(folds, y, score)))
    if 2 * known < len(folds):
        return Deciding(
            first,
            f"{so_large}, so that {score.noun} should decide; but it is known in {known} of "
            f"{len(folds)} runs only, the others test a single class. Accuracy decides, and says "
            "little of the smaller classes.",
        )
    return Deciding(
        score,
        f"{so_large}, so that always naming it is often right: what is said of accuracy goes by "
        f"{score.noun}, which counts the classes alike.",
    )


def baseline_units(folds: Sequence[Fold], y: np.ndarray, score: Score) -> np.ndarray:
    """In each fold, the score of knowing nothing but the shares of the classes that train."""
    return np.array([score.baseline(y[fold.train], y[fold.test]) for fold in folds])

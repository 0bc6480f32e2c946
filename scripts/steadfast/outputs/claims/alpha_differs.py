"""Claims that the best α differs by data set."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.shared.alpha import (
    AIM,
    AIMS,
    BestAlpha,
    OfAlpha,
    best_alpha,
    best_on_mean,
    by_alpha,
    read_units,
)
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case
from steadfast.outputs.view import View

#: Means that are closer than this are equal.
_EQUAL = 1e-9


@claim("alpha_differs")
class AlphaDiffers(OfAlpha, ClaimKind):
    """Whether the best α of a data set is another than the best on the mean over all."""

    keys: ClassVar[Keys] = {"aim": AIM.but(default="both")}

    def build(self, view: View, published: ByTable) -> Outcome:
        aim = view.entry["aim"]
        common = best_on_mean(view, view.datasets, aim)
        best = {dataset: best_alpha(view, dataset, aim) for dataset in view.datasets}
        cases = [
            Case(view.title(dataset), _side(view, dataset, one, common), one.alpha - common)
            for dataset, one in best.items()
        ]
        rows = [
            [view.title(dataset), f"{one.alpha:g}", f"{one.low:g} to {one.high:g}"]
            for dataset, one in best.items()
        ]
        ends = [end(one.alpha for one in best.values()) for end in (min, max)]
        return Outcome(
            cases=cases,
            statement=f"The best α for {AIMS[aim]} is not {common:g}, the best on the mean,",
            unit="a data set",
            rule="A case is a data set. It speaks for the claim where the 95% interval of its best "
            "α (over bootstraps of its folds, which share rows: it is rather too narrow) does not "
            "hold the α that is best on the mean over all data sets, and against it where no α is "
            "better there than that one; else it is open. Differences are those of the two α.",
            more=f"The best α lie from {ends[0]:g} to {ends[1]:g}.",
            details=markdown_rows(["Dataset", f"Best α for {AIMS[aim]}", "95% interval"], rows),
        )


def _side(view: View, dataset: str, best: BestAlpha, common: float) -> int:
    if _is_best(view, dataset, common):
        return AGAINST
    return OPEN if best.low <= common <= best.high else FOR


def _is_best(view: View, dataset: str, alpha: float) -> bool:
    """Whether no α is better there: of equals, the first is called the best."""
    values = by_alpha(view, dataset, view.entry["aim"])
    at = int(np.argmin(np.abs(read_units(view, dataset).alphas - alpha)))
    return bool(values[at] >= values.max() - _EQUAL)

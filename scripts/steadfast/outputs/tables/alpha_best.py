"""Tables of the best α of each data set."""

from typing import ClassVar

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.alpha import (
    OfAlpha,
    best_alpha,
    best_on_mean,
    by_alpha,
    read_choices,
    read_units,
)
from steadfast.outputs.view import View

#: What α is best for, and its name in print.
_OF = {
    "stability": "stability",
    "matching": "the paper's stability",
    "accuracy": "accuracy",
    "both": "both",
}

#: What is stated at α = 0.5 and at its largest.
_VALUES = ("stability", "accuracy")


@table("alpha_best")
class AlphaBest(OfAlpha, TableKind):
    """The best α of each data set for stability, accuracy and both, and what `auto` chooses."""

    keys: ClassVar[Keys] = {}

    def build(self, view: View) -> Result:
        header = ["dataset"]
        header += [f"{of}{end}" for of in _OF for end in ("", "_low", "_high")] + ["auto"]
        header += [f"{of}_{at}" for of in _VALUES for at in ("half", "largest")]
        printed = ["Dataset", *(f"Best α for {label}" for label in _OF.values()), "α of auto, mean"]
        printed += [f"{of.capitalize()} at α = 0.5 (largest)" for of in _VALUES]
        result = Result(header, [], printed)
        for dataset in view.datasets:
            best = [best_alpha(view, dataset, of) for of in _OF]
            auto, values = _auto(view, dataset), [_values(view, dataset, of) for of in _VALUES]
            numbers = [number for one in best for number in one]
            result.rows.append(
                [dataset, *numbers, auto, *(number for pair in values for number in pair)]
            )
            cells = [f"{one.alpha:g} ({one.low:g}–{one.high:g})" for one in best]
            shown = [f"{half:.2f} ({largest:.2f})" for half, largest in values]
            result.printed.append([view.title(dataset), *cells, f"{auto:.2f}", *shown])
        result.notes += _notes(view)
        return result


def _auto(view: View, dataset: str) -> float:
    """What was chosen inside the training rows, mean over folds."""
    rows = read_choices(view, dataset)
    auto = ("alpha", "auto")
    return next(float(row["alpha"]) for row in rows if (row["question"], row["rule"]) == auto)


def _values(view: View, dataset: str, of: str) -> tuple[float, float]:
    """At α = 0.5, and the largest over α."""
    values = by_alpha(view, dataset, of)
    half = read_units(view, dataset).names.index("0.5")
    return float(values[half]), float(values.max())


def _notes(view: View) -> list[str]:
    over_all = ", ".join(
        f"α = {best_on_mean(view, view.datasets, of):g} for {label}" for of, label in _OF.items()
    )
    return [
        "The α of the largest mean over sizes and folds; in brackets the 95% interval of where the "
        "largest lies, over bootstraps of the folds. Folds share rows, so that it is rather too "
        "narrow. Stability is Nogueira's, the paper's is SU matching; both is the mean of "
        "(Nogueira's) stability and accuracy. α = 0 looks at redundancy alone, α = 1 at relevance "
        "alone. auto: what the selector chooses inside the training rows, mean over folds.",
        f"Best on the mean over all {len(view.datasets)} data sets: {over_all}.",
    ]

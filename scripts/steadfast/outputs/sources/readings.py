"""Selectors compared with one of them, in stability and in accuracy."""

from collections.abc import Sequence

import pandas as pd

from steadfast.outputs.curves import Curves
from steadfast.outputs.intervals import mark
from steadfast.outputs.results import Measure, Score

#: Columns of differences, with the ends of their intervals.
STABILITY_APART = ["difference", "difference low", "difference high"]
ACCURACY_APART = ["accuracy difference", "accuracy low", "accuracy high"]

#: The format of a cell with a difference, its interval and its mark, of the columns that have them.
_MARKED = "{{{}:+.3f}}| [{{{}:+.3f}}, {{{}:+.3f}}]{{{}}}"


def compare_with(
    curves: Curves,
    reference: str,
    measure: Measure,
    classifier: Score,
    datasets: Sequence[str],
    ratio: float,
    selectors: Sequence[str],
) -> pd.DataFrame:
    """Means over all subset sizes, and their differences to those of a reference, a row each.

    Differences are paired: both selectors see the same folds.
    """
    rows = []
    for dataset in datasets:
        base = curves.mean(measure, dataset, ratio, reference).mean
        for name in selectors:
            stability = curves.mean(measure, dataset, ratio, name)
            apart = curves.difference(measure, dataset, ratio, name, reference)
            accuracy = float(curves.read(classifier, dataset, ratio, name).values.mean())
            gain = curves.difference(classifier, dataset, ratio, name, reference)
            marks = mark(apart, measure.direction), mark(gain, classifier.direction)
            row = dataset, name, *stability, *apart, base, accuracy, *gain, stability.half, *marks
            rows.append(row)
    names = [
        "dataset",
        "selector",
        "stability",
        "stability low",
        "stability high",
        *STABILITY_APART,
    ]
    names += ["relative", "accuracy", *ACCURACY_APART, "_half", "_mark", "_gain mark"]
    frame = pd.DataFrame(rows, columns=names)
    frame["relative"] = frame["difference"] / frame["relative"]
    others = frame["selector"] != reference
    printed = {"_apart": "difference", "_gain": "accuracy difference", "_relative": "relative"}
    return frame.assign(**{name: frame[of].where(others) for name, of in printed.items()})


def cells_of(measure: Measure, classifier: Score, reference: str) -> dict[str, str]:
    """How the frame of `compare_with` is printed; `reference` by its label."""
    score = classifier.score.label
    return {
        "Dataset": "{dataset}",
        "Selector": "{selector}",
        measure.label: "{stability:.3f}| ± {_half:.3f}",
        f"Minus {reference}": _MARKED.format("_apart", *STABILITY_APART[1:], "_mark"),
        "Relative": "{_relative:+.1%}",
        score: "{accuracy:.3f}",
        f"{score} minus {reference}": _MARKED.format("_gain", *ACCURACY_APART[1:], "_gain mark"),
    }


def explain_losses(classifier: Score) -> str:
    """What marks say of a score whose small values are good; nothing of others."""
    if classifier.direction > 0:
        return ""
    return f" Of {classifier.noun} the lower is the better: ▲ where the interval lies below 0."

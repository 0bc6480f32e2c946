"""Tables of what rules for α and the subset size lose against the best there is."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.kind import Entry, TableKind
from steadfast.outputs.result import Result
from steadfast.outputs.shared.alpha import (
    AIMS,
    NESTED,
    QUESTION,
    RULES,
    TRUTH,
    OfAlpha,
    datasets_by_truth,
    losses,
    rule_label,
    shown_loss,
)
from steadfast.outputs.view import View

#: The rule that knows the result, and loses nothing.
_ORACLE = "best"

#: Of which aim the worst data set is printed.
_WORST = "both"

_CHOSEN = {"alpha": "α", "size": "the size at α = 0.5", "both": "α and size"}


@table("alpha_regret")
class AlphaRegret(OfAlpha, TableKind):
    """What each rule for α, the size, or both loses against the best choice, over data sets."""

    keys: ClassVar[Keys] = {"question": QUESTION, "truth": TRUTH}

    def build(self, view: View) -> Result:
        question, datasets = view.entry["question"], datasets_by_truth(view, view.entry["truth"])
        ends = ("", "_low", "_high", "_worst", "_worst_dataset")
        header = ["rule", "datasets", *(f"{aim}{end}" for aim in AIMS for end in ends)]
        printed = ["Rule", *(f"Loss in {label}" for label in AIMS.values())]
        result = Result(header, [], [*printed, f"Largest loss in {AIMS[_WORST]}"])
        for rule in RULES:
            lost = {aim: losses(view, question, aim, rule, datasets) for aim in AIMS}
            if any(values is None for values in lost.values()):
                continue
            numbers = [one for values in lost.values() for one in _summary(values, datasets)]
            result.rows.append([rule, len(datasets), *numbers])
            if rule != _ORACLE:
                cells = [shown_loss(mean_interval(values)) for values in lost.values()]
                worst, name = _summary(lost[_WORST], datasets)[-2:]
                worst = f"{worst:.3f} ({view.title(name)})"
                result.printed.append([rule_label(question, rule), *cells, worst])
        result.notes += _notes(view.entry, len(datasets), [row[0] for row in result.rows])
        return result


def _summary(lost: np.ndarray, datasets: Sequence[str]) -> tuple[float, float, float, float, str]:
    """Mean and its interval, the largest, and where that is."""
    worst = int(np.argmax(lost))
    return *mean_interval(lost), float(lost[worst]), datasets[worst]


_ONCE = (
    "An α that is chosen once is chosen on the training rows of one fold and judged on all folds, "
    "most of whose test rows it has seen: it shows what the change of α costs, and is no fair "
    "forecast."
)


def _notes(entry: Entry, n: int, rules: Sequence[str]) -> list[str]:
    question = entry["question"]
    inside = [rule_label(question, rule) for rule in rules if rule in NESTED]
    made = (
        " Data sets that are made in one way are not independent, so that intervals are rather too "
        "narrow."
    )
    over_sizes = " Stability and accuracy are means over all sizes." if question == "alpha" else ""
    return [
        f"Loss (regret): the largest stability that any choice of {_CHOSEN[question]} reaches on a "
        "data set, less what the choice of the rule has there; likewise of accuracy, and of both, "
        f"the mean of the two.{over_sizes} Means over {n} data sets, with the 95% interval of the "
        f"mean.{'' if entry['truth'] == 'unknown' else made}",
        "The best is chosen with knowledge of the result: an oracle, which nobody has. Rules that "
        "learn from other data sets learn nothing from the results on the data set itself, nor "
        "from those on its kin, and aim at what the column is of. All others choose the same in "
        "every column. Characteristics and variances are those of all rows, test rows included, "
        "which favours the rules that look at them. Those that choose inside the training rows of "
        f"every fold ({'; '.join(inside)}) pay for choosing: what differs from fold to fold is "
        "less stable, too.",
        *([_ONCE] if "once" in rules else []),
    ]

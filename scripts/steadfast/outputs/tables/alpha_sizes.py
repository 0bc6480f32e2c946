"""Tables of rules for the subset size: what they lose, and what is true of what they choose."""

from typing import ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import table
from steadfast.outputs.differences import mean_interval
from steadfast.outputs.kind import TableKind
from steadfast.outputs.result import Result, plus_minus
from steadfast.outputs.shared.alpha import (
    AIMS,
    NESTED,
    SIZE_RULES,
    OfAlpha,
    against_truth,
    datasets_by_truth,
    is_chosen,
    losses,
    read_rules,
    rule_label,
    share_found,
    shown_loss,
)
from steadfast.outputs.verdict import listed
from steadfast.outputs.view import View

_NAN = float("nan")

#: Rules that look for something that a curve may not have.
_SEEKERS = ("knot", "peak")

#: Rules that choose α, too, by the one that chooses the size alone.
_WITH_ALPHA = {"auto": "auto_both", "settled": "settled_both"}


@table("alpha_sizes")
class AlphaSizes(OfAlpha, TableKind):
    """Rules for the subset size: what they lose, and how much of what they choose is relevant."""

    keys: ClassVar[Keys] = {}

    def build(self, view: View) -> Result:
        losing = [f"{aim}{end}" for aim in AIMS for end in ("", "_low", "_high")]
        true = ["k_known", "precision", "recall", "f1"]
        header = ["rule", "k", *losing, *true, "found"]
        printed = ["Rule", "k", *(f"Loss in {label}" for label in AIMS.values())]
        printed += ["k, truth known", "Precision", "Recall of blocks", "F1", "Found"]
        result = Result(header, [], printed)
        unknown, known = (datasets_by_truth(view, truth) for truth in ("unknown", "known"))
        rules = read_rules(view, "size", "both")
        for rule in _order():
            if not (is_chosen(view, rule) if rule in NESTED else rule in rules):
                continue
            chosen = [
                rules[rule][name].k if rule in rules else against_truth(view, name, rule).k
                for name in unknown
            ]
            size = _mean(chosen)
            lost = [losses(view, "size", aim, rule, unknown) for aim in AIMS]
            ends = [mean_interval(np.array([]) if one is None else one) for one in lost]
            truth = _truth(view, rule, known)
            found = _found(view, rule)
            numbers = [number for interval in ends for number in interval]
            result.rows.append([rule, size, *numbers, *truth, found])
            cells = [shown_loss(interval) for interval in ends]
            shown = [plus_minus(truth[0], digits=1), *map(plus_minus, truth[1:])]
            share = f"{found:.0%}" if rule in _SEEKERS else "–"
            label = NESTED[rule][2] if rule in _WITH_ALPHA.values() else rule_label("size", rule)
            result.printed.append([label, plus_minus(size, digits=1), *cells, *shown, share])
        result.notes.append(_note(len(unknown), len(known), [row[0] for row in result.rows]))
        return result


def _order() -> list[str]:
    """Rules as they are printed; those that choose α, too, beside those that do not."""
    order = []
    for rule in SIZE_RULES:
        order += [rule, *([_WITH_ALPHA[rule]] if rule in _WITH_ALPHA else [])]
    return order


def _truth(view: View, rule: str, known: list[str]) -> list[float]:
    """Size, precision, recall and F1, means over data sets of known truth."""
    if rule not in NESTED:
        return [_NAN] * 4
    found = [against_truth(view, dataset, rule) for dataset in known]
    parts = [[one.k, one.precision, one.recall, one.f1] for one in found]
    return [_mean(column) for column in zip(*parts, strict=True)] or [_NAN] * 4


def _found(view: View, rule: str) -> float:
    """Share of folds, mean over all data sets."""
    if rule not in NESTED:
        return _NAN
    return _mean([share_found(view, dataset, rule) for dataset in view.datasets])


def _mean(values: list[float]) -> float:
    values = [value for value in values if not np.isnan(value)]
    return float(np.mean(values)) if values else _NAN


def _note(unknown: int, known: int, rules: list[str]) -> str:
    with_alpha = [f"“{NESTED[rule][2]}”" for rule in _WITH_ALPHA.values() if rule in rules]
    return (
        f"α is 0.5, but for {listed(with_alpha)}. Size k and losses against the best size: "
        f"means over {unknown} data sets whose truth is not known, with the 95% interval of the "
        "mean; k of rules that aim at something is that for both. Truth known: means over the "
        f"folds of {known} made data sets. Precision: share of the chosen features that are "
        "relevant; recall: share of the blocks of relevant features of which one is chosen; F1: "
        "their harmonic mean. Rules that do not choose inside the training rows have none. Found: "
        "share of folds in which there was a knot or a peak; else the most stable size is taken."
    )

"""Selectors held against one of them, in stability and in accuracy."""

from typing import NamedTuple

from steadfast.accuracy.scores import Score
from steadfast.outputs.differences import Interval, marked_interval, mean_interval
from steadfast.outputs.view import View


class Against(NamedTuple):
    """A selector on a data set, means over all subset sizes, and its differences to another."""

    stability: Interval
    stability_difference: Interval
    accuracy: float
    accuracy_difference: Interval


def hold_against(view: View, dataset: str, selector: str, other: str) -> Against:
    """Differences are paired: both selectors see the same folds."""
    query = {**view.entry, "dataset": dataset}
    return Against(
        mean_interval(view.curves.units(query, selector)),
        view.difference(query, selector, other),
        float(view.curves.read({**query, "of": "accuracy"}, selector).values.mean()),
        view.accuracy_difference(query, selector, other),
    )


def difference_texts(view: View, found: Against) -> tuple[str, str]:
    """Both differences in print."""
    return (
        marked_interval(found.stability_difference, view.measure()["distance"]),
        marked_interval(found.accuracy_difference, view.score.direction < 0),
    )


def told_of_losses(score: Score) -> str:
    """What marks say of a score whose small values are good; nothing of others."""
    if score.larger_is_better:
        return ""
    return f" Of {score.noun} the lower is the better: ▲ where the interval lies below 0."

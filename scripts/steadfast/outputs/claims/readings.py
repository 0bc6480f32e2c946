"""Claims about the best of several selectors, and about the features that accuracy needs."""

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from steadfast.accuracy.scores import USUAL
from steadfast.core.errors import UserError
from steadfast.outputs.arguments import (
    Classifier,
    Count,
    Entry,
    Expected,
    MeasureUsed,
    NamedSelectors,
    Ratio,
    Selector,
    Selectors,
)
from steadfast.outputs.cases import Claim, by_interval
from steadfast.outputs.curves import Curves
from steadfast.outputs.intervals import Interval, mark, resampled_interval
from steadfast.outputs.kinds import claim
from steadfast.outputs.sources.readings import (
    ACCURACY_APART,
    STABILITY_APART,
    cells_of,
    compare_with,
    explain_losses,
)
from steadfast.outputs.table import Table
from steadfast.outputs.verdict import AGAINST, FOR, OPEN, Case, judge

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

# The best of several


@claim
def highest(
    curves: Curves,
    *,
    measure: MeasureUsed,
    ratio: Ratio,
    classifier: Classifier,
    selectors: NamedSelectors,
    best: Selector,
) -> Claim:
    """Whether one of several selectors is the most stable, and the most accurate.

    Parameters
    ----------
    selectors
        Selectors that are compared.
    best
        The one said to be the best.
    """
    label, noun = curves.selectors[best], classifier.noun
    most = "the most accurate" if classifier.score.name in USUAL else f"the best by {noun}"
    frame = compare_with(curves, best, measure, classifier, curves.datasets, ratio, selectors)
    cases, winners = [], []
    for dataset, rows in frame.groupby("dataset", sort=False):
        others = rows[rows["selector"] != best]
        for what, apart in ((measure, STABILITY_APART), (classifier, ACCURACY_APART)):
            ends = [Interval(*one).turned(what.direction) for one in others[apart].to_numpy()]
            sides = {judge({"above": 0}, one) for one in ends}
            side = AGAINST if FOR in sides else FOR if sides == {AGAINST} else OPEN
            cases.append(Case(f"{what.noun} on {curves.title(dataset)}", side))
        stable = _top(rows, measure.direction * rows["stability"])
        accurate = _top(rows, classifier.direction * rows["accuracy"])
        words = most if stable == accurate else f"{curves.selectors[accurate]} {most}"
        winner = f"{curves.selectors[stable]} is the most stable and {words}"
        winners.append(f"on {curves.title(dataset)} {winner}")
    return Claim(
        cases,
        shows=f"{label} is ahead of all others",
        unit=f"stability or {noun} on a data set",
        rule=f"A case is stability or {noun} on a data set, mean over the subset sizes. It speaks "
        "for the claim where the 95% intervals put the one said to be best ahead of all others, "
        "against it where they put another ahead of it; else it is open.",
        more=f"By the means, {'; '.join(winners)}.",
        table=Table(
            frame,
            cells_of(measure, classifier, label),
            notes=[
                "Means over all subset sizes, with 95% intervals; ▲ where that of a difference "
                f"lies above 0, ▼ below.{explain_losses(classifier)}"
            ],
        ),
    )


def _top(rows: pd.DataFrame, values: pd.Series) -> str:
    """The selector with the largest value."""
    return rows["selector"][values.fillna(-np.inf).idxmax()]


# Enough features

#: Accuracy this close to the highest counts as level with it.
_LEVEL = 0.01
_NO_GROWTH = {"below": _LEVEL}

_BY = {"above": "more than {:g}", "below": "less than {:g}", "within": "{:g} at most"}


def _check_sizes(study: "Study", entry: Entry, where: str) -> None:
    sizes = study.classifiers[entry["classifier"]].get("sizes", study.sizes)
    if sizes != "all" and not (entry["size"] in sizes and max(sizes) > entry["size"]):
        raise UserError(
            f"{where}.size: {entry['classifier']} must be scored at {entry['size']} features and "
            "at more; add them to its sizes"
        )


@claim(refuse=_check_sizes)
def plateau(
    curves: Curves,
    *,
    classifier: Classifier,
    ratio: Ratio,
    size: Count,
    selectors: Selectors,
    expect: Expected = _NO_GROWTH,
) -> Claim:
    """Whether accuracy is as high with some number of features as with any larger one.

    Parameters
    ----------
    size
        Number of features that is said to be enough.
    expect
        What is claimed of the growth since: `above: x`, `below: x` or `within: m`.
    """
    score, rows, cases = classifier.score, [], []
    for dataset, name in product(curves.datasets, selectors):
        if curves.about(dataset)["features"] <= size:
            continue
        curve = curves.read(classifier, dataset, ratio, name)
        better = score.direction * curve.values
        at, best = curve.place(size), better.argmax()
        rise = score.direction * (curve.units[:, -1] - curve.units[:, at])
        growth = resampled_interval(rise, curves.test_share(dataset, ratio))
        level = curve.sizes[better >= better[best] - _LEVEL].min()
        values, sizes = curve.values[[at, -1, best]], curve.sizes[[-1, best]]
        rows.append((dataset, name, *values, *sizes, level, *growth, mark(growth)))
        cases.append((f"{curves.selectors[name]}, {curves.title(dataset)}", growth))
    names = ["dataset", "selector", "at", "last", "best", "largest", "size", "level"]
    ((condition, limit),) = expect.items()
    grows, growth = ("grows", "Growth") if score.larger_is_better else ("falls", "Fall")
    within = f"{_LEVEL:.0%}" if score.percent else f"{_LEVEL:g}"
    return by_interval(
        cases,
        expect,
        unit="a selector and a data set",
        number=f"the {growth.lower()} of {score.noun} beyond {size} features",
        shows=f"{score.label} {grows} by {_BY[condition].format(limit)} beyond {size} features",
        reason=f"no data set has more than {size} features",
        table=Table(
            pd.DataFrame(rows, columns=[*names, "growth", "low", "high", "_mark"]),
            {"Dataset": "{dataset}", "Selector": "{selector}", f"At {size}": "{at:.3f}"}
            | {"At the largest size": "{last:.3f} ({largest})"}
            | {f"{growth} since": "{growth:+.3f}| [{low:+.3f}, {high:+.3f}]{_mark}"}
            | {"Best": "{best:.3f} ({size})", f"Within {within} of it from": "{level}"},
        ),
    )

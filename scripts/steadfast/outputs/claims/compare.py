"""Claims that one selector beats another."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, flag
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import Interval, single_value, turn
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import (
    AGAINST,
    EXPECT,
    FOR,
    OPEN,
    Case,
    advantage,
    claims_absence,
    judge,
    listed,
    rule_of_cases,
    state,
)
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.ranks import share_better

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: A case, and its row of the table.
Found = tuple[Case, list[str]]

_ABOUT_ALL_SIZES = ("largest", "relative", "each_size")
_SIDES = {FOR: "yes", OPEN: "open", AGAINST: "no"}


@claim("compare")
class Compare(ClaimKind):
    """Whether one selector beats another, on average over the sizes, at one, or at each."""

    keys: ClassVar[Keys] = {
        "of": keys.OF,
        "measure": keys.MEASURE,
        "compare": keys.COMPARE,
        "classifier": keys.CLASSIFIER,
        "better": keys.BETTER,
        "than": keys.THAN,
        "datasets": keys.DATASETS,
        "ratios": keys.RATIOS,
        "largest": keys.LARGEST,
        "size": keys.ANY_SIZE.but(
            description=f"{keys.ANY_SIZE.description} All sizes if left out."
        ),
        "each_size": flag("Whether every size is a case of its own, but that of all features."),
        "relative": flag("Whether the difference is also stated as a share of the other's mean."),
        "expect": EXPECT,
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], entry["than"]]

    def reads_of(self, entry: Entry) -> Reads:
        """Intervals of accuracies depend on how many rows the folds share."""
        has_interval = "size" not in entry and not entry["each_size"]
        return replace(super().reads_of(entry), rows=entry["of"] == "accuracy" and has_interval)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for key in _ABOUT_ALL_SIZES:
            if "size" in entry and entry.get(key):
                raise UserError(f"{where}.{key}: is about all sizes; leave it or `size` out")

    def build(self, view: View, published: ByTable) -> Outcome:
        entry, what = view.entry, view.quantity(view.entry["of"])
        better, than = (view.selectors[entry[key]] for key in ("better", "than"))
        queries = [
            {**entry, "dataset": dataset, "ratio": ratio}
            for dataset in entry.get("datasets", view.datasets)
            for ratio in entry["ratios"]
        ]
        unit = ["a data set", *(["a share of rows"] if len(entry["ratios"]) > 1 else [])]
        if "size" in entry:
            found = [_at_size(view, query) for query in queries]
            header = ["Dataset", "r", "k", better, than, "Difference"]
            number, by_value = f"the difference of {what} at the size", True
        else:
            found = [_over_sizes(view, query) for query in queries]
            header = _header(entry, better)
            by_value = all(row[7] == "–" for _, row in found)
            number = f"the mean difference of {what} over the subset sizes"
        cases = [case for case, _ in found]
        if entry["each_size"]:
            cases = [case for query in queries for case in _each_size(view, query)]
            unit, number, by_value = [*unit, "a subset size"], "the difference", True
        words = advantage(entry["of"], view.score)
        return Outcome(
            cases=cases,
            statement=state(entry["expect"], better, than, words),
            unit=listed(unit),
            rule=rule_of_cases(listed(unit), number, entry["expect"], by_value),
            absence=claims_absence(entry["expect"]),
            details=markdown_rows(header, [row for _, row in found]),
        )


def _case_name(view: View, query: dict[str, Any]) -> str:
    ratio = f", r = {query['ratio']:g}" if len(query["ratios"]) > 1 else ""
    return f"{view.title(query['dataset'])}{ratio}"


def _curves(view: View, query: dict[str, Any]) -> list[Curve]:
    """Both at the sizes that they share."""
    pair = [view.curves.read(query, query[key]) for key in ("better", "than")]
    return [curve.up_to(query.get("largest")) for curve in common_sizes(pair)]


def _over_sizes(view: View, query: dict[str, Any]) -> Found:
    """One data set at one ratio, the mean over all sizes."""
    pair, sign = _curves(view, query), view.direction(query)
    first, second = (sign * curve.values for curve in pair)
    better, equal = share_better(first, second)
    apart = first - second
    difference = float(np.mean(apart))
    interval = _interval(view, query, pair[0], sign)
    known = single_value(difference) if np.isnan(interval.low) else interval
    case = Case(_case_name(view, query), judge(query["expect"], known), difference)
    row = [
        *(view.title(query["dataset"]), f"{query['ratio']:g}", str(first.size)),
        *(f"{better:.0%}", f"{equal:.0%}", f"{difference:+.3f}"),
        f"{apart.min():+.3f} to {apart.max():+.3f}",
        "–" if np.isnan(interval.low) else f"{interval.low:+.3f} to {interval.high:+.3f}",
    ]
    if query["relative"]:
        row.append(_relative(difference, float(second.mean()), interval))
    return case, [*row, _SIDES[case.side]]


def _header(entry: Entry, better: str) -> list[str]:
    """Of the table of `_over_sizes`."""
    header = ["Dataset", "r", "Sizes", f"{better} better", "Equal", "Mean difference"]
    header += ["At single sizes", "95% interval of the mean"]
    return [*header, *(["Relative, with its interval"] if entry["relative"] else []), "As claimed"]


def _each_size(view: View, query: dict[str, Any]) -> Iterator[Case]:
    """Every size on a data set at a ratio; with all features, selections are equal anyway."""
    pair, every = _curves(view, query), view.about(query["dataset"])["features"]
    sign = view.direction(query)
    for size, first, second in zip(pair[0].sizes, pair[0].values, pair[1].values, strict=True):
        if size < every:
            difference = float(sign * (first - second))
            name = f"{_case_name(view, query)}, k = {size}"
            yield Case(name, judge(query["expect"], single_value(difference)), difference)


def _at_size(view: View, query: dict[str, Any]) -> Found:
    """Both values at the entry's size, on a data set at a ratio."""
    k = view.size(query["dataset"])
    values = [view.curves.value(query, query[key], k) for key in ("better", "than")]
    apart = view.direction(query) * (values[0] - values[1])
    case = Case(_case_name(view, query), judge(query["expect"], single_value(apart)), apart)
    key = [view.title(query["dataset"]), f"{query['ratio']:g}", str(k)]
    return case, [*key, *(f"{value:.3f}" for value in values), f"{apart:+.3f}"]


def _interval(view: View, query: dict[str, Any], compared: Curve, sign: int) -> Interval:
    """Of the mean difference, where that is over all sizes. `sign` is −1 for distances."""
    whole = view.curves.read(query, query["better"]).sizes.size
    if compared.sizes.size != whole or query["each_size"]:
        return single_value(float("nan"))
    difference = view.accuracy_difference if query["of"] == "accuracy" else view.difference
    return turn(difference(query, query["better"], query["than"]), sign < 0)


def _relative(difference: float, other: float, interval: Interval) -> str:
    """The difference as a share of the other's mean."""
    ends = ""
    if not np.isnan(interval.low):
        ends = f" ({interval.low / other:+.1%} to {interval.high / other:+.1%})"
    return f"{difference / other:+.1%}{ends}"

"""Claims that one selector beats another."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Key, Keys, flag
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.differences import Interval
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.ranks import share_better

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("compare")
class Compare(ClaimKind):
    """Whether one selector beats another, at a size or at which share of all sizes."""

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
        "relative": flag("Whether the difference is also stated as a share of the other's mean."),
        "at_least": Key(
            "Difference that is claimed; the summary says whether the interval lies above it.",
            {"type": "number"},
        ),
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], entry["than"]]

    def reads_of(self, entry: Entry) -> Reads:
        """Intervals of accuracies depend on how many rows the folds share."""
        return replace(super().reads_of(entry), rows="at_least" in entry)

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for key in ("largest", "relative", "at_least"):
            if "size" in entry and entry.get(key):
                raise UserError(f"{where}.{key}: is about all sizes; leave it or `size` out")

    def build(self, view: View, published: ByTable) -> list[str]:
        entry = view.entry
        better, than = (view.selectors[entry[key]] for key in ("better", "than"))
        queries = [
            {**entry, "dataset": dataset, "ratio": ratio}
            for dataset in entry.get("datasets", view.datasets)
            for ratio in entry["ratios"]
        ]
        if "size" in entry:
            return _at_size(view, queries, better, than)
        cases = [self._case(view, query) for query in queries]
        lowest, highest = (end(cases, key=lambda case: case["difference"]) for end in (min, max))
        mean = np.mean([case["difference"] for case in cases])
        ends = f", from {_case_name(lowest)} to {_case_name(highest)}" if len(cases) > 1 else ""
        mostly = sum(case["better"] > 0.5 for case in cases)
        never_below = sum(case["below"] < 1e-9 for case in cases)
        return [
            f"As measured: {entry['of']} of {better} is above that of {than} at more than half of "
            f"the subset sizes in {mostly} of {len(cases)} cases, at no size below it in "
            f"{never_below}. Mean difference {mean:+.3f}{ends}.",
            "",
            *markdown_rows(
                [
                    *("Dataset", "r", "Sizes", f"{better} better", "Equal", "Mean difference"),
                    *("At single sizes", "95% interval of the mean"),
                    *_more_headers(entry),
                ],
                [case["row"] for case in cases],
            ),
            "",
        ]

    def _case(self, view: View, query: dict[str, Any]) -> dict[str, Any]:
        """One data set at one ratio."""
        pair = [view.curves.read(query, query[key]) for key in ("better", "than")]
        sign = view.direction(query)
        pair = [curve.up_to(query.get("largest")) for curve in common_sizes(pair)]
        first, second = (sign * curve.values for curve in pair)
        better, equal = share_better(first, second)
        apart = first - second
        difference = float(np.mean(apart))
        interval = _interval(view, query, pair[0], sign)
        row = [
            *(view.title(query["dataset"]), f"{query['ratio']:g}", str(first.size)),
            *(f"{better:.0%}", f"{equal:.0%}", f"{difference:+.3f}"),
            f"{apart.min():+.3f} to {apart.max():+.3f}",
            "–" if np.isnan(interval.low) else f"{interval.low:+.3f} to {interval.high:+.3f}",
            *_more_cells(query, difference, float(second.mean()), interval),
        ]
        return {"row": row, "better": better, "below": 1 - better - equal, "difference": difference}


def _case_name(case: dict[str, Any]) -> str:
    """The mean difference of a case, and which one it is."""
    dataset, ratio = case["row"][:2]
    return f"{case['difference']:+.3f} ({dataset}, r = {ratio})"


def _at_size(view: View, queries: list[dict[str, Any]], better: str, than: str) -> list[str]:
    """Both values at the entry's size, on each data set and at each ratio."""
    rows, apart = [], []
    for query in queries:
        k = view.size(query["dataset"])
        values = [view.curves.value(query, query[key], k) for key in ("better", "than")]
        apart.append(view.direction(query) * (values[0] - values[1]))
        key = [view.title(query["dataset"]), f"{query['ratio']:g}", str(k)]
        rows.append([*key, *(f"{value:.3f}" for value in values), f"{apart[-1]:+.3f}"])
    above = sum(difference > 0 for difference in apart)
    return [
        f"As measured: {view.entry['of']} of {better} is above that of {than} in {above} of "
        f"{len(rows)} cases. Mean difference {np.mean(apart):+.3f}, from {min(apart):+.3f} to "
        f"{max(apart):+.3f}.",
        "",
        *markdown_rows(["Dataset", "r", "k", better, than, "Difference"], rows),
        "",
    ]


def _interval(view: View, query: dict[str, Any], compared: Curve, sign: int) -> Interval:
    """Of the mean difference, where that is over all sizes.

    Accuracies have one where a difference is claimed. `sign` is −1 for distances.
    """
    nothing = Interval(*[float("nan")] * 3)
    if query["of"] == "accuracy" and "at_least" not in query:
        return nothing
    whole = view.curves.read(query, query["better"]).sizes.size
    if compared.sizes.size != whole:
        return nothing
    if query["of"] == "accuracy":
        return view.accuracy_difference(query, query["better"], query["than"])
    mean, low, high = view.difference(query, query["better"], query["than"])
    return Interval(sign * mean, *sorted((sign * low, sign * high)))


def _more_headers(entry: Entry) -> list[str]:
    """Of columns that only some claims ask for."""
    asked = ["Relative, with its interval"] if entry["relative"] else []
    return asked + ([f"At least {entry['at_least']:+g}"] if "at_least" in entry else [])


def _more_cells(entry: Entry, difference: float, other: float, interval: Interval) -> list[str]:
    """The difference as a share of the other's mean, and whether it is as large as claimed."""
    cells = []
    if entry["relative"]:
        ends = (
            ""
            if np.isnan(interval.low)
            else (f" ({interval.low / other:+.1%} to {interval.high / other:+.1%})")
        )
        cells.append(f"{difference / other:+.1%}{ends}")
    if "at_least" in entry:
        claimed = entry["at_least"]
        above = "yes" if interval.low >= claimed else "no" if interval.high < claimed else "open"
        cells.append(above)
    return cells

"""Claims that one selector beats another."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.view import View
from steadfast.statistics.curve import Curve, common_sizes
from steadfast.statistics.ranks import share_better

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("compare")
class Compare(ClaimKind):
    """At which share of the sizes one selector beats another."""

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
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], entry["than"]]

    def build(self, view: View, published: ByTable) -> list[str]:
        entry = view.entry
        better, than = (view.selectors[entry[key]] for key in ("better", "than"))
        cases = [
            self._case(view, {**entry, "dataset": dataset, "ratio": ratio})
            for dataset in entry.get("datasets", view.datasets)
            for ratio in entry["ratios"]
        ]
        lowest, highest = (end(cases, key=lambda case: case["difference"]) for end in (min, max))
        mean = np.mean([case["difference"] for case in cases])
        mostly = sum(case["better"] > 0.5 for case in cases)
        never_below = sum(case["below"] < 1e-9 for case in cases)
        return [
            f"As measured: {entry['of']} of {better} is above that of {than} at more than half of "
            f"the subset sizes in {mostly} of {len(cases)} cases, at no size below it in "
            f"{never_below}. Mean difference {mean:+.3f}, from {_named(lowest)} to "
            f"{_named(highest)}.",
            "",
            *markdown_rows(
                [
                    *("Dataset", "r", "Sizes", f"{better} better", "Equal", "Mean difference"),
                    *("At single sizes", "95% interval of the mean"),
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
        row = [
            *(view.title(query["dataset"]), f"{query['ratio']:g}", str(first.size)),
            *(f"{better:.0%}", f"{equal:.0%}", f"{difference:+.3f}"),
            f"{apart.min():+.3f} to {apart.max():+.3f}",
            _interval(view, query, pair[0], sign),
        ]
        return {"row": row, "better": better, "below": 1 - better - equal, "difference": difference}


def _named(case: dict[str, Any]) -> str:
    """The mean difference of a case, and which one it is."""
    dataset, ratio = case["row"][:2]
    return f"{case['difference']:+.3f} ({dataset}, r = {ratio})"


def _interval(view: View, query: dict[str, Any], compared: Curve, sign: int) -> str:
    """Of the mean difference in stability, where that is over all sizes; accuracies have none.

    `sign` is −1 for distances.
    """
    if query["of"] != "stability":
        return "–"
    whole = view.curves.read(query, query["better"]).sizes.size
    interval = view.difference(query, query["better"], query["than"])
    if compared.sizes.size != whole or np.isnan(interval.low):
        return "–"
    low, high = sorted((sign * interval.low, sign * interval.high))
    return f"{low:+.3f} to {high:+.3f}"

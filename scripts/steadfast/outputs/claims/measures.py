"""Claims that one selector is more stable than another, whatever the measure."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.keys import Keys
from steadfast.core.registry import claim
from steadfast.outputs import keys
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.differences import measure_name, side
from steadfast.outputs.kind import Entry, Reads
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("measures")
class Measures(ClaimKind):
    """Whether one selector is more stable than another under every measure of the study."""

    keys: ClassVar[Keys] = {"better": keys.BETTER, "than": keys.THAN, "ratios": keys.RATIOS}
    reads = Reads(stability=True)

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return [entry["better"], entry["than"]]

    def measures(self, study: "Study", entry: Entry) -> None:
        return None

    def build(self, view: View, published: ByTable) -> list[str]:
        """In how many cases the interval of the difference lies on either side, per measure."""
        entry = view.entry
        better, than = (view.selectors[entry[key]] for key in ("better", "than"))
        cases = [
            {"dataset": dataset, "ratio": ratio}
            for dataset in view.datasets
            for ratio in entry["ratios"]
        ]
        rows, sides = [], []
        for info in view.context["measures"]:
            every = [
                view.difference({**info, **case}, entry["better"], entry["than"]) for case in cases
            ]
            defined = [interval for interval in every if not np.isnan(interval.mean)]
            signs = [side(interval, info["distance"]) for interval in defined]
            sides.append([signs.count(sign) for sign in (1, 0, -1)])
            mean = f"{np.mean([each.mean for each in defined]):+.3f}" if defined else "–"
            counts = (f"{count} of {len(defined)}" for count in sides[-1])
            rows.append([measure_name(info), *counts, mean])
        more = sum(for_it > against for for_it, _, against in sides)
        header = ["Measure", f"{better} more stable", "Open", f"{than} more stable"]
        return [
            f"As measured: the 95% interval of the difference lies on the side of {better} more "
            f"often than on that of {than} under {more} of {len(rows)} measures. A case is a data "
            "set and a ratio; stability is the mean over all subset sizes.",
            "",
            *markdown_rows([*header, "Mean difference"], rows),
            "",
        ]

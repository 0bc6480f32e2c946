"""Tables of the selectors' ranks."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import table
from steadfast.outputs.keys import DATASET, EITHER, RATIO, RATIOS, SEVERAL_SELECTORS
from steadfast.outputs.kind import Entry, TableKind, fill_from_study
from steadfast.outputs.result import Result
from steadfast.outputs.view import View
from steadfast.statistics.curve import common_sizes
from steadfast.statistics.ranks import competition_ranks, mean_and_sd

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

#: What the rows are to the keys that such a table has, and those that it has not.
_KEYS_BY_ROWS = {
    "ratio": (("dataset", "ratios"), ("ratio",)),
    "dataset": (("ratio",), ("dataset", "ratios")),
}


@table("ranks")
class Ranks(TableKind):
    """Mean and standard deviation over all sizes of each selector's rank."""

    keys: ClassVar[Keys] = {
        **EITHER,
        "rows": one_of("What the rows are.", "ratio", "dataset", required=True),
        "dataset": DATASET.but(description="Data set, where the rows are ratios."),
        "ratio": RATIO.but(description="Ratio, where the rows are data sets."),
        "ratios": RATIOS.but(description="Ratios, where they are the rows.", required=False),
        "selectors": SEVERAL_SELECTORS.but(description="Selectors that are ranked.", required=True),
    }
    has_published_cells = True

    def complete(self, study: "Study", entry: dict[str, Any]) -> None:
        own = [name for name in self.keys if name != "ratio" or entry["rows"] == "dataset"]
        fill_from_study(study, entry, {name: self.keys[name] for name in own})

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        needed, excluded = _KEYS_BY_ROWS[entry["rows"]]
        for key in needed:
            if key not in entry:
                raise UserError(f"{where}.{key}: this key is missing")
        for key in excluded:
            if key in entry:
                raise UserError(f"{where}.{key}: does not go with the other keys beside it")

    def needs_ratio(self, entry: Entry) -> bool:
        return False

    def build(self, view: View) -> Result:
        entry, selectors = view.entry, view.selectors
        by_ratio = entry["rows"] == "ratio"
        header = [entry["rows"], "sizes"]
        header += [column for selector in selectors for column in (selector, f"{selector} sd")]
        result = Result(header, [], ["Ratio r" if by_ratio else "Dataset", *selectors.values()])
        for row in entry["ratios"] if by_ratio else view.datasets:
            n_sizes, ranks = self._ranks(view, {**entry, entry["rows"]: row})
            result.rows.append([row, n_sizes, *(value for pair in ranks for value in pair)])
            name = f"{row:g}" if by_ratio else view.title(row)
            result.printed.append([name, *(f"{mean:.1f} ∓ {sd:.1f}" for mean, sd in ranks)])
        result.notes.append(
            "Rank 1 is best, ties share the smaller rank. Mean ∓ standard deviation over all "
            f"subset sizes; at each size {entry['of']} is the mean over the resamples."
        )
        return result

    def _ranks(self, view: View, query: Entry) -> tuple[int, list[tuple[float, float]]]:
        """Number of sizes, and each selector's mean rank over them with its spread."""
        curves = [view.curves.read(query, selector) for selector in view.selectors]
        values = np.array([curve.values for curve in common_sizes(curves)])
        means, spreads = mean_and_sd(competition_ranks(values * view.direction(query)))
        return values.shape[1], list(zip(means, spreads, strict=True))

"""Tables of the selectors' ranks."""

from typing import TYPE_CHECKING, Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, one_of
from steadfast.core.registry import table
from steadfast.outputs.keys import DATASET, EITHER, RATIO, RATIOS, SEVERAL_SELECTORS
from steadfast.outputs.kind import Entry, TableKind, fill_from_study
from steadfast.outputs.result import Result
from steadfast.outputs.shared.selector_ranks import (
    NOTE,
    mean_ranks,
    published_ranks,
    ranks_text,
)
from steadfast.outputs.view import View
from steadfast.study.published import with_stand_ins

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

    def context(self, study: "Study", entry: Entry, published: Entry) -> dict[str, Any]:
        return {"published": with_stand_ins(published, study.stand_ins)} if published else {}

    def build(self, view: View) -> Result:
        entry, selectors = view.entry, view.selectors
        by_ratio = entry["rows"] == "ratio"
        header = [entry["rows"], "sizes"]
        header += [column for selector in selectors for column in (selector, f"{selector} sd")]
        result = Result(header, [], ["Ratio r" if by_ratio else "Dataset", *selectors.values()])
        published = view.context.get("published", {})
        for row in entry["ratios"] if by_ratio else view.datasets:
            n_sizes, ranks = mean_ranks(view, {**entry, entry["rows"]: row})
            result.rows.append([row, n_sizes, *(value for pair in ranks for value in pair)])
            name = f"{row:g}" if by_ratio else view.title(row)
            result.printed.append([name, *ranks_text(ranks)])
            printed = published.get(f"{row:g}" if by_ratio else row)
            if printed:
                theirs = ranks_text(published_ranks(printed, selectors))
                result.printed.append([f"{name}, published", *theirs])
        result.notes.append(NOTE.format(of=view.quantity(entry["of"])))
        return result

"""Claims about the best selector of each row of a table."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, text
from steadfast.core.registry import claim
from steadfast.outputs.claim import NOT_TESTED, ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.published import group_by
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("best")
class Best(ClaimKind):
    """The best selector of each row of a table of ranks, published and reproduced."""

    keys: ClassVar[Keys] = {
        "table": text("Table of ranks.", names="table", required=True),
        "pivot": text(
            "Selector that parts the table's columns into two sides.",
            names="selector",
            required=True,
        ),
    }

    def selectors(self, study: "Study", entry: Entry) -> list[str]:
        return []

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        table = study.tables.get(entry["table"])
        fits = table is None or (
            table.get("rows") == "dataset" and entry["pivot"] in table.get("selectors", [])
        )
        if not fits:
            raise UserError(
                f"{where}.table: {entry['table']} must have data sets as rows and "
                f"{entry['pivot']} among its selectors"
            )

    def build(self, view: View, published: ByTable) -> list[str]:
        pairs = published.get(view.entry["table"], [])
        if not pairs:
            return [NOT_TESTED, ""]
        rows, same, same_side = [], 0, 0
        columns = list(dict.fromkeys(pair.column for pair in pairs))
        pivot = columns.index(view.entry["pivot"])
        for name, row in group_by(pairs, "row").items():
            sides = []
            for key in ("published", "ours"):
                best = min(row, key=lambda pair: getattr(pair, key))
                sides.append((best.column, np.sign(columns.index(best.column) - pivot)))
            (theirs, their_side), (ours, our_side) = sides
            same += theirs == ours
            same_side += their_side == our_side
            labels = [view.selectors[column] for column in (theirs, ours)]
            rows.append([view.title(name), *labels, "yes" if their_side == our_side else "no"])
        return [
            f"As measured: the best of a row is the published one in {same} of {len(rows)} rows, "
            f"and lies on the same side of {view.selectors[view.entry['pivot']]} in {same_side} of "
            f"{len(rows)}.",
            "",
            *markdown_rows(["Dataset", "Best, published", "Best, here", "Same side"], rows),
            "",
        ]

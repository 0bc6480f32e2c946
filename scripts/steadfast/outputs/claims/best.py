"""Claims about the best selector of each row of a table."""

from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, one_of, text
from steadfast.core.registry import claim
from steadfast.outputs.claim import NOT_PUBLISHED, ByTable, ClaimKind, Outcome, no_case
from steadfast.outputs.kind import Entry
from steadfast.outputs.published import group_by
from steadfast.outputs.result import markdown_rows
from steadfast.outputs.verdict import AGAINST, FOR, Case
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
        "expect": one_of(
            "What is claimed: that the best lies on the published side, or that it differs "
            "between data sets.",
            "side",
            "differs",
            default="side",
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

    def build(self, view: View, published: ByTable) -> Outcome:
        pairs = published.get(view.entry["table"], [])
        if not pairs:
            return no_case(NOT_PUBLISHED)
        labels, pivot = view.selectors, view.entry["pivot"]
        columns = list(dict.fromkeys(pair.column for pair in pairs))
        found = []
        for name, row in group_by(pairs, "row").items():
            best = (min(row, key=lambda pair: getattr(pair, key)) for key in ("published", "ours"))
            theirs, ours = (pair.column for pair in best)
            sides = [_side(columns, pivot, column) for column in (theirs, ours)]
            found.append(_Best(view.title(name), theirs, ours, sides[0] == sides[1]))
        same = sum(best.published == best.ours for best in found)
        rows = [
            [best.dataset, labels[best.published], labels[best.ours], "yes" if best.same else "no"]
            for best in found
        ]
        header = ["Dataset", "Best, published", "Best, here", f"Same side of {labels[pivot]}"]
        differs = view.entry["expect"] == "differs"
        outcome = _differing(found) if differs else _same_side(found, labels[pivot])
        outcome.details = markdown_rows(header, rows)
        outcome.more = f"The one that is printed as the best is so on {same} of {len(found)}."
        return outcome


class _Best(NamedTuple):
    """The best selector on a data set, published and here, and whether both are on one side."""

    dataset: str
    published: str
    ours: str
    same: bool


def _side(columns: list[str], pivot: str, column: str) -> int:
    """Before the pivot, at it, or behind it."""
    return (columns.index(column) > columns.index(pivot)) - (
        columns.index(column) < columns.index(pivot)
    )


def _same_side(found: list[_Best], pivot: str) -> Outcome:
    return Outcome(
        cases=[Case(best.dataset, FOR if best.same else AGAINST) for best in found],
        statement=f"The best lies on the published side of {pivot}",
        unit="a data set",
        rule=(
            "A case is a data set. It speaks for the claim where the best mean rank lies on the "
            "side on which it is published, and against it else (single values)."
        ),
    )


def _differing(found: list[_Best]) -> Outcome:
    return Outcome(
        cases=[
            Case(f"{one.dataset} and {other.dataset}", AGAINST if one.ours == other.ours else FOR)
            for one, other in combinations(found, 2)
        ],
        statement="The best differs",
        unit="a pair of data sets",
        rule=(
            "A case is a pair of data sets. It speaks for the claim where the best mean rank is "
            "another selector's on the one than on the other, and against it else (single values)."
        ),
    )

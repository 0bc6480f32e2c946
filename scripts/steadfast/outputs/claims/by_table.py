"""Claims that a table of the study answers."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadfast.core.errors import UserError, suggest
from steadfast.core.files import read_verified
from steadfast.core.keys import Key, Keys, list_of, schema_of, text
from steadfast.core.paths import Paths
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind, Outcome
from steadfast.outputs.differences import single_value
from steadfast.outputs.kind import Entry
from steadfast.outputs.verdict import AGAINST, CONDITIONS, FOR, Case, Expect, judge
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Row = Mapping[str, str]

_NAMES = {"type": "array", "minItems": 1, "items": {"type": "string"}}
_CELLS = {
    "type": "object",
    "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "number"}, _NAMES]},
}
#: A number, or where one stands: in other columns of the row, or in another row.
_LIMIT = {
    "anyOf": [
        {"type": "number"},
        {
            "type": "object",
            "additionalProperties": False,
            "minProperties": 1,
            "properties": {
                "column": {"type": "string"},
                "times": {"type": "number"},
                "largest": _NAMES,
                "rows": _CELLS,
            },
        },
    ]
}
_TEST: Keys = {
    "rows": Key("Cells of rows that count, by column; all rows if left out.", _CELLS),
    "columns": list_of("Columns of which each is looked at.", {"type": "string"}, required=True),
    "spread": Key(
        "Whether the largest minus the smallest of them is looked at.", {"type": "boolean"}
    ),
    "above": Key("What the number is above.", _LIMIT),
    "below": Key("What the number is below.", _LIMIT),
    "within": Key("How far from 0 it lies at most.", CONDITIONS["within"]),
    "between": Key(
        "What it lies between.",
        {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}},
    ),
    "falling": Key("Whether each column is above the next.", {"const": True}),
    "lists": Key("Names that the cell must hold.", _NAMES),
    "lists_not": Key("Names that it must not hold.", _NAMES),
}
_CONDITIONS = ("above", "below", "within", "between", "falling", "lists", "lists_not")


@claim("by_table")
class OfTable(ClaimKind):
    """What the numbers of a table of the study say of it."""

    keys: ClassVar[Keys] = {
        "table": text("The table.", names="table", required=True),
        "shows": text("What a case that speaks for the claim shows, in words.", required=True),
        "case": text("What a case is, in words.", required=True),
        "cases": list_of(
            "Tests of the numbers in the table's .csv: `columns` of `rows` that are `above`, "
            "`below`, `within`, `between` something, `falling`, or list names (`lists`, "
            "`lists_not`).",
            schema_of(_TEST),
            required=True,
        ),
    }

    def check(self, study: "Study", entry: Entry, where: str) -> None:
        super().check(study, entry, where)
        for at, test in enumerate(entry["cases"]):
            given = [name for name in _CONDITIONS if name in test]
            if len(given) != 1:
                raise UserError(
                    f"{where}.cases.{at}: needs one of {', '.join(_CONDITIONS)}, and has "
                    f"{' and '.join(given) or 'none'}"
                )

    def names(self, entry: Entry, at: str) -> Iterator[tuple[str, str, Any]]:
        for number, test in enumerate(entry["cases"]):
            for name in _as_list(test.get("rows", {}).get("dataset", [])):
                yield f"{at}.cases.{number}.rows.dataset", "dataset", name

    def more_files(self, study: "Study", entry: Entry, paths: Paths) -> list[str]:
        endings = ("csv", "md", "sha256")
        return [paths("table", ending, table=entry["table"]) for ending in endings]

    def build(self, view: View, published: ByTable) -> Outcome:
        entry = view.entry
        content, printed = (
            read_verified(Path(view.paths("table", ending, table=entry["table"]))).decode()
            for ending in ("csv", "md")
        )
        rows = list(csv.DictReader(io.StringIO(content)))
        cases = [case for test in entry["cases"] for case in _Test(test, rows, entry).cases()]
        return Outcome(
            cases=cases,
            statement=entry["shows"],
            unit=entry["case"],
            rule=(
                f"A case is {entry['case']}. It speaks for the claim where, in the table "
                f"{entry['table']}, {'; '.join(map(_words, entry['cases']))}, and against it "
                "where it is the other way round (single values)."
            ),
            details=[printed.rstrip()],
            reason=f"the table {entry['table']} has no row of this kind in this run",
        )


class _Test:
    """One test of the rows of a table."""

    def __init__(self, test: Mapping[str, Any], rows: Sequence[Row], entry: Entry):
        self.test, self.every = test, rows
        self.where = f"claim {entry['number']} on the table {entry['table']}"

    def cases(self) -> Iterator[Case]:
        for row in self.chosen(self.test.get("rows", {})):
            name = next(iter(row.values()))
            for looked_at, side in self.sides(row):
                if side is not None:
                    yield Case(f"{name}, {looked_at}", side)

    def chosen(self, cells: Mapping[str, Any]) -> list[Row]:
        """Rows that have these cells."""
        wanted = {column: {str(one) for one in _as_list(value)} for column, value in cells.items()}
        return [
            row
            for row in self.every
            if all(self.cell(row, column) in values for column, values in wanted.items())
        ]

    def sides(self, row: Row) -> Iterator[tuple[str, int | None]]:
        """What is looked at in a row, and what it says; nothing where a number is undefined."""
        columns = self.test["columns"]
        if {"lists", "lists_not"} & set(self.test):
            yield from self.listed(row)
            return
        values = {column: self.number(row, column) for column in columns}
        if "falling" in self.test:
            for first, second in pairwise(columns):
                step = values[first] - values[second]
                yield f"{first} above {second}", _judge({"above": 0}, step)
            return
        if self.test.get("spread"):
            values = {"spread": _spread(values.values())}
        for column, value in values.items():
            yield column, self.side(row, column, value)

    def listed(self, row: Row) -> Iterator[tuple[str, int]]:
        """Every name that cells of the row must hold, or must not."""
        wanted = "lists" in self.test
        for column in self.test["columns"]:
            held = self.cell(row, column).split()
            for name in self.test["lists" if wanted else "lists_not"]:
                yield name, FOR if (name in held) == wanted else AGAINST

    def side(self, row: Row, column: str, value: float) -> int | None:
        if "between" in self.test:
            low, high = self.test["between"]
            return None if np.isnan(value) else FOR if low <= value <= high else AGAINST
        condition = next(name for name in _CONDITIONS if name in self.test)
        return _judge({condition: self.limit(row, column, self.test[condition])}, value)

    def limit(self, row: Row, column: str, limit: Any) -> float:
        """The number that a value is compared with."""
        if not isinstance(limit, Mapping):
            return float(limit)
        if "rows" in limit:
            found = self.chosen(limit["rows"])
            if len(found) != 1:
                raise UserError(f"{self.where}: cases: {len(found)} rows are {limit['rows']}")
            row = found[0]
            if self.test.get("spread"):
                return _spread([self.number(row, name) for name in self.test["columns"]])
        if "largest" in limit:
            return max(self.number(row, name) for name in limit["largest"])
        return limit.get("times", 1) * self.number(row, limit.get("column", column))

    def cell(self, row: Row, column: str) -> str:
        if column not in row:
            raise UserError(f"{self.where}: no column {column!r}; {suggest(column, set(row))}")
        return row[column]

    def number(self, row: Row, column: str) -> float:
        cell = self.cell(row, column)
        try:
            return float(cell)
        except ValueError:
            raise UserError(f"{self.where}: {column!r} has {cell!r}, which is no number") from None


def _judge(expect: Expect, value: float) -> int | None:
    if np.isnan([value, *expect.values()]).any():
        return None
    return judge(expect, single_value(value))


def _spread(values: Any) -> float:
    known = [value for value in values if not np.isnan(value)]
    return max(known) - min(known) if known else float("nan")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _words(test: Mapping[str, Any]) -> str:
    """A test, for people."""
    columns = ", ".join(test["columns"])
    looked_at = f"the spread of {columns}" if test.get("spread") else columns
    where = f" (rows with {_cells_in_words(test['rows'])})" if "rows" in test else ""
    if "falling" in test:
        return f"each of {columns} is above the next{where}"
    for condition, verb in (("lists", "lists"), ("lists_not", "does not list")):
        if condition in test:
            return f"{columns} {verb} {', '.join(test[condition])}{where}"
    if "between" in test:
        low, high = test["between"]
        return f"{looked_at} is between {low:g} and {high:g}{where}"
    condition = next(name for name in _CONDITIONS if name in test)
    return f"{looked_at} is {condition} {_limit_in_words(test[condition])}{where}"


def _limit_in_words(limit: Any) -> str:
    if not isinstance(limit, Mapping):
        return f"{limit:g}"
    if "largest" in limit:
        return f"the largest of {', '.join(limit['largest'])}"
    if "rows" in limit:
        return f"that of the row with {_cells_in_words(limit['rows'])}"
    times = f"{limit['times']:g} times " if "times" in limit else ""
    return f"{times}{limit['column']}"


def _cells_in_words(cells: Mapping[str, Any]) -> str:
    parts = (f"{column} {' or '.join(map(str, _as_list(v)))}" for column, v in cells.items())
    return " and ".join(parts)

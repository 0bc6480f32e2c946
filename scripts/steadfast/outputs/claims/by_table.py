"""Claims that a table of the study answers."""

import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd

from steadfast.core.errors import UserError, suggest
from steadfast.core.files import read_verified
from steadfast.core.keys import Key, list_of, one_of, schema_of
from steadfast.outputs.arguments import Argument, PrintedTable
from steadfast.outputs.cases import Claim
from steadfast.outputs.intervals import single_value
from steadfast.outputs.kinds import claim
from steadfast.outputs.published import MEAN_ROW
from steadfast.outputs.results import Results
from steadfast.outputs.table import Labels
from steadfast.outputs.verdict import AGAINST, CONDITIONS, FOR, Case, judge, listed

if TYPE_CHECKING:
    from steadfast.study.declaration import Study

Test = Mapping[str, Any]

_TEXT, _NUMBERS = {"type": "string"}, {"type": "array", "items": {"type": "number"}}
_NAMES = {"type": "array", "minItems": 1, "items": _TEXT}
_CELLS = {
    "type": "object",
    "additionalProperties": {"anyOf": [_TEXT, {"type": "number"}, _NAMES]},
}
_CONDITIONS = {
    name: Key(f"What each number is {name}.", schema) for name, schema in CONDITIONS.items()
}
_CONDITIONS["between"] = Key(
    "What each number lies between.", {**_NUMBERS, "minItems": 2, "maxItems": 2}
)
_TEST = {
    "rows": Key("Cells of rows that count, by column; all rows if left out.", _CELLS),
    "columns": list_of("Columns of which each is looked at.", _TEXT, required=True),
    "together": one_of("What is looked at in place of each column.", "spread", "sum"),
    "minus": Key(
        "What is subtracted: another column, the largest of several, or the same of another row, "
        "which is named by its cells; its first cell is that of the row unless it is named.",
        {"anyOf": [_TEXT, _NAMES, _CELLS]},
    ),
    **_CONDITIONS,
}


class TestsOfTable(Argument):
    """Tests of the numbers of a table, each with one condition."""

    def check(self, study: "Study", entry: Mapping[str, Any], name: str, where: str) -> None:
        for at, test in enumerate(entry[name]):
            conditions = [one for one in _CONDITIONS if one in test]
            if len(conditions) != 1:
                raise UserError(
                    f"{where}.{name}.{at}: needs one of {', '.join(_CONDITIONS)}, and has "
                    f"{' and '.join(conditions) or 'none'}"
                )

    def names(self, entry: Mapping[str, Any], name: str, at: str) -> Iterator[tuple[str, str, Any]]:
        for number, test in enumerate(entry[name]):
            for key in ("rows", "minus"):
                cells = test[key] if isinstance(test.get(key), Mapping) else {}
                places = [(sort, cells.get(sort, [])) for sort in ("dataset", "selector")]
                for sort, values in places:
                    for value in _as_list(values):
                        yield f"{at}.{name}.{number}.{key}.{sort}", sort, value


Tests = Annotated[
    list[Test],
    TestsOfTable(
        list_of(
            "Tests of the numbers in the table's .csv: each of some `columns` of some `rows`, or "
            "what they are `together`, `minus` something, is `above`, `below`, `within` or "
            "`between` a limit.",
            schema_of(_TEST),
            required=True,
        )
    ),
]


@claim
def by_table(
    results: Results, *, table: PrintedTable, shows: str, case: str, cases: Tests
) -> Claim:
    """What the numbers of a table of the study say of it.

    Parameters
    ----------
    shows
        What a case that speaks for the claim shows, in words.
    case
        What a case is, in words.
    """
    content, printed = (
        read_verified(Path(results.paths("table", ending, table=table))) for ending in ("csv", "md")
    )
    frame = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False)
    frame = frame[frame.iloc[:, 0] != MEAN_ROW]
    found = []
    try:
        for test in cases:
            numbers = _numbers(test, frame)
            names = _names(frame.loc[numbers.index], results.labels)
            found += _judged(test, numbers.set_axis(names), has_values=len(cases) == 1)
    except UserError as error:
        raise UserError(f"claim {results.entry['number']} on the table {table}: {error}") from None
    return Claim(
        found,
        shows,
        case,
        f"A case is {case}. It speaks for the claim where, in the table {table}, "
        f"{'; '.join(map(_words, cases))}, and against it else (single values).",
        lines=[printed.decode().rstrip()],
        reason=f"the table {table} has no row of this kind in this run",
    )


def _names(rows: pd.DataFrame, labels: Labels) -> list[str]:
    """What rows are about: the first cell, and the selector or size where these differ."""
    keys = [name for name in ("selector", "k") if name in rows and rows[name].nunique() > 1]
    first = [rows.columns[0]] if rows.columns[0] not in keys else []
    names = rows[[*first, *keys]].replace({name: labels.get(name, {}) for name in [*first, *keys]})
    if "k" in names:
        names["k"] = "k = " + names["k"]
    return [", ".join(row) for row in names.itertuples(index=False)]


def _numbers(test: Test, frame: pd.DataFrame) -> pd.DataFrame:
    """What a test looks at: a row for each row of the table that it is about."""
    rows = _chosen(frame, test.get("rows", {}))
    numbers, minus = _together(test, rows), test.get("minus", [])
    if isinstance(minus, Mapping):
        first = frame.columns[0]
        for at, key in rows[first].items():
            others = _chosen(frame, {first: key, **minus})
            if len(others) != 1:
                raise UserError(f"cases: {len(others)} rows are {minus}")
            numbers.loc[at] -= _together(test, others).iloc[0]
        return numbers
    if minus:
        largest = _as_numbers(rows, _as_list(minus)).max(axis="columns", skipna=False)
        return numbers.sub(largest, axis="index")
    return numbers


def _together(test: Test, rows: pd.DataFrame) -> pd.DataFrame:
    """The numbers of a test's columns, or what they are together."""
    numbers = _as_numbers(rows, test["columns"])
    if test.get("together") == "spread":
        numbers = numbers.max(axis="columns") - numbers.min(axis="columns")
    elif "together" in test:
        numbers = numbers.sum(axis="columns", skipna=False)
    return pd.DataFrame(numbers)


def _judged(test: Test, numbers: pd.DataFrame, has_values: bool) -> Iterator[Case]:
    """A case for each number that is defined; its value only where that is a difference."""
    condition = next(name for name in _CONDITIONS if name in test)
    for key, row in zip(numbers.index, numbers.itertuples(index=False)):
        for column, value in zip(numbers, row):
            if np.isnan(value):
                continue
            if condition == "between":
                side = FOR if test[condition][0] <= value <= test[condition][1] else AGAINST
            else:
                side = judge({condition: test[condition]}, single_value(value))
            name = f"{key}, {column}" if len(numbers.columns) > 1 else key
            yield Case(name, side, *([value] if has_values and "minus" in test else []))


def _chosen(frame: pd.DataFrame, cells: Mapping[str, Any]) -> pd.DataFrame:
    """Rows that have these cells."""
    for column, values in cells.items():
        _require(frame, column)
        frame = frame[frame[column].isin([str(value) for value in _as_list(values)])]
    return frame


def _as_numbers(rows: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    for column in columns:
        _require(rows, column)
    try:
        return rows[columns].astype(float)
    except ValueError as error:
        raise UserError(str(error)) from None


def _require(frame: pd.DataFrame, column: str) -> None:
    if column not in frame:
        raise UserError(f"no column {column!r}; {suggest(column, set(frame))}")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _words(test: Test) -> str:
    """A test, for people."""
    columns = listed(test["columns"])
    if "together" in test:
        columns = f"the {test['together']} of {columns}"
    elif len(test["columns"]) > 1:
        columns = f"each of {columns}"
    minus = test.get("minus")
    if isinstance(minus, Mapping):
        columns += f" minus that of the row with {_cells_in_words(minus)}"
    elif minus:
        of = "the largest of " if isinstance(minus, list) else ""
        columns += f" minus {of}{listed(_as_list(minus))}"
    condition = next(name for name in _CONDITIONS if name in test)
    limits = " and ".join(f"{limit:g}" for limit in _as_list(test[condition]))
    sign = "±" if condition == "within" else ""
    where = f" (rows with {_cells_in_words(test['rows'])})" if "rows" in test else ""
    return f"{columns} is {condition} {sign}{limits}{where}"


def _cells_in_words(cells: Mapping[str, Any]) -> str:
    wanted = {key: " or ".join(f'"{one}"' for one in _as_list(cell)) for key, cell in cells.items()}
    return " and ".join(f"{values} under {column}" for column, values in wanted.items())

"""The numbers that a paper prints, as config/published holds them."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from steadfast.core.errors import UserError


def read_published(path: Path) -> list[dict[str, str]]:
    """The printed numbers: table, row, column, value, sd, and a note where there is one to make."""
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from None
    needed = {"table", "row", "column", "value", "sd"}
    if not rows or not needed <= set(rows[0]):
        raise UserError(f"{path}: needs rows under the columns {', '.join(sorted(needed))}")
    for line, row in enumerate(rows, start=2):
        for column in ("value", "sd"):
            try:
                float(row[column])
            except (TypeError, ValueError):
                raise UserError(
                    f"{path}: line {line}: {column}: must be a number or nan, got {row[column]!r}"
                ) from None
    return rows


def rows_of_table(
    published: Iterable[Mapping[str, str]], table: str
) -> dict[str, dict[str, float]]:
    """The printed numbers of a table: row to column to value, spreads as `column sd`."""
    rows: dict[str, dict[str, float]] = {}
    for printed in published:
        if printed["table"] == table:
            row = rows.setdefault(printed["row"], {})
            row[printed["column"]] = float(printed["value"])
            row[f"{printed['column']} sd"] = float(printed["sd"])
    return rows


def with_stand_ins(
    rows: Mapping[str, Mapping[str, float]], stand_ins: Mapping[str, str]
) -> dict[str, Mapping[str, float]]:
    """Printed rows under the names of the data sets that stand in for the paper's."""
    return {stand_ins.get(name, name): row for name, row in rows.items()}

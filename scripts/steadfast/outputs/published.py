"""Published numbers beside reproduced ones."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from steadfast.core.files import csv_to_bytes, read_verified

T = TypeVar("T")

HEADER = (
    "table",
    "row",
    "column",
    "published",
    "ours",
    "difference",
    "published_sd",
    "ours_sd",
    "note",
)


#: How rows of means are named, and what marks them.
MEAN_OF = "mean of "
OWN_MEAN_OF = "the paper's own mean of "
OTHER_DATA = "other data sets: compare the order"

#: The row of a table that has the means over its data sets, here and in config/published.
MEAN_ROW = "mean"

#: Columns of a table that say, with its first one, what a row is about.
_KEYS = ("k", "selector")


@dataclass(frozen=True)
class Pair:
    """One cell of a table, in the paper and in this run."""

    table: str
    row: str
    column: str
    published: float
    ours: float
    published_sd: float
    ours_sd: float
    note: str

    @property
    def difference(self) -> float:
        return self.ours - self.published

    @property
    def is_of_other_data(self) -> bool:
        """Whether it is over data sets of which none is the paper's."""
        return self.note.startswith(OTHER_DATA)


def group_by(things: Iterable[T], *keys: str) -> dict[Any, list[T]]:
    """Pairs, say, by one attribute or by a tuple of several, in the order of first appearance."""
    groups: dict[Any, list[T]] = {}
    for thing in things:
        groups.setdefault(attrgetter(*keys)(thing), []).append(thing)
    return groups


def mean_difference(pairs: Sequence[Pair]) -> float:
    """Mean absolute difference of published and reproduced numbers."""
    return float(np.mean([abs(pair.difference) for pair in pairs]))


def pair_up(
    published: Iterable[Mapping[str, str]],
    tables: Sequence[Path],
    stand_ins: Mapping[str, str],
    readings: Mapping[str, Sequence[str]] | None = None,
) -> list[Pair]:
    """Every published cell whose table, row and column this run has too.

    Parameters
    ----------
    tables
        The tables of this run, as `.csv`.
    stand_ins
        The paper's data set to the one that stands in for it here.
    readings
        The paper's row to the selectors that read it here.
    """
    pairs = []
    cells = {path.stem: _cells(path) for path in tables}
    for printed in published:
        table, column = printed["table"], printed["column"]
        theirs, blank, size = printed["row"].partition(" ")
        if theirs == MEAN_ROW:  # over data sets that need not be these; see `pair_means`
            continue
        dataset = stand_ins.get(theirs, theirs)
        notes = [f"{dataset} stands in for {theirs}"] if dataset != theirs else []
        note = "; ".join([*notes, *filter(None, [printed.get("note")])])
        for row in (readings or {}).get(printed["row"], [dataset + blank + size]):
            ours = cells.get(table, {}).get((row, column))
            if ours is None:
                continue
            ours_sd = cells[table].get((row, f"{column} sd"), float("nan"))
            value, sd = float(printed["value"]), float(printed["sd"])
            pairs.append(Pair(table, row, column, value, ours, sd, ours_sd, note))
    return pairs


def pair_means(
    published: Iterable[Mapping[str, str]],
    tables: Sequence[Path],
    means: Mapping[str, Sequence[str]],
) -> list[Pair]:
    """Means over all rows of a table, where the paper's data sets are not those of this run.

    Only the order of the selectors can be compared.

    Parameters
    ----------
    means
        Table to the columns whose means are compared; a published column is named by a selector
        and such a column, as in `relieff jaccard`.
    """
    files = {path.stem: path for path in tables}
    printed: dict[tuple[str, str], dict[str, float]] = {}
    notes: dict[tuple[str, str], dict[str, str]] = {}
    for row in published:
        key = row["table"], row["column"]
        printed.setdefault(key, {})[row["row"]] = float(row["value"])
        if row.get("note"):
            notes.setdefault(key, {})[row["row"]] = row["note"]
    pairs = []
    for table, columns in means.items():
        if table not in files:
            continue
        ours = _means_by_selector(files[table], columns)
        for column in columns:
            values = {name: value for name, value in ours[column].items() if not np.isnan(value)}
            theirs = {name: printed.get((table, f"{name} {column}"), {}) for name in values}
            own = {name: cell.pop(MEAN_ROW) for name, cell in theirs.items() if MEAN_ROW in cell}
            theirs = {name: cell for name, cell in theirs.items() if cell}
            # A mean is comparable only over the rows that the paper prints for every selector.
            shared = set.intersection(*map(set, theirs.values())) if theirs else set()
            if len(theirs) < 2 or not shared:
                continue
            every = len(set.union(*map(set, theirs.values())))
            note = f"{OTHER_DATA}; {len(shared)} of {every} printed rows"
            nan = float("nan")
            for name, cell in theirs.items():
                mean = float(np.mean([cell[row] for row in sorted(shared)]))
                about = notes.get((table, f"{name} {column}"), {})
                of_cells = [f"{row}: {about[row]}" for row in sorted(shared) if row in about]
                text = "; ".join([note, *(f"{name} {each}" for each in of_cells)])
                row = f"{MEAN_OF}{column}"
                pairs.append(Pair(table, row, name, mean, values[name], nan, nan, text))
            row, note = f"{OWN_MEAN_OF}{column}", f"{OTHER_DATA}; as printed, over its {every} rows"
            for name, mean in own.items():
                pairs.append(Pair(table, row, name, mean, values[name], nan, nan, note))
    return pairs


def _means_by_selector(path: Path, columns: Sequence[str]) -> dict[str, dict[str, float]]:
    """Column to selector to mean over the rows, of a table with one row or three columns each."""
    rows = list(csv.DictReader(io.StringIO(read_verified(path).decode())))
    found: dict[str, dict[str, list[float]]] = {column: {} for column in columns}
    for row in rows:
        if row.get("dataset") == MEAN_ROW:
            continue
        for column in columns:
            if "selector" in row:
                cells = {row["selector"]: row.get(column, "nan")}
            else:
                ending = f" {column}"
                cells = {k.removesuffix(ending): v for k, v in row.items() if k.endswith(ending)}
            for selector, value in cells.items():
                found[column].setdefault(selector, []).append(float(value))
    return {
        column: {selector: float(np.mean(values)) for selector, values in by.items()}
        for column, by in found.items()
    }


def _cells(path: Path) -> dict[tuple[str, str], float]:
    """Cells of a table by row and column.

    A table with a row for each size or selector of a data set has rows such as `wine 10`, and
    columns such as `relieff jaccard`.
    """
    header, *rows = csv.reader(io.StringIO(read_verified(path).decode()))
    size, selector = (header.index(name) if name in header[1:] else None for name in _KEYS)
    cells = {}
    for row in rows:
        name = row[0] if size is None else f"{row[0]} {row[size]}"
        before = "" if selector is None else f"{row[selector]} "
        for at, column in enumerate(header):
            if at and at not in (size, selector):
                cells[name, before + column] = _number(row[at])
    return {key: value for key, value in cells.items() if value is not None}


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None


def to_csv(pairs: Sequence[Pair]) -> bytes:
    """One line per pair."""
    return csv_to_bytes(HEADER, ([getattr(pair, name) for name in HEADER] for pair in pairs))


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file that `to_csv` wrote."""
    return parse_pairs(read_verified(path))


def parse_pairs(content: bytes) -> list[Pair]:
    """The pairs that `to_csv` wrote."""
    rows = csv.DictReader(io.StringIO(content.decode()))
    return [
        Pair(
            row["table"],
            row["row"],
            row["column"],
            *(float(row[name]) for name in ("published", "ours", "published_sd", "ours_sd")),
            row["note"],
        )
        for row in rows
    ]

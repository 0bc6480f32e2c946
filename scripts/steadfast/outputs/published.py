"""Published numbers beside reproduced ones."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from steadfast.core.files import csv_to_bytes, read_verified

T = TypeVar("T")

#: How rows of means are named, and what marks them.
MEAN_OF = "mean of "
OWN_MEAN_OF = "the paper's own mean of "
OTHER_DATA = "other data sets: compare the order"

#: The row of a table that has the means over its data sets, here and in config/published.
MEAN_ROW = "mean"

_NAN = float("nan")


class Pair(NamedTuple):
    """A cell of a table, in the paper and in this run."""

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
        """Ours minus the published number."""
        return self.ours - self.published

    @property
    def is_of_other_data(self) -> bool:
        """Whether it is over data sets of which none is the paper's."""
        return self.note.startswith(OTHER_DATA)


HEADER = (*Pair._fields[:5], "difference", *Pair._fields[5:])


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
) -> Iterator[Pair]:
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
    cells = {
        (path.stem, row, column): value
        for path in tables
        for row, column, value in _cells(path).itertuples(index=False)
    }
    for printed in published:
        table, column = printed["table"], printed["column"]
        theirs, blank, size = printed["row"].partition(" ")
        if theirs == MEAN_ROW:  # over data sets that need not be these; see `pair_means`
            continue
        dataset = stand_ins.get(theirs, theirs)
        stands_in = f"{dataset} stands in for {theirs}" if dataset != theirs else ""
        note = "; ".join(filter(None, [stands_in, printed.get("note")]))
        for row in (readings or {}).get(printed["row"], [dataset + blank + size]):
            if (table, row, column) in cells:
                ours, sd = cells[table, row, column], cells.get((table, row, f"{column} sd"), _NAN)
                values = float(printed["value"]), ours, float(printed["sd"]), sd
                yield Pair(table, row, column, *values, note)


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
    printed = pd.DataFrame(published, columns=["table", "row", "column", "value", "note"])
    printed = printed.astype({"value": float, "note": object})
    noted = printed["note"].notna() & (printed["row"] != MEAN_ROW)
    printed["note"] = printed["note"].where(noted, "")
    pairs = []
    for path in tables:
        cells = _cells(path)
        cells = cells[cells["row"].str.partition(" ")[0] != MEAN_ROW]
        own = printed[printed["table"] == path.stem]
        for column in means[path.stem]:
            pairs += _means_of(path.stem, column, own, cells)
    return pairs


def _means_of(
    table: str, quantity: str, printed: pd.DataFrame, cells: pd.DataFrame
) -> Iterator[Pair]:
    """Means of a quantity, the paper's and these: over the rows printed for every selector."""
    groups = cells.groupby("column", sort=False)["ours"]
    ending = f" {quantity}"
    ours = {name: own.to_numpy().mean() for name, own in groups if name.endswith(ending)}
    theirs = printed[printed["column"].isin(ours)].sort_values("row")
    theirs["column"] = pd.Categorical(theirs["column"], ours)
    is_mean = theirs["row"] == MEAN_ROW
    rows = theirs[~is_mean]
    shared = rows.groupby("row")["column"].transform("size") == rows["column"].nunique()
    if rows["column"].nunique() < 2 or not shared.any():
        return
    every, both = rows["row"].nunique(), rows[shared]["row"].nunique()
    own = f"as printed, over its {every} rows"
    for kind, part, note in (
        (MEAN_OF, rows[shared], f"{both} of {every} printed rows"),
        (OWN_MEAN_OF, theirs[is_mean], own),
    ):
        for name, cells in part.groupby("column", observed=True):
            selector, numbers = name.removesuffix(ending), cells["value"].to_numpy()
            noted = cells[cells["note"] != ""]
            about = [f"{selector} {row}: {text}" for row, text in zip(noted["row"], noted["note"])]
            values = numbers.mean(), ours[name], _NAN, _NAN
            notes = "; ".join([OTHER_DATA, note, *about])
            yield Pair(table, f"{kind}{quantity}", selector, *values, notes)


def _cells(path: Path) -> pd.DataFrame:
    """All numbers of a table: row, column, ours.

    A table with a row for each size or selector of a data set has rows such as `wine 10`, and
    columns such as `relieff jaccard`.
    """
    frame = pd.read_csv(io.BytesIO(read_verified(path)), converters={0: str, "k": str})
    frame = frame.rename(columns={frame.columns[0]: "row"})
    if "k" in frame:
        frame["row"] += " " + frame.pop("k")
    keys = [name for name in ("row", "selector") if name in frame]
    cells = frame.melt(keys, var_name="column", value_name="ours")
    if "selector" in keys:
        cells["column"] = cells["selector"] + " " + cells["column"]
    cells["ours"] = pd.to_numeric(cells["ours"], errors="coerce")
    return cells[["row", "column", "ours"]].dropna()


def to_csv(pairs: Iterable[Pair]) -> bytes:
    """One line per pair."""
    return csv_to_bytes(HEADER, ([getattr(pair, name) for name in HEADER] for pair in pairs))


def read_pairs(path: Path) -> list[Pair]:
    """The pairs of a file that `to_csv` wrote."""
    return parse_pairs(read_verified(path))


def parse_pairs(content: bytes) -> list[Pair]:
    """The pairs that `to_csv` wrote."""
    types = Pair.__annotations__.items()
    rows = csv.DictReader(io.StringIO(content.decode()))
    return [Pair(*(kind(row[name]) for name, kind in types)) for row in rows]

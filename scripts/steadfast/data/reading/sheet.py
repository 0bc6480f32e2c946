"""A table as it stands in a file, before its cells are understood."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from steadfast.data.reading.allowance import NUMBER, OBJECT, Allowance
from steadfast.data.reading.decimal_marks import DecimalMarks

Rows = Iterator[tuple[int, list[Any]]]

#: Cells that are held as they are, until they are packed.
_BLOCK = 1_000_000

#: Stands between the packed texts of a column.
_BETWEEN = "\x1f"


@dataclass(frozen=True)
class Sheet:
    """A table as it stands in a file, before its cells are understood.

    Attributes
    ----------
    header : the names of the columns
    rows : pairs of a row's place in the file and its cells (text, numbers, or None); read once
    place : what the places count: "line" of a text file, "row" of others
    where : what error messages call the file
    allowance : how much memory it may still take
    noticed : what was skipped or settled on the way, in sentences
    marks : what points and commas in numbers mean, known once all rows are read; None where that
        is no question
    """

    header: tuple[str, ...]
    rows: Rows
    place: str
    where: str
    allowance: Allowance
    noticed: tuple[str, ...] = ()
    marks: DecimalMarks | None = None


class Places(Sequence[str]):
    """Where each row stands in the file, such as "line 7"; put into words when asked for."""

    def __init__(self, kind: str, numbers: Sequence[int]) -> None:
        self.kind, self.numbers = kind, np.array(numbers, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: Any) -> Any:
        return f"{self.kind} {self.numbers[row]}"


class PackedColumns:
    """All cells of a sheet by column; texts are packed, which takes a tenth of the memory.

    Attributes
    ----------
    places : where each row stands
    """

    def __init__(self, sheet: Sheet) -> None:
        width, numbers = len(sheet.header), []
        self._blocks: list[list[Any]] = []
        height = max(_BLOCK // width, 1)
        while block := list(islice(sheet.rows, height)):
            sheet.allowance.check(OBJECT * width * len(block))
            numbers += [number for number, _ in block]
            columns = zip(*(row for _, row in block), strict=True)
            packed = [_pack(cells, sheet.allowance) for cells in columns]
            sheet.allowance.spend(sum(map(_size, packed)) + OBJECT * len(block))
            self._blocks.append(packed)
        self.places = Places(sheet.place, numbers)

    def column(self, number: int) -> list[Any]:
        """The cells of a column."""
        cells: list[Any] = []
        for block in self._blocks:
            part = block[number]
            cells += part.split(_BETWEEN) if isinstance(part, str) else part
        return cells


def _pack(cells: tuple[Any, ...], allowance: Allowance) -> str | tuple[Any, ...]:
    """The cells as one text, where they are texts.

    A workbook has a text once, however many cells show it: what they make is known before.
    """
    try:
        allowance.check(sum(map(len, cells)))
        packed = _BETWEEN.join(cells)
    except TypeError:
        return cells
    return packed if packed.count(_BETWEEN) == len(cells) - 1 else cells


def _size(packed: str | tuple[Any, ...]) -> int:
    """Bytes of packed cells, and of the numbers that they will be."""
    if isinstance(packed, str):
        return len(packed) + NUMBER * (packed.count(_BETWEEN) + 1)
    return (OBJECT + NUMBER) * len(packed)

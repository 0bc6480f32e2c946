"""Points and commas in the numbers of a file with semicolons, tabs or pipes between its columns.

Where the comma stands before decimals, `1.014` is mostly a thousand and fourteen, and elsewhere
`1,014` is. What cannot be told is refused: a number that is wrong by a factor of a thousand is
noticed by nobody.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from steadfast.core.errors import UserError, shorten

_DECIMAL_COMMA = re.compile(r"^(\s*[+-]?\d+),(\d+(?:[eE][+-]?\d+)?\s*)$")
#: 1.014, 12,500: thousands, or three decimals.
_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}")
_DECIMAL = re.compile(r"[+-]?(?:\d+([.,])\d*|([.,])\d+)(?:[eE][+-]?\d+)?")


class DecimalMarks:
    """Makes points of decimal commas, and finds numbers that may be thousands.

    Parameters
    ----------
    points_usual
        Whether a point stands before decimals as long as no comma does. Files with semicolons come
        from where commas do.
    """

    def __init__(self, points_usual: bool) -> None:
        self._points_usual = points_usual
        self._decimal: set[tuple[str, int]] = set()
        self._either: dict[tuple[str, int], tuple[int, str]] = {}

    def read(self, rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
        """Rows with points before decimals."""
        for line, cells in rows:
            yield (
                line,
                [
                    self._read_cell(line, column, cell) if "," in cell or "." in cell else cell
                    for column, cell in enumerate(cells)
                ],
            )

    def _read_cell(self, line: int, column: int, cell: str) -> str:
        number = cell.strip()
        if either := _EITHER.fullmatch(number):
            self._either.setdefault((either[1], column), (line, number))
        elif decimal := _DECIMAL.fullmatch(number):
            self._decimal.add((decimal[1] or decimal[2], column))
        return _DECIMAL_COMMA.sub(r"\1.\2", cell)

    def refuse_thousands(self, header: Sequence[str], columns: Collection[int], where: str) -> None:
        """Refuse a column of numbers whose marks may stand between thousands.

        Parameters
        ----------
        header : the names of all columns
        columns : those that were read as numbers
        where : what error messages call the file
        """
        for (mark, column), (line, cell) in self._either.items():
            if column not in columns or self._is_decimal(mark, column):
                continue
            whole, fraction = cell.split(mark)
            raise UserError(
                f"{where}, line {line}: column {shorten(header[column])} holds {cell!r}, which may "
                f"be {whole}{fraction} or {whole}.{fraction}; write thousands without a mark, and "
                "save the table with commas between its columns and points before decimals"
            )

    def _is_decimal(self, mark: str, column: int) -> bool:
        """Whether a mark stands before decimals: by the column, or else by all others."""
        other = "," if mark == "." else "."
        if (other, column) in self._decimal or (other, column) in self._either:
            return False
        seen = {mark for mark, _ in self._decimal}
        if self._points_usual and mark == "." and "," not in seen:
            return True
        return (mark, column) in self._decimal or seen == {mark}

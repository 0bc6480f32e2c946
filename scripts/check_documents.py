"""Compare the numbers that documents state with the results they were taken from."""

import argparse
import csv
import io
import json
import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from steadfast.core import cli
from steadfast.core.errors import Faults, UserError
from steadfast.core.files import csv_to_bytes, read_verified
from steadfast.core.paths import paper_of
from steadfast.outputs.claim import read_claims
from steadfast.reports.replications.kept import KeptRun

_ROOT = Path(__file__).resolve().parents[1]

#: Where the numbers are listed, one file per paper.
NUMBERS = _ROOT / "docs" / "numbers"

#: Where the tables of the run at full size are, and what their names begin with in the lists.
KEPT, FULL_SIZE = _ROOT / "docs" / "replications", "paper/"

_HEADER = ("document", "words", "number", "file", "row", "column", "value")


class Stated(NamedTuple):
    """A number of a document, and the cell of a result that it states.

    Attributes
    ----------
    document
        Its path.
    words
        A piece of its text that holds the number.
    number
        The number as it stands there: `.77`, `−0.02`, `77%`, `1,460`.
    file, row, column
        The cell: a table of the results folder, or of the kept run (`paper/STUDY/…`);
        `column=value;column=value` of the one row; column.
    value
        What the run had there that the document speaks of.
    """

    document: str
    words: str
    number: str
    file: str
    row: str
    column: str
    value: str

    @property
    def place(self) -> str:
        return f"{self.document}: {self.words!r}: {self.number}"

    @property
    def is_full_size(self) -> bool:
        """Whether it comes from the kept run, and not from a default run."""
        return self.file.startswith(FULL_SIZE)

    def states(self, value: str) -> bool:
        """Whether the number is a value, rounded as the document writes it."""
        plain = self.number.replace("−", "-").replace(",", "").replace("+", "").rstrip("%")
        share = 0.01 if self.number.endswith("%") else 1.0
        digits = len(plain.partition(".")[2])
        off = abs(float(plain) * share - float(value))
        # A value in the middle may be rounded either way.
        return off <= share * (0.5 + 1e-6) * 10.0**-digits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the results folder of a default run")
    parser.add_argument("--keep", action="store_true", help="write the run's values into the lists")
    given = parser.parse_args()

    compared, at_full_size, skipped, wrong = 0, 0, 0, []
    for listed in sorted(NUMBERS.glob("*.csv")):
        numbers = read_numbers(listed)
        for at, number in enumerate(numbers):
            if not number.is_full_size and not (given.results / number.file).exists():
                skipped += 1
                continue
            compared += not number.is_full_size
            at_full_size += number.is_full_size
            value = value_of(number, given.results)
            if not number.states(value):
                wrong.append(f"{number.place}: the run has {value} ({number.file})")
            numbers[at] = number._replace(value=value)
        if given.keep:
            listed.write_bytes(csv_to_bytes(_HEADER, numbers))
    if wrong:
        every = compared + at_full_size
        lines = [f"{len(wrong)} of {every} numbers are not those of the run:", *wrong]
        raise Faults(lines)
    if not compared:
        raise UserError(f"{given.results}: holds none of the files that the documents speak of")
    others = f"; {skipped} are about files that are not in {given.results}" if skipped else ""
    print(
        f"{compared} numbers of the documents are those of the run, "
        f"{at_full_size} those of the kept run at full size{others}"
    )


def read_numbers(path: Path) -> list[Stated]:
    """The numbers of a list."""
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
    if not rows or tuple(rows[0]) != _HEADER:
        raise UserError(f"{path}: line 1: must be {','.join(_HEADER)}")
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(_HEADER):
            raise UserError(f"{path}: line {line}: has {len(row)} cells, not {len(_HEADER)}")
    return [Stated(*row) for row in rows[1:]]


def check_text(numbers: list[Stated]) -> Iterator[str]:
    """What is wrong with numbers beside their documents: not stated there, or not that value."""
    texts: dict[str, str] = {}
    for number in numbers:
        if number.document not in texts:
            text = (_ROOT / number.document).read_text(encoding="utf-8")
            texts[number.document] = _plain(text)
        if _plain(number.words) not in texts[number.document]:
            yield f"{number.place}: these words are not in the document"
        elif number.number not in number.words:
            yield f"{number.place}: the number is not in the words"
        elif not math.isfinite(float(number.value)) or not number.states(number.value):
            yield f"{number.place}: the run has {number.value}"


def value_of(number: Stated, results: Path) -> str:
    """What the cell has, in a results folder or in the kept run."""
    wanted = dict(part.split("=", 1) for part in number.row.split(";") if part)
    lines = _lines(number.file, results)
    found = [line for line in lines if all(line.get(k) == v for k, v in wanted.items())]
    if len(found) != 1 or number.column not in found[0]:
        raise UserError(
            f"{number.file}: {len(found)} rows fit {number.row!r}, or there is no column "
            f"{number.column!r}"
        )
    return found[0][number.column]


@cache
def _lines(file: str, results: Path) -> list[dict[str, str]]:
    """The rows of a table, or the claims of a study, read once for all numbers of it."""
    content = _content(file, results)
    if file.endswith(".json"):
        return [{key: str(one[key]) for key in one} for one in json.loads(content)["claims"]]
    delimiter = "\t" if file.endswith(".tsv") else ","
    return list(csv.DictReader(io.StringIO(content.decode()), delimiter=delimiter))


def _content(file: str, results: Path) -> bytes:
    """A file of a results folder or of the kept run, as it was written."""
    place = file.removeprefix(FULL_SIZE)
    if place != file:
        return KeptRun(KEPT / paper_of(place.partition("/")[0])).read(place)
    path = results / file
    return read_claims(path) if path.suffix == ".json" else read_verified(path)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


if __name__ == "__main__":
    cli.run(main)

"""Tables as they are meant: what a file says, whatever its form, so that a reading can be judged.

Some are made up, some are parts of real tables. A case is drawn from its name and the seed alone.
"""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from shown import ROOT

from fuzz.odd_tables.plain_reader import Cell, meaning, parse_delimited

#: Real tables; the class column is the last, unless it is named here.
REAL = {
    "config/datasets/glass.csv.gz": None,
    "config/datasets/ionosphere.csv.gz": None,
    "config/datasets/sonar.csv.gz": None,
    "config/datasets/swiss_banknotes.csv.gz": None,
    "docs/examples/patients.csv": "diagnosis",
}

LABELS = [
    ["no", "yes"],
    ["0", "1"],
    ["1", "2", "10"],
    ["benign", "malignant"],
    ["low", "middle", "high"],
    ["A", "a"],
    ["rød", "blå"],
    ["x y", "x  y z"],
]
WORDS = ["red", "blue", "green", "north", "south", "mild", "severe", "I", "II", "III", "grün"]
NAMES = [
    *("age", "dose", "crp", "x1", "V2", "Größe", "blood pressure", "p53", "IL-6", "ca_125"),
    *("size (mm)", "% fat", "a.b", "Ω", "体重", "temp°C", "#cells", "T/N", "it's", "b&w"),
]


@dataclass(frozen=True)
class Meant:
    """A table as someone means it.

    Attributes
    ----------
    names : of all columns
    rows : cells as numbers, texts, dates, truth values, or None where there is no value
    target : the class column; its cells are texts or None
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    target: str

    @property
    def class_column(self) -> int:
        return self.names.index(self.target)

    def column(self, name: str) -> list[Cell]:
        """The cells of a column."""
        place = self.names.index(name)
        return [row[place] for row in self.rows]

    def with_column(self, name: str, cells: Sequence[Cell]) -> "Meant":
        """The same with one more column, before all others."""
        rows = tuple((cell, *row) for cell, row in zip(cells, self.rows, strict=True))
        return replace(self, names=(name, *self.names), rows=rows)

    def with_names(self, names: Sequence[str]) -> "Meant":
        """The same under other names."""
        target = names[self.class_column]
        return replace(self, names=tuple(names), target=target)

    def with_labels(self, labels: Sequence[Cell]) -> "Meant":
        """The same rows with other classes."""
        place = self.class_column
        pairs = zip(self.rows, labels, strict=True)
        rows = tuple((*row[:place], label, *row[place + 1 :]) for row, label in pairs)
        return replace(self, rows=rows)

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> "Meant":
        """Some rows and columns, the class column always among them."""
        kept = [i for i in range(len(self.names)) if i in columns or i == self.class_column]
        names = tuple(self.names[i] for i in kept)
        cells = tuple(tuple(self.rows[row][i] for i in kept) for row in rows)
        return Meant(names, cells, self.target)


#: Rows and columns that a table may have at most, while a fault is made small.
_largest: tuple[int, int] | None = None


@contextmanager
def at_most(rows: int, columns: int) -> Iterator[None]:
    """Tables that are drawn meanwhile are cut to this size."""
    global _largest
    _largest = rows, columns
    try:
        yield
    finally:
        _largest = None


def _cut(meant: Meant) -> Meant:
    if _largest is None:
        return meant
    rows, columns = _largest
    return meant.part(range(min(rows, len(meant.rows))), range(columns))


def draw(random: Random) -> Meant:
    """A table, made up or real; the class column is the last."""
    return _cut(_part_of_real(random)) if random.random() < 0.4 else make_up(random)


def make_up(random: Random) -> Meant:
    """Numbers and categories, with some gaps; the first column tells the class."""
    return _cut(_made_up(random))


def _made_up(random: Random) -> Meant:
    n_rows, n_columns = random.randint(12, 60), random.randint(2, 7)
    names = random.sample(NAMES, n_columns)
    labels = random.choice(LABELS)
    classes = [labels[row % len(labels)] for row in range(n_rows)]
    random.shuffle(classes)
    columns = [_numbers(random, n_rows, labels, classes)]
    columns += [_column(random, n_rows) for _ in range(n_columns - 1)]
    if random.random() < 0.5:
        columns = [_with_gaps(random, column) for column in columns]
    rows = tuple(zip(*columns, classes, strict=True))
    return Meant((*names, "class"), rows, "class")


def _numbers(random: Random, n: int, labels: list[str], classes: list[str]) -> list[Cell]:
    return [round(random.gauss(labels.index(label), 1), 4) for label in classes]


def _column(random: Random, n: int) -> list[Cell]:
    sort = random.choice(["small", "small", "whole", "large", "tiny", "wide", "words"])
    if sort == "words":
        some = random.sample(WORDS, random.randint(2, 5))
        return [random.choice(some) for _ in range(n)]
    draws = {
        "small": lambda: round(random.gauss(0, 3), random.randint(0, 6)),
        "whole": lambda: float(random.randint(-9, 30)),
        "large": lambda: round(random.uniform(1000, 3e6), 2),
        "tiny": lambda: random.uniform(-1, 1) * 1e-12,
        "wide": lambda: random.gauss(0, 1) * 10.0 ** random.randint(-30, 30),
    }
    return [draws[sort]() for _ in range(n)]


def _with_gaps(random: Random, column: list[Cell]) -> list[Cell]:
    share = random.choice([0, 0, 0.05, 0.3])
    return [None if random.random() < share else cell for cell in column]


def _part_of_real(random: Random) -> Meant:
    """Some rows and columns of a real table, read by the plain reader."""
    file, target = random.choice(list(REAL.items()))
    content = (ROOT / file).read_bytes()
    text = (gzip.decompress(content) if file.endswith(".gz") else content).decode()
    header, rows = parse_delimited(text, ",")
    place = header.index(target or header[-1])
    columns = random.sample(
        [i for i in range(len(header)) if i != place], min(len(header) - 1, random.randint(3, 8))
    )
    chosen = sorted(random.sample(range(len(rows)), min(len(rows), random.randint(30, 60))))
    counts = [rows[row][place] for row in chosen]
    kept = [row for row in chosen if counts.count(rows[row][place]) >= 4]
    cells = tuple(
        (*(meaning(rows[row][i]) for i in sorted(columns)), rows[row][place]) for row in kept
    )
    names = (*(header[i] for i in sorted(columns)), header[place])
    return Meant(names, cells, header[place])


def dates(random: Random, n: int) -> list[date]:
    """Different days."""
    first = date(2019, 1, 1)
    return [first + timedelta(days=offset) for offset in random.sample(range(2000), n)]

"""Bombs, and damaged bytes: what is meant is what the plain reader sees in the damaged file."""

import io
import zipfile
from collections.abc import Callable
from random import Random

from shown import ROOT

from fuzz.odd_tables import plain_reader
from fuzz.odd_tables.forms import form
from fuzz.odd_tables.meant import Meant, draw, make_up
from fuzz.odd_tables.plain_reader import Unreadable, meaning
from fuzz.odd_tables.written import (
    Written,
    arff,
    columns_of,
    delimited,
    packed,
    parquet,
    with_decimal_comma,
    workbook,
)

#: What a bomb unpacks to: more than a case may take.
BOMB_MEGABYTES = 1024


@form("bombs")
def packed_bomb(random: Random) -> Written:
    """A few megabytes that are gigabytes: lines without an end, or ever more rows."""
    block = random.choice([b"1,2,x\n" * 170_000, b"x" * (1 << 20), b"\n" * (1 << 20)])
    return Written(".csv.gz", packed(b"a,b,class\n") + packed(block) * BOMB_MEGABYTES, None)


@form("bombs")
def workbook_bomb(random: Random) -> Written:
    """A sheet of ever the same row."""
    row = '<row><c t="inlineStr"><is><t>x</t></is></c><c><v>1</v></c></row>' * 15_000
    buffer, sheet = io.BytesIO(), "xl/worksheets/sheet1.xml"
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with (
        zipfile.ZipFile(io.BytesIO(workbook(make_up(random)))) as whole,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
    ):
        for part in whole.namelist():
            if part != sheet:
                file.writestr(zipfile.ZipInfo(part, (2020, 1, 1, 0, 0, 0)), whole.read(part))
        inner = zipfile.ZipInfo(sheet, (2020, 1, 1, 0, 0, 0))
        inner.compress_type = zipfile.ZIP_DEFLATED
        with file.open(inner, "w", force_zip64=True) as target:
            target.write(f'<worksheet xmlns="{space}"><sheetData>'.encode())
            for _ in range(BOMB_MEGABYTES // 2):
                target.write(row.encode())
    return Written(".xlsx", buffer.getvalue(), None)


# Damage is what the plain reader sees in the damaged file


def _flip(content: bytes, random: Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(random.choice([1, 1, 3, 20])):
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
    return bytes(damaged)


def _cut(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(1, len(content))]


def _nul(content: bytes, random: Random) -> bytes:
    place = random.randrange(len(content))
    return content[:place] + bytes(random.choice([1, 40])) + content[place:]


def _overwritten(content: bytes, random: Random) -> bytes:
    place, length = random.randrange(len(content)), random.randint(1, 60)
    return content[:place] + random.randbytes(length) + content[place + length :]


def _repeated(content: bytes, random: Random) -> bytes:
    start, length = random.randrange(len(content)), random.randint(1, 200)
    return content[: start + length] + content[start:]


def _without_a_piece(content: bytes, random: Random) -> bytes:
    start = random.randrange(len(content))
    return content[:start] + content[start + random.randint(1, 60) :]


def _other_digit(content: bytes, random: Random) -> bytes:
    """A digit, or some, are others: nobody can tell, and all readers see the same."""
    damaged = bytearray(content)
    places = [place for place, byte in enumerate(damaged) if chr(byte).isdigit()]
    for place in random.sample(places, min(len(places), 5)):
        damaged[place] = ord(random.choice("0123456789"))
    return bytes(damaged)


DAMAGE = {
    "other_digits": _other_digit,
    "flipped_bits": _flip,
    "cut": _cut,
    "nul_bytes": _nul,
    "overwritten": _overwritten,
    "repeated_piece": _repeated,
    "lost_piece": _without_a_piece,
}


def _register_damage(name: str, damage: Callable[[bytes, Random], bytes]) -> None:
    def make(random: Random) -> Written:
        meant, sort = draw(random), random.choice(["csv", "csv", "decimal", "gz", "xlsx", "arff"])
        suffix, content = {
            "csv": lambda: (".csv", delimited(meant).encode()),
            "decimal": lambda: (".csv", delimited(meant, ";", cell=with_decimal_comma).encode()),
            "gz": lambda: (".csv.gz", packed(delimited(meant).encode())),
            "xlsx": lambda: (".xlsx", workbook(meant)),
            "arff": lambda: (".arff", arff(meant).encode()),
        }[sort]()
        damaged = damage(content, random)
        options = (("target", meant.target),)
        decimal = {"delimiter": ";", "decimal": ","} if sort == "decimal" else {}
        return Written(
            suffix, damaged, seen_plainly(damaged, suffix, meant.target, **decimal), options=options
        )

    form("damaged", name)(make)


for _name, _damage in DAMAGE.items():
    _register_damage(_name, _damage)


def seen_plainly(content: bytes, suffix: str, target: str, **how: str) -> Meant | None:
    """What the plain reader sees in a file; None where it is not sure."""
    try:
        header, rows = plain_reader.read(content, suffix, **how)
    except Unreadable:
        return None
    if target not in header or len(set(header)) < len(header):
        return None
    place = header.index(target)
    cells = tuple(
        tuple(
            (cell.strip() or None) if column == place else meaning(cell)
            for column, cell in enumerate(row)
        )
        for row in rows
    )
    return Meant(tuple(header), cells, target)


@form("damaged")
def cut_columns_file(random: Random) -> Written:
    content = parquet(columns_of(draw(random)))
    return Written(".parquet", _cut(content, random), None)


@form("damaged")
def a_real_file_cut(random: Random) -> Written:
    """A packed table of the project, as a broken download leaves it."""
    content = (ROOT / "config/datasets/sonar.csv.gz").read_bytes()
    return Written(".csv.gz", _cut(content, random), None)

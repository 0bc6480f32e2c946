"""Odd cells: numbers as people and programs write them, dates, truth values, texts."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from fuzz.odd_tables.forms import form
from fuzz.odd_tables.meant import Meant, dates, make_up
from fuzz.odd_tables.plain_reader import Cell
from fuzz.odd_tables.written import Written, delimited, plain, with_decimal_comma


def _with_odd_column(
    random: Random, cells: list[Cell], texts: list[str], delimiter: str, sound: bool
) -> Written:
    """A table with one more column, which means the cells and is written as the texts."""
    meant = make_up(random)
    n = len(meant.rows)
    whole = meant.with_column("odd", (cells * n)[:n])
    shown = meant.with_column("odd", (texts * n)[:n])
    # With semicolons go decimal commas, unless a point stands after them.
    cell = with_decimal_comma if delimiter == ";" else plain
    text = delimited(shown, delimiter[0], cell=cell)
    return Written(".csv", text.encode(), whole, sound)


#: Ways to write a number: how it is drawn and written, the separator, whether it must be read.
Draw = Callable[[Random], float]
NUMBERS: dict[str, tuple[Draw, Callable[[float], str], str, bool]] = {}


def _whole(low: int, high: int) -> Draw:
    return lambda random: float(random.randint(low, high))


def _fraction(random: Random) -> float:
    return round(random.uniform(-50, 50), 2)


def _swapped(text: str) -> str:
    return text.translate(str.maketrans(",.", ".,"))


def _in_lakhs(text: str) -> str:
    return f"{text[:-5]},{text[-5:-3]},{text[-3:]}"


NUMBERS |= {
    "plus_signs": (_whole(0, 99), lambda v: f"+{v:g}", ",", True),
    "points_first": (lambda r: r.randint(1, 99) / 100, lambda v: f"{v:.2f}"[1:], ",", True),
    "points_last": (_whole(0, 99), lambda v: f"{v:.0f}.", ",", True),
    "exponents": (_fraction, lambda v: f"{v:.3E}", ",", True),
    "exponents_with_commas": (_fraction, lambda v: f"{v:.3E}".replace(".", ","), ";", True),
    "zeros_first": (_whole(0, 99), lambda v: f"{v:05.0f}", ",", True),
    "spaces_around_numbers": (_fraction, lambda v: f"  {v} ", ",", True),
    "thousands_with_commas": (_whole(0, 10**6), lambda v: f"{v:,.0f}", ",", False),
    "thousands_with_commas_and_points": (_whole(0, 10**6), lambda v: f"{v:,.2f}", ",", False),
    "thousands_beside_decimal_commas": (
        *(_whole(1000, 999_999), lambda v: _swapped(f"{v:,.0f}"), ";", False),
    ),
    "thousands_and_decimal_commas": (
        *(_whole(1000, 999_999), lambda v: _swapped(f"{v:,.2f}"), ";", False),
    ),
    "thousands_in_a_semicolon_file": (_whole(1000, 999_999), lambda v: f"{v:,.0f}", ";.", False),
    "thousands_and_smaller_ones": (_whole(100, 9999), lambda v: _swapped(f"{v:,.0f}"), ";", False),
    "millions_in_a_semicolon_file": (
        *(_whole(10**6, 10**8), lambda v: _swapped(f"{v:,.0f}"), ";", False),
    ),
    "thousands_with_spaces": (
        *(_whole(0, 10**6), lambda v: f"{v:,.0f}".replace(",", " "), ",", False),
    ),
    "thousands_with_narrow_spaces": (
        *(_whole(0, 10**6), lambda v: f"{v:,.0f}".replace(",", "\u202f"), ",", False),
    ),
    "thousands_with_hard_spaces": (
        *(_whole(0, 10**6), lambda v: f"{v:,.0f}".replace(",", "\xa0"), ";", False),
    ),
    "thousands_with_apostrophes": (
        *(_whole(0, 10**6), lambda v: f"{v:,.0f}".replace(",", "'"), ",", False),
    ),
    "underscores": (_whole(0, 10**6), lambda v: f"{v:_.0f}", ",", False),
    "lakhs": (_whole(100_000, 999_999), lambda v: _in_lakhs(f"{v:.0f}"), ",", False),
    "per_cent": (_whole(0, 99), lambda v: f"{v:.0f}%", ",", False),
    "units": (_fraction, lambda v: f"{v} mg", ",", False),
    "currency": (_whole(0, 999), lambda v: f"${v:.2f}", ",", False),
    "below_a_limit": (_fraction, lambda v: f"<{v}" if v < -10 else str(v), ",", False),
    "footnotes": (_fraction, lambda v: f"{v}*" if v < -10 else str(v), ",", False),
    "true_minus_signs": (_fraction, lambda v: str(v).replace("-", "\u2212"), ",", False),
    "negatives_in_brackets": (_fraction, lambda v: f"({-v})" if v < 0 else str(v), ",", False),
    "minus_at_the_end": (_fraction, lambda v: f"{-v}-" if v < 0 else str(v), ",", False),
    "hexadecimal": (_whole(10, 255), lambda v: hex(int(v)), ",", False),
    "fortran": (_fraction, lambda v: f"{v:.3E}".replace("E", "D"), ",", False),
    "eastern_digits": (
        *(_whole(0, 999), lambda v: "".join(chr(0x660 + int(d)) for d in str(int(v)))),
        *(",", False),
    ),
    "wide_digits": (
        *(_whole(0, 999), lambda v: "".join(chr(0xFF10 + int(d)) for d in str(int(v)))),
        *(",", False),
    ),
    "formulas_of_text": (_whole(0, 99), lambda v: f'="{v:.0f}"', ",", False),
    "apostrophe_first": (_whole(0, 99), lambda v: f"'{v:.0f}", ",", False),
    "ratios": (_whole(1, 9), lambda v: f"{v:.0f}/10", ",", False),
    "a_sign_of_no_width": (_fraction, lambda v: f"{v}\u200b", ",", False),
    "a_mark_in_cells": (_fraction, lambda v: f"\ufeff{v}", ",", False),
}


def _register_number(
    name: str, draw: Draw, write: Callable[[float], str], delimiter: str, sound: bool
) -> None:
    def make(random: Random) -> Written:
        # Few different ones may look like categories.
        values = [draw(random) for _ in range(random.choice([4, 9, 40]))]
        texts = [write(value) for value in values]
        return _with_odd_column(random, values, texts, delimiter, sound)

    form("numbers", name)(make)


for _name, _entry in NUMBERS.items():
    _register_number(_name, *_entry)


#: Cells of one column: what they mean, how they are written, the separator, whether they must be
#: read. None for what cannot mean a number or a text, so that the table must be refused, or the
#: column left out.
CELLS: dict[str, tuple[list[Cell], list[str], str, bool]] = {
    "truth_values": (["TRUE", "FALSE", "TRUE"], ["TRUE", "FALSE", "TRUE"], ",", True),
    "words_for_nothing": (
        *([1.5, None, None, 2.5, None, None, 3.0], ["1.5", "NA", "n/a", "2.5", "-", "?", "3"]),
        *(",", True),
    ),
    "more_words_for_nothing": (
        *([1.5, None, 2.5, None, 4.0], ["1.5", "#N/A", "2.5", "NULL", "4"], ",", True),
    ),
    "nothing_but_gaps": ([None], [""], ",", True),
    "constants": ([7.0], ["7"], ",", True),
    "constant_texts": (["here"], ["here"], ",", True),
    "texts_with_breaks": (["a b", "c", "d"], ["a\nb", "c", "d"], ",", True),
    "texts_with_quotes": (['say "no"', "b,c", "d"], ['say "no"', "b,c", "d"], ",", True),
    "texts_with_spaces": (["red", "blue", "red"], [" red", "blue ", "red"], ",", True),
    "texts_with_hard_spaces": (["red", "blue", "red"], ["red\xa0", "blue", "red"], ",", True),
    "texts_with_a_nul": (["a\x00", "a", "b"], ["a\x00", "a", "b"], ",", False),
    "texts_beyond_a_page": (["x" * 60_000, "y", "z"], ["x" * 60_000, "y", "z"], ",", False),
    "texts_of_ours": (["(no value)", None, "a"], ["(no value)", "", "a"], ",", True),
    "texts_in_other_cases": (["Red", "red", "RED"], ["Red", "red", "RED"], ",", True),
    "points_and_commas": ([1.2, 2.3, 3.4, 4.5], ["1,2", "2.3", "3,4", "4.5"], ";", False),
    "codes_and_texts": (["a", "b", "1", "c", "d"], ["a", "b", "1", "c", "d"], ",", False),
}
BROKEN = {
    "infinite": (["1", "2", "inf", "3"], ","),
    "minus_infinity": (["1", "2", "-Infinity", "3"], ","),
    "beyond_doubles": (["1", "2", "1e400", "3"], ","),
    "near_the_limit": (["1", "2", "1.7e308", "3"], ","),
    "one_text_among_numbers": (["1", "2", "3", "4", "5", "6", "see below"], ","),
    "one_date_among_numbers": (["1.2", "2.3", "3.4", "4.5", "2026-05-03", "5.6"], ","),
    "one_time_among_numbers": (["1.2", "2.3", "3.4", "4.5", "12:30", "5.6"], ","),
    "an_error_of_a_spreadsheet": (["1.2", "2.3", "3.4", "#DIV/0!", "5.6"], ","),
    "several_points": (["1.2.3", "2.3", "3.4", "4.5", "7.1"], ","),
    "two_numbers_in_a_cell": (["1 2", "2.3", "3.4", "4.5", "7.1"], ","),
}


def _register_cells(
    name: str, cells: list[Cell] | None, texts: list[str], delimiter: str, sound: bool
) -> None:
    def make(random: Random) -> Written:
        one = _with_odd_column(random, cells or [None], texts, delimiter, sound)
        return one if cells else replace(one, meant=None)

    form("cells", name)(make)


for _name, _entry in CELLS.items():
    _register_cells(_name, *_entry)
for _name, (_texts, _delimiter) in BROKEN.items():
    _register_cells(_name, None, _texts, _delimiter, False)


@form("cells")
def dates_in_many_ways(random: Random) -> Written:
    """Days as people write them; a column of them is left out, and named."""
    style = random.choice(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%dT%H:%M:%S", "%d.%m.%y"])
    meant = make_up(random)
    days = dates(random, len(meant.rows))
    shown = meant.with_column("when", [day.strftime(style) for day in days])
    whole = meant.with_column("when", list(days))
    return Written(".csv", delimited(shown).encode(), whole, True)


@form("cells")
def ids(random: Random) -> Written:
    """A number or a name for every row."""
    meant = make_up(random)
    n = len(meant.rows)
    own: list[Cell] = [float(i + 1) for i in range(n)]
    if random.random() < 0.5:
        own = [f"patient {i}" for i in range(n)]
    whole = meant.with_column("id", own)
    return Written(".csv", delimited(whole).encode(), whole, True)


@form("cells")
def many_categories(random: Random) -> Written:
    """More than a hundred: the rarest count as one, and that is told."""
    meant = make_up(random)
    rows = meant.rows * 12
    cells: list[Cell] = [f"city {random.randint(1, 150)}" for _ in rows]
    whole = Meant(meant.names, rows, meant.target).with_column("city", cells)
    return Written(".csv", delimited(whole).encode(), whole, True)

"""docs/speed.md shows the kept figures of `make bench-sizes`, and they keep the bar."""

import csv

from filters import EVERY_ROW, calls
from shown import as_markdown, shown
from sizes import DOCUMENT, HEADER, KEPT

#: MB that a filter may take on either table, and the exponent that still counts as linear: sorting
#: adds a logarithm.
MOST, LINEAR = 2000, 1.15


def kept() -> list[list[str]]:
    with KEPT.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == HEADER
    return rows


def test_the_table_of_filters_is_the_kept_one_and_has_all_of_them():
    assert shown("sizes", DOCUMENT) == as_markdown(HEADER, kept())
    assert [row[0] for row in kept()] == list(calls())


def test_every_filter_is_linear_and_below_the_bar():
    for name, *figures in kept():
        if name == EVERY_ROW:
            continue
        peaks, exponents = (figures[2], figures[5]), figures[6:]
        assert max(map(float, peaks)) < MOST, name
        assert max(map(float, exponents)) <= LINEAR, name

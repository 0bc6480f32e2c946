"""docs/speed.md shows the kept figures of both benchmarks, and filters keep the bar."""

import csv
import json

from filters import EVERY_ROW, calls
from printing import number
from releases import FOLDER
from shown import as_markdown, shown
from sizes import DOCUMENT, HEADER, KEPT, kept, put_over

#: MB that a filter may take on either table, and the exponent that still counts as linear: sorting
#: adds a logarithm.
MOST, LINEAR = 2000, 1.15


def test_rows_that_are_measured_anew_stand_in_the_place_of_the_old():
    first, second, *_ = calls()
    before = [[second, "1"], [first, "2"], ["gone", "3"]]
    assert put_over([(second, "9")], before) == [[first, "2"], [second, "9"]]


def test_the_table_of_filters_is_the_kept_one_and_has_all_of_them():
    with KEPT.open(newline="", encoding="utf-8") as file:
        assert tuple(next(csv.reader(file))) == HEADER
    assert shown("sizes", DOCUMENT) == as_markdown(HEADER, kept())
    assert [row[0] for row in kept()] == list(calls())


def test_every_filter_is_linear_and_below_the_bar():
    for name, *figures in kept():
        peaks = [float(figures[at]) for at in (2, 5) if figures[at] != "–"]
        assert peaks
        assert max(peaks) < MOST, name
        if name != EVERY_ROW:
            assert max(map(float, figures[6:])) <= LINEAR, name


def test_whole_runs_of_the_last_release_are_the_kept_ones():
    kept_figures = json.loads((FOLDER / "1.0.0.json").read_text())["figures"]
    header, _, *rows = (
        line.strip("| ").split(" | ") for line in shown("runs", DOCUMENT).split("\n")
    )
    assert header[:4] == ["run", "figure", "now", "1.0.0"]
    assert rows
    for run, figure, _, before, *_ in rows:
        assert before == number(kept_figures.get(f"{run}: {figure}")), (run, figure)

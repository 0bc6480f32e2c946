"""Wide and long tables through every filter: seconds, memory, and how both grow.

`python bench/sizes.py [WORD …] [--keep]` measures every filter, or those whose name has one of the
words, on 200 × 100,000 and 100,000 × 200 and on smaller tables, each in a process of its own. Time
and memory are taken for powers of rows and of features: the table has the exponents, slopes of
logarithms by least squares. `--keep` puts it into docs/speed.md and `docs/speed/sizes.csv`.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

import environment
from filters import EVERY_ROW, SMALL, calls
from printing import number
from shown import as_markdown, show

DOCUMENT = environment.ROOT / "docs" / "speed.md"
KEPT = environment.ROOT / "docs" / "speed" / "sizes.csv"

FEW = 200
MANY = (12_500, 25_000, 50_000, 100_000)

#: With every row a probe, time grows with the square of the rows.
MANY_PROBES = (12_500, 25_000, 100_000)

HEADER = (
    "filter",
    *("200 × 100,000, s", "estimated, s", "MB"),
    *("100,000 × 200, s", "estimated, s", "MB"),
    *("time by features", "by rows", "memory by features", "by rows"),
)


class Taken(NamedTuple):
    """What a call took, in seconds and MB; `start` is what the process had before."""

    seconds: float
    peak: float
    start: float


def main() -> None:
    """Measure, print, keep."""
    given = _arguments()
    rows = []
    for name in calls():
        if not given.words or any(word in name for word in given.words):
            rows.append(row_of(name))
            print(f"bench: {' | '.join(rows[-1])}", file=sys.stderr, flush=True)
    print(as_markdown(HEADER, rows))
    if given.keep:
        keep(rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Wide and long tables through every filter")
    parser.add_argument("words", nargs="*", metavar="WORD", help="only filters with one of these")
    parser.add_argument("--keep", action="store_true", help="write docs/speed.md and its figures")
    return parser.parse_args()


def kept() -> list[list[str]]:
    """The rows that are kept; none where there is no file."""
    if not KEPT.exists():
        return []
    with KEPT.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


def put_over(rows: Sequence[Sequence[str]], before: Sequence[Sequence[str]]) -> list[list[str]]:
    """New rows in the place of those of the same filters, all in the order of the filters."""
    found = {row[0]: list(row) for row in (*before, *rows)}
    return [found[name] for name in calls() if name in found]


def keep(measured_now: Sequence[Sequence[str]]) -> None:
    """Keep the figures beside the document that shows them, and in it."""
    rows = put_over(measured_now, kept())
    KEPT.parent.mkdir(exist_ok=True)
    with KEPT.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADER, *rows])
    show("sizes", as_markdown(HEADER, rows), DOCUMENT)


def row_of(name: str) -> tuple[str, ...]:
    """All figures of a filter."""
    measured(name, *SMALL)  # compiles kernels, which takes memory, too
    sizes = MANY_PROBES if name == EVERY_ROW else MANY
    wide = [] if name == EVERY_ROW else [(size, measured(name, FEW, size)) for size in MANY]
    long = [(size, measured(name, size, FEW)) for size in sizes]
    return (
        name,
        *_largest(name, wide, wide=True),
        *_largest(name, long, wide=False),
        *(exponents(wide, "seconds"), exponents(long, "seconds")),
        *(exponents(wide, "memory"), exponents(long, "memory")),
    )


def _largest(name: str, found: Sequence[tuple[int, Taken]], wide: bool) -> tuple[str, str, str]:
    """Seconds, estimated seconds and memory of the largest table."""
    if not found or found[-1][0] != MANY[-1]:
        return "–", "–", "–"
    from steadfast.study.costs import selecting

    size, taken = found[-1]
    rows, features = (FEW, size) if wide else (size, FEW)
    settings = calls()[name].settings
    fewer = settings["params"].get("n_probes", rows) < rows  # estimates are those of all rows
    estimated = None if fewer else selecting(settings["use"], rows, features, 2)
    return number(taken.seconds), number(estimated), number(taken.peak)


def exponents(found: Sequence[tuple[int, Taken]], of: str) -> str:
    """The power of the size that time, or memory above the start, grows with."""
    if not found:
        return "–"
    values = [one.seconds if of == "seconds" else one.peak - one.start for _, one in found]
    return f"{slope([size for size, _ in found], values):.2f}"


def slope(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The slope of log(value) over log(size), by least squares."""
    x, y = [log(size) for size in sizes], [log(max(value, 1e-9)) for value in values]
    middle, level = sum(x) / len(x), sum(y) / len(y)
    spread = sum((one - middle) ** 2 for one in x)
    return sum((one - middle) * (other - level) for one, other in zip(x, y)) / spread


def measured(name: str, rows: int, features: int) -> Taken:
    """What a filter takes on a table of this size, in a process of its own."""
    print(f"bench: {name}, {rows} × {features}", file=sys.stderr, flush=True)
    program = str(Path(__file__).with_name("filters.py"))
    variables = os.environ | environment.ONE_CORE
    call = [sys.executable, program, name, str(rows), str(features)]
    done = subprocess.run(call, capture_output=True, text=True, env=variables)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or [f"ended with code {done.returncode}"]
        sys.exit(f"bench: {name}, {rows} × {features}: {last[0]}")
    taken = Taken(**json.loads(done.stdout))
    print(f"bench: {taken.seconds:.3f} s, {taken.peak} MB", file=sys.stderr, flush=True)
    return taken


if __name__ == "__main__":
    main()

"""Read many odd tables and load many mutated configs; say what became of each: `make fuzz`.

Each must be read right, or be refused in one line. Cases are drawn from their names and the seed,
so that `make fuzz only=CASE seed=SEED` repeats one.
"""

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from shown import ROOT, as_markdown, show

from fuzz import by_command
from fuzz.mutated_configs import cases as configs
from fuzz.odd_tables import cases as tables
from fuzz.verdict import FAULTS, WELL, Found, Verdict
from fuzz.watched import Ended, watch

KEPT = ROOT / "docs/reliability/fuzz.csv"
COLUMNS = ("kind", "cases", *WELL, *FAULTS)


def run(cases: list[Any], judge: Callable[[Any], Verdict]) -> Iterator[Found]:
    """Judge each case, within limits of time and memory."""
    for case, answer in watch(judge, cases):
        yield Found(case, _as_verdict(answer))


def _as_verdict(answer: Verdict | Ended) -> Verdict:
    if isinstance(answer, Ended):
        return Verdict("no end" if "no end" in answer.how else "trace", answer.how)
    return answer


def find(n_tables: int, n_configs: int, seed: int) -> Iterator[Found]:
    """All cases of a seed, and some of them by the commands themselves."""
    read = list(run(tables.cases(n_tables, seed), tables.judge))
    yield from read
    loaded = list(run(configs.cases(n_configs, seed), configs.judge))
    yield from loaded
    yield from by_command.tables_again(read)
    yield from by_command.configs_again(loaded)


def figures(found: list[Found]) -> list[dict[str, Any]]:
    """How many cases of each kind ended how."""
    counts: dict[str, Counter[str]] = {}
    for one in found:
        counts.setdefault(one.case.kind, Counter())[one.verdict.what] += 1
    rows = [_row(kind, counted) for kind, counted in sorted(counts.items())]
    return [*rows, _row("all", sum(counts.values(), Counter()))]


def _row(kind: str, counted: Counter[str]) -> dict[str, Any]:
    return {
        "kind": kind,
        "cases": counted.total(),
        **{what: counted[what] for what in (*WELL, *FAULTS)},
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The figures as a table of a document."""
    return as_markdown(COLUMNS, [[row[column] for column in COLUMNS] for row in rows])


def save(one: Found, folder: Path) -> Path:
    """Keep the file of a fault, as small as its fault allows."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(one.case, configs.Case):
        mutated = configs.make(one.case)
        path = folder / f"{one.case.name}-{Path(mutated.file).name}"
        path.write_bytes(mutated.content)
        return path
    endless = one.verdict.what == "no end" or one.case.kind == "bombs"
    written = tables.make(one.case) if endless else tables.smallest(one.case, one.verdict.what)
    path = folder / f"{one.case.name}{written.suffix}"
    path.write_bytes(written.content)
    return path


def report(found: list[Found], folder: Path) -> None:
    """Print the faults, each with its file and how to repeat it, and the figures."""
    for one in found:
        if one.verdict.is_fault:
            print(f"\n{one.verdict.what}: {one.case.kind}, {one.case.name}: {one.verdict.words}")
            print(f"  the file: {save(one, folder)}")
            print(f"  again: make fuzz only={one.case.name} seed={one.case.seed}")
    print(f"\n{table(figures(found))}")


def repeat(name: str, seed: int) -> list[Found]:
    """One case, by its name."""
    form, _, number = name.rpartition("-")
    for module, known in ((tables, tables.FORMS), (configs, configs.MUTATIONS)):
        if form in known and number.isdigit():
            return list(run([module.Case(form, int(number), seed)], module.judge))
    sys.exit(f"fuzz: only={name}: no such case; they are called FORM-NUMBER, such as commas-0")


def keep(found: list[Found]) -> None:
    """Keep the figures beside the document that shows them, and in it."""
    with KEPT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(figures(found))
    show("fuzz", table(figures(found)))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--configs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="go on with the next seeds for so long")
    parser.add_argument("--only", help="repeat this case")
    parser.add_argument("--keep", action="store_true", help=f"into {KEPT.relative_to(ROOT)}")
    parser.add_argument("--out", type=Path, default=Path("results/fuzz"), help="files of faults")
    given = parser.parse_args()
    started, seed = time.monotonic(), given.seed
    if given.only:
        found = repeat(given.only, seed)
        print(*(f"{one.case.name}: {one.verdict.what}: {one.verdict.words}" for one in found))
    else:
        found = list(find(given.tables, given.configs, seed))
        while given.minutes and time.monotonic() - started < 60 * given.minutes:
            seed += 1
            found += find(given.tables, given.configs, seed)
    report(found, given.out)
    print(f"\nseeds {given.seed} to {seed}, {time.monotonic() - started:.0f} seconds")
    if given.keep:
        keep(found)
    sys.exit(any(one.verdict.is_fault for one in found))

"""Tables of noise: how often is the answer of `steadfast.StabilityReport` green?

`python bench/noise.py [--only WORD] [--tables N] [--seed S] [--part I/N] [--keep]` draws the tables
of `noise_tables.py`, 200 in all, runs a report with its defaults on each, and prints how many
answers are green (trust), amber (caution) or nothing. `--only` takes scenarios whose name contains
the word, `--tables` the first N tables of each. `--only faint` runs tables that no warning detects
reliably, which are not counted among the 200. Shadow features are left out (`probes=False`), as
the verdict does not depend on them where there are q-values.

Each finished table is a row of `results/noise/tables.csv`. A stopped run continues after the last
row; delete the file to compute all tables again, as after a change of the code. Two processes share
the work with `--part 1/2` and `--part 2/2`. `--keep` writes the figures to docs/trust.md and
`docs/trust/noise_verdicts.csv` once all tables are finished. The exit code is 1 where more answers
are green than `MOST_GREEN`.
"""

import argparse
import csv
import io
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from noise_tables import FAINT_SCENARIOS, SCENARIOS, Scenario, make_table
from shown import ROOT, as_markdown, show
from sklearn import config_context
from threadpoolctl import threadpool_limits

from steadfast import StabilityReport
from steadfast.api.data import to_table
from steadfast.core.files import csv_to_bytes
from steadfast.experiments.q_values import find_q_values

DOCUMENT = ROOT / "docs/trust.md"
KEPT = ROOT / "docs/trust/noise_verdicts.csv"
TABLES = ROOT / "results/noise/tables.csv"

#: So many green answers are accepted among all tables.
MOST_GREEN = 2

FIELDS = ("seed", "scenario", "number", "verdict", "doubts", "trusted", "smallest_q", "seconds")
HEADER = ("Scenario", "tables", "green", "amber", "nothing", "smallest q", "why amber")

#: Between the doubts of a table, and between its trusted features.
BETWEEN = "; "


def judge(scenario: Scenario, number: int, seed: int, **options: Any) -> dict[str, Any]:
    """The answer on one table, as a row of `TABLES`; `options` replace defaults of the report.

    Where no feature has a small q-value the answer is `nothing`, whatever selectors show, so that
    they are not run.
    """
    started, name = time.process_time(), f"{scenario.name}-{number}"
    drawn = make_table(scenario, number, seed)
    table, _ = to_table(*drawn, name=name, title=name)
    q_values = find_q_values(table, seed=seed, dataset=name)
    found = ("nothing", "", "")
    if q_values.trusted.any():
        found = _report(drawn, name, seed, **options)
    seconds = time.process_time() - started
    row = (seed, scenario.name, number, *found, f"{q_values.q.min():.3g}", f"{seconds:.1f}")
    return dict(zip(FIELDS, map(str, row), strict=True))


def _report(drawn: tuple, name: str, seed: int, **options: Any) -> tuple[str, str, str]:
    """Verdict, doubts and trusted features of a report with its defaults."""
    # Results are the same with one thread and without the checks that scikit-learn repeats.
    with threadpool_limits(1), config_context(assume_finite=True, skip_parameter_validation=True):
        report = StabilityReport(probes=False, seed=seed, name=name, **options).fit(*drawn)
    advice, features = report.evidence_["advice"], report.evidence_["features"]
    trusted = [features[row["feature"]]["name"] for row in advice["consensus"] if row["trusted"]]
    return advice["verdict"], BETWEEN.join(advice["doubts"]), BETWEEN.join(trusted)


def read() -> dict[tuple[str, ...], dict[str, str]]:
    """The finished tables by seed, scenario and number; a line that was cut off does not count."""
    if not TABLES.exists():
        return {}
    with TABLES.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if None not in (*row, *row.values())]
    return {tuple(row[key] for key in FIELDS[:3]): row for row in rows}


def append(row: Mapping[str, str]) -> None:
    """Add a row in one write, so that two processes can share the file."""
    TABLES.parent.mkdir(parents=True, exist_ok=True)
    lines = io.StringIO()
    writer = csv.DictWriter(lines, FIELDS, lineterminator="\n")
    with TABLES.open("a", encoding="utf-8") as file:
        if not file.tell():
            writer.writeheader()
        writer.writerow(row)
        file.write(lines.getvalue())


def summarise(rows: Sequence[Mapping[str, str]]) -> list[list[str]]:
    """One row for each scenario that has tables, and one of all."""
    found = []
    for one in (*SCENARIOS, *FAINT_SCENARIOS):
        own = [row for row in rows if row["scenario"] == one.name]
        found += [_counted(one.label, own)] if own else []
    return [*found, _counted("all", rows)]


def _counted(label: str, rows: Sequence[Mapping[str, str]]) -> list[str]:
    verdicts = Counter(row["verdict"] for row in rows)
    amber = [row["doubts"].split(BETWEEN) for row in rows if row["verdict"] == "caution"]
    # A doubt may end with a number of its own in brackets.
    doubts = Counter(doubt.partition(" (")[0] for one in amber for doubt in one).most_common(3)
    counts = [len(rows), *(verdicts[kind] for kind in ("trust", "caution", "nothing"))]
    smallest = min(float(row["smallest_q"]) for row in rows)
    return [label, *map(str, counts), f"{smallest:.2g}", ", ".join(f"{d} ({n})" for d, n in doubts)]


def as_table(rows: Sequence[Sequence[str]]) -> str:
    """The summary as a table of a document; its last column holds words."""
    return as_markdown(HEADER, rows).replace(" ---: |\n", " --- |\n", 1)


def keep(rows: Sequence[Sequence[str]]) -> None:
    """Keep the figures next to the document that shows them, and in it."""
    KEPT.write_bytes(csv_to_bytes(HEADER, rows))
    show("noise", as_table(rows), DOCUMENT)


def _part(text: str) -> slice:
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise ValueError
    return slice(part - 1, None, parts)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="WORD", default="", help="scenarios with it in the name")
    parser.add_argument("--tables", metavar="N", type=int, help="the first N of each scenario")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", metavar="I/N", type=_part, default="1/1", help="such as 1/2")
    parser.add_argument("--keep", action="store_true", help="write docs/trust.md and its figures")
    given = parser.parse_args()
    if not _chosen(given.only):
        names = [one.name for one in (*SCENARIOS, *FAINT_SCENARIOS)]
        parser.error(f"--only: names are {', '.join(names)}")
    return given


def _chosen(word: str) -> list[Scenario]:
    """Scenarios with the word in their name; the faint ones only where the word asks for them."""
    faint = FAINT_SCENARIOS if word else ()
    return [one for one in (*SCENARIOS, *faint) if word in one.name]


def main() -> None:
    """Draw, judge, print, keep."""
    given = _arguments()
    tasks = {
        (str(given.seed), one.name, str(number)): (one, number, given.seed)
        for one in _chosen(given.only)
        for number in range(one.tables)[: given.tables]
    }
    finished = read()
    for key in list(tasks)[given.part]:
        if key not in finished:
            row = judge(*tasks[key])
            append(row)
            print("noise:", *row.values(), sep=" | ", file=sys.stderr, flush=True)
    rows = [row for key, row in read().items() if key in tasks]
    if rows:
        print(as_table(summarise(rows)))
    if len(rows) < len(tasks):
        print(f"noise: {len(tasks) - len(rows)} of {len(tasks)} tables are still to be done")
    elif given.keep and given.tables is None and not given.only:
        keep(summarise(rows))
    elif given.keep:
        print("noise: not kept: only the run of all scenarios is")
    counted = [row for row in rows if row["scenario"] in {one.name for one in SCENARIOS}]
    sys.exit(sum(row["verdict"] == "trust" for row in counted) > MOST_GREEN)


if __name__ == "__main__":
    main()

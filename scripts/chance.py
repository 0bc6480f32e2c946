"""The stability that random selection would have on one data set, for every measure and size."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.measures.kinds import load
from steadfast.measures.similarity import read_similarities
from steadfast.measuring.expected import expected_curve
from steadfast.selectors.running.fold_file import CHOSEN

HEADER = ("measure", "compare", "k", "value", "found")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--bins", type=Path, help="the data set in bins (.npz), if a measure asks")
    parser.add_argument("--measures", type=json.loads, required=True, help="JSON, as for stability")
    parser.add_argument("--runs", type=cli.size, required=True, help="folds that are compared")
    parser.add_argument("--sizes", type=cli.size, nargs="*", default=[], help="all if left out")
    parser.add_argument("--seed", type=int, required=True, help="for values that are simulated")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    m = len(read_table(given.table).features)
    depth = min(m, max(given.sizes or [m]))
    similarities = read_similarities(given.bins, given.table)
    rows = []
    for use in given.measures:
        if use["compare"] == CHOSEN:  # by chance, it depends on the sizes that were chosen
            continue
        measure = load(use["measure"], similarities)
        n_runs = 2 if use["compare"] == "reference" else given.runs
        names = [given.table.stem]
        values = expected_curve(measure, m, depth, n_runs, seed=given.seed, names=names)
        rows += [
            (use["measure"], use["compare"], k, value, measure.about.chance)
            for k, value in enumerate(values, start=1)
        ]
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

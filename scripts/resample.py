"""Draw the folds of a study on a data set: which rows train and which test."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.data.table import read_table
from steadfast.resampling.folds import write_plan
from steadfast.resampling.grouped import draw
from steadfast.resampling.schemes import create


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--study", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: scheme and more")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    names = (given.study, given.table.stem)
    folds = list(draw(create(given.settings), table, given.seed, names))
    write_plan(folds, table.y, table.classes, given.out)


if __name__ == "__main__":
    cli.run(main)

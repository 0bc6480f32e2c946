"""Features that a selector ranks ahead of shuffled copies of all features, fold by fold."""

import argparse
import json
from pathlib import Path

from steadfast.advice.evidence import page_folds
from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.resampling.fewer_rows import FewerRows
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.probes import HEADER, ahead_in_fold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--ratio", type=float, required=True, help="of the folds to take")
    parser.add_argument("--selector", type=json.loads, required=True, help="JSON: use, params")
    parser.add_argument("--discretise", type=json.loads, help="JSON: bins fitted inside the fold")
    parser.add_argument("--rows", type=cli.size, help="rank on at most so many training rows")
    parser.add_argument(
        "--seed", type=int, required=True, help="for copies, and selectors that draw"
    )
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    rows = []
    fewer = FewerRows(table.y, given.seed, given.table.stem)
    for fold in page_folds(read_plan(given.plan), given.ratio):
        ahead = ahead_in_fold(
            given.selector,
            table,
            fewer.training(fold, given.rows),
            seed=given.seed,
            dataset=given.table.stem,
            discretise=given.discretise,
        )
        rows += [
            (fold.name, rank, table.features[column]) for rank, column in enumerate(ahead, start=1)
        ]
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

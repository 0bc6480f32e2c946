"""How far relevance, redundancy and score vary along the sequence of the whole data set."""

import argparse
import json
from pathlib import Path

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.experiments.criterion_variation import HEADER, criterion_rows
from steadfast.selectors.mrmr import MRMR
from steadfast.selectors.running.select import select


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bins", type=Path, help="the data set in bins (.npz)")
    parser.add_argument("--selector", type=json.loads, required=True, help="JSON: use and params")
    parser.add_argument("--bootstraps", type=int, default=50)
    parser.add_argument("--study", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    table = read_table(given.bins)
    names = (given.study, given.bins.stem)
    fitted = select(given.selector, table.X, table.y, seed=given.seed, names=names)
    if not isinstance(fitted, MRMR):
        raise UserError(f"--selector: {given.selector['use']} has no relevance and redundancy")
    rows = criterion_rows(
        fitted, np.ascontiguousarray(table.X.T), table, given.bootstraps, given.seed, names
    )
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

"""The q-value of every feature of a data set: what share of noise is expected up to it."""

import argparse
from pathlib import Path

import numpy as np

from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.experiments.q_values import HEADER, find_q_values, q_value_rows
from steadfast.resampling.fewer_rows import FewerRows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--rows", type=cli.size, help="look at no more rows; all if left out")
    parser.add_argument("--seed", type=int, required=True, help="for shuffles and copies")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    if given.rows:
        fewer = FewerRows(table.y, given.seed, given.table.stem)
        table = table.take(fewer.first(np.arange(len(table.y)), given.rows))
    found = find_q_values(table, seed=given.seed, dataset=given.table.stem)
    write_with_manifest({given.out: table_to_bytes(HEADER, q_value_rows(found, table.features))})


if __name__ == "__main__":
    cli.run(main)

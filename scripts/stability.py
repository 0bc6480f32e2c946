"""Stability of one selector on one data set, for every measure and subset size."""

import argparse
from pathlib import Path

import numpy as np

from steadfast import cli
from steadfast.data.table import read_table
from steadfast.files import table_to_bytes, write_with_manifest
from steadfast.resample import read_plan
from steadfast.selections import read_sequences
from steadfast.stability import HEADER, stability_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "manifests",
        type=Path,
        nargs="+",
        help="checksums of the folds' files, which lie beside them",
    )
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--bins", type=Path, required=True, help="the data set in bins (.npz)")
    parser.add_argument("--measures", nargs="+", required=True)
    parser.add_argument("--sizes", type=cli.size, nargs="*", default=[], help="all if left out")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    table = read_table(given.bins)
    bins = np.ascontiguousarray(table.X.T)
    folds = read_plan(given.plan)
    names = [fold.name for fold in folds]
    sequences = read_sequences(given.manifests, names, table.features)
    rows = (
        row
        for measure in given.measures
        for row in stability_rows(measure, folds, sequences, bins, given.sizes or None)
    )
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

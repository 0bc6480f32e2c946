"""Stability of selectors on one data set, for every measure and subset size; one file each."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.measures.similarity import read_similarities
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import by_selector, read_selections
from steadfast.stability.curves import HEADER, UNITS_HEADER, measure_stability, zero_weight_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "manifests",
        type=Path,
        nargs="+",
        help="checksums of the folds' files, which lie beside them",
    )
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--table", type=Path, required=True, help="the data set (.npz)")
    parser.add_argument("--bins", type=Path, help="the data set in bins (.npz), if a measure asks")
    parser.add_argument(
        "--measures",
        type=json.loads,
        required=True,
        help='JSON: [{"measure": "jaccard", "compare": "reference"}, …]',
    )
    parser.add_argument("--sizes", type=cli.size, nargs="*", default=[], help="all if left out")
    parser.add_argument("--runs", type=cli.size, help="only the first folds; all if left out")
    parser.add_argument("--seed", type=int, required=True, help="for ties broken at random")
    parser.add_argument("--ties", choices=("column", "random"), default="column")
    parser.add_argument("--out", type=Path, required=True, help="folder for the selectors' files")
    given = parser.parse_args()

    features = read_table(given.table).features
    folds = read_plan(given.plan)[: given.runs]
    names = [fold.name for fold in folds]
    similarities = read_similarities(given.bins, given.table)
    sizes = given.sizes or None
    for selector, manifests in by_selector(given.manifests).items():
        selections = read_selections(manifests, names, features, ties=given.ties, seed=given.seed)
        rows, unit_rows = [], []
        for asked in given.measures:
            for found in measure_stability(
                asked, folds, selections, similarities, len(features), given.seed, sizes
            ):
                rows.extend(found.rows(sizes))
                unit_rows.extend(found.unit_rows(sizes))
        unit_rows.extend(zero_weight_rows(folds, selections, len(features)))
        contents = {
            given.out / f"{selector}.tsv": table_to_bytes(HEADER, rows),
            given.out / f"{selector}.units.tsv": table_to_bytes(UNITS_HEADER, unit_rows),
        }
        write_with_manifest(contents)


if __name__ == "__main__":
    cli.run(main)

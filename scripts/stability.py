"""Stability of a selector on one data set, after all its transforms, by measure and size."""

import argparse
import json
from pathlib import Path

import numpy as np

from steadfast.core import cli
from steadfast.core.files import arrays_to_bytes, table_to_bytes, write_with_manifest
from steadfast.core.paths import split_name
from steadfast.data.table import read_table
from steadfast.measures.declare import PAGE_MEASURE
from steadfast.measures.similarity import read_similarities
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import by_selector, read_selections
from steadfast.stability.curves import (
    HEADER,
    UNITS_HEADER,
    measure_stability,
    units_key,
    zero_weight_rows,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "manifests",
        type=Path,
        nargs="+",
        help="checksums of the folds' files, which lie beside them; after several transforms, "
        "of one selector",
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
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    features = read_table(given.table).features
    folds = read_plan(given.plan)[: given.runs]
    names = [fold.name for fold in folds]
    similarities = read_similarities(given.bins, given.table)
    sizes = given.sizes or None
    rows, unit_rows, units = [], [], {}
    for selector, manifests in by_selector(given.manifests).items():
        selections = read_selections(manifests, names, features, ties=given.ties, seed=given.seed)
        transform = split_name(selector)[1]
        before = [transform] if transform else []
        for use in given.measures:
            for one in measure_stability(
                use, folds, selections, similarities, len(features), given.seed, sizes
            ):
                rows.extend((*before, *row) for row in one.rows(sizes))
                unit_rows.extend((*before, *row) for row in one.unit_rows(sizes))
                if use["measure"] == PAGE_MEASURE:
                    units[units_key(transform, use["compare"], one.ratio)] = one.estimate.units
        zeros = zero_weight_rows(folds, selections, len(features))
        unit_rows.extend((*before, *row) for row in zeros)
    first = ["transform"] if transform else []
    write_with_manifest(
        {
            given.out: table_to_bytes([*first, *HEADER], rows),
            given.out.with_suffix(".units.tsv"): table_to_bytes([*first, *UNITS_HEADER], unit_rows),
            given.out.with_suffix(".units.npz"): arrays_to_bytes(
                **{key: np.asarray(values) for key, values in units.items()}
            ),
        }
    )


if __name__ == "__main__":
    cli.run(main)

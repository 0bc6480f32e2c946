"""Accuracy of classifiers on selectors' subsets of one data set, by size; one file each."""

import argparse
import json
from pathlib import Path

from steadfast.accuracy.rows import HEADER, accuracy_rows, fold_classes
from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import by_selector, read_selections


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
    parser.add_argument(
        "--classifiers", type=json.loads, required=True, help="JSON: id to settings"
    )
    parser.add_argument("--sizes", type=cli.size, nargs="*", default=[], help="all if left out")
    parser.add_argument("--runs", type=cli.size, help="only the first folds; all if left out")
    parser.add_argument("--ties", choices=("column", "random"), default="column")
    parser.add_argument("--seed", type=int, default=0, help="for random ties, and for k-means")
    parser.add_argument("--out", type=Path, required=True, help="folder for the selectors' files")
    given = parser.parse_args()

    table = read_table(given.table)
    folds = read_plan(given.plan)[: given.runs]
    names = [fold.name for fold in folds]
    place = given.seed, given.table.stem
    truths = {
        name: fold_classes(settings, folds, table.X, place, table.levels)
        for name, settings in given.classifiers.items()
    }
    for selector, manifests in by_selector(given.manifests).items():
        selections = read_selections(
            manifests, names, table.features, ties=given.ties, seed=given.seed
        )
        rows = (
            row
            for name, settings in given.classifiers.items()
            for row in accuracy_rows(
                *(name, settings, folds, selections, table.X, table.y),
                given.sizes or None,
                truths[name],
                place,
                table.levels,
            )
        )
        write_with_manifest({given.out / f"{selector}.tsv": table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

"""Stability of a selector on one data set, after all its transforms, by measure and size."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from steadfast.core import cli
from steadfast.core.files import arrays_to_bytes, table_to_bytes, write_with_manifest
from steadfast.core.paths import split_name
from steadfast.data.table import read_table
from steadfast.measures.declare import PAGE_MEASURE
from steadfast.measures.similarity import read_similarities
from steadfast.measuring.curves import (
    HEADER,
    UNITS_HEADER,
    Stability,
    measure_stability,
    units_key,
    zero_weight_rows,
)
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import by_selector, read_selections


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
    files = Measured()
    for selector, manifests in by_selector(given.manifests).items():
        selections = read_selections(manifests, names, features, ties=given.ties, seed=given.seed)
        for use in given.measures:
            for one in measure_stability(
                use, folds, selections, similarities, len(features), given.seed, sizes
            ):
                files.add(split_name(selector)[1], one, sizes)
        files.add_units(split_name(selector)[1], zero_weight_rows(folds, selections, len(features)))
    write_with_manifest(files.contents(given.out))


class Measured:
    """What the files of a selector hold; a column says after which transform, if after any."""

    def __init__(self):
        self.rows: list[tuple] = []
        self.unit_rows: list[tuple] = []
        self.units_by_size: dict[str, np.ndarray] = {}
        self.transforms: set[str] = set()

    def add(self, transform: str, one: Stability, sizes: list[int] | None) -> None:
        """Stability under one measure at one ratio."""
        self.transforms.add(transform)
        self.rows += [(*filter(None, [transform]), *row) for row in one.rows(sizes)]
        self.add_units(transform, one.unit_rows(sizes))
        if one.measure.about.name == PAGE_MEASURE:
            key = units_key(transform, one.compare, one.ratio)
            self.units_by_size[key] = np.asarray(one.estimate.units)

    def add_units(self, transform: str, rows: Iterable[tuple]) -> None:
        self.unit_rows += [(*filter(None, [transform]), *row) for row in rows]

    def contents(self, path: Path) -> dict[Path, bytes]:
        """The files beside each other, by their paths."""
        first = ["transform"] if any(self.transforms) else []
        return {
            path: table_to_bytes([*first, *HEADER], self.rows),
            path.with_suffix(".units.tsv"): table_to_bytes([*first, *UNITS_HEADER], self.unit_rows),
            path.with_suffix(".units.npz"): arrays_to_bytes(**self.units_by_size),
        }


if __name__ == "__main__":
    cli.run(main)

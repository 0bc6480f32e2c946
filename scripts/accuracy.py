"""Accuracy of classifiers on the subsets of one selector, after each of its transforms, by size."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steadfast.accuracy.rows import all_accuracy_rows, all_truths, header, transforms_of
from steadfast.accuracy.scores import SCORES, USUAL
from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.table import read_table
from steadfast.resampling.fewer_rows import FewerRows
from steadfast.resampling.folds import read_plan
from steadfast.selectors.running.fold_file import by_selector, read_selections


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "manifests",
        type=Path,
        nargs="+",
        help="checksums of the folds' files, which lie beside them; in the folder SELECTOR, or in "
        "SELECTOR+TRANSFORM for every transform",
    )
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--table", type=Path, required=True, help="the data set (.npz)")
    parser.add_argument(
        "--classifiers", type=json.loads, required=True, help="JSON: id to settings"
    )
    parser.add_argument("--sizes", type=cli.size, nargs="*", default=[], help="all if left out")
    parser.add_argument("--runs", type=cli.size, help="only the first folds; all if left out")
    parser.add_argument(
        "--rows",
        type=json.loads,
        default={},
        help="JSON: at most so many training rows, by classifier",
    )
    parser.add_argument("--ties", choices=("column", "random"), default="column")
    parser.add_argument("--seed", type=int, default=0, help="for random ties, and classifiers")
    parser.add_argument(
        "--scoring", nargs="+", choices=list(SCORES), default=USUAL, help="accuracy if left out"
    )
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    selectors = by_selector(given.manifests)
    transforms = transforms_of(list(selectors))
    rows, columns = score(given, selectors), header(given.scoring)
    if not any(transforms.values()):
        content = table_to_bytes(columns, (row for _, row in rows))
    else:
        content = table_to_bytes(
            ("transform", *columns), ((transforms[selector], *row) for selector, row in rows)
        )
    write_with_manifest({given.out: content})


def score(
    given: argparse.Namespace, selectors: dict[str, list[Path]]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Rows of all classifiers, each with the selector (after its transform) that it is about."""
    table = read_table(given.table)
    folds = read_plan(given.plan)[: given.runs]
    names = [fold.name for fold in folds]
    place = given.seed, given.table.stem
    fewer = FewerRows(table.y, given.seed, given.table.stem)
    own_folds = {
        name: [fewer.both(fold, given.rows.get(name)) for fold in folds]
        for name in given.classifiers
    }
    truths = all_truths(given.classifiers, own_folds, table, place)
    for selector, manifests in selectors.items():
        selections = read_selections(
            manifests, names, table.features, ties=given.ties, seed=given.seed
        )
        sizes = given.sizes or None
        for row in all_accuracy_rows(
            given.classifiers, truths, own_folds, selections, table, sizes, place, given.scoring
        ):
            yield selector, row


if __name__ == "__main__":
    cli.run(main)

"""Select features on the training rows of some folds; a file per fold says what, and why."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from steadfast.core import cli
from steadfast.core.errors import look_up
from steadfast.core.files import write_with_manifest
from steadfast.core.packs import write_pack
from steadfast.data.table import Table, read_table
from steadfast.resampling.fewer_rows import FewerRows
from steadfast.resampling.folds import Fold, read_plan
from steadfast.selectors.running.select_fold import select_fold
from steadfast.selectors.running.unfinished import Unfinished

#: A fold that took this many seconds is kept when its job is killed.
WORTH_KEEPING = 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set, numbers or bins (.npz)")
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--folds", nargs="+", required=True, help="names of the folds")
    parser.add_argument(
        "--selector", type=json.loads, required=True, help="JSON: use, params, time_limit"
    )
    parser.add_argument("--dataset", help="its name, for draws; that of the file if left out")
    parser.add_argument(
        "--transform", type=json.loads, help="JSON: use, params: what is done inside the fold first"
    )
    parser.add_argument("--note", default="", help="printed in every fold's file")
    parser.add_argument("--discretise", type=json.loads, help="JSON: bins fitted inside the fold")
    parser.add_argument(
        "--all-rows", action="store_true", help="select on all rows, those that test too"
    )
    parser.add_argument(
        "--chain", action="store_true", help="each run goes on from the one before it"
    )
    parser.add_argument("--rows", type=cli.size, help="select on at most so many training rows")
    parser.add_argument("--seed", type=int, required=True, help="for selectors that draw")
    parser.add_argument(
        "--manifest", type=Path, required=True, help="checksums; the folds' files go beside them"
    )
    parser.add_argument("--pack", action="store_true", help="the folds' files in an archive, too")
    parser.add_argument(
        "--code", help="digest of the code; with it, slow folds outlive a killed job"
    )
    given = parser.parse_args()

    table = read_table(given.table)
    folds = {fold.name: fold for fold in read_plan(given.plan)}
    settings = [given.selector, given.transform, given.note, given.discretise, given.seed]
    settings += [given.all_rows, given.rows]
    dataset = given.dataset or given.table.stem
    fewer = FewerRows(table.y, given.seed, dataset) if given.rows else None
    # A fold's file does not hold what the next one of a chain needs.
    kept = given.code and not given.chain
    depends_on = [given.code, *settings] if kept else None
    unfinished = Unfinished(given.manifest, depends_on, [given.table, given.plan])
    contents: dict[Path, bytes] = {}
    before: dict[tuple[str, float], Any] = {}
    for name in given.folds:
        fold = look_up("fold", name, folds)
        if fewer is not None:
            fold = fewer.training(fold, given.rows)
        content = unfinished.get(name)
        if content is None:
            started = cli.computation_seconds()
            content = _select_fold(table, fold, given, before)
            seconds = cli.computation_seconds() - started
            print(f"{name}: {seconds:.3f} s", file=sys.stderr, flush=True)
            if seconds >= WORTH_KEEPING:
                unfinished.put(name, content)
        contents[given.manifest.parent / f"{name}.tsv"] = content
    write_with_manifest(contents, given.manifest)
    if given.pack:
        write_pack(contents, given.manifest)
    unfinished.clear()


def _select_fold(
    table: Table,
    fold: Fold,
    given: argparse.Namespace,
    before: dict[tuple[str, float], Any],
) -> bytes:
    """The file of a fold; one that took too long says so.

    `before` holds the last run of each chain: of the folds that are compared with each other.
    """
    chain = (fold.comparison, fold.ratio)
    content, fitted = select_fold(
        given.selector,
        table,
        fold,
        seed=given.seed,
        dataset=given.dataset or given.table.stem,
        note=given.note,
        all_rows=given.all_rows,
        transform=given.transform,
        discretise=given.discretise,
        before=before.get(chain),
    )
    if fitted is None:
        print(f"{fold.name}: stopped by its time limit", file=sys.stderr)
    elif given.chain:
        before[chain] = fitted
    return content


if __name__ == "__main__":
    cli.run(main)

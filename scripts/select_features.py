"""Select features on the training rows of some folds; a file per fold says what, and why."""

import argparse
import json
import sys
from pathlib import Path

from steadfast.core import cli
from steadfast.core.errors import look_up
from steadfast.core.files import write_with_manifest
from steadfast.data.table import Table, read_table
from steadfast.resampling.folds import Fold, read_plan
from steadfast.selectors.running.fold_file import failure_to_bytes, selection_to_bytes
from steadfast.selectors.running.select import TimeLimitError, select
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
    parser.add_argument("--seed", type=int, required=True, help="for selectors that draw")
    parser.add_argument(
        "--manifest", type=Path, required=True, help="checksums; the folds' files go beside them"
    )
    parser.add_argument(
        "--code", help="digest of the code; with it, slow folds outlive a killed job"
    )
    given = parser.parse_args()

    table = read_table(given.table)
    folds = {fold.name: fold for fold in read_plan(given.plan)}
    settings = [given.selector, given.transform, given.note, given.discretise, given.seed]
    depends_on = [given.code, *settings] if given.code else None
    unfinished = Unfinished(given.manifest, depends_on, [given.table, given.plan])
    contents = {}
    for name in given.folds:
        fold = look_up("fold", name, folds)
        content = unfinished.get(name)
        if content is None:
            started = cli.computation_seconds()
            content = _select_fold(table, fold, given)
            seconds = cli.computation_seconds() - started
            print(f"{name}: {seconds:.3f} s", file=sys.stderr, flush=True)
            if seconds >= WORTH_KEEPING:
                unfinished.put(name, content)
        contents[given.manifest.parent / f"{name}.tsv"] = content
    write_with_manifest(contents, given.manifest)
    unfinished.clear()


def _select_fold(table: Table, fold: Fold, given: argparse.Namespace) -> bytes:
    """The file of a fold; one that took too long says so."""
    try:
        fitted = select(
            given.selector,
            table.X[fold.train],
            table.y[fold.train],
            seed=given.seed,
            names=(given.dataset or given.table.stem, fold.name),
            transform=given.transform,
            discretise=given.discretise,
            levels=table.levels,
        )
    except TimeLimitError as error:
        print(f"{fold.name}: {error}", file=sys.stderr)
        return failure_to_bytes(str(error))
    return selection_to_bytes(fitted, table.features, given.note)


if __name__ == "__main__":
    cli.run(main)

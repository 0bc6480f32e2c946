"""Select features on the training rows of some folds; one file a fold: what was picked, and why."""

import argparse
import json
from pathlib import Path

from steadfast import cli
from steadfast.data.table import read_table
from steadfast.errors import look_up
from steadfast.files import write_with_manifest
from steadfast.resample import read_plan
from steadfast.selecting import select
from steadfast.selections import selection_to_bytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set, numbers or bins (.npz)")
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--folds", nargs="+", required=True, help="names of the folds")
    parser.add_argument("--selector", type=json.loads, required=True, help="JSON: use and params")
    parser.add_argument("--discretise", type=json.loads, help="JSON: bins fitted inside the fold")
    parser.add_argument("--seed", type=int, required=True, help="for selectors that draw")
    parser.add_argument("--out", type=Path, required=True, help="folder for the folds' files")
    parser.add_argument("--manifest", type=Path, required=True, help="their checksums")
    given = parser.parse_args()

    table = read_table(given.table)
    folds = {fold.name: fold for fold in read_plan(given.plan)}
    contents = {}
    for name in given.folds:
        rows = look_up("fold", name, folds).train
        fitted = select(
            given.selector,
            table.X[rows],
            table.y[rows],
            seed=given.seed,
            names=(given.table.stem, name),
            discretise=given.discretise,
        )
        contents[given.out / f"{name}.tsv"] = selection_to_bytes(fitted, table.features)
    write_with_manifest(contents, given.manifest)


if __name__ == "__main__":
    cli.run(main)

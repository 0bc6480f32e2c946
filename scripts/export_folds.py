"""Write the training rows of a fold as text, for selectors that are a rule in any language."""

import argparse
from pathlib import Path

from steadfast.core import cli
from steadfast.core.errors import look_up
from steadfast.core.files import write_atomically
from steadfast.data.table import read_table
from steadfast.resampling.folds import read_plan, require_classes
from steadfast.selectors.running.rankings import fold_to_csv


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--fold", required=True, help="name of the fold")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    folds = {fold.name: fold for fold in read_plan(given.plan)}
    train = look_up("fold", given.fold, folds).train
    require_classes(table.y[train], f"{given.table.stem}/{given.fold}")
    content = fold_to_csv(table.X[train], table.y[train], table.features, table.levels)
    write_atomically(given.out, content)


if __name__ == "__main__":
    cli.run(main)

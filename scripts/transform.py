"""Transform the rows of a data set before they are split; the file is built like the data's."""

import argparse
import json
from pathlib import Path

import numpy as np

from steadfast.core import cli
from steadfast.data.encoding import complete_numbers
from steadfast.data.table import Table, read_table, save
from steadfast.resampling.folds import Fold, read_plan
from steadfast.transforms.running import ALL, FROZEN, Rows, describe_transform, transform_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--plan", type=Path, required=True, help="the folds (.npz)")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: use and params")
    parser.add_argument("--learn", choices=(ALL, FROZEN), required=True, help="from which rows")
    parser.add_argument("--seed", type=int, required=True, help="for transforms that draw")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    X, y = _transform(table, read_plan(given.plan), given)
    classes = (
        table.classes if y is table.y else tuple(f"cluster_{i + 1}" for i in range(y.max() + 1))
    )
    about = {
        "transform": describe_transform({**given.settings, "learn": given.learn}),
        **given.settings,
    }
    save(Table(X, y, table.features, classes, (), table.groups), about, given.out)


def _transform(table: Table, folds: list[Fold], given: argparse.Namespace) -> Rows:
    """All rows and their labels; those in no fold are as they were, and no job looks at them."""
    X, y = complete_numbers(table, "transform"), table.y
    in_folds = np.zeros(len(y), dtype=bool)
    for fold in folds:
        in_folds[fold.train] = in_folds[fold.test] = True
    aside = (X[~in_folds], y[~in_folds]) if given.learn == FROZEN else None
    own = y[in_folds]
    rows, labels = transform_rows(
        given.settings,
        X[in_folds],
        own,
        seed=given.seed,
        names=(given.table.stem, "all rows"),
        learn_from=aside,
    )
    X = X.copy()
    X[in_folds] = rows
    if labels is own:
        return X, y
    every = np.zeros_like(y)
    every[in_folds] = labels
    return X, every


if __name__ == "__main__":
    cli.run(main)

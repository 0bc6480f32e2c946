"""Transform all rows of a data set at once, as published; the file is built like the data's."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.data.encoding import complete_numbers
from steadfast.data.table import Table, read_table, save
from steadfast.transforms.running import describe_transform, transform_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: use and params")
    parser.add_argument("--seed", type=int, required=True, help="for transforms that draw")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    X, y = transform_rows(
        given.settings,
        complete_numbers(table, "transform"),
        table.y,
        seed=given.seed,
        names=(given.table.stem, "all rows"),
    )
    classes = (
        table.classes if y is table.y else tuple(f"cluster_{i + 1}" for i in range(y.max() + 1))
    )
    about = {
        "transform": describe_transform({**given.settings, "as_published": True}),
        **given.settings,
    }
    save(Table(X, y, table.features, classes, (), table.groups), about, given.out)


if __name__ == "__main__":
    cli.run(main)

"""Put the numbers of a data set into bins fitted on all rows; the file is built like the data's."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from steadfast import cli
from steadfast.data.table import read_table, save
from steadfast.discretise import create


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: method and bins")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    binned = replace(table, X=create(given.settings).fit(table.X, table.y).transform(table.X))
    save(binned, {"fitted_on": "all rows", **given.settings}, given.out)


if __name__ == "__main__":
    cli.run(main)

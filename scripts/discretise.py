"""Put the numbers of a data set into bins fitted on all rows; the file is built like the data's."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from steadfast.core import cli
from steadfast.data.discretise import create
from steadfast.data.encoding import fill_gaps, with_codes
from steadfast.data.table import read_table, save


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: method and bins")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    X = fill_gaps(table.X)
    bins = with_codes(create(given.settings).fit(X, table.y).transform(X), X, table.levels)
    binned = replace(table, X=bins, levels=())
    save(binned, {"fitted_on": "all rows", **given.settings}, given.out)


if __name__ == "__main__":
    cli.run(main)

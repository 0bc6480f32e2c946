"""Stability of a selector on parts of a data set, by numbers of rows and features."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.data.encoding import complete_numbers
from steadfast.data.table import read_table
from steadfast.experiments.surface import HEADER, surface_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz)")
    parser.add_argument("--selector", type=json.loads, required=True, help="JSON: use, params")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: grid, size")
    parser.add_argument("--discretise", type=json.loads, help="JSON: bins fitted inside the fold")
    parser.add_argument("--study", required=True, help="its name, for draws")
    parser.add_argument("--seed", type=int, required=True, help="for draws")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    table = read_table(given.table)
    rows = surface_rows(
        replace(table, X=complete_numbers(table, "surface"), levels=()),
        given.selector,
        given.settings["grid"],
        given.settings["size"],
        seed=given.seed,
        names=(given.study, given.table.stem),
        discretise=given.discretise,
    )
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

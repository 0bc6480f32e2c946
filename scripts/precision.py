"""Share of the relevant features that selectors find on synthetic data, with and without noise."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.experiments.precision import HEADER, precision_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("features", type=cli.size, help="number of features of the data sets")
    parser.add_argument(
        "--settings", type=json.loads, required=True, help="JSON: a study's precision, and its runs"
    )
    parser.add_argument("--study", required=True, help="its name, for draws")
    parser.add_argument("--seed", type=int, required=True, help="for draws")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    rows = precision_rows(given.features, given.settings, seed=given.seed, study=given.study)
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

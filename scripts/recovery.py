"""What a selector chooses on data sets of a scenario of known truth: found and false features."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import table_to_bytes, write_with_manifest
from steadfast.experiments.recovery import HEADER, recovery_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario", help="its name, for draws and in the rows")
    parser.add_argument(
        "--settings", type=json.loads, required=True, help="JSON: scenario, sets, run, discretise"
    )
    parser.add_argument("--selector", required=True, help="its name in the study")
    parser.add_argument("--study", required=True, help="its name, for draws")
    parser.add_argument("--seed", type=int, required=True, help="for draws")
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    names = {"selector": given.selector, "study": given.study}
    rows = recovery_rows(given.scenario, given.settings, seed=given.seed, **names)
    write_with_manifest({given.out: table_to_bytes(HEADER, rows)})


if __name__ == "__main__":
    cli.run(main)

"""Build the table of times: how long the selections of a study took, beside the paper's times."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.core.paths import Paths
from steadfast.outputs.times import all_times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to build")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    paths = Paths(given.results).within(study=given.context["study"])
    table, page = all_times(given.context, paths)
    write_with_manifest({given.out: table, given.out.with_suffix(".md"): page})


if __name__ == "__main__":
    cli.run(main)

"""Build the table of times: how long the selections of a study took, beside the paper's times."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.tables.base import to_csv, to_markdown
from steadfast.outputs.times import times_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", type=Path, help="folder of the study's logs")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to build")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    result = times_table(given.context, given.logs, given.data)
    page = to_markdown(result, given.context["title"])
    write_with_manifest({given.out: to_csv(result), given.out.with_suffix(".md"): page})


if __name__ == "__main__":
    cli.run(main)

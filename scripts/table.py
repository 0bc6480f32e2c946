"""Build one table of a study as CSV (all digits) and Markdown (as printed)."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.captions import heading
from steadfast.outputs.tables.base import build_table, to_csv, to_markdown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="folder of the study's results")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to build")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    result = build_table(given.context, given.results, given.data)
    title = heading(given.out.stem, given.context["entry"]["title"])
    write_with_manifest(
        {given.out: to_csv(result), given.out.with_suffix(".md"): to_markdown(result, title)}
    )


if __name__ == "__main__":
    cli.run(main)

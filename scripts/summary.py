"""Summarise a study: how close it came to the paper, and which claims hold in this run."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import read_pairs
from steadfast.outputs.summary import summary_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="folder of the study's results")
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--published", type=Path, help="published beside ours (.csv)")
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: the study")
    parser.add_argument("--out", type=Path, required=True, help="the .md file to write")
    given = parser.parse_args()

    pairs = read_pairs(given.published) if given.published else []
    page = summary_page(given.context, pairs, given.results, given.data)
    write_with_manifest({given.out: page})


if __name__ == "__main__":
    cli.run(main)

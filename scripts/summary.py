"""Summarise a study: how close it came to the paper, and what was measured about its claims."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import read_pairs
from steadfast.outputs.summary import summary_page
from steadfast.outputs.view import View


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: the study")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--published", type=Path, help="published beside ours (.csv)")
    parser.add_argument("--out", type=Path, required=True, help="the .md file to write")
    given = parser.parse_args()

    pairs = read_pairs(given.published) if given.published else []
    page = summary_page(View(given.context, given.results), pairs)
    write_with_manifest({given.out: page})


if __name__ == "__main__":
    cli.run(main)

"""Write the page of the whole run: every study with its claims, verdicts, numbers and files."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.reports.index import index_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: the studies")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--out", type=Path, required=True, help="the .html file to write")
    given = parser.parse_args()

    write_with_manifest({given.out: index_page(given.context, given.results)})


if __name__ == "__main__":
    cli.run(main)

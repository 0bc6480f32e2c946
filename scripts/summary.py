"""Summarise a study: which claims of the paper hold, and how close the numbers came."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.claim import claims_file, judge_claims
from steadfast.outputs.published import group_by, read_pairs
from steadfast.outputs.results import Results
from steadfast.outputs.summary import summary_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: the study")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--published", type=Path, help="published beside ours (.csv)")
    parser.add_argument("--out", type=Path, required=True, help="the .md file to write")
    parser.add_argument("--claims", type=Path, required=True, help="the .json file to write")
    given = parser.parse_args()

    pairs = read_pairs(given.published) if given.published else []
    results = Results(given.context, given.results)
    claims = judge_claims(results, group_by(pairs, "table"))
    page = summary_page(results, pairs, claims)
    write_with_manifest({given.out: page, given.claims: claims_file(given.context, claims)})


if __name__ == "__main__":
    cli.run(main)

"""Write the page of a study: one HTML file that can be sent to a colleague."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.page.across import across_datasets
from steadfast.page.data import read_evidence
from steadfast.page.document import study_page
from steadfast.page.method import method
from steadfast.statistics.friedman import FEWEST_DATASETS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "evidence", type=Path, nargs="+", help="evidence of each data set (.json), in print order"
    )
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: the study")
    parser.add_argument("--out", type=Path, required=True, help="the .html file to write")
    given = parser.parse_args()

    evidence = [read_evidence(path) for path in given.evidence]
    if len(evidence) >= FEWEST_DATASETS:
        given.context["statistics"] = across_datasets(evidence)
    if "runs" in given.context:
        given.context["method"] = method(given.context)
    page = study_page(evidence, given.context)
    write_with_manifest({given.out: page})


if __name__ == "__main__":
    cli.run(main)

"""Build one table of a study as CSV (all digits) and Markdown (as printed)."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli, registry
from steadfast.core.files import write_with_manifest
from steadfast.outputs.captions import heading
from steadfast.outputs.results import Results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--context", type=json.loads, required=True, help="JSON: what to build")
    parser.add_argument("--results", required=True, help="folder of all results")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    kind = registry.load("table", given.context["entry"]["kind"]).kind
    results = Results(given.context, given.results)
    table = kind.make(results)
    page = table.to_markdown(heading(given.out.stem, results.heading), results.labels)
    write_with_manifest({given.out: table.to_csv(), given.out.with_suffix(".md"): page})


if __name__ == "__main__":
    cli.run(main)

"""How far the reproduction depends on the seed: one page over runs with different seeds."""

import argparse
from pathlib import Path

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import read_pairs
from steadfast.reports.spread import spread_page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder with one results folder per seed")
    parser.add_argument("--out", type=Path, required=True, help="the .md file to write")
    given = parser.parse_args()

    files = sorted(given.runs.glob("*/*/published.csv"))
    if not files:
        raise UserError(f"{given.runs}: no */*/published.csv in it; run `make spread` first")
    studies: dict[str, dict[str, list]] = {}
    for path in files:
        studies.setdefault(path.parent.name, {})[path.parts[-3]] = read_pairs(path)
    write_with_manifest({given.out: spread_page(studies)})


if __name__ == "__main__":
    cli.run(main)

"""What rules for α and the size lose on each data set, those that learn from others included."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import (
    manifest_of,
    parse_table,
    read_verified,
    table_to_bytes,
    write_with_manifest,
)
from steadfast.experiments.alpha.prediction import HEADER, Known, known_from, rule_rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("curves", type=Path, nargs="+", help="of each data set (.tsv)")
    parser.add_argument(
        "--kin",
        type=json.loads,
        default=[],
        help="JSON: lists of data sets that belong together",
    )
    parser.add_argument("--out", type=Path, required=True, help="the .tsv file to write")
    given = parser.parse_args()

    known = {path.stem: _known(path, given.kin) for path in given.curves}
    write_with_manifest({given.out: table_to_bytes(HEADER, rule_rows(known))})


def _known(path: Path, kin: list[list[str]]) -> Known:
    def read(ending: str) -> dict[str, list[str]]:
        file = path.with_suffix(ending)
        return parse_table(read_verified(file, manifest_of(path)))

    facts = read(".facts.tsv")
    choices = read(".choices.tsv")
    rows = [dict(zip(choices, row, strict=True)) for row in zip(*choices.values(), strict=True)]
    named = dict(zip(facts["fact"], map(float, facts["value"]), strict=True))
    together = {name for group in kin if path.stem in group for name in group} | {path.stem}
    return known_from(read(".tsv"), read(".variance.tsv"), named, rows, sorted(together))


if __name__ == "__main__":
    cli.run(main)

"""Put the published numbers beside those of this run."""

import argparse
import json
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.outputs.published import pair_means, pair_up, to_csv
from steadfast.study.published import read_published


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("published", type=Path, help="the paper's numbers (.csv)")
    parser.add_argument("--tables", type=Path, nargs="*", default=[], help="this run's (.csv)")
    parser.add_argument("--stand-ins", type=json.loads, default={}, help="JSON: theirs to ours")
    parser.add_argument("--readings", type=json.loads, default={}, help="JSON: row to selectors")
    parser.add_argument("--mean-tables", type=Path, nargs="*", default=[], help="for means (.csv)")
    parser.add_argument("--means", type=json.loads, default={}, help="JSON: table to columns")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args()

    published = read_published(given.published)
    pairs = pair_up(published, given.tables, given.stand_ins, given.readings)
    means = pair_means(published, given.mean_tables, given.means)
    write_with_manifest({given.out: to_csv([*pairs, *means])})


if __name__ == "__main__":
    cli.run(main)

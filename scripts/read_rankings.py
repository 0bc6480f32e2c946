"""Check the rankings that a rule wrote for some folds, and write them as selections."""

import argparse
from pathlib import Path

from steadfast.core import cli
from steadfast.core.files import write_with_manifest
from steadfast.core.packs import write_pack
from steadfast.data.table import read_table
from steadfast.selectors.running.fold_file import selection_to_bytes
from steadfast.selectors.running.rankings import read_ranking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, help="the data set (.npz), for its features")
    parser.add_argument("--rankings", type=Path, nargs="+", required=True, help="one file per fold")
    parser.add_argument(
        "--manifest", type=Path, required=True, help="checksums; the folds' files go beside them"
    )
    parser.add_argument("--pack", action="store_true", help="the folds' files in an archive, too")
    given = parser.parse_args()

    features, folder = read_table(given.table).features, given.manifest.parent
    contents = {
        folder / path.name: selection_to_bytes(read_ranking(path, features), features)
        for path in given.rankings
    }
    write_with_manifest(contents, given.manifest)
    if given.pack:
        write_pack(contents, given.manifest)


if __name__ == "__main__":
    cli.run(main)

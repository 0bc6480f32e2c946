"""Check every file of a results folder against the checksums written beside it."""

import argparse
from pathlib import Path

from steadfast.core import cli
from steadfast.core.errors import UserError
from steadfast.core.files import read_manifest, read_verified


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="the results folder")
    given = parser.parse_args()

    if not given.results.is_dir():
        raise UserError(f"{given.results}: no such folder; run snakemake first")
    checked, damaged = 0, []
    for manifest in sorted(given.results.rglob("*.sha256")):
        for name in read_manifest(manifest):
            checked += 1
            try:
                read_verified(manifest.parent / name, manifest)
            except UserError as error:
                damaged.append(str(error))
    if damaged:
        raise UserError("\n".join([f"{len(damaged)} of {checked} files are damaged:", *damaged]))
    print(f"{checked} files are as they were written")


if __name__ == "__main__":
    cli.run(main)

"""Every file of a folder of results, against the checksums written beside it."""

import argparse
from pathlib import Path

from steadfast.core.errors import UserError
from steadfast.core.files import read_manifest, read_verified


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "results", type=Path, nargs="?", default=Path("results"), help="the folder; ./results"
    )


def run(given: argparse.Namespace) -> None:
    """Print how many files are as they were written; name those that are not."""
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

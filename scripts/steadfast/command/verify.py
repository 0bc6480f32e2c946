"""Every file of a folder of results, against the checksums written beside it."""

import argparse

from steadfast.core.errors import UserError
from steadfast.core.files import read_manifest, read_verified


def run(given: argparse.Namespace) -> None:
    """Print how many files are as they were written; name those that are not."""
    if not given.results.is_dir():
        raise UserError(f"{given.results}: no such folder; steadfast reproduce makes results")
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
    if not checked:
        raise UserError(f"{given.results}: holds no file with a checksum; name a folder of results")
    print(f"{checked} files are as they were written")

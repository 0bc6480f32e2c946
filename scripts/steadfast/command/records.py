"""Snakemake's own records of jobs, where a damaged one would end its run with a trace."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

#: Of Snakemake, in the working folder: a file per output. A name that is too long for a file is
#: cut into folders that begin with this sign.
METADATA, INCOMPLETE = Path(".snakemake", "metadata"), Path(".snakemake", "incomplete")
PART_OF_NAME = "@"


def mend_records(understand: Callable[[Any], object]) -> None:
    """Take away records that Snakemake could not read.

    An output without a record counts as one of which nothing is known: it stays, or its job runs
    again.

    Parameters
    ----------
    understand
        What Snakemake makes of a record; an error where it does not understand it.
    """
    for path in _files(METADATA):
        try:
            understand(json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            with suppress(OSError):
                path.unlink()
    _files(INCOMPLETE)  # of which the names alone count


def _files(folder: Path) -> list[Path]:
    """Files that records are; folders in their place are taken away."""
    found = []
    for place, folders, names in os.walk(folder):
        for name in [one for one in folders if not one.startswith(PART_OF_NAME)]:
            shutil.rmtree(Path(place, name), ignore_errors=True)
            folders.remove(name)
        found += [Path(place, name) for name in names]
    return found

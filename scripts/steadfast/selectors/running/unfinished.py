"""Folds of a batch that are done while others are not, so that a killed job loses none of them.

Snakemake deletes the outputs of a job that did not finish; what is kept here it does not know.
Each fold is kept under a line with a checksum of its name, its key and its content: one that was
damaged since, or belongs elsewhere, is computed again.
"""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from steadfast.core.files import write_atomically


class Unfinished:
    """Finished folds of a job, under a key of all that they depend on.

    Parameters
    ----------
    manifest
        The job's manifest; the folds are kept in a folder beside it.
    depends_on
        What a fold's content depends on besides the files; None keeps nothing.
    files
        Files that it depends on.
    """

    def __init__(self, manifest: Path, depends_on: Any, files: list[Path]):
        self._folder = manifest.parent / f".{manifest.stem}.unfinished"
        self._keeps = depends_on is not None
        digest = hashlib.sha256(json.dumps(depends_on, sort_keys=True).encode())
        for path in files:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        self._key = digest.hexdigest()[:16]

    def get(self, fold: str) -> bytes | None:
        """The content of a fold that an earlier, killed job finished."""
        if not self._keeps:
            return None
        try:
            checksum, _, content = self._path(fold).read_bytes().partition(b"\n")
        except OSError:
            return None
        return content if checksum == self._checksum(fold, content) else None

    def put(self, fold: str, content: bytes) -> None:
        """Keep a fold."""
        if self._keeps:
            write_atomically(self._path(fold), self._checksum(fold, content) + b"\n" + content)

    def clear(self) -> None:
        """Forget the folds: the job is finished."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _checksum(self, fold: str, content: bytes) -> bytes:
        named = f"{self._key}/{fold}\n".encode()
        return hashlib.sha256(named + content).hexdigest().encode()

    def _path(self, fold: str) -> Path:
        return self._folder / self._key / f"{fold}.tsv"

"""numba's files of compiled kernels, with checksums: what was damaged is compiled again.

numba believes what it finds. A file that was cut would end a job with a trace, and one with a bit
turned over would compute something else.
"""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from numba.core import caching

_usual = caching.IndexDataCacheFile


class CheckedFiles(_usual):
    """An index of compiled kernels and the files that it names, each followed by its checksum.

    What numba reads has an end of its own, so that it reads these files as it does others.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep a kernel if that is possible: a full disk costs time alone."""
        with suppress(OSError):
            super().save(key, data)

    @contextmanager
    def _open_for_write(self, path: str) -> Iterator[BinaryIO]:
        written = io.BytesIO()
        yield written
        content = written.getvalue()
        with super()._open_for_write(path) as file:
            file.write(content + hashlib.sha256(content).digest())

    def _load_index(self) -> dict:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not _is_whole(self._data_path(name)):
            raise OSError("it was damaged")  # as if it were not there
        return super()._load_data(name)


def _is_whole(path: str) -> bool:
    """Whether a file ends with the checksum of what stands before."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return False
    size = hashlib.sha256().digest_size
    return hashlib.sha256(content[:-size]).digest() == content[-size:]


caching.IndexDataCacheFile = CheckedFiles

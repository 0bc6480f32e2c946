"""Folders of tables, and files that are read whole."""

import errno
from pathlib import Path

from steadfast.core.errors import UserError
from steadfast.core.given_paths import kind_of_path
from steadfast.data.reading.allowance import Allowance


def files_of_folder(folder: Path, where: str) -> list[Path]:
    """What lies in a folder, by name."""
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise UserError(
            f"{where}: the folder cannot be read ({error.strerror}); allow it (chmod u+rx), or "
            "copy the files"
        ) from None


def read_bytes(path: Path, where: str, advice: str) -> bytes:
    """The content of a file, or one line with what to do; a fifo is not waited for."""
    kind_of_path(path, where)
    try:
        Allowance(where).check(path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        if error.errno == errno.EACCES:
            advice = "allow reading it (chmod u+r)"
        raise UserError(f"{where}: cannot be read ({error.strerror}); {advice}") from None

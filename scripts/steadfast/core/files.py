"""Reading and writing the files that one stage hands to the next.

Every file is written under a temporary name and renamed, so that a killed job leaves no half file.
Beside each job's files stands a manifest in the format of `sha256sum`; readers check it, so that
a file that was damaged or edited later is named instead of silently used.
"""

import csv
import hashlib
import io
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from steadfast.core.errors import UserError

#: A line as `sha256sum` writes it.
_CHECKSUM = re.compile(r"^([0-9a-f]{64})  ([^\n]+)\n", re.MULTILINE)

#: What brings back a file that is gone: a run looks for every file that it makes.
RUN_AGAIN = "run the same command again"


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path`: either the whole file is there afterwards, or nothing changed.

    An `OSError`, of a full disk say, names `path`.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def manifest_of(path: Path) -> Path:
    """Where the manifest of a job with one file (or one stem) stands: `wine.npz`, `wine.sha256`."""
    return path.with_suffix(".sha256")


def write_with_manifest(contents: Mapping[Path, bytes], manifest: Path | None = None) -> None:
    """Write a job's files, then the manifest that vouches for them."""
    manifest = manifest or manifest_of(next(iter(contents)))
    lines = []
    for path, content in contents.items():
        write_atomically(path, content)
        lines.append(f"{hashlib.sha256(content).hexdigest()}  {path.name}\n")
    write_atomically(manifest, "".join(lines).encode())


def manifest_size(names: Iterable[str]) -> int:
    """How many bytes a manifest of files of these names has."""
    return sum(64 + len(f"  {name}\n".encode()) for name in names)


def read_manifest(manifest: Path) -> dict[str, str]:
    """File name to SHA-256, as the manifest lists them; each name once, and one at least."""
    try:
        return parse_checksums(manifest.read_bytes())
    except FileNotFoundError:
        raise UserError(
            f"{manifest}: is not there, so nothing vouches for the files beside it; {RUN_AGAIN}"
        ) from None
    except (OSError, ValueError) as error:
        raise UserError(
            f"{manifest}: cannot be read as a list of checksums ({error}); "
            f"delete it and {RUN_AGAIN}"
        ) from None


def parse_checksums(content: bytes) -> dict[str, str]:
    """File name to SHA-256 from lines as `sha256sum` writes them; `ValueError` where one is not."""
    lines = _CHECKSUM.findall(content.decode())
    found = {name: digest for digest, name in lines}
    if not content:
        raise ValueError("it is empty")
    if len(found) < len(lines):
        raise ValueError("it names a file twice")
    if manifest_size(found) != len(content):
        raise ValueError("a line of it is no checksum and name")
    return found


def read_verified(path: Path, manifest: Path | None = None) -> bytes:
    """The content of a file that an earlier stage wrote, checked against its manifest."""
    manifest = manifest or manifest_of(path)
    expected = read_manifest(manifest).get(path.name)
    try:
        content = path.read_bytes()
    except IsADirectoryError:
        raise UserError(f"{path}: is a folder, no file; move it away and {RUN_AGAIN}") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); {RUN_AGAIN}") from None
    if expected is None:
        raise UserError(f"{path}: {manifest.name} does not name it; delete it and {RUN_AGAIN}")
    if hashlib.sha256(content).hexdigest() != expected:
        raise UserError(
            f"{path}: its content differs from the checksum in {manifest.name}: it was damaged or "
            f"edited after it was written; delete it and {RUN_AGAIN}"
        )
    return content


def arrays_to_bytes(**arrays: np.ndarray) -> bytes:
    """An `.npz` archive without pickles; the same arrays give the same bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def read_arrays(path: Path, manifest: Path | None = None) -> dict[str, np.ndarray]:
    """The arrays of a verified `.npz` file."""
    with np.load(io.BytesIO(read_verified(path, manifest)), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def table_to_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A tab-separated table; numbers with as many digits as bring back the same double."""
    lines = ["\t".join(header)]
    lines.extend("\t".join(_cell(value) for value in row) for row in rows)
    return ("\n".join(lines) + "\n").encode()


def csv_to_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A comma-separated table, with quotes where a cell needs them."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue().encode()


def _cell(value: object) -> str:
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def parse_table(content: bytes) -> dict[str, list[str]]:
    """The columns of a tab-separated table, as text."""
    header, *rows = (line.split("\t") for line in content.decode().splitlines())
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}

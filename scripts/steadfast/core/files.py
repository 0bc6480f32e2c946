"""Reading and writing the files that one stage hands to the next.

Every file is written under a temporary name and renamed, so that a killed job leaves no half file.
Beside each job's files stands a manifest in the format of `sha256sum`; readers check it, so that
a file that was damaged or edited later is named instead of silently used.
"""

import csv
import hashlib
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from steadfast.core.errors import UserError


def write_atomically(path: Path, content: bytes) -> None:
    """Write `content` to `path`: either the whole file is there afterwards, or nothing changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
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


def read_manifest(manifest: Path) -> dict[str, str]:
    """File name to SHA-256, as the manifest lists them."""
    try:
        lines = manifest.read_text().splitlines()
        return {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    except FileNotFoundError:
        raise UserError(
            f"{manifest}: is not there, so nothing vouches for the files beside it; "
            "run snakemake again"
        ) from None
    except (OSError, ValueError) as error:
        raise UserError(
            f"{manifest}: cannot be read as a list of checksums ({error}); "
            "delete it and run snakemake again"
        ) from None


def read_verified(path: Path, manifest: Path | None = None) -> bytes:
    """The content of a file that an earlier stage wrote, checked against its manifest."""
    manifest = manifest or manifest_of(path)
    expected = read_manifest(manifest).get(path.name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); run snakemake again") from None
    if hashlib.sha256(content).hexdigest() != expected:
        raise UserError(
            f"{path}: its content differs from the checksum in {manifest.name}: it was damaged or "
            "edited after it was written; delete it and run snakemake again"
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

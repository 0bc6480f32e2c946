"""The files of a job in one archive, for machines that share no folder.

Snakemake carries to and from a storage what it knows as outputs. Of a batch that is the manifest;
the files of its folds, which lie beside it, go with it in a pack.
"""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from steadfast.core.errors import UserError
from steadfast.core.files import RUN_AGAIN, read_manifest, write_atomically


def pack_of(manifest: Path) -> Path:
    """Where the pack of a manifest's files stands."""
    return manifest.with_suffix(".zip")


def write_pack(contents: Mapping[Path, bytes], manifest: Path) -> None:
    """Write a job's files once more, as one; the same files give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in contents.items():
            archive.writestr(zipfile.ZipInfo(path.name), content, zipfile.ZIP_DEFLATED)
    write_atomically(pack_of(manifest), buffer.getvalue())


def unpack(manifest: Path) -> None:
    """Put the files that a manifest lists beside it, from its pack if there is one.

    Those that are there already stay. Whoever reads them compares them with the manifest.
    """
    pack = pack_of(manifest)
    missing = [name for name in read_manifest(manifest) if not (manifest.parent / name).exists()]
    if not missing or not pack.exists():
        return
    try:
        with zipfile.ZipFile(pack) as archive:
            for name in missing:
                write_atomically(manifest.parent / name, archive.read(name))
    except (KeyError, zipfile.BadZipFile) as error:
        raise UserError(f"{pack}: cannot be read ({error}); delete it and {RUN_AGAIN}") from None

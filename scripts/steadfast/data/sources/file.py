"""Files: tables of this project, and those of the user."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from steadfast.core.errors import UserError
from steadfast.core.keys import Keys, text
from steadfast.core.registry import source
from steadfast.data.frame import to_frame
from steadfast.data.readers import open_sheet, suffix_of
from steadfast.data.reading.paths import read_bytes
from steadfast.data.source import (
    COMMON,
    SHA256,
    TABLE,
    Origin,
    Place,
    Source,
    columns_of,
    require,
)

PATH = text(
    "The file, relative to the project's folder; its name ends in .csv.gz, .csv, .tsv.gz, .tsv, "
    ".arff, .parquet or .xlsx (its first sheet).",
    required=True,
).but(schema={"pattern": r"(?i)\.(csv|csv\.gz|tsv|tsv\.gz|arff|parquet|xlsx)$"})


@source("file")
class File(Source):
    """A file of the user's own."""

    keys: ClassVar[Keys] = {"path": PATH, "sha256": SHA256, **TABLE}

    def files(self, entry: Mapping[str, Any], root: Path) -> list[Path]:
        return [root / entry["path"]]

    def read(self, name: str, entry: Mapping[str, Any], place: Place) -> Origin:
        where, expected = require(name, entry, "path"), self._pin(name, entry)
        content = read_bytes(place.root / where, where, self._absence_advice(name, where))
        digest = hashlib.sha256(content).hexdigest()
        if expected is not None and digest != expected:
            raise UserError(
                f"{where}: its content has changed (SHA-256 {digest[:12]}..., the catalogue says "
                f"{expected[:12]}...); {self._change_advice(name, where)}"
            )
        sheet = open_sheet(content, suffix_of(Path(where)), where)
        return Origin(to_frame(sheet, columns_of(entry)), f"{entry['source']} {where}", digest)

    def _pin(self, name: str, entry: Mapping[str, Any]) -> str | None:
        return entry.get("sha256")

    def _absence_advice(self, name: str, where: str) -> str:
        return (
            f"put it there, or put {name}.csv.gz into a folder and pass --config local_data=FOLDER"
        )

    def _change_advice(self, name: str, where: str) -> str:
        return f"get the file again, or correct `sha256` of {name!r} in the catalogue"


@source("bundled")
class Bundled(File):
    """A table of this project, pinned by its checksum."""

    keys: ClassVar[Keys] = {
        "path": PATH,
        "sha256": SHA256.but(required=True),
        **{key: COMMON[key].but(required=True) for key in ("expect", "licence", "citation")},
        **TABLE,
    }

    def _pin(self, name: str, entry: Mapping[str, Any]) -> str:
        return require(name, entry, "sha256")

    def _absence_advice(self, name: str, where: str) -> str:
        return f"restore it with `git checkout -- {where}`"

    _change_advice = _absence_advice

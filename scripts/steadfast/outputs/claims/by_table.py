"""Claims that a table of the study answers."""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from steadfast.core.files import read_verified
from steadfast.core.keys import Keys, text
from steadfast.core.paths import Paths
from steadfast.core.registry import claim
from steadfast.outputs.claim import ByTable, ClaimKind
from steadfast.outputs.kind import Entry
from steadfast.outputs.view import View

if TYPE_CHECKING:
    from steadfast.study.declaration import Study


@claim("by_table")
class OfTable(ClaimKind):
    """What a table of the study shows of it: the table itself, with its notes."""

    keys: ClassVar[Keys] = {"table": text("The table.", names="table", required=True)}

    def more_files(self, study: "Study", entry: Entry, paths: Paths) -> list[str]:
        return [paths("table", ending, table=entry["table"]) for ending in ("md", "sha256")]

    def build(self, view: View, published: ByTable) -> list[str]:
        path, manifest = (
            Path(view.paths("table", ending, table=view.entry["table"]))
            for ending in ("md", "sha256")
        )
        return [read_verified(path, manifest).decode().rstrip(), ""]

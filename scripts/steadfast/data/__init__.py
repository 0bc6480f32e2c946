"""Data sets: where they come from, how they are checked, and the file they are kept in.

`table` holds the checked table and its file, `readers` opens files, `frame` turns cells into
numbers, `openml_source` downloads, `sources` loads an entry of the catalogue. The names below are
there for notebooks; they are looked up when first used, so that a command that reads a table
depends on `table` alone.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "Table": "table",
    "save": "table",
    "read_table": "table",
    "local_files": "sources",
    "load": "sources",
}
__all__ = ["Table", "load", "local_files", "read_table", "save"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)

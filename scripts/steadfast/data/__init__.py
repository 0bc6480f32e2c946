"""Data sets: where they come from, how they are checked, and the file they are kept in.

`sources` holds one file for each kind of source, `source` what a source is, `catalogue` checks
entries and `loader` follows them. `readers` opens files by the modules of `reading`, `frame` turns
cells into numbers, `table` is the checked table and its file. The names below are there for
notebooks; they are looked up when first used, so that a command that reads a table depends on
`table` alone.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "Table": "table",
    "save": "table",
    "read_table": "table",
    "local_files": "loader",
    "load": "loader",
}
__all__ = ["Table", "load", "local_files", "read_table", "save"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)

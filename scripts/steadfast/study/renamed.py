"""Kinds and keys of version 1.0 that have another name or form now; docs/upgrade.md lists them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from steadfast.core.errors import UserError


class Renamed(NamedTuple):
    """A kind or a key of an entry that 1.0 knew, and what to write instead.

    Attributes
    ----------
    sort, kind
        `table`, `figure` or `claim`, and its kind in version 1.0.
    key
        The key, or empty where the kind itself was renamed.
    write
        What to write in its place.
    """

    sort: str
    kind: str
    key: str
    write: str


RENAMED = (
    Renamed("figure", "precision", "family", "families: [NAME]"),
    Renamed("figure", "sensitivity", "sweeps.scale", "nothing: the axis is chosen from the values"),
    Renamed("figure", "subsets", "rows", 'rows: {"TITLE": [SELECTOR, SELECTOR]}'),
)

GUIDE = "docs/upgrade.md"


def refuse_renamed(sort: str, entry: Mapping[str, Any], where: str) -> None:
    """Refuse a kind or key of version 1.0 with one line that has the new one."""
    for old in RENAMED:
        if (old.sort, old.kind) != (sort, entry["kind"]):
            continue
        if not old.key:
            raise UserError(
                f"{where}.kind: {old.kind} is of version 1.0; write {old.write} ({GUIDE})"
            )
        if _has_old_form(entry, old):
            raise UserError(f"{where}.{old.key}: is of version 1.0; write {old.write} ({GUIDE})")


def _has_old_form(entry: Mapping[str, Any], old: Renamed) -> bool:
    """Whether an entry has a key that was renamed, or one whose value had another type."""
    name, _, nested = old.key.partition(".")
    if name not in entry:
        return False
    if nested:
        return any(nested in part for part in entry[name])
    return not old.write.startswith(f"{name}: {{") or not isinstance(entry[name], Mapping)

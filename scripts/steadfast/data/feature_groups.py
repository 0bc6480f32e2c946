"""Groups of features that a user names: features that count as one, such as probes of one gene."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from steadfast.core.errors import UserError, suggest
from steadfast.data.readers import open_sheet, suffix_of
from steadfast.data.reading.paths import read_bytes
from steadfast.data.understand import group_name

_COLUMNS = ("feature", "group")


def group_file(entry: Mapping[str, Any], root: Path) -> Path | None:
    """The file that an entry of the catalogue names its groups of features by, if it does."""
    given = entry.get("feature_groups")
    return root / given if isinstance(given, str) else None


def find_feature_groups(
    entry: Mapping[str, Any], root: Path, features: Sequence[str], left_out: Collection[str]
) -> dict[str, list[str]]:
    """Features of each group that an entry names, those of a group as in the table.

    Parameters
    ----------
    features : names of the features
    left_out : columns that are no features; in a group they do not count

    A name that is no column and a feature in two groups are a `UserError`. Groups that have no
    feature left are left out.
    """
    path = group_file(entry, root)
    if path is not None:
        members, where = _read_members(path), path.name
    else:
        members, where = _given_members(entry["feature_groups"]), "feature_groups"
    return group_features(members, features, left_out, where)


def group_features(
    members: Iterator[tuple[str, str, str]],
    features: Sequence[str],
    left_out: Collection[str],
    where: str,
) -> dict[str, list[str]]:
    """Groups from triples of a place, a feature and its group; see `find_feature_groups`."""
    columns = {name: number for number, name in enumerate(features)}
    group_of: dict[str, str] = {}
    groups: dict[str, list[str]] = {}
    for place, feature, group in members:
        if feature not in columns and feature in left_out:
            continue
        if feature not in columns:
            raise UserError(
                f"{where}: {place}: {feature!r} is no feature of the table; "
                f"{suggest(feature, features)}"
            )
        other = group_of.setdefault(feature, group)
        if other != group:
            raise UserError(
                f"{where}: {place}: {feature!r} is in two groups, {other!r} and {group!r}; "
                "leave it in one"
            )
        groups.setdefault(group, []).append(feature)
    return {group: sorted(set(names), key=columns.get) for group, names in groups.items()}


def _given_members(given: Mapping[Any, Sequence[Any]]) -> Iterator[tuple[str, str, str]]:
    for group, names in given.items():
        for name in names:
            yield f"group {str(group)!r}", str(name), str(group)


def _read_members(path: Path) -> Iterator[tuple[str, str, str]]:
    """The rows of a file with the columns feature and group; a feature may have no group."""
    where = path.name
    content = read_bytes(path, where, "check `feature_groups`")
    sheet = open_sheet(content, suffix_of(path), where, "a feature and its group")
    header = [name.strip().lower() for name in sheet.header]
    for name in _COLUMNS:
        if header.count(name) != 1:
            raise UserError(
                f"{where}: has {header.count(name) or 'no'} column{'s' * (name in header)} "
                f"{name!r}; the first line names the columns feature and group"
            )
    feature, group = (header.index(name) for name in _COLUMNS)
    for number, cells in sheet.rows:
        name = group_name(cells[group])
        if name is not None:
            yield f"{sheet.place} {number}", str(cells[feature]).strip(), name

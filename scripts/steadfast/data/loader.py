"""Entries of the catalogue, loaded, checked and described."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from steadfast.core import registry
from steadfast.core.errors import UserError, suggest
from steadfast.core.given_paths import kind_of_path
from steadfast.data import sources
from steadfast.data.feature_groups import find_feature_groups
from steadfast.data.frame import Frame, to_frame, treat_missing
from steadfast.data.readers import SUFFIXES, open_sheet, suffix_of
from steadfast.data.reading.paths import files_of_folder, read_bytes
from steadfast.data.source import Origin, Place, Source, columns_of, require
from steadfast.data.table import Table, check_expectation, make_table, without_rows


def local_files(folder: Path) -> dict[str, Path]:
    """Data sets in a folder of the user's own, by name: `NAME.csv.gz`, `NAME.csv`, ...

    Where several files have one name, the first kind in `SUFFIXES` counts.
    """
    if kind_of_path(folder, f"local_data: {folder}") != "folder":
        raise UserError(f"local_data: {folder} is not a folder; give the folder of your files")
    found: dict[str, Path] = {}
    # Hidden files, and those that a spreadsheet program keeps beside an open one, are no tables.
    there = files_of_folder(folder, str(folder))
    files = [path for path in there if not path.name.startswith((".", "~$"))]
    for suffix in SUFFIXES:
        for path in files:
            if path.name.lower().endswith(suffix) and kind_of_path(path, str(path)) == "file":
                found.setdefault(path.name[: -len(suffix)], path)
    return found


def load(
    name: str,
    entry: Mapping[str, Any],
    *,
    root: Path,
    cache: Path,
    local_file: Path | None = None,
    catalogue: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> tuple[Table, dict[str, Any]]:
    """Load a data set, check it, and describe it.

    Parameters
    ----------
    name : the data set
    entry : its entry in the catalogue; empty for a file the catalogue does not know
    root : folder that paths in the catalogue are relative to
    cache : folder of downloads
    local_file : a file to read instead of the entry's source, or of that of what it is a part of
    catalogue : all entries; needed for an entry with `without_rows_of`, and for a part
    progress : is given a line when something is downloaded

    Returns
    -------
    The table, and a description for people and for JSON.
    """
    others = {key: value for key, value in (catalogue or {}).items() if key != name}

    def load_other(other: str, file: Path | None = local_file, by: str = "of") -> Table:
        found = entry_of(other, others, f"{name}: `{by}`")
        settings = {"root": root, "cache": cache, "catalogue": others, "progress": progress}
        return load(other, found, local_file=file, **settings)[0]

    if local_file is not None and "of" not in entry:
        origin = _read_local_file(entry, local_file)
    else:
        place = Place(root, cache, progress, load_other)
        origin = source_of(name, entry).read(name, entry, place)
    frame, missing = treat_missing(origin.frame, entry.get("missing", "refuse"))
    table = make_table(
        *(frame.X, frame.labels, frame.features, frame.where, frame.levels, frame.groups),
        surely_classes=frame.target in entry.get("categories", ()),
    )
    text = origin.text
    other_name = entry.get("without_rows_of")
    if other_name is not None and local_file is None:
        other = load_other(other_name, None, "without_rows_of")
        table = without_rows(table, other, frame.where)
        text += f" without the rows of {other_name}"
    check_expectation(table, entry.get("expect", {}), name, frame.where)
    description = describe(name, entry, table, frame, text, origin.sha256, missing)
    if entry.get("feature_groups"):
        left_out = {*(column for column, _ in frame.left_out), *entry.get("drop", ())}
        groups = find_feature_groups(entry, root, table.features, left_out)
        description["feature_groups"] = groups
    return table, description


def entry_of(
    name: str, catalogue: Mapping[str, Mapping[str, Any]], needed_by: str
) -> Mapping[str, Any]:
    """The entry of a data set; `needed_by` begins the error if there is none."""
    if name in catalogue:
        return catalogue[name]
    raise UserError(
        f"{needed_by}: no data set {name!r} in the catalogue; {suggest(name, catalogue)}"
    )


def source_of(name: str, entry: Mapping[str, Any]) -> Source:
    """The source that the entry of a data set names."""
    source, known = require(name, entry, "source"), registry.declared("source")
    if source not in known:
        raise UserError(f"{name}: `source: {source}` is unknown; {suggest(source, known)}")
    return sources.create(source)


def other_dataset(entry: Mapping[str, Any]) -> str | None:
    """The data set that another one needs: the one it is a part of, or whose rows it lacks."""
    return entry.get("of") or entry.get("without_rows_of")


def code_files(name: str, catalogue: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Files of the sources that a data set needs, relative to the import root."""
    found = []
    while name in catalogue:
        found.append(sources.file_of(catalogue[name]["source"]))
        others = {key: entry for key, entry in catalogue.items() if key != name}
        name, catalogue = other_dataset(catalogue[name]), others
    return sorted(set(found))


def _read_local_file(entry: Mapping[str, Any], path: Path) -> Origin:
    content = read_bytes(path, str(path), "check `data` or `local_data`")
    sheet = open_sheet(content, suffix_of(path), str(path))
    # An entry is about another source, whose columns a file of the user's own may lack.
    own = (
        {}
        if entry.get("source") == "file"
        else {"drop": (), "drop_if_there": entry.get("drop", ())}
    )
    frame = to_frame(sheet, columns_of(entry, **own))
    return Origin(frame, f"local file {path.name}", hashlib.sha256(content).hexdigest())


def describe(
    name: str,
    entry: Mapping[str, Any],
    table: Table,
    frame: Frame,
    origin: str,
    sha256: str,
    missing: dict[str, object] | None,
) -> dict[str, Any]:
    """What is known of a data set, for people and for JSON.

    Parameters
    ----------
    name, entry : the data set, and its entry in the catalogue if it has one
    table, frame : its rows, and what they were made of
    origin, sha256 : where they come from, and their checksum
    missing : what was done about missing values
    """
    return {
        "name": name,
        "title": entry.get("title", name),
        "origin": origin,
        "rows": table.X.shape[0],
        "features": table.X.shape[1],
        "classes": table.class_counts(),
        "missing": missing,
        "sha256": sha256,
        "licence": entry.get("licence"),
        "citation": entry.get("citation"),
        **_describe_columns(table, frame),
    }


def _describe_columns(table: Table, frame: Frame) -> dict[str, Any]:
    """What not every table has: categories, groups, what was noticed, columns left out.

    Groups are proposed only where none are named.
    """
    about: dict[str, Any] = {}
    if table.levels:
        pairs = zip(table.features, table.levels, strict=True)
        about["categories"] = {name: list(names) for name, names in pairs if names}
    if table.groups is not None:
        about["groups"] = int(table.groups.max()) + 1
    if frame.proposed_groups and table.groups is None:
        about["proposed_groups"] = [one.as_json() for one in frame.proposed_groups]
    if frame.noticed:
        about["noticed"] = list(frame.noticed)
    if frame.left_out:
        about["left_out"] = [
            {"column": column, "reason": reason} for column, reason in frame.left_out
        ]
    return about

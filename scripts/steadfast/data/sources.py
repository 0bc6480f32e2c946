"""Entries of the catalogue, loaded: bundled tables, scikit-learn, OpenML, files of the user."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from steadfast.core import cli
from steadfast.core.errors import UserError, nearest
from steadfast.data import openml_source
from steadfast.data.frame import Columns, Frame, join, to_frame, treat_missing
from steadfast.data.readers import SUFFIXES, open_sheet, suffix_of
from steadfast.data.synthetic import synthetic
from steadfast.data.table import Table, check_expectation, make_table, without_rows

LOADERS = ("wine", "breast_cancer", "digits", "iris")


@dataclass(frozen=True)
class _Origin:
    """A table as its source gave it, what to call that source, and the SHA-256 of its content."""

    frame: Frame
    text: str
    sha256: str


def local_files(folder: Path) -> dict[str, Path]:
    """Data sets in a folder of the user's own, by name: `NAME.csv.gz`, `NAME.csv`, ...

    Where several files have one name, the first kind in `SUFFIXES` counts.
    """
    if not folder.is_dir():
        raise UserError(f"local_data: {folder} is not a folder; give the folder of your files")
    found: dict[str, Path] = {}
    # Hidden files, and those that a spreadsheet program keeps beside an open one, are no tables.
    files = [path for path in sorted(folder.iterdir()) if not path.name.startswith((".", "~$"))]
    for suffix in SUFFIXES:
        for path in files:
            if path.name.lower().endswith(suffix) and path.is_file():
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
    local_file : a file to read instead of the entry's source
    catalogue : all entries; needed for an entry with `without_rows_of`
    progress : is given a line when something is downloaded

    Returns
    -------
    The table, and a description for people and for JSON.
    """
    if local_file is not None:
        origin = _from_local_file(entry, local_file)
    else:
        origin = _from_source(name, entry, root, cache, progress)
    frame, missing = treat_missing(origin.frame, entry.get("missing", "refuse"))
    table = make_table(
        *(frame.X, frame.labels, frame.features, frame.where, frame.levels, frame.groups),
        surely_classes=frame.target in entry.get("categories", ()),
    )
    text = origin.text
    other_name = entry.get("without_rows_of")
    if other_name is not None and local_file is None:
        others = {key: value for key, value in (catalogue or {}).items() if key != name}
        other_entry = entry_of(other_name, others, f"{name}: `without_rows_of`")
        other, _ = load(
            other_name, other_entry, root=root, cache=cache, catalogue=others, progress=progress
        )
        table = without_rows(table, other, frame.where)
        text += f" without the rows of {other_name}"
    check_expectation(table, entry.get("expect", {}), name, frame.where)
    about = _describe(name, entry, table, text, origin.sha256, missing)
    return table, about | _describe_columns(table, frame)


def _describe(
    name: str,
    entry: Mapping[str, Any],
    table: Table,
    origin: str,
    sha256: str,
    missing: dict[str, object] | None,
) -> dict[str, Any]:
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
    }


def _describe_columns(table: Table, frame: Frame) -> dict[str, Any]:
    """What is not the same for every table: categories, groups, and columns that were left out."""
    about: dict[str, Any] = {}
    if table.levels:
        pairs = zip(table.features, table.levels, strict=True)
        about["categories"] = {name: list(names) for name, names in pairs if names}
    if table.groups is not None:
        about["groups"] = int(table.groups.max()) + 1
    if frame.left_out:
        about["left_out"] = [
            {"column": column, "reason": reason} for column, reason in frame.left_out
        ]
    return about


def _columns(entry: Mapping[str, Any], **own: Any) -> Columns:
    """What an entry says of its table's columns; `own` is what its source says."""
    asked = {key: entry[key] for key in ("drop", "groups", "categories", "keep") if key in entry}
    return Columns(
        **{"target": entry.get("target"), **asked, "any_kind": entry.get("columns") == "any", **own}
    )


def entry_of(
    name: str, catalogue: Mapping[str, Mapping[str, Any]], asked_by: str
) -> Mapping[str, Any]:
    """The entry of a data set; `asked_by` begins the error if there is none."""
    if name in catalogue:
        return catalogue[name]
    raise UserError(
        f"{asked_by}: no data set {name!r} in the catalogue; {nearest(name, catalogue)}"
    )


def _from_source(
    name: str,
    entry: Mapping[str, Any],
    root: Path,
    cache: Path,
    progress: Callable[[str], None],
) -> _Origin:
    source = _required(name, entry, "source")
    if source in ("bundled", "file"):
        return _from_file(name, entry, root)
    if source == "sklearn":
        return _from_sklearn(name, entry)
    if source == "openml":
        return _from_openml(name, entry, cache, progress)
    if source == "synthetic":
        frame, digest = synthetic(name, _required(name, entry, "generator"))
        return _Origin(frame, "synthetic", digest)
    raise UserError(
        f"{name}: `source: {source}` is unknown; use bundled, sklearn, openml, synthetic or file"
    )


def _required(name: str, entry: Mapping[str, Any], key: str) -> Any:
    if key not in entry:
        raise UserError(f"{name}: its catalogue entry has no `{key}`; add it")
    return entry[key]


def _read(path: Path, where: str, advice: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{where}: cannot be read ({error.strerror}); {advice}") from None


def _from_local_file(entry: Mapping[str, Any], path: Path) -> _Origin:
    content = _read(path, str(path), "check `local_data` in the config")
    sheet = open_sheet(content, suffix_of(path), str(path))
    # An entry is about another source, whose columns a file of the user's own need not have.
    own = (
        {}
        if entry.get("source") == "file"
        else {"drop": (), "drop_if_there": entry.get("drop", ())}
    )
    frame = to_frame(sheet, _columns(entry, **own))
    return _Origin(frame, f"local file {path.name}", hashlib.sha256(content).hexdigest())


def _from_file(name: str, entry: Mapping[str, Any], root: Path) -> _Origin:
    bundled = entry["source"] == "bundled"
    where = _required(name, entry, "path")
    expected = _required(name, entry, "sha256") if bundled else entry.get("sha256")
    advice = (
        f"restore it with `git checkout -- {where}`"
        if bundled
        else f"put it there, or put {name}.csv.gz into a folder and pass --config local_data=FOLDER"
    )
    content = _read(root / where, where, advice)
    digest = hashlib.sha256(content).hexdigest()
    if expected is not None and digest != expected:
        if not bundled:
            advice = f"get the file again, or correct `sha256` of {name!r} in the catalogue"
        raise UserError(
            f"{where}: its content has changed (SHA-256 {digest[:12]}..., the catalogue says "
            f"{expected[:12]}...); {advice}"
        )
    sheet = open_sheet(content, suffix_of(Path(where)), where)
    return _Origin(to_frame(sheet, _columns(entry)), f"{entry['source']} {where}", digest)


def _from_sklearn(name: str, entry: Mapping[str, Any]) -> _Origin:
    loader = _required(name, entry, "loader")
    if loader not in LOADERS:
        raise UserError(f"{name}: `loader: {loader}` is unknown; use one of {', '.join(LOADERS)}")
    with cli.starting_up():
        from sklearn import datasets

    data = getattr(datasets, f"load_{loader}")()
    X = np.ascontiguousarray(data.data, dtype="<f8")
    labels = [str(data.target_names[code]) for code in data.target]
    digest = hashlib.sha256(X.tobytes() + "\n".join(labels).encode()).hexdigest()
    text = f"scikit-learn load_{loader}"
    if entry.get("sha256", digest) != digest:
        raise UserError(
            f"{text}: gives other values than the catalogue's `sha256` of {name!r} pins; install "
            "the pinned version of scikit-learn"
        )
    places = [f"row {row}" for row in range(1, len(X) + 1)]
    features = tuple(map(str, data.feature_names))
    return _Origin(Frame(X, labels, features, "target", places, text), text, digest)


def _from_openml(
    name: str, entry: Mapping[str, Any], cache: Path, progress: Callable[[str], None]
) -> _Origin:
    stated = _required(name, entry, "id")
    numbers = stated if isinstance(stated, list) else [stated]
    frames, digest = [], hashlib.sha256()
    for number in numbers:
        download = openml_source.fetch(name, number, cache, progress)
        sheet = open_sheet(download.content, ".csv.gz", f"OpenML {number}")
        drop = entry.get("drop", ())
        asked = _columns(
            entry,
            target=entry.get("target", download.target),
            drop=drop if len(numbers) == 1 else (),
            drop_if_there=(*download.ignored, *drop),
        )
        frames.append(to_frame(sheet, asked))
        digest.update(download.content)
    text = f"OpenML {', '.join(map(str, numbers))}"
    return _Origin(join(frames, entry.get("prefixes", ())), text, digest.hexdigest())

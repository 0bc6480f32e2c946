"""Tables of the user's own, named on the command line: files, folders, OpenML, known names."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from steadfast.core.errors import UserError, suggest
from steadfast.core.given_paths import kind_of_path
from steadfast.core.paths import RESERVED
from steadfast.data.loader import local_files, source_of
from steadfast.data.readers import SUFFIXES, suffix_of
from steadfast.data.reading.paths import files_of_folder

#: Keys of the config that are about the user's own table.
OWN_KEYS = ("data", "target", "groups", "drop", "missing", "categories", "keep", "feature_groups")

#: The study that is run on it, under the project's folder; overrides know it by this name.
STUDY_FILE, STUDY = "config/advise.yaml", "advise"

_OPENML = re.compile(r"openml:(\d+)", re.IGNORECASE)


class OwnData(NamedTuple):
    """What the user's own tables add to a run.

    Attributes
    ----------
    study : name of the study, for paths
    title : of the study, in print
    entries : entries for the catalogue
    files : the files among them
    """

    study: str
    title: str
    entries: dict[str, dict[str, Any]]
    files: dict[str, Path]


def own_data(
    config: Mapping[str, Any], catalogue: Mapping[str, Any], *, may_be_made: bool = False
) -> OwnData:
    """The tables that `data` of a config names, with what the other keys say of them.

    `may_be_made`: whether a file that is not there yet may be one that a rule makes.
    """
    data, settings = str(config["data"]), _columns(config)
    path, number = Path(data).expanduser(), _OPENML.fullmatch(data)
    target = f"_{identifier(settings['target'])}" if "target" in settings else ""
    of_target = f": {settings['target']}" if "target" in settings else ""
    if number:
        name = f"openml_{number[1]}"
        entry = {"title": f"OpenML {number[1]}", "source": "openml", "id": int(number[1])}
        return OwnData(name + target, entry["title"] + of_target, {name: entry | settings}, {})
    kind = kind_of_path(path, f"data: {data}")
    if kind == "folder":
        files = _name_files(local_files(path), path)
        entries = {name: _file_entry(file) | settings for name, file in files.items()}
        title = path.resolve().name
        return OwnData(identifier(title) + target, title + of_target, entries, files)
    if not kind and data in catalogue:
        entry = _catalogue_entry(data, catalogue[data], config, settings)
        return OwnData(data + target, entry["title"] + of_target, {data: entry}, {})
    if not kind and not (may_be_made and data.endswith(SUFFIXES)):
        raise UserError(
            f"data: {data} is neither a file nor a folder, nor openml:ID, nor a data set of the "
            f"catalogue; {suggest(data, [*catalogue, *_files_beside(path)])}"
        )
    name = identifier(path.name.removesuffix(suffix_of(path)))
    entry = _file_entry(path) | settings
    return OwnData(
        name + target, path.name + of_target, {name + target: entry}, {name + target: path}
    )


def _catalogue_entry(
    name: str, entry: Mapping[str, Any], config: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """An entry with another target, or without some columns, where its source is a table."""
    columns = ("target", "drop") if source_of(name, entry).is_table else ()
    known = (*columns, "feature_groups")
    for key in OWN_KEYS[1:]:
        if config[key] and key not in known:
            raise UserError(
                f"{key}: the catalogue says what {name} holds; take `{key}` out, or give a file"
            )
    given = {key: settings[key] for key in known if key in settings}
    others = any(key in given for key in columns)
    return {key: value for key, value in entry.items() if key != "expect" or not others} | given


def _files_beside(path: Path) -> list[str]:
    if kind_of_path(path.parent, f"data: {path.parent}") != "folder":
        return []
    there = files_of_folder(path.parent, f"data: {path.parent}")
    return [str(other) for other in there if other.name.endswith(SUFFIXES)]


def _file_entry(path: Path) -> dict[str, Any]:
    return {"title": path.name, "source": "file", "path": path.name}


def _name_files(files: Mapping[str, Path], folder: Path) -> dict[str, Path]:
    if not files:
        raise UserError(f"data: {folder}: no file here ends in one of {', '.join(SUFFIXES)}")
    found: dict[str, Path] = {}
    for name, path in sorted(files.items()):
        other = found.setdefault(identifier(name), path)
        if other != path:
            raise UserError(
                f"data: {folder}: {other.name} and {path.name} would both be {identifier(name)} in "
                "paths; rename one of them"
            )
    return found


def _columns(config: Mapping[str, Any]) -> dict[str, Any]:
    """What the config says of the columns, in the words of a catalogue entry."""
    settings: dict[str, Any] = {"columns": "any", "missing": config["missing"] or "median"}
    for key in ("target", "groups"):
        if config[key] is not None:
            settings[key] = str(config[key])
    for key in ("drop", "categories", "keep"):
        if config[key]:
            settings[key] = _names(config[key])
    given = config["feature_groups"]
    if given:
        # A path on the command line is one from here, in the catalogue one from its root.
        is_path = isinstance(given, str)
        settings["feature_groups"] = str(Path(given).expanduser().absolute()) if is_path else given
    return settings


def _names(given: Any) -> list[str]:
    """A list of names, or one text with commas between them."""
    names = given if isinstance(given, list) else str(given).split(",")
    return list(dict.fromkeys(str(name).strip() for name in names))


def option_text(key: str, value: Any) -> str:
    """A key of the config as an option of the command line; where a file lies is left out."""
    if key == "feature_groups":
        value = Path(value).name if isinstance(value, str) else "FILE"
    text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"--{key.replace('_', '-')}={text}"


def without_folders(path: str) -> str:
    """A path that may be printed: from the working folder if it lies there, or its last name."""
    given, here = Path(path), Path.cwd()
    if not given.is_absolute():
        return path
    return str(given.relative_to(here)) if given.is_relative_to(here) else given.name


def typed_options(given: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """Options of a command as texts, without folders of the machine; those not given are left out.

    A mapping cannot be typed.
    """
    found: dict[str, Any] = {}
    for key in keys:
        value = given.get(key)
        if value is None or value in ("", []) or isinstance(value, Mapping):
            continue
        texts = [str(one) for one in value] if isinstance(value, list) else str(value)
        if key in ("data", "feature_groups", "config"):
            several = isinstance(texts, list)
            texts = [without_folders(one) for one in texts] if several else without_folders(texts)
        found[key] = texts
    return found


def identifier(name: str) -> str:
    """A name as part of paths: letters, digits, - and _; what had to be left out as a digest.

    Names of folders that every run has get one more word.
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_-")[:50]
    if plain in RESERVED:
        return f"{plain}_table"
    if plain and plain == name.replace(" ", "_"):
        return plain
    digest = hashlib.sha256(name.encode(errors="surrogateescape")).hexdigest()[:6]
    return f"{plain or 'table'}_{digest}"

"""A whole run's configuration: the config, the catalogue and the studies it names."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steadfast.core.config import check_schema, read_yaml
from steadfast.core.errors import UserError, nearest
from steadfast.data.own_tables import OWN_KEYS, STUDY, STUDY_FILE, own_data
from steadfast.data.sources import local_files
from steadfast.study.checks import check_groups
from steadfast.study.load import Study, load_study

#: Snakemake merges these before we see them, so a mistake may stand in any.
SOURCE = "config/config.yaml (or --configfile, --config)"

Run = tuple[dict[str, Any], dict[str, Any], dict[str, Study], dict[str, Path | None]]


def load_run(config: Mapping[str, Any], root: Path) -> Run:
    """Config, catalogue, studies by name, and the local file (or None) of each data set used.

    Parameters
    ----------
    config
        What Snakemake gathered from config files and the command line.
    root
        The project's folder: schemas, catalogue and studies are looked up from there.
    """
    schemas = root / "workflow" / "schemas"
    checked = check_schema(dict(config), read_yaml(schemas / "config.schema.yaml"), SOURCE)
    checked["catalogue"] = str(_under(root, checked["catalogue"]))
    catalogue = check_schema(
        read_yaml(Path(checked["catalogue"])),
        read_yaml(schemas / "datasets.schema.yaml"),
        checked["catalogue"],
    )
    checked["rules"] = [str(_rule_file(path, root)) for path in checked["rules"]]
    local = local_files(Path(checked["local_data"])) if checked["local_data"] else {}
    schema = study_schema(schemas)
    changes = dict(checked["overrides"])
    if checked["data"]:
        own = own_data(checked, catalogue)
        catalogue, local = catalogue | own.entries, local | own.files
        paths = {own.study: _under(root, STUDY_FILE)}
        asked = {"title": own.title, "datasets": list(own.entries)}
        changes[own.study] = changes.get(STUDY, {}) | asked
        checked["results"] += "/advice"
    else:
        paths = study_paths(checked["studies"], root, schema["$defs"]["id"]["pattern"])
    _check_own_keys(checked)
    _check_overrides(checked["overrides"], paths, root)
    studies = {
        name: load_study(
            path,
            schema,
            {*catalogue, *local},
            changes=changes.get(name),
            has_published=published_file(root, name).is_file(),
        )
        for name, path in paths.items()
    }
    for name, study in studies.items():
        check_groups(study, catalogue, f"{paths[name]}")
    used = sorted({dataset for study in studies.values() for dataset in study["datasets"]})
    for name in sorted(set(used) - set(local)):
        _require_file(name, catalogue[name], root, checked["catalogue"])
    return checked, catalogue, studies, {name: local.get(name) for name in used}


def study_schema(schemas: Path) -> dict[str, Any]:
    """The schema of a study file, which stands in two files."""
    schema = read_yaml(schemas / "study.schema.yaml")
    schema["$defs"] |= read_yaml(schemas / "study_outputs.schema.yaml")["$defs"]
    return schema


def _require_file(name: str, entry: Mapping[str, Any], root: Path, source: str) -> None:
    if "path" in entry and not (root / entry["path"]).is_file():
        raise UserError(
            f"{source}: {name}.path: {entry['path']} is not there; put it there, or put "
            f"{name}.csv.gz into a folder and pass --config local_data=FOLDER, or take {name} out "
            "of the study's datasets"
        )


def _check_own_keys(config: Mapping[str, Any]) -> None:
    """Keys about a table of the user's own say nothing without one."""
    for key in OWN_KEYS:
        if not config["data"] and config[key] is not None:
            raise UserError(f"{SOURCE}: {key}: is about the table that `data` names; name one")


def _under(root: Path, path: str) -> Path:
    """A path as given if it exists from here, else from the project's folder."""
    return Path(path) if Path(path).exists() else root / path


def _rule_file(path: str, root: Path) -> Path:
    found = _under(root, path)
    if not found.is_file():
        raise UserError(f"{SOURCE}: rules: {path}: no such file; name a file of Snakemake rules")
    return found


def published_file(root: Path, study: str) -> Path:
    """Where the printed numbers of a study's paper would be."""
    return root / "config" / "published" / f"{study}.csv"


def study_paths(entries: list[str], root: Path, id_pattern: str) -> dict[str, Path]:
    """The files of studies, each named or given as a path, by name."""
    paths: dict[str, Path] = {}
    for entry in entries:
        own = entry.endswith((".yaml", ".yml"))
        name = Path(entry).stem if own else entry
        if not re.search(id_pattern, name):
            raise UserError(
                f"{SOURCE}: studies: {entry}: a study's name becomes part of paths; use letters, "
                "digits, dots, - and _"
            )
        if name in paths:
            raise UserError(f"{SOURCE}: studies: {entry}: there are two studies named {name!r}")
        if own and not Path(entry).is_file():
            raise UserError(f"{SOURCE}: studies: {entry}: no such file")
        paths[name] = Path(entry) if own else _known_study(name, root)
    return paths


def _known_study(name: str, root: Path) -> Path:
    path = _under(root, f"config/studies/{name}.yaml")
    if not path.is_file():
        known = [file.stem for file in path.parent.glob("*.yaml")]
        raise UserError(f"{SOURCE}: studies: unknown study {name!r}; {nearest(name, known)}")
    return path


def _check_overrides(overrides: Mapping[str, Any], studies: Mapping[str, Path], root: Path) -> None:
    """Overrides of studies that this run leaves out are fine; those of no study at all are not."""
    known = {STUDY, *studies, *(file.stem for file in (root / "config" / "studies").glob("*.yaml"))}
    for name in overrides:
        if name not in known:
            raise UserError(f"{SOURCE}: overrides.{name}: no such study; {nearest(name, known)}")

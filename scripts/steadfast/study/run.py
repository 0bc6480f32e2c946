"""A whole run's configuration: the config, the catalogue and the studies it names."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadfast.core.config import check_schema, put_over, read_yaml, refuse_endless
from steadfast.core.errors import UserError, suggest
from steadfast.core.given_paths import kind_of_path
from steadfast.core.paths import NAME, RESERVED
from steadfast.data.catalogue import check_catalogue
from steadfast.data.feature_groups import group_file
from steadfast.data.loader import entry_of, local_files, source_of
from steadfast.data.own_tables import OWN_KEYS, STUDY, STUDY_FILE, own_data
from steadfast.study.checks import check_groups
from steadfast.study.declaration import Study
from steadfast.study.load import kind_of, load_study
from steadfast.study.published import read_published

#: Snakemake merges these before we see them, so a mistake may stand in any.
SOURCE = "config/config.yaml (or --configfile, --config)"

#: Settings that results rest on, beside the studies, what is changed in them, and the seed.
_OF_RESULTS = ("local_data", "catalogue", "rules", "verdicts", "data", *OWN_KEYS)


@dataclass(frozen=True)
class Run:
    """What a run does.

    Attributes
    ----------
    config
        The checked config, defaults filled in.
    catalogue
        Entries of all data sets.
    studies
        By name.
    local_files
        The data sets that are used, to the user's own file of each, if any.
    published
        Rows of the papers' printed numbers, by study; studies without any are left out.
    root
        The project's folder.
    """

    config: dict[str, Any]
    catalogue: dict[str, Any]
    studies: dict[str, Study]
    local_files: dict[str, Path | None]
    published: dict[str, list[dict[str, str]]]
    root: Path


def read_config(root: Path, files: Iterable[Path] = ()) -> dict[str, Any]:
    """What Snakemake gathers from config/config.yaml and the files of `--configfile`."""
    config = read_yaml(root / "config" / "config.yaml")
    for path in files:
        config = put_over(config, read_yaml(path))
    return config


def over_default(config: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """A config of the user's own, with what it leaves out as in the project's config.yaml."""
    refuse_endless(config, SOURCE)
    return put_over(read_config(root), config)


def load_run(config: Mapping[str, Any], root: Path, *, inside: bool = False) -> Run:
    """Read and check everything that a run is made of.

    Parameters
    ----------
    config
        What Snakemake gathered from config files and the command line.
    root
        The project's folder: schemas, catalogue and studies are looked up from there.
    inside
        Whether the workflow is part of another one, whose rules may make the table.
    """
    checked = _check_config(config, root)
    catalogue = check_catalogue(read_yaml(Path(checked["catalogue"])), checked["catalogue"])
    local = local_files(Path(checked["local_data"])) if checked["local_data"] else {}
    changes = dict(checked["overrides"])
    if checked["data"]:
        own = own_data(checked, catalogue, may_be_made=inside)
        catalogue, local = catalogue | own.entries, local | own.files
        paths = {own.study: under(root, STUDY_FILE)}
        own_settings = {"title": own.title, "datasets": list(own.entries)}
        changes[own.study] = changes.get(STUDY, {}) | own_settings
        checked["results"] += "/advice"
    else:
        paths = study_paths(checked["studies"], root)
    _check_own_keys(checked)
    _check_overrides(checked["overrides"], paths, root)
    published = _published_files(paths, changes, root)
    schema = study_schema(_schemas(root))
    studies = {
        name: load_study(
            path,
            schema,
            {*catalogue, *local},
            name=name,
            changes=changes.get(name),
            has_published=name in published,
        )
        for name, path in paths.items()
    }
    for study in studies.values():
        for claim in study.claims:
            where = f"{study.source}: claims.{claim['number']}.verdict"
            shares = checked["verdicts"] | claim.get("verdict", {})
            _check_shares(shares, where, f" ({SOURCE}: verdicts has what the claim leaves out)")
        check_groups(study, catalogue)
        _require_project_files(study, root)
    used = sorted({dataset for study in studies.values() for dataset in study.datasets})
    # A part of a data set comes from the file of the whole, if it has none of its own.
    whole = {
        name: name if name in local else catalogue.get(name, {}).get("of", name) for name in used
    }
    for name in sorted(set(whole.values()) - set(local)):
        entry = entry_of(name, catalogue, checked["catalogue"])
        _require_files(name, entry, root, checked["catalogue"])
    if not inside:
        _require_group_files({name: catalogue.get(name, {}) for name in used}, root)
    return Run(
        checked,
        catalogue,
        studies,
        {name: local.get(whole[name]) for name in used},
        {name: read_published(path) for name, path in published.items()},
        root,
    )


def _schemas(root: Path) -> Path:
    return root / "workflow" / "schemas"


def _check_config(config: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """The config with defaults filled in, and with paths from here."""
    schema = read_yaml(_schemas(root) / "config.schema.yaml")
    checked = check_schema(dict(config), schema, SOURCE)
    _check_shares(checked["verdicts"], f"{SOURCE}: verdicts")
    checked["catalogue"] = _file(checked["catalogue"], root, "catalogue", "of data sets, in YAML")
    rules = "of Snakemake rules"
    checked["rules"] = [_file(path, root, "rules", rules) for path in checked["rules"]]
    return checked


def _check_shares(shares: Mapping[str, float], where: str, more: str = "") -> None:
    """Of the cases of a claim, the run's or with those of the claim itself."""
    in_part, holds = shares["in_part"], shares["holds"]
    if in_part > holds:
        raise UserError(f"{where}.in_part: {in_part:g} must not be above holds, {holds:g}{more}")


def changed_settings(config: Mapping[str, Any], root: Path) -> list[str]:
    """Settings of a checked config that results rest on and that config/config.yaml has not so."""
    usual = _check_config(read_config(root), root)
    return [key for key in _OF_RESULTS if config[key] != usual[key]]


def _published_files(
    studies: Mapping[str, Path], changes: Mapping[str, Any], root: Path
) -> dict[str, Path]:
    """The files of the papers' printed numbers, of the studies that have one."""
    files = {}
    for name, path in studies.items():
        named = {**read_yaml(path), **(changes.get(name) or {})}.get("published")
        file = published_file(root, str(named or name))
        if file.is_file():
            files[name] = file
        elif named:
            raise UserError(f"{path}: published: {file} is not there; name a file of that folder")
    return files


def study_schema(schemas: Path) -> dict[str, Any]:
    """The schema of the general part of a study file."""
    return read_yaml(schemas / "study.schema.yaml")


def _require_files(name: str, entry: Mapping[str, Any], root: Path, source: str) -> None:
    """The files that a data set comes from must be there."""
    for file in source_of(name, entry).files(entry, root):
        if kind_of_path(Path(file), f"{source}: {name}") != "file":
            stated = f".path: {entry['path']}" if "path" in entry else f": {file}"
            raise UserError(
                f"{source}: {name}{stated} is not there; put it there, or put {name}.csv.gz into a "
                f"folder and pass --config local_data=FOLDER, or take {name} out of the study's "
                "datasets"
            )


def _require_group_files(entries: Mapping[str, Mapping[str, Any]], root: Path) -> None:
    """The files that name groups of features must be there."""
    for name, entry in entries.items():
        file = group_file(entry, root)
        if file is not None and kind_of_path(file, f"{name}: feature_groups: {file}") != "file":
            raise UserError(
                f"{name}: feature_groups: {file.name} is not there; name a file with the columns "
                "feature and group"
            )


def _require_project_files(study: Study, root: Path) -> None:
    """The files of the project that tables and figures read must be there."""
    for sort in ("table", "figure"):
        for name, entry in getattr(study, f"{sort}s").items():
            for file in kind_of(sort, entry).project_files(entry):
                if not (root / file).is_file():
                    raise UserError(
                        f"{study.source}: {sort}s.{name}: {file} is not there; name a file by its "
                        "path from the project's folder, or take this out"
                    )


def _check_own_keys(config: Mapping[str, Any]) -> None:
    """Keys about a table of the user's own say nothing without one."""
    for key in OWN_KEYS:
        if not config["data"] and config[key] is not None:
            raise UserError(f"{SOURCE}: {key}: is about the table that `data` names; name one")


def under(root: Path, path: str) -> Path:
    """A path as given if it exists from here, else from the project's folder."""
    return Path(path) if Path(path).exists() else root / path


def _file(path: str, root: Path, key: str, what: str) -> str:
    """A file that a key of the config names, from here or from the project's folder."""
    found = under(root, path)
    if not found.is_file():
        raise UserError(f"{SOURCE}: {key}: {path}: no such file; name a file {what}")
    return str(found)


def published_file(root: Path, name: str) -> Path:
    """Where the printed numbers of a study's paper would be."""
    return root / "config" / "published" / f"{name}.csv"


def study_paths(entries: list[str], root: Path) -> dict[str, Path]:
    """The files of studies, each named or given as a path, by name."""
    paths: dict[str, Path] = {}
    for entry in entries:
        own = entry.endswith((".yaml", ".yml"))
        name = Path(entry).stem if own else entry
        if not re.search(NAME, name) or name in RESERVED:
            raise UserError(
                f"{SOURCE}: studies: {entry}: a study's name becomes part of paths; use at most 80 "
                f"letters, digits, dots, - and _, and none of {', '.join(RESERVED)}"
            )
        if name in paths:
            raise UserError(f"{SOURCE}: studies: {entry}: there are two studies named {name!r}")
        if own and not Path(entry).is_file():
            raise UserError(f"{SOURCE}: studies: {entry}: no such file")
        paths[name] = Path(entry) if own else _known_study(name, root)
    return paths


def _known_study(name: str, root: Path) -> Path:
    path = under(root, f"config/studies/{name}.yaml")
    if not path.is_file():
        known = [file.stem for file in path.parent.glob("*.yaml")]
        raise UserError(f"{SOURCE}: studies: unknown study {name!r}; {suggest(name, known)}")
    return path


def _check_overrides(overrides: Mapping[str, Any], studies: Mapping[str, Path], root: Path) -> None:
    """Overrides of studies that this run leaves out are fine; those of no study at all are not."""
    known = {STUDY, *studies, *(file.stem for file in (root / "config" / "studies").glob("*.yaml"))}
    for name in overrides:
        if name not in known:
            raise UserError(f"{SOURCE}: overrides.{name}: no such study; {suggest(name, known)}")

"""A whole run's configuration: the config, the catalogue and the studies it names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steadfast.config import check_schema, read_yaml
from steadfast.data.sources import local_files
from steadfast.errors import UserError, nearest
from steadfast.study import Study, load_study

#: Snakemake merges these before we see them, so a mistake may stand in either.
SOURCE = "config/config.yaml (or --config)"

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
    catalogue_path = _under(root, checked["catalogue"])
    catalogue = check_schema(
        read_yaml(catalogue_path), read_yaml(schemas / "datasets.schema.yaml"), checked["catalogue"]
    )
    local = local_files(Path(checked["local_data"])) if checked["local_data"] else {}
    paths = {_study_name(entry): _study_path(entry, root) for entry in checked["studies"]}
    _check_overrides(checked["overrides"], paths)
    schema = read_yaml(schemas / "study.schema.yaml")
    studies = {
        name: load_study(path, schema, {*catalogue, *local}, checked["overrides"].get(name))
        for name, path in paths.items()
    }
    used = sorted({dataset for study in studies.values() for dataset in study["datasets"]})
    for name in set(used) - set(local):
        _require_file(name, catalogue[name], root, checked["catalogue"])
    return checked, catalogue, studies, {name: local.get(name) for name in used}


def _require_file(name: str, entry: Mapping[str, Any], root: Path, source: str) -> None:
    if "path" in entry and not (root / entry["path"]).is_file():
        raise UserError(
            f"{source}: {name}.path: {entry['path']} is not there; put it there, or put "
            f"{name}.csv.gz into a folder and pass --config local_data=FOLDER, or take {name} out "
            "of the study's datasets"
        )


def _under(root: Path, path: str) -> Path:
    """A path as given if it exists from here, else from the project's folder."""
    return Path(path) if Path(path).exists() else root / path


def _study_name(entry: str) -> str:
    return Path(entry).stem if entry.endswith(".yaml") else entry


def _study_path(entry: str, root: Path) -> Path:
    if entry.endswith(".yaml"):
        if not Path(entry).is_file():
            raise UserError(f"{SOURCE}: studies: {entry}: no such file")
        return Path(entry)
    path = _under(root, f"config/studies/{entry}.yaml")
    if not path.is_file():
        known = [file.stem for file in path.parent.glob("*.yaml")]
        raise UserError(f"{SOURCE}: studies: unknown study {entry!r}; {nearest(entry, known)}")
    return path


def _check_overrides(overrides: Mapping[str, Any], studies: Mapping[str, Path]) -> None:
    """Overrides of studies that this run leaves out are fine; those of no study at all are not."""
    folder = next(iter(studies.values())).parent
    known = {*studies, *(file.stem for file in folder.glob("*.yaml"))}
    for name in overrides:
        if name not in known:
            raise UserError(f"{SOURCE}: overrides.{name}: no such study; {nearest(name, known)}")

"""What all stages of a plan share: the run, paths and code."""

import hashlib
import json
import os
import shlex
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from steadfast.core.files import write_atomically
from steadfast.core.imports import content_hash, import_closure
from steadfast.core.paths import Paths, with_manifest
from steadfast.study.declaration import Study
from steadfast.study.run import Run


class PlanBase:
    """A run, and where its files and its code are.

    Attributes
    ----------
    run
        The checked configuration.
    paths
        Of results.
    scripts
        The import root, relative to the working folder: paths of code are inputs of jobs.
    commands
        Where commands lie below it: beside the package, or, where that is installed, in its folder.
    stored
        Whether results go to a storage, because machines share no folder: then there are no files
        but those that Snakemake knows of.
    folder
        Results as a job sees them: where `paths` are, or what a storage is copied to.
    """

    def __init__(self, run: Run, scripts: str, commands: str = "", stored: bool = False):
        self.run = run
        self.config = run.config
        self.paths = Paths(run.config["results"].rstrip("/"))
        self.scripts = scripts
        self.commands = commands
        self.stored = stored
        self.folder = self.paths.root

    @property
    def studies(self) -> dict[str, Study]:
        return self.run.studies

    @property
    def seed(self) -> int:
        return self.config["seed"]

    @property
    def folds_per_job(self) -> int:
        return self.config["folds_per_job"]

    def code(self, script: str, *modules: str) -> list[str]:
        """The command, and a file that stands for all that it runs, imported or loaded by name.

        It lists them with digests of their content and is written anew where one has changed, so
        that it is newer than what was made before; forty inputs per job would cost Snakemake more
        time than all else. A file that was touched only is no change.
        """
        stamp = Path(self.paths.log("code", _code_name(script, *modules)))
        command = os.path.join(self.commands, script)
        content = _listing(self.scripts, command, *modules)
        if not stamp.exists() or stamp.read_bytes() != content:
            write_atomically(stamp, content)
        return [str(Path(self.scripts, command)), str(stamp)]

    def digest(self, script: str, *modules: str) -> str:
        """A digest of the content of all files that a command runs."""
        return _digest(self.scripts, os.path.join(self.commands, script), *modules)

    def on_disk(self, path: str) -> str:
        """A file of results where a job finds it, for what is no input or output of its command."""
        return f"{self.folder}{path.removeprefix(self.paths.root)}"

    def vouchers(self, paths: Iterable[str]) -> list[str]:
        """Manifests of files that a job reads, where they do not lie beside them anyway."""
        return [with_manifest(path)[1] for path in paths] if self.stored else []

    def data_files(self, datasets: Iterable[str], *endings: str) -> list[str]:
        """Files of data sets, and the checksums that vouch for them."""
        return [
            self.paths("data", ending, dataset=dataset)
            for dataset in datasets
            for ending in (*endings, "sha256")
        ]


@cache
def _closure(scripts: str, script: str, *modules: str) -> list[str]:
    """The files that a command runs, itself first."""
    files = [Path(scripts) / name for name in (script, *modules)]
    # Commands inside the package are those of an installed one, beside which those of others lie.
    package, *inside = Path(script).parts
    closure = import_closure(files, Path(scripts), package if inside else "")
    return [str(files[0]), *(str(path) for path in closure if path != files[0])]


@cache
def _listing(scripts: str, script: str, *modules: str) -> bytes:
    """The files that a command runs, one line each, with a digest of their content.

    Named from the import root, which may move: an installed package, another revision.
    """
    files = _closure(scripts, script, *modules)
    lines = [f"{content_hash([Path(f)])}  {os.path.relpath(f, scripts)}\n" for f in files]
    return "".join(lines).encode()


def _code_name(script: str, *modules: str) -> str:
    """The command and the modules that it loads by name, in a name of a file."""
    parts = [Path(name).with_suffix("").as_posix() for name in (script, *modules)]
    name = "-".join(part.removeprefix("steadfast/").replace("/", ".") for part in parts)
    if len(name) <= 100:
        return name
    return f"{parts[0]}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


@cache
def _digest(scripts: str, script: str, *modules: str) -> str:
    return content_hash(map(Path, _closure(scripts, script, *modules)))


def as_json(value: Any) -> str:
    """One sorted string: Snakemake compares parameters as a set, and would not see two swapped."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def as_ordered_json(value: Any) -> str:
    """One string of what is printed, where the order of names matters."""
    return json.dumps(value, ensure_ascii=False)


def option(name: str, value: Any) -> str:
    """An option on a command line; nothing where there is no value."""
    return "" if value is None else f"--{name}={shlex.quote(str(value))}"


def with_manifests(paths: Iterable[str]) -> list[str]:
    """Files, each with the checksums that vouch for it."""
    return [file for path in paths for file in with_manifest(path)]

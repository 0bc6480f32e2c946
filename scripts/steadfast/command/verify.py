"""Every file of a folder of results, against the checksums that runs wrote.

What is promised, of a folder in which a run has ended:

- every file that the last run was asked for is there, and so is every manifest that was there when
  it ended: it left a list of them with checksums of their own (`logs/manifests.sha256`);
- every file that a manifest names is as it was written, and every manifest as the list has it;
- every other file is named: one whose manifest was emptied, cut or deleted, and one that no job
  made.

Not looked at: logs and timings, what a run was asked for (`asked.yaml`), the report of Snakemake,
rankings that rules of the user's make and the rows that they are given, and hidden files, which
killed jobs leave and which are checked when they are used. A folder of results inside another is
checked by its own list.
"""

import argparse
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from steadfast.core.errors import Faults, UserError
from steadfast.core.files import (
    RUN_AGAIN,
    parse_checksums,
    read_manifest,
    read_verified,
    write_atomically,
)
from steadfast.core.paths import RESERVED

#: The manifests that there were when the last run ended, as `sha256sum` writes them, below one line
#: with the checksum of the others.
LIST = PurePath("logs", "manifests.sha256")

#: A run makes this folder first of all: what holds one is a folder of results.
_CODE = PurePath("logs", "code")

#: Stands for the checksum of a manifest that should be there, and was not.
_NEVER_MADE = "0" * 64

#: Files without a checksum: by the first folder, by the folder inside a study, by their name, and
#: by their path.
_NO_RESULTS = ("logs", "benchmarks")
_OF_RULES = ("rankings", "folds")
_ASKED, _REPORT = "asked.yaml", Path("report.html")

#: What stages advise their own run to do is for the command that made the results to do.
_MAKE_AGAIN = "run the command that made it again"


def run(given: argparse.Namespace) -> None:
    """Print how many files are as they were written; name those that are not."""
    if not given.results.is_dir():
        raise UserError(f"{given.results}: no such folder; steadfast reproduce makes results")
    folders = list(_folders_of_results(given.results))
    checked, faults = 0, []
    for folder in folders:
        vouched, found = _check(folder)
        # One that only holds other folders of results has no list of its own.
        is_run = (folder / _CODE).is_dir() or any(path.parent != folder for path in vouched)
        if is_run:
            found = [*_faults_of_list(folder), *found]
        checked, faults = checked + len(vouched), faults + found
    if not checked and not faults:
        raise UserError(f"{given.results}: holds no file with a checksum; name a folder of results")
    if faults:
        number = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
        first = f"{number}; {checked} files of {given.results} have a checksum:"
        raise Faults([first, *(fault.replace(RUN_AGAIN, _MAKE_AGAIN) for fault in faults)])
    print(f"{checked} files are as they were written")


def _check(folder: Path) -> tuple[set[Path], list[str]]:
    """Files that manifests of a folder name, and what is wrong with these and others, by line."""
    vouched, faults = set(), []
    files = set(_files(folder))
    manifests = {path for path in files if path.suffix == ".sha256"}
    for manifest in sorted(manifests):
        try:
            beside = [manifest.parent / name for name in read_manifest(manifest)]
        except UserError as error:
            faults.append(str(error))
            continue
        vouched.update(beside)
        for path in beside:
            try:
                read_verified(path, manifest)
            except UserError as error:
                faults.append(str(error))
    for path in sorted(files - manifests - vouched):
        if _needs_checksum(path.relative_to(folder)):
            faults.append(
                f"{path}: no checksum vouches for it: no job made it, or its manifest was damaged; "
                f"move it away and {RUN_AGAIN}"
            )
    return vouched, faults


def _faults_of_list(folder: Path) -> Iterator[str]:
    """Manifests that are gone, or not as they were when the last run ended."""
    try:
        listed = _read_list(folder)
    except FileNotFoundError:
        yield f"{folder / LIST}: is not there, so that lost files cannot be told; {RUN_AGAIN}"
        return
    except (OSError, ValueError) as error:
        yield f"{folder / LIST}: was damaged ({error}); delete it and {RUN_AGAIN}"
        return
    for name, digest in listed.items():
        manifest = folder / name
        if not manifest.is_file():
            yield f"{manifest}: is not there, and a run made it or should have; {RUN_AGAIN}"
        elif digest not in (_NEVER_MADE, _digest(manifest)):
            yield (
                f"{manifest}: is not as it was when the last run ended: it was damaged, or a later "
                f"run was stopped; delete it and {RUN_AGAIN}"
            )


def record(folder: Path, made: Iterable[str], known: Iterable[str]) -> None:
    """List the manifests of a folder of results at the end of a run.

    Parameters
    ----------
    made
        Manifests of all jobs behind what the run was asked for, whether they ran or not.
    known
        Manifests that jobs make which this run was not asked for: listed already, they stay. So do
        those of other studies, as long as there is a folder of theirs, and what they share.
    """
    there = {path for path in _files(folder) if path.suffix == ".sha256"}
    made, known = set(map(Path, made)), set(map(Path, known))
    before = _listed(folder)
    own = {_study(path, folder) for path in made | known}
    others = {_study(path, folder) for path in before} - own - set(RESERVED)
    others = {name for name in others if (folder / name).is_dir()}
    kept = others | (set(RESERVED) if others else set())
    of_others = {path for path in before if _study(path, folder) in kept}
    wanted = there | made | (before & known) | of_others
    lines = "".join(
        f"{_digest(path) if path in there else _NEVER_MADE}  {path.relative_to(folder)}\n"
        for path in sorted(wanted)
    ).encode()
    content = f"# {hashlib.sha256(lines).hexdigest()}\n".encode() + lines
    place = folder / LIST
    if not place.is_file() or place.read_bytes() != content:
        write_atomically(place, content)


def _listed(folder: Path) -> set[Path]:
    """Manifests that earlier runs have listed."""
    try:
        return {folder / name for name in _read_list(folder)}
    except (OSError, ValueError):
        return set()


def _study(manifest: Path, folder: Path) -> str:
    """The first folder below the results: a study's, or one that all studies share."""
    return manifest.relative_to(folder).parts[0]


def _read_list(folder: Path) -> dict[str, str]:
    """Manifests below a folder of results, and their checksums."""
    first, _, lines = (folder / LIST).read_bytes().partition(b"\n")
    if first != f"# {hashlib.sha256(lines).hexdigest()}".encode():
        raise ValueError("its first line is not the checksum of the others")
    return parse_checksums(lines)


def _folders_of_results(folder: Path) -> Iterator[Path]:
    """A folder, and folders of results inside it."""
    yield folder
    for place, _, _ in _walk(folder):
        if place != str(folder) and Path(place, _CODE).is_dir():
            yield Path(place)


def _files(folder: Path) -> Iterator[Path]:
    """Files of a folder of results, but for logs, hidden ones, and other folders of results."""
    for place, folders, names in _walk(folder):
        folders[:] = [
            name
            for name in folders
            if not (place == str(folder) and name == "logs")
            and not Path(place, name, _CODE).is_dir()
        ]
        yield from (Path(place, name) for name in names if not name.startswith("."))


def _walk(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """As `os.walk`, without hidden folders, and into those that are links, each once."""
    seen = set()
    for place, folders, names in os.walk(folder, followlinks=True):
        here = os.path.realpath(place)
        if here in seen:
            folders.clear()
            continue
        seen.add(here)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield place, folders, names


def _needs_checksum(path: Path) -> bool:
    """Whether a file, by its path below a folder of results, is a result."""
    inside = path.parts[1] if len(path.parts) > 2 else ""
    is_other = path.name == _ASKED or path == _REPORT
    return not (path.parts[0] in _NO_RESULTS or inside in _OF_RULES or is_other)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

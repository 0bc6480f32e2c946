"""Files that are damaged at random, and whether anyone notices."""

import os
import random
from collections.abc import Callable
from pathlib import Path

from chaos.trial import Trial, is_result


def kind_of(name: Path) -> str:
    """The kind of a file by its place: `data`, `selections`, `manifest`, …; empty for others."""
    parts = name.parts
    if parts[0] == ".cache":
        return parts[1] if parts[1] in ("openml", "numba") else ""
    if parts[0] == ".snakemake":
        return "metadata" if parts[1] in ("metadata", "incomplete") else ""
    if parts[0] != "results" or any(part.startswith(".") for part in parts):
        return ""
    if "logs" in parts:
        return "code" if "code" in parts else ""
    if name.name == "asked.yaml":
        return "asked"
    if not is_result(name):
        return ""
    if name.suffix == ".sha256":
        return "batch" if name.stem.startswith("batch") else "manifest"
    return next((part for part in PLACES if part in parts), name.name)


PLACES = (
    *("data", "discrete", "transformed", "resamples", "selections", "stability", "accuracy"),
    *("chance", "probes", "trust", "tables", "figures", "evidence"),
)


def files_by_kind(folder: Path) -> dict[str, list[Path]]:
    """Everything that can be damaged."""
    kinds: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (kind := kind_of(path.relative_to(folder))):
            kinds.setdefault(kind, []).append(path)
    return kinds


def flip(path: Path, draw: random.Random, _: list[Path]) -> None:
    """Turn one bit over."""
    content = bytearray(path.read_bytes() or b"\0")
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)


def cut(path: Path, draw: random.Random, _: list[Path]) -> None:
    """Keep the beginning alone."""
    content = path.read_bytes()
    path.write_bytes(content[: draw.randrange(len(content) or 1)])


def empty(path: Path, _: random.Random, __: list[Path]) -> None:
    """Keep nothing of it."""
    path.write_bytes(b"")


def append(path: Path, draw: random.Random, _: list[Path]) -> None:
    """Add to its end."""
    with path.open("ab") as file:
        file.write(draw.choice([b"\n", b"\0", draw.randbytes(30)]))


def delete(path: Path, _: random.Random, __: list[Path]) -> None:
    """Take it away."""
    path.unlink()


def replace(path: Path, draw: random.Random, others: list[Path]) -> None:
    """Put another file of the same kind in its place."""
    path.write_bytes(_another(draw, others))


def _another(draw: random.Random, others: list[Path]) -> bytes:
    return draw.choice(others).read_bytes() if others else b"another\n"


def swap(path: Path, draw: random.Random, others: list[Path]) -> None:
    """Change places with another file of the same kind."""
    mine = path.read_bytes()
    path.write_bytes(_another(draw, others))
    for other in others:
        if other.read_bytes() == path.read_bytes():
            other.write_bytes(mine)
            return


def folder(path: Path, _: random.Random, __: list[Path]) -> None:
    """Put a folder in its place."""
    path.unlink()
    path.mkdir()


def stray(path: Path, draw: random.Random, _: list[Path]) -> None:
    """Put a file beside it that no job made."""
    path.with_name(f"{path.stem}_{draw.randrange(1000)}{path.suffix}").write_bytes(b"stray\n")


WAYS: list[Callable[[Path, random.Random, list[Path]], None]] = [
    *(flip, flip, cut, empty, append, delete, replace, swap, folder, stray)
]


def damage(path: Path, root: Path, draw: random.Random, kind: str, others: tuple = ()) -> str:
    """Damage a file in a way that is drawn; half of the times it looks as old as it was."""
    before = path.stat()
    way = draw.choice(WAYS)
    way(path, draw, [other for other in others if other != path])
    as_old = draw.random() < 0.5 and path.is_file()
    if as_old:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return f"{way.__name__} {path.relative_to(root)} ({kind}{', date kept' if as_old else ''})"


def damage_some(trial: Trial, number: int, kinds: dict[str, list[Path]]) -> None:
    """Damage files of kinds that are drawn, each kind as often as another."""
    for _ in range(number):
        kind = trial.draw.choice(sorted(kinds))
        whole = [path for path in kinds[kind] if path.is_file()]
        if whole:
            path = trial.draw.choice(whole)
            trial.steps.append(damage(path, trial.folder, trial.draw, kind, tuple(whole)))
            trial.damages += 1


def verified(trial: Trial, number: int) -> None:
    """Damage many files at once; `verify` names them, and what it advises mends all."""
    form = trial.draw.choice(trial.whole.side.forms)
    trial.copy()
    damage_some(trial, number, files_by_kind(trial.folder))
    trial.expect_verified(form)
    # What verify does not look at (caches, records of Snakemake) must do no harm either.
    if not trial.advised and trial.finish(form):
        trial.expect_right(form, frozenset(trial.strays()))


def read(trial: Trial, number: int) -> None:
    """Damage a few files and let jobs run that may read them; `verify` comes last."""
    form = trial.draw.choice(trial.whole.side.forms)
    trial.copy()
    damage_some(trial, number, files_by_kind(trial.folder))
    damaged = frozenset(trial.differing())
    trial.unmake(trial.draw.uniform(0.05, 0.8))
    if trial.finish(form):
        trial.expect_right(form, damaged)
        trial.expect_verified(form)

"""Runs on a disk that is full: a small tmpfs where mounting is allowed, else a limit of files."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chaos.running import run
from chaos.trial import DEAD_END, Trial

ROOM = 64 * 2**20
#: Bytes that are left: nothing to begin with, or enough to get some way.
LEFT = [0, 65_536, 2_050_000, 2_100_000, 2_200_000, 2_500_000]
#: What a run says that has no room.
NO_ROOM = ("No space left", "File too large", "disk", "room")


def full(trial: Trial, _: int) -> None:
    """Let a run meet the end of its disk, make room, and let it end."""
    draw = trial.draw
    form = draw.choice(trial.whole.side.forms)
    with small_disk(trial.folder) as mounted:
        shutil.copytree(trial.whole.folder, trial.folder, symlinks=True, dirs_exist_ok=True)
        trial.unmake(draw.uniform(0.2, 1.0))
        if mounted:
            left = draw.choice(LEFT)
            resize(trial.folder, used(trial.folder) + left)
            trial.steps.append(f"a disk with {left} bytes left")
            outcome = run(form, trial.folder)
            resize(trial.folder, ROOM)
        else:
            largest = draw.choice([512, 2048, 8192])
            trial.steps.append(f"no file may have more than {largest} bytes")
            outcome = run(form, trial.folder, largest_file=largest)
        trial.note(outcome)
        if outcome.code and not any(word in outcome.printed for word in NO_ROOM):
            trial.fault(DEAD_END, f"{form} does not say that the disk is full")
        if trial.finish(form):
            trial.expect_right(form)
            trial.expect_verified(form)


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A file system in memory at a folder, where the system lets us; whether it does."""
    folder.mkdir()
    call = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "chaos", str(folder)]
    mounted = shutil.which("mount") is not None and not _fails(call)
    try:
        yield mounted
    finally:
        if mounted:
            _fails(["umount", "-l", str(folder)])


def resize(folder: Path, size: int) -> None:
    """Give a mounted folder another size."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)


def used(folder: Path) -> int:
    """Bytes in use on the file system of a folder."""
    found = os.statvfs(folder)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _fails(call: list[str]) -> bool:
    return subprocess.run(call, capture_output=True, check=False).returncode != 0
